"""Limits the time of calls of bots in this process, and catches what the bots raise.

Every call of a bot goes through `Supervision.call`, which returns the bot's answer, `Raised` if the bot raised, or
`Overtime` if the call took longer than its limit. A thread (`_Sentry`) looks at the running calls a few times per
limit; the call itself only sets an attribute twice, which takes no time that can be measured. A call beyond its limit
is interrupted: in the main thread by a signal, whose handler raises there and so ends waits such as `time.sleep` too;
in another thread by an exception that CPython raises at the next instruction of Python code. A bot that catches the
exception is interrupted again. If a bot stays in compiled code, where no exception reaches it, the process is ended
after `PATIENCE_SECONDS` with a line that names bot, match and ask.

Compiled code that lets no other thread run (one huge `sum`, a regular expression) stops the sentry too. Then a timer of
the operating system, which the sentry resets at each look, sends the signal, and some compiled code returns at a
signal. For the rest `faulthandler`, which runs without the interpreter, prints the stack of the bot and ends the
process.

An exception of a bot is kept with its trace (`Trouble`) beside the match and not in its record, because a trace shows
paths of this machine.
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
from typing import NamedTuple, Protocol, TypeVar

from referee.kernel.game import Seat
from referee.kernel.raised import described, raised_by_code, trace
from referee.match.clock import SECOND, spoken

DECISION_SECONDS = 30.0
"""Most time for a decision of a bot of this process in a gate, an arena or a ladder without a clock."""
PATIENCE_SECONDS = 15.0
"""Time between the first attempt to interrupt a bot and the end of the process."""
AGAIN_SECONDS = 0.25
"""Time between two attempts to interrupt a bot."""
ENDED = 3
"""Exit code of a process whose bot could not be interrupted."""
SIGNAL = signal.SIGVTALRM
"""The signal that interrupts a bot in the main thread."""


class Raised(NamedTuple):
    """A bot raised instead of answering; the message is the exception in one line."""

    message: str


class Overtime(NamedTuple):
    """A call of a bot took longer than its limit, which the message names."""

    message: str


class Trouble(NamedTuple):
    """An exception or interrupt of a bot, for its author; never part of a record."""

    seat: Seat
    ask: int
    """The number of the ask that was open; 0: none."""
    where: str
    """The bot's method: `decide`, `seated` or `over`."""
    message: str
    """The exception in one line, as in the record."""
    trace: str
    """The trace of the exception; empty for a bot that was interrupted."""


class Interrupted(BaseException):
    """Raised inside a bot whose call is beyond its limit; a BaseException, because bots catch Exception."""


class Watched(Protocol):
    """The argument of a call of a bot: an ask, or a `Call`."""

    @property
    def seat(self) -> Seat:
        """The seat whose bot is called."""

    @property
    def ask(self) -> int:
        """The number of the open ask; 0: none."""

    @property
    def budget(self) -> int | None:
        """Microseconds that the call may take; None: the limit of the match."""


class Call(NamedTuple):
    """A call of a method of a bot other than `decide`."""

    seat: Seat
    where: str
    """The bot's method."""
    budget: int | None
    ask: int = 0


W = TypeVar("W", bound=Watched)


