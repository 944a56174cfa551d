"""Where the bot under check runs: a process that the checker starts as often as it needs, or one beyond its reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import trio

from referee.hosting.launch import HostedBot, launched
from referee.hosting.manifest import Manifest
from referee.hosting.sandbox import Sandbox, Trusted

LAST_LINES = 8
"""Lines of a process's output that a report shows."""


class Host(Protocol):
    """The bot's process, as far as it can be reached."""

    @property
    def patience(self) -> float:
        """Seconds from its start to its hello."""

    @property
    def controlled(self) -> bool:
        """Whether it can be started again and its end be seen."""

    async def start(self, token: str = "") -> None:
        """See to it that the bot runs, a new process with this token; raises BadSetting if it cannot be started."""

    async def stop(self) -> None:
        """End it, if that is possible."""

    async def ended(self, within: float) -> int | None:
        """Its exit code, once it has ended by itself; None: it runs on, or cannot be seen."""

    def output(self) -> str:
        """The last lines that it wrote."""


class Process:
    """A bot that is started as its manifest says, every time with nothing to remember."""

    controlled = True

    def __init__(
        self,
        manifest: Manifest,
        name: str,
        address: str,
        folder: Path,
        nursery: trio.Nursery,
        sandbox: Sandbox | None = None,
        further: Sequence[Path] = (),
    ) -> None:
        """`folder` is for what it may remember; `further` are sockets that the bot will be sent to."""
        self._sandbox = sandbox or Trusted()
        self._further = further
        self._manifest = manifest
        self._name = name
        self._address = address
        self._folder = folder
        self._nursery = nursery
        self._bot: HostedBot | None = None
        self._leave = trio.Event()
        self._left = trio.Event()
        self._starts = 0

    @property
    def patience(self) -> float:
        """As its manifest says."""
        return float(self._manifest.limits.start_seconds)

    async def start(self, token: str = "") -> None:
        """Start it, unless it runs."""
        if self._bot is not None and self._bot.code is None:
            return
        await self.stop()
        self._starts += 1
        state = self._folder / f"state-{self._starts}"
        state.mkdir()
        self._leave, self._left = trio.Event(), trio.Event()
        self._bot = await self._nursery.start(self._run, state, token, self._leave, self._left)

    async def _run(
        self, state: Path, token: str, leave: trio.Event, left: trio.Event, *, task_status: trio.TaskStatus[HostedBot]
    ) -> None:
        further = [path for path in self._further if path.exists()]
        bot = launched(
            self._manifest,
            self._sandbox,
            address=self._address,
            name=self._name,
            token=token,
            state=state,
            further=further,
        )
        try:
            async with bot as running:
                task_status.started(running)
                await leave.wait()
        finally:
            left.set()

    async def stop(self) -> None:
        """End it and everything that it started."""
        if self._bot is not None:
            self._bot = None
            self._leave.set()
            await self._left.wait()

    async def ended(self, within: float) -> int | None:
        """Wait for its end."""
        if self._bot is not None:
            with trio.move_on_after(within):
                return await self._bot.wait()
        return None

    def output(self) -> str:
        """What it wrote last."""
        return "" if self._bot is None else "\n".join(self._bot.log.text().strip().splitlines()[-LAST_LINES:])


class AuthorsProcess:
    """A bot that its author starts, here or anywhere."""

    controlled = False

    def __init__(self, patience: float, call: Callable[[], None]) -> None:
        """`call` asks the author to start it."""
        self._patience = patience
        self._call = call

    @property
    def patience(self) -> float:
        """As long as its author may take."""
        return self._patience

    async def start(self, token: str = "") -> None:
        """Ask the author to start the bot."""
        self._call()

    async def stop(self) -> None:
        """The process of an author cannot be stopped from here."""

    async def ended(self, within: float) -> int | None:
        """The end of an author's process cannot be seen from here."""
        return None

    def output(self) -> str:
        """The author sees what the process prints; the checker does not."""
        return ""
