"""Faults of seats, what they cost, and the endings of a match.

Every fault has a kind and an owner. A seat may have `Policy.faults` faults: where its answer is missing, a stand-in
answers. One more fault forfeits the seat: the stand-in plays on, so that the game of the other seats goes on, and the
seat is ranked last. In development mode the first fault ends the match with an explanation. `Ledger` counts the faults
of a running match, of a restored match and of a record that is verified.
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
"""Most characters of a message; a longer text of a bot is cut."""


_UNFIT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNFIT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class FaultKind(StrEnum):
    """The kinds of faults of a seat."""

    ILLEGAL = "illegal"
    """The bot answered with an index that is no option."""
    LATE = "late"
    """The bot had not answered, or was not ready, when its time was over."""
    MALFORMED = "malformed"
    """The bot sent bytes that are no message of the protocol."""
    GONE = "gone"
    """The bot was disconnected and not back within the start budget, in a match without a clock."""
    CRASHED = "crashed"
    """The bot died or raised an error."""
    REMOVED = "removed"
    """An organiser removed the bot, which forfeits the seat at once."""


class Owner(StrEnum):
    """The party that is answerable for a fault or an ending."""

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
    """One fault of a seat; the message says what was wrong and what was expected."""

    seat: Seat
    ask: int
    """The number of the ask that was open; 0: none."""
    kind: FaultKind
    owner: Owner
    message: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How the match ended for one seat."""

    kind: EndingKind
    faults: int
    owner: Owner | None
    """The party that is answerable; None: the seat finished."""
    message: str


@dataclass(frozen=True, slots=True)
class Policy:
    """How many faults and how much lag a match tolerates. Times are in microseconds."""

    faults: int = 3
    """Faults of a seat that are tolerated; one more forfeits the seat."""
    start: int = 30_000_000
    """The start budget: time to become ready, and to come back in a match without a clock."""
    development: bool = False
    """Whether the first fault ends the match."""
    lag_per_decision: int = 100_000
    """Most lag of one decision that is not charged."""
    lag_total: int = 5_000_000
    """Most lag of a seat in the whole match that is not charged."""
    rated: bool = True
    """Whether the match may count for ratings; False for every table at which a person sits."""

    def __post_init__(self) -> None:
        if min(self.faults, self.start, self.lag_per_decision, self.lag_total) < 0:
            raise BadSetting("a policy's faults, start budget and lag quotas are 0 or more")

    def to_plain(self) -> dict[str, Plain]:
        """The policy as plain data for a record's header; `rated` stands there only if it is False."""
        plain: dict[str, Plain] = asdict(self)
        if self.rated:
            del plain["rated"]
        return plain


class Ledger:
    """The faults of every seat of one match, and which seats are forfeited."""

    __slots__ = ("_policy", "counts", "forfeits", "outside")

    def __init__(self, policy: Policy, seats: int) -> None:
        self._policy = policy
        self.counts = [0] * seats
        """Number of faults by seat."""
        self.forfeits: list[Fault | None] = [None] * seats
        """By seat: the fault that forfeited the seat; None: not forfeited."""
        self.outside = False
        """Whether the referee or an organiser owns a fault."""

    @property
    def may_count(self) -> bool:
        """Whether the policy lets the match count, and no fault speaks against it."""
        return self._policy.rated and not self.outside

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
    """Whether a fault says that its seat was not ready in time: late or gone without an open ask."""
    return fault.ask == 0 and fault.kind in (FaultKind.LATE, FaultKind.GONE)


def standing(result: Result, forfeited: Sequence[bool]) -> Result:
    """The result with the forfeited seats sharing the last place, behind all other seats and automata."""
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
    """Whether a finished match counts: its policy allows it, no fault is one of NOT_PLAYED, some player is in."""
    return ledger.may_count and (bool(result.automata) or None in ledger.forfeits)


def aborted(ledger: Ledger, message: str, culprit: Fault | None, by: Owner = Owner.REFEREE) -> tuple[Ending, ...]:
    """The endings of a match without a result, which the fault `culprit` ended or, if that is None, `by` stopped.

    If `by` stopped the match, seats that were forfeited before keep the ending of their forfeit.
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
    """The explanation in the words of earlier versions: their records must verify."""
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
    """Foreign text for a log: control characters, which a terminal would obey, are escaped."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def clean(text: str, limit: int = TEXT_LIMIT, *, lines: bool = False) -> str:
    """Foreign text for records and messages: cut to `limit`, with a space for each control character or surrogate.

    With `lines` line feeds stay.
    """
    return (_UNFIT if lines else _UNFIT_IN_A_LINE).sub(" ", text[:limit])
