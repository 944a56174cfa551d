"""What an event is played by. The rules are stored with the event when the referee first sees its ladder file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum


class EventFormat(StrEnum):
    """How an event is paired."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCKOUT = "knockout"


class TieDecision(StrEnum):
    """What decides a tie of a knockout that is level after its matches."""

    PLAY_ON = "play_on"
    """Further matches, one at a time, until one bot is ahead, at most `MOST_EXTRA`; then the better seed."""
    POINTS = "points"
    """The sum of the points made in the game; then the better seed."""
    SEED = "seed"
    """The better seed."""


MOST_EXTRA = 6
"""Further matches of a level tie."""
FORFEITS = 2
"""Rounds in a row that a bot may not miss: then it is out."""


@dataclass(frozen=True, slots=True)
class EventRules:
    """What pairing and ranking depend on."""

    format: EventFormat
    seats: int
    rounds: int = 0
    """Swiss: the number of rounds. Round robin: how often every table is played. Knockout: 0, it ends by itself."""
    games: int = 1
    """Matches that a table plays in a round; in a knockout of two seats the most that it plays (best of)."""
    advance: int = 1
    """Knockout with more than two seats: bots of each table that go on."""
    level: TieDecision = TieDecision.PLAY_ON
    late_entry: int | None = None
    """Swiss: the last round in which an entrant that has not come before may begin; None: see `FORFEITS`."""

    @property
    def bracket(self) -> bool:
        """Whether this is a knockout of two seats."""
        return self.format is EventFormat.KNOCKOUT and self.seats == 2

    def plain(self) -> dict[str, object]:
        """The rules as they are stored."""
        return asdict(self)

    @classmethod
    def of(cls, plain: dict[str, object]) -> EventRules:
        """Stored rules."""
        values = dict(plain)
        values["format"] = EventFormat(str(values["format"]))
        values["level"] = TieDecision(str(values["level"]))
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class EventEntry:
    """The table `[event]` of a ladder file."""

    rules: EventRules
    start: datetime | str
    """A moment, `all` (when all entrants have come) or `organiser` (when told so)."""
    check_in: float | None
    """Seconds before the start from which on a bot that is there is checked in; None: at any time before it."""
    grace: float
    """Seconds that an event waits for a bot that is away."""
    seeds: tuple[str, ...]
    """Entrants that are seeded, best first; the others follow by lot."""
    withdrawals: dict[str, int]
    """Bots that leave, each with the first round that it does not play."""
