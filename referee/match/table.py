"""Drives a match between remote seats on trio.

`run` waits for the match's deadlines and nothing else. Whatever a seat does is handed to the match at once, in the
caller's own context: no queue and no task switch lie between a message and its consequences. What is due goes out in
order: a step is stored by the recorder before anything that follows from it is sent. A failure of the rules or of the
recorder ends this match, unrated and owned by the referee, and no other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

import trio

from referee.kernel.errors import BadSetting
from referee.kernel.game import Seat
from referee.match.clock import FOREVER, SECOND
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Faulted, Output, Settled, Stepped, Verdict
from referee.match.policy import Owner
from referee.match.ports import Player, Recorder
from referee.match.record import Final

T = TypeVar("T")
R = TypeVar("R")

BUSY = SECOND // 50
"""A table that wakes so much later than it wanted was kept waiting by others."""
RESPITES = 5
"""How often a table that wakes late waits again before it judges."""

_logger = logging.getLogger(__name__)


def microseconds() -> int:
    """The time of the running trio loop, as a match counts it."""
    return round(trio.current_time() * SECOND)


class Table:
    """One match, its players and its recorder. All methods must be called from trio's thread."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Player],
        recorder: Recorder,
        now: Callable[[], int] = microseconds,
        spectators: Player | None = None,
    ) -> None:
        """`spectators` is told what the public may know, if the match puts it out."""
        if len(players) != len(match.terms.players):
            raise BadSetting(f"match {match.terms.match} has {len(match.terms.players)} seats, not {len(players)}")
        self.match = match
        self.failure: Exception | None = None
        """What made the referee give up, if it did."""
        self._players = list(players)
        self._recorder = recorder
        self._now = now
        self._spectators = spectators
        self._flushing = False
        self._settled = Settled()
        self._sleeping_until = FOREVER
        self._wake = trio.Event()

    async def run(self) -> Final:
        """Play the match to its end. A restored match is played on."""
        if not self.match.begun:
            self._act(self._begin)
        else:
            self._flush()
        while self.match.final is None:
            deadline = self.match.deadline
            self._sleeping_until = FOREVER if deadline is None else deadline
            self._wake = trio.Event()
            delay = float("inf") if deadline is None else max(0, deadline - self._now()) / SECOND
            with trio.move_on_after(delay):
                await self._wake.wait()
            if deadline is not None:
                await self._catch_up(deadline)
            self._act(lambda: self.match.tick(self._now()))
        return self.match.final

    async def _catch_up(self, expected: int) -> None:
        """A moment that is noticed late shows that the referee was busy: answers that came in time may lie unread.

        Let them be read before anybody is judged to be late, for as long as the referee was behind.
        """
        for _ in range(RESPITES):
            now = self._now()
            behind = min(now - expected, SECOND)
            if behind < BUSY:
                return
            expected = now + behind
            await trio.sleep(behind / SECOND)

    def listen(self, seat: Seat, wanted: bool) -> None:
        """See `Match.listen`."""
        self.match.listen(seat, wanted)

    def ready(self, seat: Seat, at: int) -> None:
        """See `Match.ready`."""
        self._act(lambda: self.match.ready(seat, at))

    def sent(self, seat: Seat, ask: int, at: int, waited: int) -> None:
        """See `Match.sent`."""
        self.match.sent(seat, ask, at, waited)

    def answer(
        self, seat: Seat, ask: int, index: int, at: int, *, lag: int = 0, queued: int = 0, note: str = ""
    ) -> Verdict:
        """See `Match.answer`."""
        try:
            verdict = self.match.answer(seat, ask, index, at, lag=lag, queued=queued, note=note)
        except Exception as error:
            self._give_up(error)
            verdict = Verdict.STALE
        if self.match.outputs:  # otherwise others are waited for, no longer than before
            self._flush()
            self._mind_deadline()
        return verdict

    def malformed(self, seat: Seat, at: int, message: str) -> None:
        """See `Match.malformed`."""
        self._act(lambda: self.match.malformed(seat, at, message))

    def crashed(self, seat: Seat, at: int, message: str, owner: Owner = Owner.BOT) -> None:
        """See `Match.crashed`."""
        self._act(lambda: self.match.crashed(seat, at, message, owner))

    def gone(self, seat: Seat, at: int) -> None:
        """See `Match.gone`."""
        self._act(lambda: self.match.gone(seat, at))

    def back(self, seat: Seat, at: int, player: Player | None = None) -> None:
        """See `Match.back`; `player` takes the place of the seat's former one. After the end it is told the end."""
        if player is not None:
            self._players[seat] = player
        if self.match.final is not None:
            self._send(self._players[seat], Ended(self.match.final, self._settled))
        else:
            self._act(lambda: self.match.back(seat, at))

    def abort(self, at: int, message: str) -> None:
        """See `Match.abort`."""
        self._act(lambda: self.match.abort(at, message))

    def _begin(self) -> None:
        self._recorder.begin(self.match.terms, self.match.secret)
        self.match.begin(self._now())

    def _act(self, action: Callable[[], None]) -> None:
        """Do something to the match and carry out what follows."""
        try:
            action()
        except Exception as error:
            self._give_up(error)
        self._flush()
        self._mind_deadline()

    def _mind_deadline(self) -> None:
        match = self.match
        if match.soonest < self._sleeping_until or match.over:
            self._wake.set()

    def _flush(self) -> None:
        """Carry out what is due. A player that answers while it is sent something does so inside this loop."""
        if self._flushing:
            return
        self._flushing = True
        try:
            while outputs := self.match.drain():
                for output in outputs:
                    if self.failure is not None and not isinstance(output, Ended):
                        continue
                    if isinstance(output, Asked):
                        self._send(self._players[output.seat], output)
                    else:
                        self._carry_out(output)
        finally:
            self._flushing = False

    def _carry_out(self, output: Output) -> None:
        """Anything but an ask."""
        if isinstance(output, Stepped):
            self._store(self._recorder.step, output.step)
        elif isinstance(output, Ended):
            self._settled = self._store(self._recorder.end, output.final) or Settled()
            for player in (*self._players, self._spectators):
                self._send(player, Ended(output.final, self._settled))
        elif isinstance(output, Faulted):
            self._send(self._players[output.fault.seat], output)
        elif output.seat is None:
            self._send(self._spectators, output)
        else:
            self._send(self._players[output.seat], output)

    def _store(self, store: Callable[[str, T], R], line: T) -> R | None:
        """What the recorder returns; None: it failed, and the match is given up."""
        try:
            return store(self.match.terms.match, line)
        except Exception as error:
            self._give_up(error)
            return None

    def _send(self, player: Player | None, output: Output) -> None:
        """Send, and keep a player that breaks its promise not to fail from harming the others."""
        if player is None:
            return
        try:
            player.send(output)
        except Exception:
            _logger.exception("match %s: a player failed to take a message", self.match.terms.match)

    def _give_up(self, error: Exception) -> None:
        """The referee failed: end the match. What is not stored is not sent; the cause stays in the log."""
        _logger.error("match %s: the referee failed", self.match.terms.match, exc_info=error)
        if self.failure is None:
            self.failure = error
            self.match.abort(self._now(), "the referee failed and ended the match; it does not count")
