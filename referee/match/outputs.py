"""The outputs of a match: the driver takes them with `Match.drain` and carries them out in their order."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from referee.kernel.game import Event, Option, Pending, Seat
from referee.match.clock import AnswerTiming
from referee.match.policy import Fault
from referee.match.record import Final, Step


class Seated(NamedTuple):
    """Offer the table to a seat, which must become ready within the start budget."""

    seat: Seat


class Asked(NamedTuple):
    """Ask a seat, which owes an answer from now on. Times are in microseconds."""

    seat: Seat
    ask: int
    """The number of the ask: 1, 2, 3... for each seat alone, so that the number reveals nothing about other seats."""
    kind: str
    """The kind of decision, in the words of the rules."""
    options: Sequence[Option]
    view: object
    """The seat's view: everything that the seat may know or remember."""
    events: tuple[Event, ...]
    """The events since the last ask that was sent to the seat, as far as the seat may know them."""
    left: int | None
    """Time in the bank, increment included; None: unlimited."""
    deadline: int | None
    """The moment, on the driver's scale of time, at which the stand-in answers; None: never."""
    budget: int | None
    """Most time that this answer may use; None: unlimited."""
    timing: AnswerTiming | None
    """The times of the seat's previous answer; None: there is none."""
    at: int
    """The moment, on the driver's scale of time, at which the ask is made or repeated."""


class Told(NamedTuple):
    """Tell events without an ask: to a seat before the end."""

    seat: Seat
    events: tuple[Event, ...]


class Shown(NamedTuple):
    """Show a position to the public: after the set-up and after each decision that was applied, asked or not."""

    number: int
    """The number of the position: 1 after the set-up, one more for each application; 0: the game is not set up."""
    events: tuple[Event, ...]
    """The events since the position before, as far as the public may know them."""
    view: object
    """The public view; None: the game is not set up."""
    pending: Sequence[Pending]
    """The decisions that are open, those without a choice included."""
    left: tuple[int, ...]
    """By seat: time in the bank after the latest decision; empty: no clock, or the bank would tell who had a choice."""


class Seen(NamedTuple):
    """Show a position to a seat that watches the match (`Match.listen`): as many positions as the public is shown."""

    seat: Seat
    shown: Shown
    """The position, with the view and the events of the seat in place of those of the public."""


class Faulted(NamedTuple):
    """Tell a seat its fault."""

    fault: Fault
    forfeits: bool
    """Whether the fault forfeits the seat."""


class Paused(NamedTuple):
    """Tell a seat that its clock stands because the referee cannot store; afterwards its open ask is repeated."""

    seat: Seat


class Stepped(NamedTuple):
    """Store a step before any later output is carried out."""

    step: Step


class Skipped(NamedTuple):
    """Delay all later outputs: decisions without a choice were applied, and other seats must not learn that."""

    seats: tuple[Seat, ...]
    """The seats of these decisions, one entry for each decision."""


class SeatRating(NamedTuple):
    """The rating of one seat's bot before and after a match."""

    before: float
    after: float
    deviation: float
    """Standard deviation of the rating; 0: not known."""
    games: int
    """Rated games of the bot in the match's pool, this one included."""
    rank: int
    """The bot's rank in the pool; 0: not ranked."""


class Settled(NamedTuple):
    """What the recorder adds to the end of a match when it is stored; the players are told both."""

    record_hash: str = ""
    """The last hash of the stored record; empty: no record is stored."""
    ratings: tuple[SeatRating, ...] = ()
    """By seat; empty: the match is not rated."""


class StoredEnd(NamedTuple):
    """The stored end of a match, for a seat whose bot may not have received it."""

    match: str
    seat: Seat
    final: Final
    settled: Settled
    rated: bool
    """Whether the match's table counts for ratings."""


class Ended(NamedTuple):
    """Store the end of the match and tell all players."""

    final: Final
    settled: Settled = Settled()
    """What the recorder returned; the driver fills this in once the end is stored."""


Output: TypeAlias = Seated | Asked | Told | Shown | Seen | Faulted | Paused | Stepped | Skipped | Ended


class Verdict(StrEnum):
    """How a match took an answer. Only ILLEGAL is a fault."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    """The seat has already answered this ask, its latest one: the answer is ignored, so repeating an answer is safe."""
    STALE = "stale"
    """An earlier ask, or one that the stand-in has answered: the answer is ignored."""
    UNKNOWN = "unknown"
    """The seat has had no ask of this number."""
    ILLEGAL = "illegal"
    """The index is no option; the ask stays open and its clock runs on."""
