"""Two event loops in one thread: grpc.aio on asyncio as the host, trio as its guest.

`run(main)` starts both and returns what `main(bridge)`, a trio function, returns. Everything of ours is trio except the
few lines that touch grpc.aio: those are coroutines of the host, which `bridge.host(...)` runs from the trio side.

There is no queue between the loops, so none can overflow. They share a thread, so synchronous code sees no
interruption from either, and trio allows the host to call its synchronous functions (set an event, move a deadline,
start a task). The reader of a stream therefore hands a message to its session by a plain call, which costs no
switch of task or thread; what is due is left in the outboxes of the streams concerned, and their writers wake.

A referee that serves many bots runs `batching`: its threads then do not interrupt each other when they wake. That is
worth a sixth to a quarter of a busy referee's time, measured with and without it in one run.

The host's selector measures how late the loop is. What it was late by (a stopped process, a blocking call, a turn that
took too long) is no part of the matches' time, see `referee.match.playtime`.

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
"""Seconds for which the loop waits at a time; shorter than the stretch that play time grants it."""
LONG_STANDSTILL = 50_000
"""Microseconds from which on a standstill has kept messages in the sockets, where gRPC's own threads slept as well."""
CATCH_UP, LONGEST_CATCH_UP = 50_000, 250_000
"""Microseconds of play time after a long standstill in which gRPC reads what came meanwhile: at least, and at most.

In between it is as long as the standstill was. On a machine with other work gRPC's threads needed 65 ms and more, and a
bot that causes standstills must not gain more time by them than they last."""


class Turns(selectors.DefaultSelector):
    """What the host's loop waits with. It keeps the time of the matches, and knows when a message came."""

    came = 0
    """The earliest moment, in play time, at which a message can have come that a task works off in the present turn.

    A message wakes its reader in the turn after the one that noticed it. If that turn had waited, the message came when
    the waiting ended. If it found the message there already, it may have come at any time since the turn before began,
    however long that one took: what the referee did meanwhile is not the bot's time. For a short while after a long
    standstill it may have come while the referee stood still.
    """
    _noticed = 0
    _began = 0
    _stood = 0
    """When the last long standstill was noticed, in play time."""
    _caught_up = 0
    """When all that came during it has been read."""

    def __init__(self) -> None:
        super().__init__()
        self.time = PlayTime(monotonic, STRETCH)
        """The time of the matches, from which the standstills of this loop are taken off."""
        self.lateness = Lateness()
        """The standstills, for the referee's metrics."""
        self.idle: Callable[[], bool] = lambda: False
        """Called when the loop has nothing to do; True: it has now, and does not wait."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait, and note when that is over."""
        self._turn()
        ready = super().select(0)
        waits = not ready and (timeout is None or timeout > 0) and not self.idle()
        if waits:
            ready = self._wait(timeout)
        began = self.time()
        self.came = self._noticed
        self._noticed = began if waits else self._began
        self._began = began
        if began < self._caught_up and self.came > self._stood:
            self.came = self._stood
        return ready

    def _turn(self) -> None:
        """A stretch of play time ends and the next one begins."""
        lost = self.time.lost
        self.time.turn()
        late = self.time.lost - lost
        if late:
            self.lateness.add(monotonic(), late)
        if late >= LONG_STANDSTILL:
            self._stood = self.time()
            self._caught_up = self._stood + min(max(late, CATCH_UP), LONGEST_CATCH_UP)

    def _wait(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait in short beats: a process that is stopped meanwhile shows by a beat that took too long."""
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
    """What the trio side may ask of the host."""

    def __init__(self, loop: asyncio.AbstractEventLoop, turns: Turns) -> None:
        self.loop = loop
        """The host's loop."""
        self.turns = turns
        """What the host waits with; it keeps the time of the matches."""
        self.interrupted = trio.Event()
        """Set when the process is asked to end."""
        self.final = trio.Event()
        """Set when it is asked a second time."""
        self.scope = trio.CancelScope()
        """Around everything on the trio side."""

    async def host(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine of the host's and wait for what it returns.

        If the caller is cancelled the coroutine is cancelled too, and waited for.
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
                task.exception()  # looked at, so that asyncio does not complain; the cancellation matters more
            raise
        return task.result()

    def interrupt(self) -> None:
        """What a signal does."""
        if self.interrupted.is_set():
            self.final.set()
            self.scope.cancel()
        self.interrupted.set()


@contextmanager
def batching() -> Iterator[None]:
    """Let the kernel schedule this thread, and those that are started in the block, as batch work.

    gRPC has several threads that wake for every message. Each time one of them interrupts the loop's thread, both find
    their caches cold afterwards. Linux knows a policy for this, open to everybody: a thread under it takes its turn
    when it wakes instead of interrupting whatever runs. Its share of the processor stays the same. The price is that a
    message to a machine whose processors are all busy with something else waits a millisecond or two longer.

    Where there is no such policy, where it is forbidden, or where somebody has chosen another one, nothing changes.
    Threads that outlive the block, as those of gRPC may, keep the policy; this thread gets its own back.
    """
    if not _schedule("SCHED_OTHER", "SCHED_BATCH"):
        yield
        return
    try:
        yield
    finally:
        _schedule("SCHED_BATCH", "SCHED_OTHER")


def _schedule(present: str, wanted: str) -> bool:
    """Change this thread from one policy to another; false: it has a third one, or the system does not allow it."""
    if sys.platform != "linux":
        return False
    try:
        if os.sched_getscheduler(0) != getattr(os, present):
            return False
        os.sched_setscheduler(0, getattr(os, wanted), os.sched_param(0))
    except (AttributeError, OSError):
        # Some C libraries have these calls only in name, and a sandbox may refuse them. Only speed is lost.
        return False
    return True


def run(main: Callable[[Bridge], Awaitable[T]], *, signals: bool = True, batch: bool = False) -> T:
    """Run a trio function beside an asyncio loop, and return its result.

    Raises KeyboardInterrupt if a second signal had to cancel it. `signals` False leaves them to the caller; `batch`
    is for those who serve many bots and start none of them: a child process would inherit it (see `batching`).
    """
    turns = Turns()
    with ExitStack() as stack:
        stack.enter_context(gc_pause.resting())
        if batch:
            stack.enter_context(batching())
        runner = stack.enter_context(asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)))
        return runner.run(_host(main, turns, signals))


async def _host(main: Callable[[Bridge], Awaitable[T]], turns: Turns, wanted: bool) -> T:
    """The host's own main coroutine: start the guest, serve signals, wait for the end."""
    loop = asyncio.get_running_loop()
    bridge = Bridge(loop, turns)
    finished: asyncio.Future[outcome.Outcome[T]] = loop.create_future()

    async def guest() -> T:
        with bridge.scope:
            return await main(bridge)
        raise KeyboardInterrupt

    # Only the main thread may handle signals; no other thread gets any.
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
            # The host is to end, so its guest has to: what it opened is closed, as it would be anywhere else.
            bridge.scope.cancel()
            await finished
            raise
        return ended.unwrap()
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
