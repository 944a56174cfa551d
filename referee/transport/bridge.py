"""Two event loops in one thread: grpc.aio on asyncio as the host, trio as its guest.

`run(main)` starts both and returns what `main(bridge)`, a trio function, returns. The referee is trio code except for
the few coroutines that touch grpc.aio: those run on the host, and `bridge.host(...)` starts them from the trio side.

No queue lies between the loops, so no queue can overflow. The loops share a thread, so neither interrupts synchronous
code, and trio allows the host to call its synchronous functions (set an event, move a deadline, start a task). The
reader of a stream therefore hands a message to its session by a plain call, without a switch of task or thread; what
is due is left in the outboxes of the streams concerned, and their writers wake.

A referee that serves many bots runs `batching`: its threads then do not interrupt each other when they wake. Batching
saves a sixth to a quarter of a busy referee's time, measured with and without batching in one run.

The host's selector measures how late the loop is. A delay (a stopped process, a blocking call, a turn that took too
long) is no part of play time, see `referee.match.playtime`.

The first SIGINT or SIGTERM sets `bridge.interrupted`; `main` is expected to end soon. A second one sets `bridge.final`
and cancels `main`.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import outcome
import trio

from referee.kernel import gc_pause
from referee.match.playtime import STRETCH, PlayTime, monotonic
from referee.transport.lateness import Lateness

T = TypeVar("T")

SIGNALS = (signal.SIGINT, signal.SIGTERM)
BEAT = 0.005
"""Seconds for which the loop waits at a time; shorter than the stretch of play time."""
LONG_STANDSTILL = 50_000
"""Shortest standstill, in microseconds, after which messages may still lie in the sockets, unread by gRPC."""
CATCH_UP, LONGEST_CATCH_UP = 50_000, 250_000
"""Least and most microseconds of play time that gRPC has after a long standstill to read what came meanwhile.

