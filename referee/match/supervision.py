"""Watches over bots of this process while they decide: how long they take, and what they raise.

Every call of a bot goes through `Supervision.call`, which returns what the bot returned, `Raised` if it raised, or
`Overtime` if it took longer than it may. A thread (`_Sentry`) looks at the running calls a few times per limit; the
call itself only stores two attributes, so the watch costs nothing that can be measured. A call beyond its limit is
interrupted: in the main thread by a signal, whose handler raises there, which ends waits such as `time.sleep` as well;
in another thread by an exception that CPython raises at its next instruction. A bot that swallows the interrupt is
interrupted again. One that cannot be interrupted at all, because it sits in foreign code, ends the process after
`PATIENCE_SECONDS` with a line that names bot, match and ask: nothing else could end it.

Foreign code that lets no other thread run (one huge `sum`, a regular expression) stops the sentry as well. A timer of
the kernel, which the sentry winds up at each look, then sends the signal: some of that code heeds it. For the rest
`faulthandler`, which needs no Python to run, shows the stack of the bot and ends the process.

What a bot raised is kept with its trace (`Trouble`) beside the match, never in its record: a trace shows paths of this
machine.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import NamedTuple, TypeVar

from referee.kernel.game import Seat
from referee.kernel.raised import described, raised_by_code, trace
from referee.match.clock import SECOND, spoken

DECISION_SECONDS = 30.0
"""Most time for a decision of a bot of this process where a gate, an arena or a ladder has no clock."""
PATIENCE_SECONDS = 15.0
"""Time between the first attempt to interrupt a bot and the end of the process."""
AGAIN_SECONDS = 0.25
"""Time between two attempts to interrupt a bot."""
ENDED = 3
"""Exit code of a process that a bot held up for good."""
SIGNAL = signal.SIGVTALRM
"""What interrupts a bot in the main thread."""

A = TypeVar("A")


class Raised(NamedTuple):
    """A bot raised instead of answering; the text is one line."""

    message: str


class Overtime(NamedTuple):
    """A bot was interrupted, or answered after that; the text says what its limit was."""

    message: str


class Trouble(NamedTuple):
    """What a bot raised and where: for the eyes of its author, never part of a record."""

    seat: Seat
    ask: int
    """The ask that was open; 0: none."""
    where: str
    """The bot's method: `decide`, `seated` or `over`."""
    message: str
    """One line, as in the record."""
    trace: str
    """Empty: there is none, as for a bot that was interrupted."""


class Interrupted(BaseException):
    """Raised inside a bot that takes too long. No Exception, so that `except Exception` lets it through."""


class Supervision:
    """The bots of one match in this process. Used as a context, around the match."""

    def __init__(self, match: str, players: Sequence[str], limit: float | None = None) -> None:
        """`limit`: seconds for a call that names no limit of its own; None: such a call is not watched."""
        self.match = match
        self.players = tuple(players)
        self.limit = limit
        self.troubles: list[Trouble] = []
        """The first exception of each seat and method."""
        self.seat = 0
        self.ask = 0
        self.where = ""
        self.serial = 0
        """Number of the running call, or of the last one."""
        self.running = False
        self.seconds: float | None = None
        """Limit of the running call."""
        self.fired = -1
        """Number of the last call that was beyond its limit."""
        self._aim = -1
        self._sent = -1
        self._seen = -1
        self._since = self._again = 0.0
        self._thread = 0
        self._main = False
        self._outer: Supervision | None = None
        self._watched = False

    def __enter__(self) -> Supervision:
        self._thread = threading.get_ident()
        self._main = threading.current_thread() is threading.main_thread()
        if self._main:
            self._outer = _of_main_thread(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watched:
            self._watched = False
            _sentry.forget(self)
        if self._main:
            _current[0] = self._outer

    @property
    def pause(self) -> float:
        """Seconds after which the sentry should look again."""
        return 0.5 if self.seconds is None else min(0.5, max(0.01, self.seconds / 10.0))

    def call(
        self, bot: Callable[[A], object], asked: A, seat: Seat, ask: int, budget: int | None, where: str = "decide"
    ) -> object:
        """What a bot returns, or `Raised` or `Overtime`; `budget`: microseconds, None: the limit of the match.

        KeyboardInterrupt passes if the user's Ctrl-C made it, and is the bot's exception if the bot raised it.
        """
        self.seat = seat
        self.ask = ask
        self.where = where
        self.seconds = self.limit if budget is None else budget / SECOND
        if not self._watched and self.seconds is not None:
            self._watched = True
            _sentry.watch(self)
        self.serial += 1
        answer: object
        try:
            self.running = True
            try:
                answer = bot(asked)
            except Interrupted:
                raise
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt) and self._is_ours(error):
                    raise
                answer = self._raised(error)
            self.running = False
            if self.fired == self.serial:
                self._settle()
                answer = self._overtime()
        except Interrupted:
            answer = self._overtime()
        finally:
            self.running = False
        return answer

    def look(self, now: float) -> None:
        """Interrupt the running call if it is beyond its limit; called by the sentry's thread."""
        serial, limit = self.serial, self.seconds
        if not self.running or limit is None:
            return
        if serial != self._seen:
            self._seen, self._since, self._again = serial, now, 0.0
            return
        late = now - self._since - limit
        if late < 0.0:
            return
        if late > PATIENCE_SECONDS:
            _give_up(self)
        if now >= self._again:
            self._again = now + AGAIN_SECONDS
            self._interrupt(serial)

    def fire(self) -> None:
        """Raise in the main thread if the running call is to be interrupted; called by the signal's handler."""
        serial = self.serial
        if not self.running:
            return
        if self._aim != serial:
            limit, now = self.seconds, time.monotonic()
            if self._seen != serial:
                self._seen, self._since = serial, now
            if limit is None or now - self._since < limit:
                return
            self.fired = serial  # the timer's signal: the sentry itself cannot run
        self._aim = -1
        raise Interrupted

    def _interrupt(self, serial: int) -> None:
        """Raise `Interrupted` in the bot's thread, unless the call ends at this moment.

        `fired` is written before `running` is read, and `call` does it the other way round: one of both sides notices.
        """
        self._sent = -1
        self._aim = self.fired = serial
        if self.running and self.serial == serial:
            if self._main:
                signal.pthread_kill(self._thread, SIGNAL)
            else:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Interrupted))
        self._sent = serial

    def _settle(self) -> None:
        """Wait until the sentry's exception is here or will not come: the call ended while it was being sent."""
        if self._main:
            return  # the handler raises during calls only
        while self._sent != self.serial:
            time.sleep(0.0005)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), None)

    def _overtime(self) -> Overtime:
        limit = spoken(round((self.seconds or 0.0) * SECOND))
        if not self.ask:
            answer = Overtime(f"{self.where} did not return within {limit}")
            self._keep(answer.message, "")
            return answer
        answer = Overtime(
            f"no answer to ask {self.ask} within the {limit} that a decision may take here; the stand-in answers"
        )
        self._keep(answer.message, "")
        return answer

    def _raised(self, error: BaseException) -> Raised:
        raised = Raised(described(error))
        self._keep(raised.message, trace(error))
        return raised

    def _keep(self, message: str, shown: str) -> None:
        if all((kept.seat, kept.where) != (self.seat, self.where) for kept in self.troubles):
            self.troubles.append(Trouble(self.seat, self.ask, self.where, message, shown))

    def _is_ours(self, error: KeyboardInterrupt) -> bool:
        """Whether it came from Ctrl-C: signals reach the main thread alone, and worker processes ignore that one."""
        return self._main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN and not raised_by_code(error)


