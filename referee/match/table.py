"""Drives a match between remote seats on trio.

`run` waits for the match's deadlines and nothing else. Whatever a seat does is handed to the match at once, in the
caller's own context: no queue and no task switch lie between a message and its consequences. What is due goes out in
order: a step is stored by the recorder before anything that follows from it is sent. A failure of the rules or of the
recorder ends this match, unrated and owned by the referee, and no other. While the recorder is in trouble that may pass
the match waits, and nothing that is not stored is told (`referee.match.storage`).

A decision with a single option is not asked and takes no time, by which rivals could tell that there was no choice.
Where a game calls that secret, what follows is delayed here by a time drawn from the seat's earlier answers.
"""

from __future__ import annotations

import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import trio

from referee.kernel.errors import BadSetting, StorageTrouble
from referee.kernel.game import Seat
from referee.match.clock import FOREVER, SECOND
from referee.match.match import Match
from referee.match.outputs import (
    Asked,
    Ended,
    Faulted,
    Output,
    Paused,
    Seated,
    Settled,
    Skipped,
    Stepped,
    Told,
    Verdict,
)
from referee.match.playtime import PlayTime
from referee.match.policy import Fault, Owner, printable
from referee.match.protocols import Player, Recorder
from referee.match.record import Final, Step, Usage
from referee.match.storage import Storage

