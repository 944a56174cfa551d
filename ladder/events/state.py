"""What is known of an event: its entrants, its rounds and their games. Plain values, as the database holds them.

Scores are exact fractions, so that bots are level exactly when they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ladder.config.event_rules import EventRules
from ladder.ratings.results import score

ONE, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


class EventEntrant(NamedTuple):
    """A bot of the event."""

    name: str
    seed: int
    """From 1, the best."""
    checked_in: bool = False
    entered: int | None = None
    """The first round in which the bot was counted on; None: the bot has not come yet."""
    out_before: int | None = None
    """The first round that the bot does not play because it is out; None: the bot is in."""
    reason: str = ""
    """Why it is out."""


class EventGame(NamedTuple):
    """A match of an event: planned, played, or forfeited."""

    group: int
    """The number of its group in the pool: the order of planning."""
    players: tuple[str, ...]
    """Bots by seat."""
    absent: tuple[str, ...] | None = None
    """The bots that did not come to the match; None: the match was not forfeited."""
    places: tuple[int, ...] | None = None
    """By seat; None: the match has no result."""
    points: tuple[int, ...] = ()
    """The points made in the game, by seat."""
    given_up: bool = False
    """Whether the referee could not bring the match to an end; the match counts as level."""
    match: str = ""
    """The id of the match; empty: none was begun."""

    @property
    def over(self) -> bool:
        """Whether nothing of it is to be played any more."""
        return self.absent is not None or self.places is not None or self.given_up

    @property
    def played(self) -> bool:
        """Whether it was played to a result."""
        return self.places is not None and self.absent is None

    def against(self, name: str, other: str) -> Fraction:
        """The score of one bot against another at the same table: 1, 1/2 or 0. Only for games that were played."""
        places = self.places or ()
        return Fraction(score(places[self.players.index(name)], places[self.players.index(other)]))

    def score(self, name: str) -> Fraction:
        """The score of a bot: the mean over the others of the table of 1 (ahead), 1/2 (level) and 0 (behind).

        A bot that did not come is behind all who did; those who came are level; one that did not come scores 0.
        """
        others = len(self.players) - 1
        if self.absent is not None:
            if name in self.absent:
                return NOTHING
            return (len(self.absent) + HALF * (others - len(self.absent))) / others
        if self.places is None:
            return HALF
        return sum((self.against(name, other) for other in self.players if other != name), NOTHING) / others


class RoundTable(NamedTuple):
    """A table of a round."""

    number: int
    """From 0, in the order of pairing; in a knockout the slot of the bracket."""
    bots: tuple[str, ...]
    games: tuple[EventGame, ...] = ()

    def score(self, name: str) -> Fraction:
        """The mean score of a bot in the games of the table that are over."""
        over = [game for game in self.games if game.over]
        return sum((game.score(name) for game in over), NOTHING) / len(over) if over else NOTHING

    def total(self, name: str) -> Fraction:
        """The sum of a bot's scores in the games of the table."""
        return sum((game.score(name) for game in self.games if game.over), NOTHING)

    def made(self, name: str) -> int:
        """The points that a bot made in the games of the table that were played."""
        return sum(game.points[game.players.index(name)] for game in self.games if game.played)

    @property
    def over(self) -> bool:
        """Whether all its games are over."""
        return bool(self.games) and all(game.over for game in self.games)


class EventRound(NamedTuple):
    """A round as it was paired, with what has come of it."""

    number: int
    """From 1."""
    tables: tuple[RoundTable, ...]
    byes: tuple[str, ...] = ()
    bye_slots: tuple[int, ...] = ()
    """The slot of each bye in the bracket of a knockout."""
    missed: tuple[str, ...] = ()
    """Entrants that were in, and not there when the round was paired."""

    def table(self, name: str) -> RoundTable | None:
        """Where a bot sits."""
        return next((table for table in self.tables if name in table.bots), None)

    def misses(self, name: str) -> bool | None:
        """Whether a bot missed the round: it came to none of its games. None: the bot had nothing to play."""
        if name in self.missed:
            return True
        table = self.table(name)
        if table is None:
            return None
        return table.over and all(game.absent is not None and name in game.absent for game in table.games)


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that is known of an event."""

    rules: EventRules
    entrants: tuple[EventEntrant, ...]
    """By seed."""
    rounds: tuple[EventRound, ...] = ()
    state: str = "waiting"
    """`waiting` (it has not begun), `running` or `over`."""
    paused: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All entrants, by seed."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def seeds(self) -> dict[str, int]:
        """The seed of every entrant."""
        return {entrant.name: entrant.seed for entrant in self.entrants}

    def entrant(self, name: str) -> EventEntrant | None:
        """The entrant of that name."""
        return next((entrant for entrant in self.entrants if entrant.name == name), None)

    @property
    def active(self) -> tuple[EventEntrant, ...]:
        """The entrants that are not out, by seed."""
        return tuple(entrant for entrant in self.entrants if entrant.out_before is None)

    def games(self) -> Iterator[EventGame]:
        """Every game, in the order of planning."""
        for found in self.rounds:
            for table in found.tables:
                yield from table.games
