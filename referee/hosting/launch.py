"""Starts a hosted bot, keeps the end of its output, and makes sure that nothing of it is left behind.

    async with launched(manifest, Trusted(), address="unix:/tmp/t/s.sock", name="gopher") as bot:
        ...
        bot.log.text()

The bot runs in a process group of its own; leaving the block asks the group to end and then kills it.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from referee.hosting.manifest import Manifest
from referee.hosting.sandbox import Sandbox
from referee.kernel.errors import BadSetting

GRACE = 2.0
"""Seconds between asking a bot to end and killing it."""


class Log:
    """The last part of a process's output, within a bound."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: deque[bytes] = deque()
        self._size = 0
        self.dropped = 0
        """Bytes that did not fit any more."""

    def add(self, part: bytes) -> None:
        """Append output; the oldest goes when the bound is reached."""
        part = part[-self._limit :]
        self._parts.append(part)
        self._size += len(part)
        while self._size > self._limit:
            gone = self._parts.popleft()
            self._size -= len(gone)
            self.dropped += len(gone)

    def text(self) -> str:
        """What is kept, readable whatever bytes the bot wrote."""
        kept = b"".join(self._parts).decode("utf-8", "replace")
        return f"[{self.dropped} bytes of earlier output dropped]\n{kept}" if self.dropped else kept


class HostedBot:
    """A running bot."""

    def __init__(self, process: trio.Process, log: Log) -> None:
        self._process = process
        self.log = log

    @property
    def pid(self) -> int:
        """Its process id, which is also that of its group."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """Its exit code; None: it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """Wait until it ends by itself."""
        return await self._process.wait()


@asynccontextmanager
async def launched(
    manifest: Manifest,
    sandbox: Sandbox,
    *,
    address: str,
    name: str,
    token: str = "",
    state: Path | None = None,
) -> AsyncIterator[HostedBot]:
    """Run a bot for the length of the block; raises BadSetting if it cannot be started.

    `state` is a folder where it may remember its resume token.
    """
    socket = Path(address.removeprefix("unix:")) if address.startswith("unix:") else None
    variables = {"KUMITE_ADDRESS": address, "KUMITE_NAME": name, "KUMITE_TOKEN": token}
    if state is not None:
        variables["KUMITE_STATE"] = str(state)
    wrapped = sandbox.wrap(manifest, variables, socket)
    try:
        process = await trio.lowlevel.open_process(
            wrapped.command,
            cwd=wrapped.folder,
            env=wrapped.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        sandbox.limit(manifest, process.pid)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadSetting(f"{manifest.folder}: cannot start {wrapped.command[0]}: {reason}") from None
    log = Log(manifest.limits.log_kib * 1024)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_listen, process, log)
        try:
            yield HostedBot(process, log)
        finally:
            with trio.CancelScope(shield=True):
                await _end(process)
            nursery.cancel_scope.cancel()


async def _listen(process: trio.Process, log: Log) -> None:
    if process.stdout is not None:
        async for part in process.stdout:
            log.add(bytes(part))


async def _end(process: trio.Process) -> None:
    """Ask the whole group to end, then make it."""
    _signal(process.pid, signal.SIGTERM)
    with trio.move_on_after(GRACE):
        await process.wait()
    _signal(process.pid, signal.SIGKILL)
    await process.wait()


def _signal(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return
