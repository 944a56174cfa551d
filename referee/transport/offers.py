"""What a bot plays, as the offers of its hello say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Accepts(NamedTuple):
    """What a bot accepts of one game."""

    seats: frozenset[int]
    """Seat counts; empty: any."""
    settings: Mapping[str, frozenset[str]]
    """Values of the settings it insists on."""


class HelloOffers:
    """What the offers of a hello say about tables."""

    __slots__ = ("_games",)

    def __init__(self, games: Mapping[str, Accepts] | None = None) -> None:
        """`games` None: the bot plays everything."""
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
