"""asyncio as host, trio as guest, one thread."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
import trio

from referee.match.playtime import STRETCH
from referee.transport import bridge
from referee.transport.bridge import Bridge
from tests.transport import scheduling

T = TypeVar("T")


def in_a_thread(function: Callable[..., T], *arguments: object) -> T:
    """What a function returns in a thread of its own, which ends with it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *arguments).result(60)


def test_the_result_of_the_trio_side_comes_back() -> None:
    """`run` returns what the trio function returns."""

    async def main(host: Bridge) -> str:
        await trio.sleep(0)
        return "done"

    assert bridge.run(main) == "done"


def test_an_error_of_the_trio_side_comes_out() -> None:
    """`run` raises what the trio function raises."""

    async def main(host: Bridge) -> None:
        raise LookupError("here")

    with pytest.raises(LookupError, match="here"):
        bridge.run(main)


def test_trio_can_wait_for_a_coroutine_of_the_host() -> None:
    """Both loops run in the same thread, and results and errors cross over."""

    async def on_host(fail: bool) -> int:
        await asyncio.sleep(0)
        if fail:
            raise LookupError("from the host")
        return threading.get_ident()

    async def main(host: Bridge) -> int:
        with pytest.raises(LookupError, match="from the host"):
            await host.host(on_host(fail=True))
        return await host.host(on_host(fail=False))

    assert bridge.run(main) == threading.get_ident()


@pytest.mark.parametrize("busy", [False, True])
def test_what_the_host_was_busy_with_is_no_part_of_an_arrival(busy: bool) -> None:
    """Something that came while the loop had no time for it counts from then, at the earliest moment possible."""
    near, far = socket.socketpair()

    async def on_host(turns: bridge.Turns) -> tuple[int, int, int]:
        loop = asyncio.get_running_loop()
        came: asyncio.Future[None] = loop.create_future()
        loop.add_reader(near, lambda: None if came.done() else came.set_result(None))
        await asyncio.sleep(2 * bridge.LONGEST_CATCH_UP / 1e6)  # no turn of the start is too long
        before = turns.time()
        if busy:
            far.send(b"x")
            time.sleep(0.05)
        else:
            loop.call_later(0.05, lambda: None)
            threading.Timer(0.02, far.send, (b"x",)).start()
        await came
        stamp, after = turns.came, turns.time()
        loop.remove_reader(near)
        return before, stamp, after

    async def main(host: Bridge) -> tuple[int, int, int]:
        return await host.host(on_host(host.turns))

    with near, far:
        before, stamp, after = bridge.run(main)

    if busy:
        assert stamp <= before <= after <= before + 2 * STRETCH
    else:
        assert before + 5_000 <= stamp <= after


def test_a_loop_that_stood_still_takes_the_time_off() -> None:
    """Half a second in one turn counts as a stretch at most, whether it is read in that turn or later."""

    async def on_host(turns: bridge.Turns) -> tuple[int, int]:
        await asyncio.sleep(0)
        before = turns.time()
        time.sleep(0.5)
        inside = turns.time() - before
        await asyncio.sleep(0)
        return inside, turns.time() - before

    async def main(host: Bridge) -> tuple[int, int]:
        return await host.host(on_host(host.turns))

    inside, later = bridge.run(main)

    assert inside <= STRETCH
    assert later <= 2 * STRETCH


@pytest.mark.parametrize(
    ("stood", "after", "free"),
    [(0.08, 0.01, True), (0.08, 0.2, False), (0.4, 0.1, True), (0.4, 0.6, False)],
)
def test_what_comes_just_after_a_long_standstill_may_have_come_during_it(
    stood: float, after: float, free: bool
) -> None:
    """gRPC's threads need a moment to read what lay in the socket: as long as the standstill was, at most 250 ms."""
    found = []
    for _ in range(20):
        resumed, stamp, late = _stamped(stood, after)
        found.append((stamp <= resumed) is free)
        if late < 0.02 and found[-1]:  # on a busy machine a message may leave, and be read, long after it should
            break

    assert found[-1]


def _stamped(stood: float, after: float) -> tuple[int, int, float]:
    """When a standstill was over, when a message that was sent some seconds later came, and how late it was sent."""
    near, far = socket.socketpair()
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        far.send(b"x")

    async def on_host(turns: bridge.Turns) -> tuple[int, int]:
        loop = asyncio.get_running_loop()
        came: asyncio.Future[None] = loop.create_future()
        loop.add_reader(near, lambda: None if came.done() else came.set_result(None))
        await asyncio.sleep(0)
        time.sleep(stood)
        await asyncio.sleep(0)
        resumed = turns.time()
        began.append(time.monotonic())
        threading.Timer(after, send).start()
        await came
        loop.remove_reader(near)
        return resumed, turns.came

    async def main(host: Bridge) -> tuple[int, int]:
        return await host.host(on_host(host.turns))

    began: list[float] = []
    with near, far:
        resumed, stamp = bridge.run(main)
    return resumed, stamp, sent[0] - began[0] - after


STOPPED = """
import sys
import trio
from referee.transport import bridge

async def main(host):
    print(host.turns.time(), flush=True)
    await host.host(read())
    print(host.turns.time(), flush=True)

async def read():
    import asyncio
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)

bridge.run(main)
"""