class Supervision:
    """Calls the bots of one match in this process; the match is played inside the context."""

    def __init__(self, match: str, players: Sequence[str], limit: float | None = None, *, watched: bool = True) -> None:
        """`limit`: seconds for a call without a budget of its own; None: such a call may take any time.

        `watched`: whether the sentry looks at the calls; False if no call has a limit.
        """
        self.match = match
        self.players = tuple(players)
        self.limit = limit
        self.troubles: list[Trouble] = []
        """The first exception or interrupt of each seat and method."""
        self.running: Watched | None = None
        """The argument of the running call, another object for each call; None: no call is running."""
        self._watched = watched
        self._fired: Watched | None = None
        """The argument of the last call that was beyond its limit."""
        self._aim: Watched | None = None
        self._sent: Watched | None = None
        self._seen: Watched | None = None
        self._since = self._again = 0.0
        self._thread = 0
        self._main = False
        self._outer: Supervision | None = None

    def __enter__(self) -> Supervision:
        self._thread = threading.get_ident()
        self._main = threading.current_thread() is threading.main_thread()
        if self._main:
            self._outer = _of_main_thread(self)
        if self._watched:
            _sentry.watch(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watched:
            _sentry.forget(self)
        if self._main:
            _current[0] = self._outer

    def call(self, bot: Callable[[W], object], asked: W) -> object:
        """Call a bot; returns the bot's answer, `Raised` or `Overtime`.

        A KeyboardInterrupt of the user's Ctrl-C passes; one that the bot raised is an exception of the bot.
        """
        answer: object
        self.running = asked
        try:
            try:
                answer = bot(asked)
                self.running = None
            except Interrupted:
                raise
            except BaseException as error:
                answer = self._raised(asked, error)
                self.running = None
            if self._fired is asked:
                self._settle(asked)
                answer = self._overtime(asked)
        except Interrupted:
            self.running = None
            answer = self._overtime(asked)
        return answer

    @property
    def seconds(self) -> float | None:
        """Limit of the running call or of the last call that the sentry saw; None: no limit."""
        asked = self.running or self._seen
        return self.limit if asked is None else self._limit_of(asked)

    @property
    def pause(self) -> float:
        """Seconds until the next look of the sentry."""
        limit = self.seconds
        return 0.5 if limit is None else min(0.5, max(0.01, limit / 10.0))

    def look(self, now: float) -> None:
        """Interrupt the running call if it is beyond its limit; called by the sentry's thread."""
        asked = self.running
        if asked is None:
            return
        if asked is not self._seen:
            self._seen, self._since, self._again = asked, now, 0.0
            return
        limit = self._limit_of(asked)
        late = -1.0 if limit is None else now - self._since - limit
        if late < 0.0:
            return
        if late > PATIENCE_SECONDS:
            _give_up(self, asked)
        if now >= self._again:
            self._again = now + AGAIN_SECONDS
            self._interrupt(asked)

    def fire(self) -> None:
        """Raise Interrupted in the main thread if the running call is beyond its limit; called by the handler."""
        asked = self.running
        if asked is None:
            return
        if self._aim is not asked:
            limit, now = self._limit_of(asked), time.monotonic()
            if self._seen is not asked:
                self._seen, self._since = asked, now
            if limit is None or now - self._since < limit:
                return
            self._fired = asked  # the timer sent the signal, because the sentry cannot run
        self._aim = None
        raise Interrupted

    def _limit_of(self, asked: Watched) -> float | None:
        budget = asked.budget
        return self.limit if budget is None else budget / SECOND

    def _interrupt(self, asked: Watched) -> None:
        """Raise `Interrupted` in the bot's thread, unless the call ends at this moment.

        This method writes `_fired` before it reads `running`, and `call` writes `running` before it reads `_fired`: so
        at least one of the two threads sees the write of the other.
        """
        self._sent = None
        self._aim = self._fired = asked
        if self.running is asked:
            if self._main:
                signal.pthread_kill(self._thread, SIGNAL)
            else:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Interrupted))
        self._sent = asked

    def _settle(self, asked: Watched) -> None:
        """Take back the sentry's exception if the call ended while the exception was being sent."""
        if self._main:
            return  # the signal's handler raises during calls only
        while self._sent is not asked:
            time.sleep(0.0005)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), None)

    def _overtime(self, asked: Watched) -> Overtime:
        limit = spoken(round((self._limit_of(asked) or 0.0) * SECOND))
        if asked.ask:
            text = (
                f"no answer to ask {asked.ask} within the {limit} that a decision may take here; the stand-in answers"
            )
        else:
            text = f"{_where(asked)} did not return within {limit}"
        self._keep(asked, text, "")
        return Overtime(text)

    def _raised(self, asked: Watched, error: BaseException) -> Raised:
        if isinstance(error, KeyboardInterrupt) and self._is_ours(error):
            self.running = None
            raise error
        raised = Raised(described(error))
        self._keep(asked, raised.message, trace(error))
        return raised

    def _keep(self, asked: Watched, message: str, shown: str) -> None:
        where = _where(asked)
        if all((kept.seat, kept.where) != (asked.seat, where) for kept in self.troubles):
            self.troubles.append(Trouble(asked.seat, asked.ask, where, message, shown))

    def _is_ours(self, error: KeyboardInterrupt) -> bool:
        """Whether Ctrl-C made the exception: only the main thread gets signals, and worker processes ignore SIGINT."""
        return self._main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN and not raised_by_code(error)


def _where(asked: Watched) -> str:
    return asked.where if isinstance(asked, Call) else "decide"


_current: list[Supervision | None] = [None]
"""The supervision whose bots run in the main thread."""


def _of_main_thread(supervision: Supervision) -> Supervision | None:
    """Make a supervision that of the main thread; returns the supervision around it, None: there is none."""
    outer, _current[0] = _current[0], supervision
    if outer is None and signal.getsignal(SIGNAL) is not _handle:
        signal.signal(SIGNAL, _handle)
    return outer


def _handle(number: int, frame: FrameType | None) -> None:
    supervision = _current[0]
    if supervision is not None:
        supervision.fire()


class _Sentry:
    """The thread that looks at all supervisions of this process, and sleeps while there is none."""

    def __init__(self) -> None:
        self._watched: list[Supervision] = []
        self._wake = threading.Event()
        self._pause = 0.0
        """Seconds until the next look; 0: the thread sleeps until `watch` wakes it."""
        self._process = 0
        self._wound = 0.0
        """The moment at which timer and faulthandler were last set; 0: they are not set."""

    def watch(self, supervision: Supervision) -> None:
        """Look at the calls of a supervision until it is forgotten."""
        self._watched.append(supervision)
        if self._process != os.getpid():  # the first supervision, or the first after a fork
            self._process = os.getpid()
            self._wake = threading.Event()
            threading.Thread(target=self._run, name="kumite-sentry", daemon=True).start()
        elif self._pause == 0.0 or supervision.pause < self._pause:
            self._wake.set()
        self._wind(time.monotonic())

    def forget(self, supervision: Supervision) -> None:
        """End the looks at a supervision."""
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
        """Set the timer and faulthandler, which act if this thread cannot run, at most once a second."""
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
"""Functions that `_give_up` calls with the match id and its line before the process ends."""


def _give_up(supervision: Supervision, asked: Watched) -> None:
    """End this process: its bot cannot be interrupted, and its time is over."""
    player = supervision.players[asked.seat]
    late = spoken(round(((supervision.seconds or 0.0) + PATIENCE_SECONDS) * SECOND))
    at = f"ask {asked.ask}" if asked.ask else f"its method {_where(asked)}"
    line = (
        f"{player} (seat {asked.seat}) does not return from {at} of match {supervision.match} after {late} and "
        f"cannot be interrupted: the run ends here; play it as a process (a folder with a bot.toml)"
    )
    for told in on_giving_up:
        told(supervision.match, line)
    os.write(errors[0], f"kumite: {line}\n".encode(errors="replace"))
    os._exit(ENDED)


errors: list[int] = [2]
"""The file descriptor to which the last line of the process is written."""
