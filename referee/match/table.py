"""Drives a match between remote seats on trio.

`run` waits for the match's deadlines only. Every other method hands an act of a seat to the match and carries out the
outputs in the same call, without a queue or a task switch. Outputs are carried out in their order: the recorder stores
a step before the outputs that follow from the step are sent. A failure of the rules or of the recorder ends this match
only, unrated and owned by the referee. While the recorder raises StorageTrouble the match waits, and no output that
follows from an unstored step is sent (`referee.match.storage`).

A decision with a single option is not asked and takes no time, so other seats could tell that there was no choice. If a
game calls that secret, the table delays the outputs that follow by a time drawn from the seat's earlier answers.
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
    Seen,
    Settled,
    Shown,
    Skipped,
    Stepped,
    Told,
    Verdict,
)
from referee.match.playtime import PlayTime
from referee.match.policy import Fault, Owner, printable
from referee.match.protocols import Recorder, SeatPlayer
from referee.match.record import Final, SeatUsage, Step
from referee.match.storage import Storage

BUSY = SECOND // 50
"""Microseconds by which a table must wake too late to conclude that the referee was busy."""
LONGEST_DELAY = 2 * SECOND
"""Longest delay, in microseconds, for one decision that was not asked because it had one option."""
LONGEST_DELAYS = 10 * SECOND
"""Longest delay, in microseconds, for all such decisions between two asks."""
FEW = 5
"""With fewer answers of the seat than this, the delay is drawn from the answers of all seats."""
REMEMBERED = 64
"""Number of latest answers of each seat whose times are remembered."""
RESPITES = 5
"""Most waits of a table that woke too late before the table judges its seats."""

_logger = logging.getLogger(__name__)


def microseconds() -> int:
    """The time of the running trio loop in microseconds."""
    return round(trio.current_time() * SECOND)


class _Nobody:
    """The player of a seat whose table was released."""

    def send(self, output: Output) -> None:
        """Nobody takes it."""


NOBODY = _Nobody()


class RunningTable:
    """One match, its players and its recorder. All methods must be called from trio's thread."""

    def __init__(
        self,
        match: Match,
        players: Sequence[SeatPlayer],
        recorder: Recorder,
        now: Callable[[], int] = microseconds,
        spectators: SeatPlayer | None = None,
        storage: Storage | None = None,
        draw: Callable[[Sequence[int]], int] = secrets.choice,
        usage: Callable[[], tuple[SeatUsage | None, ...]] = lambda: (),
        builds: Sequence[str] = (),
        faulted: Callable[[Fault], None] = lambda fault: None,
    ) -> None:
        """`spectators` is sent the public events, if the match puts them out.

        `storage` is shared by the tables of a referee, and `now` is its play time; None: the table has a storage of its
        own, whose play time reads `now`. `draw` picks one of several times with luck of the referee's own. `usage`
        returns the value of `Final.usage` at the end. `builds` has the build of each seat's bot, for the log. `faulted`
        is called with every fault.
        """
        if len(players) != len(match.terms.players):
            raise BadSetting(f"match {match.terms.match} has {len(match.terms.players)} seats, not {len(players)}")
        self.match = match
        self.failure: Exception | None = None
        """The exception at which the referee gave the match up; None: none."""
        self._players: Sequence[SeatPlayer] = players
        self._recorder = recorder
        if storage is None:
            time = PlayTime(now)
            now = time
            storage = Storage(time)
        self.now = now
        """The time of the match, in microseconds: callers hand in moments of this clock."""
        self._storage = storage
        self._spectators = spectators
        self._flushing = False
        self._kept: list[Output] = []
        """Outputs that are not carried out yet: the first of them could not be stored, or they are delayed."""
        self._told: Ended | None = None
        """The end that the players were told; None: the match is not over, or its end is not stored."""
        self._paused = False
        self._draw = draw
        self._usage = usage
        self._builds = builds
        self._faulted = faulted
        self._closing: Final | None = None
        """The end that is stored or being stored, usage included."""
        self._times: list[deque[int]] = [deque(maxlen=REMEMBERED) for _ in players]
        """By seat: the times of the latest answers in microseconds, lag included."""
        self._secret = bool(match.secret_choices)
        self._until = 0
        """The moment until which outputs are delayed to hide a decision without a choice; 0: no delay."""
        self._delayed = 0
        """Sum of the delays since the latest step, in microseconds."""
        self._hurried = False
        """Whether no further output is delayed, because the match was ended from outside."""
        self._waited_until = 0
        """The moment at which the last delay ended: the clock of an ask that was made earlier starts there."""
        self._sleeping_until = FOREVER
        self._wake = trio.Event()

    @property
    def told(self) -> bool:
        """Whether every output that follows from the state of the match has been carried out."""
        return not (self._kept or self._until or self.match.outputs) and self._storage.trouble is None

    @property
    def delaying(self) -> bool:
        """Whether outputs are delayed to hide a decision without a choice; the last `Shown` is what is known now."""
        return self._until > 0 and self._storage.trouble is None

    async def run(self) -> Final:
        """Play the match, new or restored, to its end."""
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

    def release(self) -> None:
        """Let go of players and spectators, which hold the table, once nobody plays here any more.

        Without a cycle the match is freed at once. The cycle collector takes long to come in a referee that is busy,
        and memory that is freed late is scattered over pages that are never free.
        """
        self._players = [NOBODY] * len(self._players)
        self._spectators = None

    def remember(self, steps: Iterable[Step]) -> None:
        """Take the answering times of the seats from the steps of an earlier run."""
        for step in steps:
            self._note_times(step)

    def _note_times(self, step: Step) -> None:
        for seat, spent in step.spent.items():
            if seat not in step.by:
                self._times[seat].append(spent + step.lag.get(seat, 0))

    def resume(self) -> bool:
        """Carry out the outputs that were kept during a trouble; False: the first still cannot be stored."""
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
        """Tell every seat that its clock stands, once for each trouble."""
        if self.match.begun and self._told is None and not self._paused:
            self._paused = True
            for seat, player in enumerate(self._players):
                self._send(player, Paused(seat))

    def go_on(self) -> None:
        """After `pause`: repeat the open asks of all seats."""
        if self._paused:
            self._paused = False
            for seat in range(len(self._players)):
                self.match.repeat(seat)
            self._flush()

    async def _catch_up(self, expected: int) -> None:
        """Wait as long as the table woke too late, so that answers are read before a seat is judged to be late.

        A table that wakes too late shows that the referee was busy: answers that arrived in time may still be unread.
        """
        for _ in range(RESPITES):
            now = self.now()
            behind = min(now - expected, SECOND)
            if behind < BUSY:
                return
            expected = now + behind
            await trio.sleep(behind / SECOND)

    def ready(self, seat: Seat, at: int) -> None:
        """See `Match.ready`."""
        self._act(lambda: self.match.ready(seat, at))

    def answer(
        self, seat: Seat, ask: int, index: int, at: int, *, lag: int = 0, queued: int = 0, note: str = ""
    ) -> Verdict:
        """See `Match.answer`."""
        try:
            verdict = self.match.answer(seat, ask, index, at, lag=lag, queued=queued, note=note)
        except Exception as error:
            self._give_up(error)
            verdict = Verdict.STALE
        if self.match.outputs:  # without outputs other seats are waited for, and no deadline is sooner
            self._flush()
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
        """See `Match.back`. If the match is over, the seat is told the end."""
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
        self._hurried = True
        self._act(lambda: self.match.abort(at, message, by))

    def _begin(self) -> None:
        self._recorder.begin(self.match.terms, self.match.secret)
        self.match.begin(self.now())

    def _act(self, action: Callable[[], None]) -> None:
        """Call a method of the match and carry out the outputs."""
        try:
            action()
        except StorageTrouble as error:
            self._storage.failed(self, error, trio.current_time())
        except Exception as error:
            self._give_up(error)
        self._flush()

    def _flush(self, trying: bool = False) -> bool:
        """Carry out the outputs of the match; False: one cannot be stored, and is kept with all that follow.

        A player may answer inside `send`: the outputs of that answer are carried out by this loop. During a trouble
        outputs are only kept, unless the storage lets this table try (`trying`).
        """
        if self._flushing:
            return True
        self._flushing = True
        if self._until and self.now() >= self._until:
            self._waited_until, self._until = self._until, 0  # also if the next ask is of a seat that is away
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
                        if not self._hurried and self._delay(output.seats):
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
            if self.match.soonest < self._sleeping_until:
                self._wake.set()

    def _carry_out(self, output: Seated | Told | Shown | Seen | Faulted | Paused | Stepped | Ended) -> bool:
        """Store or send an output that is no ask; False: the output cannot be stored now."""
        if isinstance(output, Stepped):
            self._delayed = 0
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
        elif isinstance(output, Shown):
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
        """Begin a delay as long as answers of these seats might have taken; False: the delay is 0.

        The clocks of the asks that follow start when the delay is over.
        """
        wait = 0
        for seat in seats:
            times = self._times[seat]
            known = list(times) if len(times) >= FEW else [time for others in self._times for time in others]
            if known:
                wait += min(self._draw(known), LONGEST_DELAY)
        wait = min(wait, LONGEST_DELAYS - self._delayed)
        if wait <= 0:
            return False
        begin = self._waited_until if self._delayed else self.now()
        self._delayed += wait
        self._until = begin + wait
        for seat in range(len(self._players)):
            ask = self.match.owes(seat)
            if ask:
                self.match.sent(seat, ask, self.match.last + self._delayed, wait)
        return True

    def _end(self, final: Final) -> bool:
        """Store the end, then tell all players; False: the end cannot be stored now.

        If the recorder fails for another reason, the players are told the end without the secret, because a later run
        of the referee may go on with the match.
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

    def _send(self, player: SeatPlayer | None, output: Output) -> None:
        """Send an output to a player; an exception of the player is logged and does not reach other players."""
        if player is None:
            return
        try:
            player.send(output)
        except Exception:
            match = self.match.terms.match
            _logger.exception("match %s: a player failed to take a message", match, extra={"match": match})

    def _give_up(self, error: Exception) -> None:
        """End the match because the referee failed; unstored outputs are not sent, and only the log has the cause."""
        match = self.match.terms.match
        extra = {"event": "failure", "match": match}
        _logger.error("match %s: the referee failed", match, exc_info=error, extra=extra)
        if self.failure is None:
            self.failure = error
            self.match.abort(self.now(), "the referee failed and ended the match; it does not count")
