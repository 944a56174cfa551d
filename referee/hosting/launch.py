"""Starts a hosted bot, keeps the end of its output, enforces its limits, and ends everything that the bot started.

    async with launched(manifest, best(hosting), address="unix:/tmp/t/s.sock", name="gopher") as bot:
        ...
        bot.usage()                          # CPU seconds and peak memory in bytes, also after the block
        bot.exceeded                         # None, or the exceeded limit: "used more than its 128 MiB of memory"
        bot.log.text()                       # the last part of what the bot printed
        excerpt = bot.follow()               # the output of one match: excerpt.parts(), after bot.leave(excerpt)

The bot runs in a process group of its own. Leaving the block asks the bot to end, and after `GRACE` seconds kills
everything that the bot started. A bot that exceeds a limit is killed at once.
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
from referee.hosting.cgroups import Group, ResourceUsage
from referee.hosting.leash import leashed
from referee.hosting.limits import BotLimits
from referee.hosting.manifest import Manifest
from referee.hosting.output import Excerpt, Output, OutputLog
from referee.hosting.sandbox import Sandbox
from referee.hosting.watchdog import Watchdog
from referee.kernel.errors import BadSetting

GRACE = 0.5
"""Seconds between asking a bot to end and killing it."""
DRAIN = 0.2
"""Seconds in which the last output of an ended bot is read."""
TRIES, PAUSE = 100, 0.005
"""How often the host checks whether killed processes are gone, and the seconds between two checks."""
PROMPT = {"PYTHONUNBUFFERED": "1"}
"""Makes Python print at once: output that waits in a buffer would reach the log of a later match, or none."""


class HostedBot:
    """A hosted bot's process."""

    def __init__(self, process: subprocess.Popen[bytes], output: int, limits: BotLimits, watchdog: Watchdog) -> None:
        """`output` is the reading end of the pipe to which the bot prints."""
        self._process = process
        self._watchdog = watchdog
        self.log = OutputLog(limits.log_kib * 1024)
        """The bot's output."""
        self.output = Output(output, self.log)
        self.limits = limits
        """The limits that the bot's manifest asks for, within the host's caps."""
        self.ended = trio.Event()
        """Set when the bot's first process has ended."""
        self.matches = 0
        """Number of matches whose output was followed."""
        self.drained = trio.Event()
        """Set when all output of the bot was read."""

    @property
    def pid(self) -> int:
        """The id of the bot's first process and of its process group."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """The bot's exit code; None: the bot runs. A signal that ended a bot behind walls gives 128 plus its number."""
        return self._process.returncode

    @property
    def exceeded(self) -> str | None:
        """The exceeded limit with its figure, as the end of a sentence about the bot; None: no limit was exceeded."""
        return self._watchdog.exceeded

    def usage(self) -> ResourceUsage:
        """CPU seconds and peak memory in bytes of the bot and everything that it started."""
        self._watchdog.look(self.log.counted)
        return self._watchdog.usage

    def follow(self) -> Excerpt:
        """An excerpt of the output for a match that begins now, without earlier output."""
        self.output.catch_up()
        self.matches += 1
        return self.log.follow()

    def leave(self, excerpt: Excerpt) -> None:
        """Complete the excerpt of a match that is over with the output until now."""
        self.output.catch_up()
        self.log.leave(excerpt)

    async def wait(self) -> int:
        """Wait until the bot has ended and its last output was read; returns the exit code."""
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

    `state` is a folder for the bot's resume token; a bot behind walls has a private one, which ends with the bot.
    `further` are sockets, beside that of the address, to which a referee may redirect the bot.
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
    """A cgroup for a process; None: this user may make none on this machine."""
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
    """Start the process in the thread that calls: a process behind walls ends with the thread that started it."""
    socket = Path(address.removeprefix("unix:")) if address.startswith("unix:") else None
    wrapped = sandbox.wrap(manifest, variables, socket, group, further)
    try:
        with wrapped.arguments() as start:
            return subprocess.Popen(**start, bufsize=0)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadSetting(f"{manifest.folder}: cannot start {manifest.command[0]}: {reason}") from None


def _reading_end(process: subprocess.Popen[bytes]) -> int:
    """The reading end of a process's output, taken from the process object, which no longer closes it."""
    if process.stdout is None:
        raise RuntimeError("the process was started without a pipe for its output")
    descriptor = os.dup(process.stdout.fileno())
    process.stdout.close()
    return descriptor


async def _listen(bot: HostedBot) -> None:
    """Read the output until every process that can write has ended."""
    await bot.output.read(bot.ended)
    bot.drained.set()


async def _bury(process: subprocess.Popen[bytes], bot: HostedBot, watchdog: Watchdog) -> None:
    """Wait for the end of the first process, at the latest at the end of the block, and add its CPU time."""
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
    # ru_maxrss is not used: a new process begins with the peak memory of the process that started it.
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
    """Ask the bot to end, kill the processes that are left, and wait until they are gone."""
    if bot.code is None:
        # Behind walls the first processes belong to the sandbox and end with the bot's last process.
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