@pytest.mark.processes
def test_a_process_that_is_stopped_while_it_waits_takes_the_time_off() -> None:
    """SIGSTOP hits the loop in its selector, with nothing due for long: the beat that took too long gives it away."""
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        before = int(process.stdout.readline())
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        began = time.monotonic()
        process.send_signal(signal.SIGCONT)
        process.stdin.write("go\n")
        process.stdin.flush()
        after = int(process.stdout.readline())
        woke = round((time.monotonic() - began) * 1_000_000)

    assert after - before <= woke + 5 * STRETCH < 1_000_000


def test_a_cancelled_wait_cancels_the_coroutine_of_the_host() -> None:
    """The host's coroutine is told, and has ended when the wait has."""
    ended: list[str] = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("host")

    async def main(host: Bridge) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.host, forever())
            await trio.sleep(0)
            nursery.cancel_scope.cancel()
        ended.append("trio")

    bridge.run(main)

    assert ended == ["host", "trio"]


def test_the_host_may_wake_trio_by_a_plain_call() -> None:
    """What sessions rely on: a callback of asyncio sets a trio event."""

    async def main(host: Bridge) -> bool:
        event = trio.Event()
        host.loop.call_soon(event.set)
        with trio.fail_after(60):
            await event.wait()
        return event.is_set()

    assert bridge.run(main)


def test_a_bridge_runs_in_any_thread() -> None:
    """Without the main thread there are no signals, and everything else works."""
    results: list[int] = []

    async def main(host: Bridge) -> int:
        return 7

    thread = threading.Thread(target=lambda: results.append(bridge.run(main)))
    thread.start()
    thread.join(60)

    assert results == [7]


def test_the_first_interrupt_asks_and_the_second_one_ends() -> None:
    """`main` may take its time after the first; the second cancels it, which ends in KeyboardInterrupt."""
    seen: list[str] = []

    async def main(host: Bridge) -> None:
        host.interrupt()
        await host.interrupted.wait()
        seen.append("asked")
        host.interrupt()
        await trio.sleep_forever()

    with pytest.raises(KeyboardInterrupt):
        bridge.run(main)

    assert seen == ["asked"]


def policies(batch: bool) -> list[int]:
    """How the thread of a bridge and one started from it are scheduled, and the first one again after the run."""

    async def main(host: Bridge) -> list[int]:
        return [os.sched_getscheduler(0), in_a_thread(os.sched_getscheduler, 0)]

    return [*bridge.run(main, batch=batch), os.sched_getscheduler(0)]


@scheduling.batch
def test_batch_scheduling_holds_for_all_threads_of_a_run_and_ends_with_it() -> None:
    """Only where it is asked for."""
    other, batch = os.SCHED_OTHER, os.SCHED_BATCH

    assert policies(batch=False) == [other, other, other]
    assert policies(batch=True) == [batch, batch, other]


@scheduling.linux
@pytest.mark.parametrize("call", ["sched_getscheduler", "sched_setscheduler"])
@pytest.mark.parametrize("number", [errno.EPERM, errno.EINVAL, errno.ENOSYS])
def test_batch_scheduling_that_cannot_be_had_is_done_without(
    monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    """A sandbox may refuse the calls, and some systems have them only in name; the bridge runs all the same."""

    async def main(host: Bridge) -> str:
        return "done"

    def refuse(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, refuse)

    assert bridge.run(main, batch=True) == "done"


@scheduling.linux
def test_batch_scheduling_is_done_without_where_the_calls_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python leaves out what the C library does not have."""

    async def main(host: Bridge) -> str:
        return "done"

    monkeypatch.delattr(os, "sched_getscheduler")

    assert bridge.run(main, batch=True) == "done"


@scheduling.batch
def test_a_policy_that_somebody_has_chosen_is_kept() -> None:
    """Who runs the referee with the least priority wants just that."""

    def under_another_policy() -> list[int]:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        with bridge.batching():
            inside = os.sched_getscheduler(0)
        return [inside, os.sched_getscheduler(0)]

    assert in_a_thread(under_another_policy) == [os.SCHED_IDLE, os.SCHED_IDLE]


WAITS = """
import trio
from referee.transport import bridge

async def main(host):
    print("ready", flush=True)
    await host.interrupted.wait()
    print("asked", flush=True)

bridge.run(main)
"""


INTERRUPTED = """
import trio
from referee.transport import bridge
async def main(host):
    print("ready", flush=True)
    try:
        await trio.sleep_forever()
    finally:
        print("closed", flush=True)
try:
    bridge.run(main, signals=False)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.processes
def test_an_interrupt_that_the_caller_handles_closes_what_the_trio_side_had_open() -> None:
    """Without signals of its own the bridge ends as any other program does, and nothing is left half open."""
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        status = process.wait(60)

    assert (first, rest, status) == ("ready\n", "closed\ninterrupted\n", 0)


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_the_trio_side(number: signal.Signals) -> None:
    """A process that is asked to end ends by itself."""
    process = subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE, text=True, env=os.environ)
    with process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(number)
        rest = process.stdout.read()
        status = process.wait(60)

    assert (first, rest, status) == ("ready\n", "asked\n", 0)
