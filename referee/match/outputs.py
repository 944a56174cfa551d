"""What a match wants done, in the order in which it is due. The driver drains these and carries them out."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from referee.kernel.game import Event, Option, Seat
from referee.match.clock import Timing
from referee.match.policy import Fault
from referee.match.record import Final, Step


class Seated(NamedTuple):
    """Offer the table to a seat; it must become ready within the start budget."""

    seat: Seat


class Asked(NamedTuple):
    """A seat owes an answer."""

    seat: Seat
    ask: int
    """1, 2, 3... for each seat by itself, so that it tells nothing about the others."""
    kind: str
    """The sort of decision, in the rules' own words."""
    options: Sequence[Option]
    view: object
    """Everything that the seat may know or remember."""
    events: tuple[Event, ...]
    """What the seat may know of what happened since its last message."""
    left: int | None
    """Bank, increment included; None: unlimited."""
    deadline: int | None
    """When the stand-in answers, on the driver's scale of time; None: never."""
    budget: int | None
    """Most that this answer may use; None: unlimited."""
    timing: Timing | None
    """Where the time of the seat's previous answer went."""
    at: int
    """The moment at which the ask is put out, on the driver's scale of time."""


class Told(NamedTuple):
    """Events that are due without an ask: to a seat after the end, to the public (seat None) after each step."""

    seat: Seat | None
    events: tuple[Event, ...]


class Faulted(NamedTuple):
    """Tell a seat what it did wrong."""

    fault: Fault
    forfeits: bool
    """Whether this costs the seat its game."""


class Paused(NamedTuple):
    """Tell a seat that its clock stands because the referee cannot store; its open ask comes again afterwards."""

    seat: Seat


class Stepped(NamedTuple):
    """Store this before anything that follows is sent."""

    step: Step


class Skipped(NamedTuple):
    """Decisions without a choice were applied where rivals must not learn that: delay all that follows."""

    seats: tuple[Seat, ...]
    """Whose decisions, one entry for each."""


class SeatRating(NamedTuple):
    """What a match changed in the rating of one seat's bot."""

    before: float
    after: float
    deviation: float
    """Standard deviation of the rating; 0: not known."""
    games: int
    """Rated games of the bot in the match's pool, this one included."""
    rank: int
    """The bot's rank in the pool; 0: not ranked."""


class Settled(NamedTuple):
    """What the players of a match are told at its end beside the result."""

    record_hash: str = ""
    """The last hash of the stored record; empty: none is kept."""
    ratings: tuple[SeatRating, ...] = ()
    """By seat; empty: the match is not rated."""


class StoredEnd(NamedTuple):
    """The end of a match as it was stored, for a seat whose bot may not have read it."""

    match: str
    seat: Seat
    final: Final
    settled: Settled
    rated: bool
    """Whether the match's table counts for ratings."""


class Ended(NamedTuple):
    """The match is over."""

    final: Final
    settled: Settled = Settled()
    """Filled in by the driver once the end is stored."""


Output: TypeAlias = Seated | Asked | Told | Faulted | Paused | Stepped | Skipped | Ended


class Verdict(StrEnum):
    """What became of an answer. Only ILLEGAL is a fault."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    """This ask is answered already; nothing happens, so repeating an answer is harmless."""
    STALE = "stale"
    """The ask is over: the seat has answered it earlier, or the stand-in has."""
    UNKNOWN = "unknown"
    """The seat was never asked this."""
    ILLEGAL = "illegal"
    """No such option; the ask stays open and its clock runs on."""
