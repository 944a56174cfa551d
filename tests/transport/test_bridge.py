"""asyncio as host, trio as guest, one thread."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
import trio

from referee.transport import bridge
from referee.transport.bridge import Bridge

T = TypeVar("T")

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these policies")


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


def test_the_host_knows_when_its_present_turn_began() -> None:
    """Within a turn that moment stays, however long the work in it takes; the next turn has its own."""

    async def on_host(turns: bridge.Turns) -> None:
        await asyncio.sleep(0)
        before = time.monotonic_ns() // 1000
        first = turns.began
        time.sleep(0.002)
        assert turns.began == first <= before
        await asyncio.sleep(0)
        assert turns.began >= before + 2000

    async def main(host: Bridge) -> None:
        await host.host(on_host(host.turns))

    bridge.run(main)


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


@LINUX
def test_batch_scheduling_holds_for_all_threads_of_a_run_and_ends_with_it() -> None:
    """Only where it is asked for."""
    other, batch = os.SCHED_OTHER, os.SCHED_BATCH

    assert policies(batch=False) == [other, other, other]
    assert policies(batch=True) == [batch, batch, other]


@LINUX
def test_batch_scheduling_that_is_forbidden_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox may refuse the call; the bridge runs all the same."""

    def refuse(pid: int, policy: int, parameters: os.sched_param) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)

    assert policies(batch=True) == [os.SCHED_OTHER] * 3


@LINUX
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_the_trio_side(number: signal.Signals) -> None:
    """A process that is asked to end ends by itself."""
    process = subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE, text=True, env=os.environ)
    with process:
        first = process.stdout.readline()
        process.send_signal(number)
        rest = process.stdout.read()
        status = process.wait(60)

    assert (first, rest, status) == ("ready\n", "asked\n", 0)