_current: list[Supervision | None] = [None]
"""The supervision whose bots run in the main thread."""


def _of_main_thread(supervision: Supervision) -> Supervision | None:
    """Make a supervision the one of the main thread; returns the one around it, None: there is none."""
    outer, _current[0] = _current[0], supervision
    if outer is None and signal.getsignal(SIGNAL) is not _handle:
        signal.signal(SIGNAL, _handle)
    return outer


def _handle(number: int, frame: FrameType | None) -> None:
    supervision = _current[0]
    if supervision is not None:
        supervision.fire()


class _Sentry:
    """The thread that looks at all supervisions of this process; it sleeps while there is none."""

    def __init__(self) -> None:
        self._watched: list[Supervision] = []
        self._wake = threading.Event()
        self._pause = 0.0
        """Seconds until its next look; 0: it sleeps until it is woken."""
        self._process = 0
        self._wound = 0.0
        """When timer and faulthandler were wound up; 0: they are not."""

    def watch(self, supervision: Supervision) -> None:
        """Look at the calls of a supervision until it is forgotten."""
        self._watched.append(supervision)
        if self._process != os.getpid():  # the first one, or the first one after a fork
            self._process = os.getpid()
            self._wake = threading.Event()
            threading.Thread(target=self._run, name="kumite-sentry", daemon=True).start()
        elif self._pause == 0.0 or supervision.pause < self._pause:
            self._wake.set()
        self._wind(time.monotonic())

    def forget(self, supervision: Supervision) -> None:
        """Look at it no more."""
        self._watched.remove(supervision)

    def _run(self) -> None:
        idle = 0
        while True:
            idle = 0 if self._watched else idle + 1
            self._pause = 0.0 if idle > 3 else min([each.pause for each in self._watched[:]], default=0.5)
            self._wake.wait(self._pause or (None if not self._watched else 0.01))
            self._wake.clear()
            now = time.monotonic()
            for each in self._watched[:]:
                each.look(now)
            self._wind(now)

    def _wind(self, now: float) -> None:
        """Wind up what acts if this thread cannot run, a second after the last time at the soonest."""
        limits = [each.seconds for each in self._watched[:] if each.seconds is not None]
        if not limits:
            if self._wound:
                self._wound = 0.0
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
                faulthandler.cancel_dump_traceback_later()
        elif now - self._wound >= 1.0:
            self._wound = now
            signal.setitimer(signal.ITIMER_VIRTUAL, max(limits) + 1.0, 1.0)
            faulthandler.dump_traceback_later(max(limits) + PATIENCE_SECONDS + 1.0, exit=True, file=errors[0])


_sentry = _Sentry()

on_giving_up: list[Callable[[str, str], None]] = []
"""Called with the match and the line before a process is ended that a bot holds up for good."""


def _give_up(supervision: Supervision) -> None:
    """End this process: its bot can be neither interrupted nor waited for."""
    player = supervision.players[supervision.seat]
    late = spoken(round(((supervision.seconds or 0.0) + PATIENCE_SECONDS) * SECOND))
    at = f"ask {supervision.ask}" if supervision.ask else f"its method {supervision.where}"
    line = (
        f"{player} (seat {supervision.seat}) does not return from {at} of match {supervision.match} after {late} and "
        f"cannot be interrupted: the run ends here; play it as a process (a folder with a bot.toml)"
    )
    for told in on_giving_up:
        told(supervision.match, line)
    os.write(errors[0], f"kumite: {line}\n".encode(errors="replace"))
    os._exit(ENDED)


errors: list[int] = [2]
"""The file descriptor for the last line of a process."""
