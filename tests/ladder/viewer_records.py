"""Matches for the tests of the viewer: every game, at its fewest and most seats, played once in this process."""

from __future__ import annotations

from functools import cache

from referee.kernel.registry import game as game_named
from referee.kernel.registry import names
from referee.match.inprocess import play
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.match.record import Record

TABLES = [(name, seats) for name in names() for seats in game_named(name).seats]
"""Every game with every number of seats."""
FEWEST_AND_MOST = [
    (name, seats) for name, seats in TABLES if seats in (game_named(name).seats[0], game_named(name).seats[-1])
]


class Wanderer:
    """Takes options all over the list, the same in every run, and says why."""

    def __init__(self, seed: int) -> None:
        self._state = seed + 1
        self.note = "wandering"

    def __call__(self, asked: Asked) -> int:
        """The next option of the walk."""
        self._state = (1_103_515_245 * self._state + 12_345) % 2**31
        return (self._state >> 8) % len(asked.options)


@cache
def match(game: str, seats: int, number: int = 0) -> Record:
    """A match of a game, the same in every run."""
    players = tuple(f"bot-{seat}" for seat in range(seats))
    plan = MatchPlan(game, players, f"{number:032x}", bytes([number]) * 32)
    return play(game_named(game), plan, [Wanderer(31 * number + seat) for seat in range(seats)])
