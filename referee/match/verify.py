"""Checking a record: that it was not tampered with, and that match, luck and result are what the rules make of it.

The secret that the final line reveals must be the one that the header committed to; from it every outcome of chance
and every answer of the stand-in is drawn again. Every step is played again, every clock run again, every fault counted
again, and the end must follow from them. What only the referee could see (arrival times, what a bot sent) is held by
the hash chain alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.kernel.chance import Recording, Sealed, commitment
from referee.kernel.errors import BadRecord, BrokenRecord
from referee.kernel.game import AnyGame, Seat
from referee.match.clock import SeatClock
from referee.match.policy import Fault, FaultKind, Ledger, Owner, aborted, endings, loud, never_ready, rated, standing
from referee.match.record import STAND_IN, Final, Record, Step, check_chain
from referee.match.replay import Walk, named, stand_in

_CLOSING = (FaultKind.LATE, FaultKind.GONE, FaultKind.CRASHED)


def verify(record: Record, game: AnyGame | None = None) -> None:
    """Check a finished record; the game is looked up by name unless given.

    Raises BrokenRecord that names the first part that does not hold, and BadRecord if the match is unfinished.
    """
    check_chain(record)
    final = record.final
    if final is None:
        raise BadRecord(
            f"match {record.header.match} is unfinished: {len(record.steps)} steps and no final line, "
            f"so its secret is not revealed and its luck cannot be checked"
        )
    audit = _Audit(record, game or named(record.header), _secret(record, final))
    for step in record.steps:
        try:
            audit.check(step)
        except BrokenRecord as error:
            raise BrokenRecord(f"step {step.n}: {error}") from None
    try:
        audit.check_end(final)
    except BrokenRecord as error:
        raise BrokenRecord(f"the final line: {error}") from None


def _secret(record: Record, final: Final) -> bytes:
    try:
        secret = bytes.fromhex(final.secret)
    except ValueError:
        raise BrokenRecord("the final line: the secret is not in hex") from None
    if secret.hex() != final.secret or commitment(secret, record.header.match) != record.header.commitment:
        raise BrokenRecord("the final line: the secret is not the one that the header is committed to")
    return secret


class _Audit:
    """Plays a record again with the luck of its secret and keeps the books beside it."""

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
        """One step: who answered, by whom, in which time, with which luck."""
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
        self._walk.take(step)
        if self._chance.take() != step.chance:
            raise BrokenRecord("the luck is not that of the match's secret")

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
            self._ledger.add(fault)

    def _check_times(self, step: Step, live: list[Seat]) -> None:
        elapsed = step.at - self._at
        if elapsed < 0:
            raise BrokenRecord("it lies before the step before it")
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
            if not clock.repeat(spent, lag) or (limited and clock.bank != step.left[seat]):
                raise BrokenRecord(f"the clock of seat {seat} does not add up")

    def _check_stand_ins(self, step: Step, lost: list[bool], live: list[Seat]) -> None:
        expected = []
        for seat, _ in self._walk.turn.asks:
            missing = [f for f in step.faults if f.seat == seat and f.ask and self._closes(f)]
            if lost[seat] or missing:
                expected.append(seat)
            if any(f.kind is FaultKind.LATE for f in missing) and step.spent[seat] != self._clocks[seat].budget:
                raise BrokenRecord(f"seat {seat} was late and not charged its budget")
        if sorted(step.by) != expected or any(who != STAND_IN for who in step.by.values()):
            raise BrokenRecord(f"the stand-in had to answer for the seats {expected}")
        if not set(step.notes) <= set(live) - set(expected):
            raise BrokenRecord("there is a note without an answer of its seat")
        for seat in expected:
            count = len(self._walk.turn.options[seat])
            if step.answers.get(seat) != stand_in(self._luck, seat, self._asks[seat], count):
                raise BrokenRecord(f"the answer for seat {seat} is not that of the stand-in")

    def _closes(self, fault: Fault) -> bool:
        return fault.kind in _CLOSING or self._ledger.forfeits[fault.seat] == fault

    def check_end(self, final: Final) -> None:
        """The end: the result of the rules, forfeited seats last, and every ending earned."""
        if final.at < self._at:
            raise BrokenRecord("it lies before the last step")
        walk, ledger = self._walk, self._ledger
        if walk.steps and not walk.turn.asks:
            if final.faults:
                raise BrokenRecord("the game was over before these faults")
            result = walk.game.result(walk.state)
            if result is None:
                raise BrokenRecord("the rules have no result")
            places = standing(result, [fault is not None for fault in ledger.forfeits])
            expected = Final(final.at, places, endings(ledger), rated(ledger, result), (), final.secret)
        else:
            expected = self._aborted(final)
        for name in ("result", "endings", "rated"):
            if getattr(final, name) != getattr(expected, name):
                raise BrokenRecord(f"the {name} must be {getattr(expected, name)}")

    def _aborted(self, final: Final) -> Final:
        lost = self._ledger.forfeits
        live = [ask.seat for ask in self._walk.turn.asks if lost[ask.seat] is None]
        for seat in live:
            self._asks[seat] += 1
        self._check_faults(final.faults, live, setup=not self._walk.steps)
        culprit = final.faults[0] if self._header.policy.development and final.faults else None
        if culprit is not None:
            message = loud(culprit, self._header.players[culprit.seat])
        else:
            message = next((ending.message for ending in final.endings if ending.owner is Owner.REFEREE), "")
        return Final(final.at, None, aborted(self._ledger, message, culprit), False, final.faults, final.secret)