BUSY = SECOND // 50
"""A table that wakes so much later than it wanted was kept waiting by others."""
LONGEST_DELAY = 2 * SECOND
"""Most that is waited for one decision that was not asked because it had one option."""
LONGEST_DELAYS = 10 * SECOND
"""Most that is waited for all of them between two asks."""
FEW = 5
"""With fewer answers than this of the seat's own, the delay is drawn from those of the whole table."""
REMEMBERED = 64
"""Answering times that are remembered of each seat."""
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
        storage: Storage | None = None,
        draw: Callable[[Sequence[int]], int] = secrets.choice,
        usage: Callable[[], tuple[Usage | None, ...]] = lambda: (),
        builds: Sequence[str] = (),
        faulted: Callable[[Fault], None] = lambda fault: None,
    ) -> None:
        """`spectators` is told what the public may know, if the match puts it out.

        `storage` is shared by the tables of a referee, and `now` must be on its time; None: the table has its own, and
        `now` is the clock that its time is read from. `draw` picks one of several times, by the referee's own luck.
        `usage` tells at the end what the processes of hosted seats used; see `Final.usage`. `builds`: the build of each
        seat's bot, for the log. `faulted` is told of every fault.
        """
        if len(players) != len(match.terms.players):
            raise BadSetting(f"match {match.terms.match} has {len(match.terms.players)} seats, not {len(players)}")
        self.match = match
        self.failure: Exception | None = None
        """What made the referee give up, if it did."""
        self._players = players
        self._recorder = recorder
        if storage is None:
            time = PlayTime(now)
            now = time
            storage = Storage(time)
        self.now = now
        """The time of the match; every moment that is handed in is on its scale."""
        self._storage = storage
        self._spectators = spectators
        self._flushing = False
        self._kept: list[Output] = []
        """What is due and could not be carried out yet, because its first part could not be stored."""
        self._told: Ended | None = None
        """The end as it was told; None: the match is not over, or its end is not stored."""
        self._paused = False
        self._draw = draw
        self._usage = usage
        self._builds = builds
        self._faulted = faulted
        self._closing: Final | None = None
        """The end as it is stored."""
        self._times: list[deque[int]] = [deque(maxlen=REMEMBERED) for _ in players]
        """How long each seat took for its last answers, the network included."""
        self._secret = bool(match.secret_choices)
        self._until = 0
        """What is kept is not sent before this moment, which hides a decision without a choice; 0: at once."""
        self._waited_until = 0
        """The moment at which the last such wait ended: an ask that was made before counts from there."""
        self._sleeping_until = FOREVER
        self._wake = trio.Event()

    async def run(self) -> Final:
        """Play the match to its end. A restored match is played on."""
        match, storage = self.match, self._storage
        if match.begun:
            self._flush()
        elif storage.trouble is None:
            self._act(self._begin)
        else:
            storage.keep(self)
        while match.final is None or self._told is None:
            self._wake = trio.Event()
            if storage.trouble is not None:
                with trio.move_on_after(storage.pause):
                    await self._wake.wait()
                storage.retry(trio.current_time())
                continue
            deadline = match.deadline
            if self._until and (deadline is None or self._until < deadline):
                deadline = self._until
            self._sleeping_until = FOREVER if deadline is None else deadline
            delay = float("inf") if deadline is None else max(0, deadline - self.now()) / SECOND
            with trio.move_on_after(delay):
                await self._wake.wait()
            if deadline is not None:
                await self._catch_up(deadline)
            self._act(lambda: match.tick(self.now()))
        return self._closing or match.final

    def remember(self, steps: Iterable[Step]) -> None:
        """Learn from the steps of an earlier run how long each seat takes for its answers."""
        for step in steps:
            self._note_times(step)

    def _note_times(self, step: Step) -> None:
        for seat, spent in step.spent.items():
            if seat not in step.by:
                self._times[seat].append(spent + step.lag.get(seat, 0))

    def resume(self) -> bool:
        """Carry out what was kept while nothing could be stored; False: it still cannot be stored."""
        if not self.match.begun:
            try:
                self._begin()
            except StorageTrouble:
                return False
            except Exception as error:
                self._give_up(error)
        done = self._flush(trying=True)
        self._wake.set()
        return done

    def pause(self) -> None:
        """Tell every seat, once for each trouble, that its clock stands."""
        if self.match.begun and self._told is None and not self._paused:
            self._paused = True
            for seat, player in enumerate(self._players):
                self._send(player, Paused(seat))

    def go_on(self) -> None:
        """Ask every seat again that was told that its clock stands and owes an answer."""
        if self._paused:
            self._paused = False
            for seat in range(len(self._players)):
                self.match.repeat(seat)
            self._flush()

    async def _catch_up(self, expected: int) -> None:
        """A moment that is noticed late shows that the referee was busy: answers that came in time may lie unread.

        Let them be read before anybody is judged to be late, for as long as the referee was behind.
        """
        for _ in range(RESPITES):
            now = self.now()
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

    def unanswered(self, seat: Seat, ask: int, at: int, message: str) -> Verdict:
        """See `Match.unanswered`."""
        verdict = Verdict.STALE

        def act() -> None:
            nonlocal verdict
            verdict = self.match.unanswered(seat, ask, at, message)

        self._act(act)
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

    def back(self, seat: Seat, at: int) -> None:
        """See `Match.back`. After the end the seat is told the end."""
        if self._told is not None:
            self._send(self._players[seat], self._told)
        else:
            self._act(lambda: self.match.back(seat, at))

    def remove(self, seat: Seat, at: int, message: str) -> None:
        """See `Match.remove`."""
        self._act(lambda: self.match.remove(seat, at, message))

    def abort(self, at: int, message: str, by: Owner = Owner.REFEREE) -> None:
        """See `Match.abort`."""
        self._until = 0
        self._act(lambda: self.match.abort(at, message, by))

    def _begin(self) -> None:
        self._recorder.begin(self.match.terms, self.match.secret)
        self.match.begin(self.now())

    def _act(self, action: Callable[[], None]) -> None:
        """Do something to the match and carry out what follows."""
        try:
            action()
        except StorageTrouble as error:
            self._storage.failed(self, error, trio.current_time())
        except Exception as error:
            self._give_up(error)
        self._flush()
        self._mind_deadline()

    def _mind_deadline(self) -> None:
        match = self.match
        if match.soonest < self._sleeping_until or match.over:
            self._wake.set()

    def _flush(self, trying: bool = False) -> bool:
        """Carry out what is due; False: some of it cannot be stored, and that and all behind it is kept.

        A player that answers while it is sent something does so inside this loop. While nothing can be stored, no
        attempt is made unless the storage asks for one (`trying`).
        """
        if self._flushing:
            return True
        self._flushing = True
        if self._until and self.now() >= self._until:
            self._waited_until, self._until = self._until, 0  # also where the next ask is of a seat that is away
        try:
            while outputs := self._kept or self.match.drain():
                self._kept = outputs
                if self._storage.trouble is not None and not trying:
                    self._storage.keep(self)
                    self._wake.set()
                    return False
                if self._until:
                    self._wake.set()
                    return True
                for number, output in enumerate(outputs):
                    if self.failure is not None and not isinstance(output, Ended):
                        continue
                    if isinstance(output, Asked):
                        asked = output if output.at >= self._waited_until else output._replace(at=self._waited_until)
                        self._send(self._players[output.seat], asked)
                    elif isinstance(output, Skipped):
                        if self._delay(output.seats):
                            self._kept = outputs[number + 1 :]
                            break
                    elif not self._carry_out(output):
                        self._kept = outputs[number:]
                        self._wake.set()
                        return False
                else:
                    self._kept = []
            return True
        finally:
            self._flushing = False

    def _carry_out(self, output: Seated | Told | Faulted | Paused | Stepped | Ended) -> bool:
        """Anything that is stored or sent, asks aside; False: it cannot be stored now."""
        if isinstance(output, Stepped):
            try:
                self._recorder.step(self.match.terms.match, output.step)
            except StorageTrouble as error:
                self._storage.failed(self, error, trio.current_time())
                return False
            except Exception as error:
                self._give_up(error)
            if self._secret:
                self._note_times(output.step)
        elif isinstance(output, Ended):
            return self._end(output.final)
        elif isinstance(output, Faulted):
            self._faulted(output.fault)
            self._log_fault(output.fault, output.forfeits)
            self._send(self._players[output.fault.seat], output)
        elif output.seat is None:
            self._send(self._spectators, output)
        else:
            self._send(self._players[output.seat], output)
        return True

    def _log_fault(self, fault: Fault, forfeits: bool) -> None:
        terms = self.match.terms
        bot = terms.players[fault.seat]
        _logger.warning(
            "match %s: fault of %s (seat %d): %s at ask %d, owned by the %s%s: %s",
            terms.match,
            printable(bot),
            fault.seat,
            fault.kind.value,
            fault.ask,
            fault.owner.value,
            ", which forfeits the seat" if forfeits else "",
            printable(fault.message),
            extra={
                "event": "fault",
                "match": terms.match,
                "bot": bot,
                "build": self._builds[fault.seat] if self._builds else "",
                "seat": fault.seat,
                "ask": fault.ask,
                "code": fault.kind.value.upper(),
                "owner": fault.owner.value,
                "forfeits": forfeits,
            },
        )

    def _delay(self, seats: Sequence[Seat]) -> bool:
        """Begin to wait as long as these seats might have taken, had they been asked; False: that is no time at all.

        The clocks of the asks that follow begin to run when the wait is over.
        """
        wait = 0
        for seat in seats:
            times = self._times[seat]
            known = list(times) if len(times) >= FEW else [time for others in self._times for time in others]
            if known:
                wait += min(self._draw(known), LONGEST_DELAY)
        wait = min(wait, LONGEST_DELAYS)
        if wait <= 0:
            return False
        self._until = self.now() + wait
        for seat in range(len(self._players)):
            ask = self.match.owes(seat)
            if ask:
                self.match.sent(seat, ask, self.match.last + wait, wait)
        return True

    def _end(self, final: Final) -> bool:
        """Store the end, then tell it; False: it cannot be stored now.

        Where the recorder fails for good the players are told the end without the secret: a later run of the referee
        may go on with the match.
        """
        if self._closing is None:
            self._closing = replace(final, usage=self._usage())
        final = self._closing
        try:
            settled = self._recorder.end(self.match.terms.match, final)
        except StorageTrouble as error:
            self._storage.failed(self, error, trio.current_time())
            return False
        except Exception as error:
            self._give_up(error)
            final = replace(final, secret="")
            settled = Settled()
        self._told = Ended(final, settled)
        for player in (*self._players, self._spectators):
            self._send(player, self._told)
        self._wake.set()
        return True

    def _send(self, player: Player | None, output: Output) -> None:
        """Send, and keep a player that breaks its promise not to fail from harming the others."""
        if player is None:
            return
        try:
            player.send(output)
        except Exception:
            match = self.match.terms.match
            _logger.exception("match %s: a player failed to take a message", match, extra={"match": match})

    def _give_up(self, error: Exception) -> None:
        """The referee failed: end the match. What is not stored is not sent; the cause stays in the log."""
        match = self.match.terms.match
        extra = {"event": "failure", "match": match}
        _logger.error("match %s: the referee failed", match, exc_info=error, extra=extra)
        if self.failure is None:
            self.failure = error
            self.match.abort(self.now(), "the referee failed and ended the match; it does not count")