Between these bounds the time is as long as the standstill was. On a machine with other work gRPC's threads needed 65 ms
and more, and a bot that causes standstills must not gain more time than they last."""


class Turns(selectors.DefaultSelector):
    """The selector of the host's loop, which keeps play time and knows when a message came."""

    count = 0
    """Turns of the loop so far."""
    came = 0
    """The earliest moment, in play time, at which a message that is handled in the present turn can have come.

    A message wakes its reader in the turn after the one that noticed the message. If the noticing turn waited, the
    message came when the wait ended. If the message was there already, the message may have come at any time since the
    turn before began, however long that turn took: the referee's own work is not charged to the bot. For a short while
    after a long standstill, the message may have come during the standstill.
    """
    _noticed = 0
    _began = 0
    _stood = 0
    """When the last long standstill was noticed, in play time."""
    _caught_up = 0
    """When gRPC has read all messages that came during that standstill, in play time."""

    def __init__(self) -> None:
        super().__init__()
        self.time = PlayTime(monotonic, STRETCH)
        """Play time, from which the standstills of this loop are taken off."""
        self.lateness = Lateness()
        """The standstills, for the referee's metrics."""
        self.idle: Callable[[], bool] = lambda: False
        """Called when the loop has nothing to do; True: the call made work, so the loop does not wait."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for sockets, and note when the wait is over."""
        self._turn()
        ready = super().select(0)
        waits = not ready and (timeout is None or timeout > 0) and not self.idle()
        if waits:
            ready = self._wait(timeout)
        self.count += 1
        began = self.time()
        self.came = self._noticed
        self._noticed = began if waits else self._began
        self._began = began
        if began < self._caught_up and self.came > self._stood:
            self.came = self._stood
        return ready

    def _turn(self) -> None:
        """End a stretch of play time and begin the next one."""
        lost = self.time.lost
        self.time.turn()
        late = self.time.lost - lost
        if late:
            self.lateness.add(monotonic(), late)
        if late >= LONG_STANDSTILL:
            self._stood = self.time()
            self._caught_up = self._stood + min(max(late, CATCH_UP), LONGEST_CATCH_UP)

    def _wait(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait in short beats, so that a beat which took too long shows a process that was stopped meanwhile."""
        end = None if timeout is None else time.monotonic() + timeout
        beat = BEAT
        while True:
            if end is not None:
                beat = min(BEAT, max(0.0, end - time.monotonic()))
            ready = super().select(beat)
            self._turn()
            if ready or (end is not None and time.monotonic() >= end):
                return ready


class Bridge:
    """The host as the trio side uses it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, turns: Turns) -> None:
        self.loop = loop
        """The host's loop."""
        self.turns = turns
        """The selector of the host's loop, which keeps play time."""
        self.interrupted = trio.Event()
        """Set when the process is asked to end."""
        self.final = trio.Event()
        """Set when the process is asked to end a second time."""
        self.scope = trio.CancelScope()
        """The cancel scope around everything on the trio side."""

    async def host(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the host's loop, wait for its end and return its result.

        If the caller is cancelled, the coroutine is cancelled, too, and waited for.
        """
        task = self.loop.create_task(coroutine)
        done = trio.Event()
        task.add_done_callback(lambda _: done.set())
        try:
            await done.wait()
        except trio.Cancelled:
            task.cancel()
            with trio.CancelScope(shield=True):
                await done.wait()
            if not task.cancelled():
                task.exception()  # read, so that asyncio does not log the error; the cancellation is raised instead
            raise
        return task.result()

    def interrupt(self) -> None:
        """Ask the referee to end; the second call cancels everything on the trio side."""
        if self.interrupted.is_set():
            self.final.set()
            self.scope.cancel()
        self.interrupted.set()


@contextmanager
def batching() -> Iterator[None]:
    """Let the kernel schedule this thread, and those that are started in the block, as batch work.

    gRPC has several threads that wake for every message. Each time such a thread interrupts the loop's thread, both
    find their caches cold afterwards. Under Linux's policy SCHED_BATCH, which needs no privilege, a thread that wakes
    waits for its turn instead of interrupting the running thread; its share of the processor stays the same. The price:
    a message to a machine whose processors are all busy with other work waits a millisecond or two longer.

    Nothing changes where this policy does not exist or is forbidden, or where another policy than the default is set.
    Threads that outlive the block, as gRPC's threads may, keep the policy; this thread gets its own policy back.
    """
    if not _schedule("SCHED_OTHER", "SCHED_BATCH"):
        yield
        return
    try:
        yield
    finally:
        _schedule("SCHED_BATCH", "SCHED_OTHER")


def _schedule(present: str, wanted: str) -> bool:
    """Change this thread from one policy to another; False: the thread has a third one, or the system refuses."""
    if sys.platform != "linux":
        return False
    try:
        if os.sched_getscheduler(0) != getattr(os, present):
            return False
        os.sched_setscheduler(0, getattr(os, wanted), os.sched_param(0))
    except (AttributeError, OSError):
        # Some C libraries have these calls in name only, and a sandbox may refuse them. Only speed is lost.
        return False
    return True


def run(main: Callable[[Bridge], Awaitable[T]], *, signals: bool = True, batch: bool = False) -> T:
    """Run a trio function beside an asyncio loop, and return its result.

    Raises KeyboardInterrupt if a second signal cancelled the function. `signals` False leaves signals to the caller.
    `batch` is for a referee that serves many bots and starts no process, which would inherit the policy (`batching`).
    """
    turns = Turns()
    with ExitStack() as stack:
        stack.enter_context(gc_pause.resting())
        if batch:
            stack.enter_context(batching())
        runner = stack.enter_context(asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)))
        return runner.run(_host(main, turns, signals))


async def _host(main: Callable[[Bridge], Awaitable[T]], turns: Turns, wanted: bool) -> T:
    """The main coroutine of the host: start the guest, handle signals, wait for the guest's end."""
    loop = asyncio.get_running_loop()
    bridge = Bridge(loop, turns)
    finished: asyncio.Future[outcome.Outcome[T]] = loop.create_future()

    async def guest() -> T:
        with bridge.scope:
            return await main(bridge)
        raise KeyboardInterrupt

    # Python delivers signals to the main thread alone.
    signals = SIGNALS if wanted and threading.current_thread() is threading.main_thread() else ()
    for number in signals:
        loop.add_signal_handler(number, bridge.interrupt)
    try:
        trio.lowlevel.start_guest_run(
            guest,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=finished.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        try:
            ended = await asyncio.shield(finished)
        except asyncio.CancelledError:
            # The host is cancelled, so the guest is, too, and closes what it opened.
            bridge.scope.cancel()
            await finished
            raise
        return ended.unwrap()
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
