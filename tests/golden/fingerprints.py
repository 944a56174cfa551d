"""Last hashes of 200 records over all games, seats and variants: `python -m tests.golden.fingerprints` prints them.

A change that is meant to change no behaviour leaves every line as it is. Bots answer by a rule of their own, time is a
counter, and some matches have a clock and illegal answers, so both loops of the in-process driver and the stand-in take
part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import count, cycle, islice
from pathlib import Path

from referee.kernel import registry
from referee.kernel.game import AnyGame
from referee.match.clock import TimeControl
from referee.match.inprocess import play
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.match.record import Record

KEPT = Path(__file__).parent / "fingerprints.txt"
EARLIER = Path(__file__).parent / "fingerprints-earlier.txt"
"""The lines of the first version, in which every game had its earliest edition."""
MATCHES = 200
CLOCKS = ("none", "none", "10m", "1m+1s")


def bot(seed: str, wrong: bool) -> Callable[[Asked], int]:
    """A bot whose answers are drawn from a hash of the seed, seat and ask; `wrong`: some are no option."""

    def answer(asked: Asked) -> int:
        digest = blake2b(f"{seed}/{asked.seat}/{asked.ask}".encode(), digest_size=8).digest()
        drawn = int.from_bytes(digest, "big")
        if wrong and drawn % 31 == 0:
            return len(asked.options)
        return (drawn >> 8) % len(asked.options)

    return answer


def settings(game: AnyGame) -> Iterator[tuple[int, dict[str, str]]]:
    """For every number of seats the defaults and every other value of each setting, over and over.

    Values under which times of arrival count are left out: such matches are not played within one process.
    """
    found: list[tuple[int, dict[str, str]]] = []
    for seats in game.seats:
        found.append((seats, {}))
        for name, choices in game.variants.items():
            if choices.seats is None or seats in choices.seats:
                values = [value for value in choices.values if value != choices.default and value not in choices.timed]
                found.extend((seats, {name: value}) for value in values)
    return cycle(found)


EARLIER_SETTINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "edo_yashiki": {"rules": ("standard", "specialists"), "draft": ("sealed", "turn_order")},
    "honshu": {
        "province_side": ("A", "B"),
        "scoring_card": ("none", *"12345678", "random"),
        "layering": ("free", "flat"),
        "equals_cards": ("add", "replace"),
    },
    "white_castle": {"rival": ("easy", "medium", "hard"), "first_game": ("off", "on")},
}
"""The settings of the earliest edition of each game that has one, the default first."""
SOLO = {"rival"}
"""The settings of these that are for one seat."""


def earlier_settings(game: AnyGame) -> Iterator[tuple[int, dict[str, str]]]:
    """What `settings` gave in the earliest edition, each variant complete, as a header of that edition names it."""
    declared = EARLIER_SETTINGS[game.name]
    defaults = {name: values[0] for name, values in declared.items()}
    found: list[tuple[int, dict[str, str]]] = []
    for seats in game.seats:
        found.append((seats, defaults))
        for name, values in declared.items():
            if name not in SOLO or seats == 1:
                found.extend((seats, {**defaults, name: value}) for value in values[1:])
    return cycle(found)


def played(game: AnyGame, number: int, seats: int, variant: dict[str, str]) -> Record:
    """The record of one of the kept matches."""
    seed = f"{game.name}-{number}"
    secret = blake2b(seed.encode(), digest_size=32).digest()
    names = tuple(f"bot-{seat}" for seat in range(seats))
    plan = MatchPlan(game.name, names, seed, secret, variant, TimeControl.parse(CLOCKS[number % len(CLOCKS)]))
    moments = count(step=997)
    bots = [bot(seed, wrong=number % 5 == seat) for seat in range(seats)]
    return play(game, plan, bots, lambda: next(moments))


def line(record: Record, number: int) -> str:
    """What is kept of a record: game, number, seats, clock, steps and last hash."""
    header = record.header
    return f"{header.game} {number} {len(header.players)} {header.clock} {len(record.steps)} {record.last_hash()}"


def fingerprints() -> list[str]:
    """A line for each match."""
    games = [registry.game(name) for name in registry.names()]
    return [
        line(played(game, number, seats, variant), number)
        for game in games
        for number, (seats, variant) in enumerate(islice(settings(game), MATCHES // len(games)))
    ]


def earlier_records() -> Iterator[tuple[int, Record]]:
    """The same matches with the header of the earliest edition of their game, and their numbers.

    They are played by the present rules with the settings that the edition implies.
    """
    games = [registry.game(name) for name in EARLIER_SETTINGS]
    for game in games:
        edition = game.earlier[0]
        for number, (seats, named) in enumerate(islice(earlier_settings(game), MATCHES // len(registry.names()))):
            record = played(game, number, seats, {**edition.implied, **named})
            header = replace(
                record.header, rules_version=edition.rules_version, components=edition.digest, variant=named
            )
            yield number, replace(record, header=header)


if __name__ == "__main__":
    print("\n".join(fingerprints()))
