"""What happens when a seat misbehaves, and how a match's end is told.

Every fault has a kind and an owner. A seat may have `Policy.faults` of them: a stand-in answers where an answer is
missing. One more and the seat is forfeited: the stand-in plays on for it, so that the others' game stays whole, and it
is ranked last. In development mode the first fault ends the match with an explanation that cannot be overlooked.
`Ledger` keeps the count, for a running match, a restored one and the verifier alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from referee.kernel.errors import BadSetting
from referee.kernel.game import Result, Seat, rank
from referee.kernel.plain import Plain

TEXT_LIMIT = 1000
"""Longest message of a fault; what comes from a bot is cut to it."""


_UNFIT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNFIT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class FaultKind(StrEnum):
    """What a seat did wrong."""

    ILLEGAL = "illegal"
    """Answered with an option that is not on the list."""
    LATE = "late"
    """Had not answered, or was not ready, when its time was over."""
    MALFORMED = "malformed"
    """Sent something that is no message of the protocol."""
    GONE = "gone"
    """Was disconnected and did not come back in time, where no clock counted."""
    CRASHED = "crashed"
    """Died or raised an error."""
    REMOVED = "removed"
    """Was taken from its seat by an organiser, which forfeits the seat at once."""


class Owner(StrEnum):
    """Who is answerable for a fault or an ending."""

    BOT = "bot"
    NETWORK = "network"
    REFEREE = "referee"
    OPPONENT = "opponent"
    ORGANISER = "organiser"


NOT_PLAYED = (Owner.REFEREE, Owner.ORGANISER)
"""Owners whose faults and endings say nothing about the bots: a match that has one is not rated."""


class EndingKind(StrEnum):
    """How the match ended for one seat."""

    FINISHED = "finished"
    FORFEITED = "forfeited"
    ABORTED = "aborted"
    NEVER_READY = "never_ready"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that went wrong at a seat; the message says what was wrong and what was expected."""

    seat: Seat
    ask: int
    """The ask that was open, 0: none."""
    kind: FaultKind
    owner: Owner
    message: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How the match ended for one seat."""

    kind: EndingKind
    faults: int
    owner: Owner | None
    """Who is answerable, where the seat did not simply finish."""
    message: str


@dataclass(frozen=True, slots=True)
class Policy:
    """How much is forgiven. Times are in microseconds."""

    faults: int = 3
    """Tolerated per seat; one more and the seat is forfeited."""
    start: int = 30_000_000
    """Time to become ready, and to come back where no clock runs."""
    development: bool = False
    """The first fault ends the match."""
    lag_per_decision: int = 100_000
    """Most lag forgiven for one decision."""
    lag_total: int = 5_000_000
    """Most lag forgiven to a seat in the whole match."""

    def __post_init__(self) -> None:
        if min(self.faults, self.start, self.lag_per_decision, self.lag_total) < 0:
            raise BadSetting("a policy's faults, start budget and lag quotas are 0 or more")

    def to_plain(self) -> dict[str, Plain]:
        """As it stands in a record's header."""
        return asdict(self)


class Ledger:
    """The faults of every seat of one match, and which seats they cost their game."""

    __slots__ = ("_policy", "counts", "forfeits", "outside")

    def __init__(self, policy: Policy, seats: int) -> None:
        self._policy = policy
        self.counts = [0] * seats
        """Faults by seat."""
        self.forfeits: list[Fault | None] = [None] * seats
        """The fault that forfeited each seat, if any."""
        self.outside = False
        """Whether the referee or an organiser owns a fault."""

    def add(self, fault: Fault) -> bool:
        """Count a fault; True if it forfeits its seat."""
        seat = fault.seat
        self.counts[seat] += 1
        self.outside |= fault.owner in NOT_PLAYED
        if self.forfeits[seat] is not None:
            return False
        if self.counts[seat] > self._policy.faults or never_ready(fault) or fault.kind is FaultKind.REMOVED:
            self.forfeits[seat] = fault
            return True
        return False


def never_ready(fault: Fault) -> bool:
    """Whether the fault is that a seat was not ready in time: late or gone with no ask open."""
    return fault.ask == 0 and fault.kind in (FaultKind.LATE, FaultKind.GONE)


def standing(result: Result, forfeited: Sequence[bool]) -> Result:
    """The result with forfeited seats behind all others (automata included), sharing the last place."""
    if not any(forfeited):
        return result
    lost = [*forfeited, *[False] * (len(result.places) - len(forfeited))]
    keys = [(0, 0) if out else (1, -place) for place, out in zip(result.places, lost, strict=True)]
    return result._replace(places=rank(keys))


def endings(ledger: Ledger) -> tuple[Ending, ...]:
    """How a match that was played to its end ended for each seat."""
    return tuple(map(_ending, ledger.counts, ledger.forfeits))


def _ending(count: int, forfeit: Fault | None) -> Ending:
    if forfeit is None:
        return Ending(EndingKind.FINISHED, count, None, "")
    kind = EndingKind.NEVER_READY if never_ready(forfeit) else EndingKind.FORFEITED
    return Ending(kind, count, forfeit.owner, forfeit.message)


def rated(ledger: Ledger, result: Result) -> bool:
    """Whether a finished match counts: a bot (or an automaton) played it to the end, and no fault came from outside."""
    return not ledger.outside and (bool(result.automata) or None in ledger.forfeits)


def aborted(ledger: Ledger, message: str, culprit: Fault | None, by: Owner = Owner.REFEREE) -> tuple[Ending, ...]:
    """The endings of a match without a result: it stopped at a seat's fault, or `by` stopped it (None).

    Where it was stopped from outside, seats that had lost their game already keep the ending that they earned.
    """

    def ending(count: int, forfeit: Fault | None, seat: Seat) -> Ending:
        if culprit is not None:
            owner = culprit.owner if seat == culprit.seat else Owner.OPPONENT
            return Ending(EndingKind.ABORTED, count, owner, message)
        if forfeit is not None:
            return _ending(count, forfeit)
        return Ending(EndingKind.ABORTED, count, by, message)

    return tuple(map(ending, ledger.counts, ledger.forfeits, range(len(ledger.counts))))


def loud(fault: Fault, player: str) -> str:
    """The explanation with which development mode ends a match."""
    return _explained(fault, player, _DID[fault.kind])


def formerly_loud(fault: Fault, player: str) -> str:
    """The same in the words of earlier versions, whose records must hold."""
    return _explained(fault, player, f"was {fault.kind.value}")


_DID = {
    FaultKind.ILLEGAL: "answered illegally",
    FaultKind.LATE: "was late",
    FaultKind.MALFORMED: "sent no proper answer",
    FaultKind.GONE: "was gone",
    FaultKind.CRASHED: "crashed",
    FaultKind.REMOVED: "was removed",
}


def _explained(fault: Fault, player: str, did: str) -> str:
    at = f" at ask {fault.ask}" if fault.ask else ""
    return (
        f"DEVELOPMENT MODE: the match stops at the first fault. Seat {fault.seat} ({player}) {did}{at}: {fault.message}"
    )


def printable(text: str) -> str:
    """Foreign text as it may stand in a log: signs that a terminal would obey are shown escaped."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def clean(text: str, limit: int = TEXT_LIMIT, *, lines: bool = False) -> str:
    """Foreign text made fit to be stored and shown: cut, and without control characters and halves of characters.

    A line feed stays where `lines` are wanted; everything else of that sort becomes a space.
    """
    return (_UNFIT if lines else _UNFIT_IN_A_LINE).sub(" ", text[:limit])
