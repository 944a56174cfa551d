"""Starts a hosted bot, keeps the end of its output, watches its limits, and leaves nothing of it behind.

    async with launched(manifest, best(hosting), address="unix:/tmp/t/s.sock", name="gopher") as bot:
        ...
        bot.usage()                          # CPU seconds and peak memory in bytes, also after the block
        bot.exceeded                         # None, or the limit that ended it: "used more than its 128 MiB of memory"
        bot.log.text()                       # the last part of what it printed
        excerpt = bot.follow()               # what it prints during a match: excerpt.parts(), after bot.leave(excerpt)

The bot runs in a process group of its own; leaving the block asks it to end, and soon kills everything that it started.
A bot that exceeds a limit is killed at once.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import trio

from referee.hosting import cgroups, owned, processes
from referee.hosting.cgroups import Group, Usage
from referee.hosting.leash import leashed
from referee.hosting.limits import BotLimits
from referee.hosting.manifest import Manifest
from referee.hosting.output import Excerpt, Log, Output
from referee.hosting.sandbox import Sandbox
from referee.hosting.watchdog import Watchdog
from referee.kernel.errors import BadSetting

GRACE = 0.5
"""Seconds between asking a bot to end and killing it."""
DRAIN = 0.2
"""Seconds in which the last output of a bot that has ended is read."""
TRIES, PAUSE = 100, 0.005
"""How often, and after how many seconds, it is looked whether killed processes are gone."""
PROMPT = {"PYTHONUNBUFFERED": "1"}
"""Lets a bot in Python print at once: what waits in a buffer would come into the log of a later match, or none."""


class HostedBot:
    """A running bot."""

    def __init__(self, process: subprocess.Popen[bytes], output: int, limits: BotLimits, watchdog: Watchdog) -> None:
        """`output` is the reading end of the pipe that the bot prints to."""
        self._process = process
        self._watchdog = watchdog
        self.log = Log(limits.log_kib * 1024)
        """What it printed."""
        self.output = Output(output, self.log)
        self.limits = limits
        """What it may use: what its manifest asks for, within the host's caps."""
        self.ended = trio.Event()
        """Set when its first process has ended."""
        self.matches = 0
        """Matches whose output was followed."""
        self.drained = trio.Event()
        """Set when all of its output was read."""

    @property
    def pid(self) -> int:
        """The id of its first process, which is also that of its group."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """Its exit code; None: it runs. A bot behind walls that a signal ended has 128 and its number."""
        return self._process.returncode

    @property
    def exceeded(self) -> str | None:
        """The limit that it exceeded, with its figure, as the end of a sentence about the bot; None: none."""
        return self._watchdog.exceeded

    def usage(self) -> Usage:
        """CPU seconds and peak memory in bytes of the bot and everything that it started, so far."""
        self._watchdog.look(self.log.counted)
        return self._watchdog.usage

    def follow(self) -> Excerpt:
        """An excerpt of its output for a match that begins now; what it has printed before is no part of it."""
        self.output.catch_up()
        self.matches += 1
        return self.log.follow()

    def leave(self, excerpt: Excerpt) -> None:
        """A match is over: what it has printed until now is the last that its excerpt gets."""
        self.output.catch_up()
        self.log.leave(excerpt)

    async def wait(self) -> int:
        """Wait until it ends and its last output was read; returns its exit code."""
        await self.ended.wait()
        with trio.move_on_after(DRAIN):
            await self.drained.wait()
        return self._process.returncode


@asynccontextmanager
async def launched(
    manifest: Manifest,
    sandbox: Sandbox,
    *,
    address: str,
    name: str,
    token: str = "",
    state: Path | None = None,
    further: Sequence[Path] = (),
) -> AsyncIterator[HostedBot]:
    """Run a bot for the length of the block; raises BadSetting if it cannot be started.

    `state` is a folder where it may remember its resume token; behind walls it has one of its own, which ends with it.
    `further` are sockets beside the address's that the bot will be sent to.
    """
    owned.sweep_once(os.getpid())
    with ExitStack() as stack:
        mark = owned.new_name()
        limits = sandbox.limits(manifest)
        group = _grouped(mark, limits, sandbox.own_processes)
        if group is not None:
            stack.callback(group.remove)
        variables = {"KUMITE_ADDRESS": address, "KUMITE_NAME": name, "KUMITE_TOKEN": token, processes.MARK: mark}
        variables |= PROMPT
        if state is not None:
            variables["KUMITE_STATE"] = str(state)
        process = _started(manifest, sandbox, variables, address, group, further)
        stack.enter_context(leashed(process.pid, mark, list(group.folders.values()) if group is not None else ()))
        watchdog = Watchdog(
            process.pid,
            limits,
            group,
            sandbox.own_processes,
            lambda: list(dict.fromkeys([process.pid, *processes.descendants(process.pid)])),
        )
        bot = HostedBot(process, _reading_end(process), limits, watchdog)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_listen, bot)
            nursery.start_soon(_bury, process, bot, watchdog)
            nursery.start_soon(_watch, bot, watchdog, group)
            try:
                yield bot
            finally:
                with trio.CancelScope(shield=True):
                    await _end(bot, sandbox, group, mark)
                    watchdog.look(bot.log.counted)
                    with trio.move_on_after(DRAIN):
                        await bot.drained.wait()
                nursery.cancel_scope.cancel()


def _grouped(mark: str, limits: BotLimits, own: int) -> Group | None:
    """A cgroup for a process; None where this machine has none for this user."""
    found = cgroups.hierarchy()
    if found is None:
        return None
    try:
        return found.create(mark, limits, extra=own)
    except OSError:
        return None


def _started(
    manifest: Manifest,
    sandbox: Sandbox,
    variables: dict[str, str],
    address: str,
    group: Group | None,
    further: Sequence[Path],
) -> subprocess.Popen[bytes]:
    """Start the process in this thread: one behind walls ends with the thread that started it, not with the process."""
    socket = Path(address.removeprefix("unix:")) if address.startswith("unix:") else None
    wrapped = sandbox.wrap(manifest, variables, socket, group, further)
    try:
        with wrapped.arguments() as start:
            return subprocess.Popen(**start, bufsize=0)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadSetting(f"{manifest.folder}: cannot start {manifest.command[0]}: {reason}") from None


def _reading_end(process: subprocess.Popen[bytes]) -> int:
    """The reading end of a process's output, which is no longer the process object's."""
    if process.stdout is None:
        raise RuntimeError("the process was started without a pipe for its output")
    descriptor = os.dup(process.stdout.fileno())
    process.stdout.close()
    return descriptor


async def _listen(bot: HostedBot) -> None:
    """Read the output until every process that could write has ended."""
    await bot.output.read(bot.ended)
    bot.drained.set()


async def _bury(process: subprocess.Popen[bytes], bot: HostedBot, watchdog: Watchdog) -> None:
    """Wait for the end of the first process, which comes at the latest with the block's, and note what it used."""
    with trio.CancelScope(shield=True):
        if hasattr(os, "pidfd_open"):
            descriptor = os.pidfd_open(process.pid)
            try:
                await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)
            _, status, used = os.wait4(process.pid, 0)
        else:
            _, status, used = await trio.to_thread.run_sync(os.wait4, process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # Not its ru_maxrss: that of a new process begins with the memory of the one that started it.
    watchdog.charge(used.ru_utime + used.ru_stime)
    watchdog.look(bot.log.counted)
    bot.ended.set()


async def _watch(bot: HostedBot, watchdog: Watchdog, group: Group | None) -> None:
    """Kill a bot that exceeds a limit."""
    while bot.code is None:
        if watchdog.look(bot.log.counted) is not None:
            _kill(bot, group)
        await trio.sleep(watchdog.seconds)


def _kill(bot: HostedBot, group: Group | None) -> None:
    if group is not None:
        group.kill()
    if bot.code is None:
        processes.kill(processes.descendants(bot.pid))
        with suppress(ProcessLookupError):
            os.killpg(bot.pid, signal.SIGKILL)


async def _end(bot: HostedBot, sandbox: Sandbox, group: Group | None, mark: str) -> None:
    """Ask the bot to end, kill what is left, and wait until that is gone."""
    if bot.code is None:
        # Behind walls the first processes are the sandbox's own: they end with the bot's last.
        asked = processes.descendants(bot.pid)
        processes.kill(asked[1:] if sandbox.contained else asked, signal.SIGTERM)
        if not sandbox.contained:
            with suppress(ProcessLookupError):
                os.killpg(bot.pid, signal.SIGTERM)
        with trio.move_on_after(GRACE if len(asked) > 1 or not sandbox.contained else 0):
            await bot.ended.wait()
    _kill(bot, group)
    await bot.ended.wait()
    for _ in range(TRIES):
        left = group.pids() if group is not None else [] if sandbox.contained else processes.marked(mark)
        if not left and (group is None or group.remove()):
            return
        processes.kill(left)
        await trio.sleep(PAUSE)
