"""The games, seat counts and settings that a bot accepts, read from the offers of its hello."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from referee.kernel import registry
from referee.kernel.errors import UnknownName
from referee.v1 import play_pb2 as pb

CACHED_OFFERS = 1024
"""Most bytes of offers whose check is cached."""


class Accepts(NamedTuple):
    """The tables of one game that a bot accepts."""

    seats: frozenset[int]
    """The accepted seat counts; empty: any."""
    settings: Mapping[str, frozenset[str]]
    """The accepted values of each setting that the bot names."""


class HelloOffers:
    """The tables that a bot accepts."""

    __slots__ = ("_games",)

    def __init__(self, games: Mapping[str, Accepts] | None = None) -> None:
        """`games` None: the bot accepts every table."""
        self._games = games

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        """Whether the bot accepts such a table."""
        if self._games is None:
            return True
        accepts = self._games.get(game)
        return (
            accepts is not None
            and (not accepts.seats or seats in accepts.seats)
            and all(variant.get(name) in values for name, values in accepts.settings.items())
        )


def accepted(hello: pb.Hello) -> Mapping[str, Accepts] | None:
    """The offers of a hello, checked against the registered games; None: no offers. Raises CallerFault."""
    if not hello.offers:
        return None
    offers = pb.Hello(offers=hello.offers).SerializeToString()
    return _remembered(offers) if len(offers) <= CACHED_OFFERS else _checked(hello)


@lru_cache(maxsize=256)
def _remembered(offers: bytes) -> Mapping[str, Accepts]:
    return _checked(pb.Hello.FromString(offers))


def _checked(hello: pb.Hello) -> Mapping[str, Accepts]:
    accepts = {}
    for offer in hello.offers:
        game = registry.game(offer.game)
        for seats in offer.seat_counts:
            if seats not in game.seats:
                raise UnknownName.of(f"seat count of {game.name}", str(seats), map(str, game.seats))
        settings = {}
        for setting in offer.settings:
            if setting.name not in game.variants:
                raise UnknownName.of(f"setting of {game.name}", setting.name, game.variants)
            known = game.variants[setting.name].values
            for value in setting.values:
                if value not in known:
                    raise UnknownName.of(f"value of {game.name}'s {setting.name}", value, known)
            settings[setting.name] = frozenset(setting.values)
        accepts[game.name] = Accepts(frozenset(offer.seat_counts), settings)
    return accepts
