"""Checks a record: its lines were not changed, and luck, steps and result follow from the rules and the secret.

The secret in the final line must be the one that the header committed to; every outcome of chance and every answer of
the stand-in is drawn again from the secret. Every step is played again, every clock run again, every fault counted
again, and the end must follow from them.

Some facts only the referee could see: which bot sat where, when answers arrived, what a bot sent, and that the referee
had to stop a match without a result. Only the hash chain protects these. The chain has no anchor outside the record: a
forger who changes such a fact and computes all hashes anew has a record that passes, with another last hash. So compare
the last hash with one that was published or stored elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.kernel.chance import SECRET_BYTES, Recording, Sealed, commitment
from referee.kernel.errors import BadRecord, BrokenRecord
from referee.kernel.game import BUCKET, AnyGame, Result, Seat
from referee.match.clock import SeatClock, spoken
from referee.match.policy import (
    Ending,
    EndingKind,
    Fault,
    FaultKind,
    Ledger,
    Owner,
    aborted,
    clean,
    endings,
    formerly_loud,
    loud,
    never_ready,
    rated,
    standing,
)
from referee.match.record import NOTE_LIMIT, STAND_IN, Final, Header, Record, Step, check_chain
from referee.match.replay import Walk, listed_seats, named, stand_in

_CLOSING = (FaultKind.LATE, FaultKind.GONE, FaultKind.CRASHED)


def verify(record: Record, game: AnyGame | None = None) -> None:
    """Check a finished record; the game is looked up by name unless given.

    Raises BrokenRecord, which names the first wrong part, and BadRecord if the match is unfinished. A record passes if
    the rules and the secret allow it. Which bots played, and whether the match was stopped for a reason, is not proved:
    for that compare the last hash with one from elsewhere (see above).
    """
    check_chain(record)
    final = record.final
    if final is None:
        raise BadRecord(
            f"match {record.header.match} is unfinished: {len(record.steps)} steps and no final line, "
            f"so its secret is not revealed and its luck cannot be checked"
        )
    _check_names(record.header)
    audit = _Audit(record, game or named(record.header), _secret(record, final))
    for step in record.steps:
        audit.check(step)
    try:
        audit.check_end(final)
    except BrokenRecord as error:
        raise BrokenRecord(f"the final line: {error}") from None


def _check_names(header: Header) -> None:
    """Refuse names that no referee writes. One name may stand at several seats: one bot can play them all."""
    for seat, name in enumerate(header.players):
        if clean(name) != name:
            raise BrokenRecord(f"the header: the name of seat {seat} is too long or has control characters")


def _secret(record: Record, final: Final) -> bytes:
    try:
        secret = bytes.fromhex(final.secret)
    except ValueError:
        raise BrokenRecord("the final line: the secret is not in hex") from None
    if secret.hex() != final.secret or commitment(secret, record.header.match) != record.header.commitment:
        raise BrokenRecord("the final line: the secret is not the one that the header is committed to")
    if len(secret) != SECRET_BYTES:
        raise BrokenRecord(f"the final line: the secret must have {SECRET_BYTES} bytes, not {len(secret)}")
    return secret


class _Audit:
    """Plays a record again with the luck of its secret, and runs clocks and fault counts beside the replay."""

    def __init__(self, record: Record, game: AnyGame, secret: bytes) -> None:
        header = record.header
        count = len(header.players)
        self._header = header
        self._luck = Sealed(secret)
        self._chance = Recording(self._luck)
        self._walk = Walk(game, header, self._chance)
        self._ledger = Ledger(header.policy, count)
        self._clocks = [
            SeatClock(header.clock, header.policy.lag_per_decision, header.policy.lag_total) for _ in range(count)
        ]
        self._asks = [0] * count
        self._at = 0

    def check(self, step: Step) -> None:
        """Check the answers, stand-ins, times and luck of one step; the error names the step."""
        try:
            self._check_books(step)
        except BrokenRecord as error:
            raise BrokenRecord(f"step {step.n}: {error}") from None
        self._walk.take(step)
        if self._chance.take() != step.chance:
            raise BrokenRecord(f"step {step.n}: the luck is not that of the match's secret")

    def _check_books(self, step: Step) -> None:
        """Check the parts of a step that do not need the state after the step."""
        if step.n and not self._walk.turn.asks:
            raise BrokenRecord("the game was over before")
        if self._header.policy.development and step.faults:
            raise BrokenRecord("development mode stops at the first fault, and the match went on")
        lost = [fault is not None for fault in self._ledger.forfeits]
        asked = [ask.seat for ask in self._walk.turn.asks]
        for seat in asked:
            self._asks[seat] += 1
        live = [seat for seat in asked if not lost[seat]]
        self._check_faults(step.faults, live, setup=step.n == 0)
        self._check_times(step, live)
        self._check_stand_ins(step, lost, live)

    def _check_faults(self, faults: Iterable[Fault], live: list[Seat], *, setup: bool) -> None:
        for fault in faults:
            seat = fault.seat
            if seat >= len(self._asks):
                raise BrokenRecord(f"there is no seat {seat} to have a fault")
            if self._ledger.forfeits[seat] is not None:
                raise BrokenRecord(f"seat {seat} was forfeited before and cannot have another fault")
            if fault.ask and (seat not in live or fault.ask != self._asks[seat]):
                raise BrokenRecord(f"seat {seat} had no ask {fault.ask} open")
            if fault.owner is Owner.OPPONENT or (not fault.ask and fault.kind is FaultKind.ILLEGAL):
                raise BrokenRecord(f"seat {seat} cannot have such a fault")
            if never_ready(fault) and not setup:
                raise BrokenRecord(f"seat {seat} was ready before")
            if clean(fault.message) != fault.message:
                raise BrokenRecord(f"the message of a fault of seat {seat} is too long or has control characters")
            self._ledger.add(fault)

    def _check_times(self, step: Step, live: list[Seat]) -> None:
        elapsed = step.at - self._at
        if elapsed < 0:
            raise BrokenRecord("its moment lies before the step before")
        self._at = step.at
        limited = not self._header.clock.unlimited
        if sorted(step.spent) != live or sorted(step.left) != (live if limited else []):
            raise BrokenRecord("the times are not those of the seats that were asked")
        if not set(step.lag) <= set(live) or not all(step.lag.values()):
            raise BrokenRecord("the lag is not that of the seats that were asked")
        for seat in live:
            spent, lag, clock = step.spent[seat], step.lag.get(seat, 0), self._clocks[seat]
            if spent + lag > elapsed:
                raise BrokenRecord(f"seat {seat} is charged for more time than passed")
            if seat in step.arrivals and step.arrivals[seat] != (spent + lag) // BUCKET:
                raise BrokenRecord(f"seat {seat} did not take {step.arrivals[seat]} times {spoken(BUCKET)} to answer")
            if not clock.repeat(spent, lag) or (limited and clock.bank != step.left[seat]):
                raise BrokenRecord(f"the clock of seat {seat} does not add up")

    def _check_stand_ins(self, step: Step, lost: list[bool], live: list[Seat]) -> None:
        expected = []
        limited = not self._header.clock.unlimited  # without a clock a seat may be late by the limit of the run
        for seat, _ in self._walk.turn.asks:
            missing = [f for f in step.faults if f.seat == seat and f.ask and self._closes(f)]
            if lost[seat] or missing:
                expected.append(seat)
            late = limited and any(f.kind is FaultKind.LATE for f in missing)
            if late and step.spent[seat] != self._clocks[seat].budget:
                raise BrokenRecord(f"seat {seat} was late and not charged its budget")
        if sorted(step.by) != expected or any(who != STAND_IN for who in step.by.values()):
            raise BrokenRecord(f"the stand-in had to answer for {listed_seats(expected)}, and the step differs")
        if not set(step.notes) <= set(live) - set(expected):
            raise BrokenRecord("there is a note without an answer of its seat")
        for seat, note in step.notes.items():
            if not note or clean(note, NOTE_LIMIT, lines=True) != note:
                raise BrokenRecord(f"the note of seat {seat} is empty, too long or has control characters")
        for seat in expected:
            count = len(self._walk.turn.options[seat])
            if step.answers.get(seat) != stand_in(self._luck, seat, self._asks[seat], count):
                raise BrokenRecord(f"the answer for seat {seat} is not that of the stand-in")

    def _closes(self, fault: Fault) -> bool:
        return fault.kind in _CLOSING or self._ledger.forfeits[fault.seat] == fault

    def check_end(self, final: Final) -> None:
        """Check the end: the result of the rules with forfeited seats last, and the ending of each seat."""
        if final.at < self._at:
            raise BrokenRecord("its moment lies before the last step")
        walk, ledger = self._walk, self._ledger
        if walk.steps and not walk.turn.asks:
            if final.faults:
                raise BrokenRecord("the game was over before these faults")
            result = walk.game.result(walk.state)
            if result is None:
                raise BrokenRecord("the rules have no result")
            places = standing(result, [fault is not None for fault in ledger.forfeits])
            expected = Final(final.at, places, endings(ledger), rated(ledger, result), (), final.secret, final.usage)
        else:
            expected = self._aborted(final)
        _check_same(final, expected)

    def _aborted(self, final: Final) -> Final:
        lost = self._ledger.forfeits
        live = [ask.seat for ask in self._walk.turn.asks if lost[ask.seat] is None]
        for seat in live:
            self._asks[seat] += 1
        self._check_faults(final.faults, live, setup=not self._walk.steps)
        by = Owner.REFEREE
        culprit = final.faults[0] if self._header.policy.development and final.faults else None
        if culprit is not None:
            name = self._header.players[culprit.seat]
            message = final.endings[culprit.seat].message if culprit.seat < len(final.endings) else ""
            if message != formerly_loud(culprit, name):
                message = loud(culprit, name)
        else:
            stopped = [ending for ending in final.endings if ending.kind is EndingKind.ABORTED]
            message = stopped[0].message if stopped else ""
            if stopped and stopped[0].owner is Owner.ORGANISER:
                by = Owner.ORGANISER
            if clean(message) != message:
                raise BrokenRecord("the reason why the match was stopped is too long or has control characters")
        ends = aborted(self._ledger, message, culprit, by)
        return Final(final.at, None, ends, False, final.faults, final.secret, final.usage)


def _check_same(final: Final, expected: Final) -> None:
    """Raise BrokenRecord, which names the expected value, if an end is not the expected one."""
    if final.result != expected.result:
        if expected.result is None:
            raise BrokenRecord("there is a result, and the game is not over")
        if final.result is None:
            raise BrokenRecord("there is no result, and the game is over")
        raise BrokenRecord(f"the result must be {_result_text(expected.result)}")
    if len(final.endings) != len(expected.endings):
        raise BrokenRecord(f"there must be {len(expected.endings)} endings, one for each seat")
    for seat, (ending, due) in enumerate(zip(final.endings, expected.endings, strict=True)):
        if ending != due:
            raise BrokenRecord(f"the ending of seat {seat} must be {_ending_text(due)}")
    if final.rated != expected.rated:
        raise BrokenRecord(f"the match {'counts' if expected.rated else 'does not count'} for ratings")


def _result_text(result: Result) -> str:
    places, points = (" ".join(map(str, numbers)) for numbers in (result.places, result.points))
    return f"places {places}, points {points}, ended by {result.reason}"


def _ending_text(ending: Ending) -> str:
    text = f"{ending.kind.value} with {ending.faults} fault{'' if ending.faults == 1 else 's'}"
    if ending.owner is not None:
        text += f", owned by the {ending.owner.value}"
    return f"{text}: {ending.message}" if ending.message else text
