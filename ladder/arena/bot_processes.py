"""The bot processes of one referee: started when a match needs them, kept for further matches, all ended at the end.

Each process has a token, a name and a state folder of its own, made for it when it is started; the token admits under
that name alone, and no other admits anywhere. A process that is free serves a further match if the match's deal is
new to it: the games of a duplicate set are played by different processes of a bot, which share nothing.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import secrets
import sys
from dataclasses import dataclass, field
from pathlib import Path

import trio

from ladder.arena.entrants import Entrant
from ladder.arena.host_settings import sandbox_for
from referee.hosting.launch import HostedBot, launched
from referee.hosting.manifest import Manifest
from referee.hosting.output import Excerpt
from referee.kernel.errors import BadSetting
from referee.match.record import SeatUsage
from referee.transport.server import Server

LAST_LINES = 5
"""Lines of a bot's output that an error shows."""
LOOK_SECONDS = 0.01
"""Time between two looks whether a process has said hello."""
IDLE_SECONDS = 60.0
"""A process that has had no match for so long is ended."""


class ProcessTokens:
    """The `Directory` of a referee that admits the processes that its host has started, each with its own token."""

    needs_token = True

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def new(self, name: str) -> str:
        """A token for a process that is about to be started under this name."""
        token = secrets.token_urlsafe(32)
        self._names[_hashed(token)] = name
        return token

    def forget(self, name: str) -> None:
        """The process of this name has ended; its token admits no more."""
        self._names = {digest: other for digest, other in self._names.items() if other != name}

    def entrant(self, token: str) -> str | None:
        """The name of the process that a token was made for."""
        return self._names.get(_hashed(token))

    def reserved(self, name: str) -> bool:
        """Every name is: without a token no bot plays."""
        return True

    def refresh(self) -> bool:
        """Tokens are made in this process alone."""
        return False


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(slots=True, eq=False)
class BotProcess:
    """One process of a bot."""

    entrant: Entrant
    manifest: Manifest
    name: str
    """The name under which it is connected; the table calls its bot otherwise where several processes of a bot run."""
    bot: HostedBot | None = None
    """The running process; None: the process is being started."""
    deals: set[bytes] = field(default_factory=set)
    """A digest of the secret of each match it was given."""
    idle_since: float = 0.0
    """When its last match ended, on trio's clock."""
    leave: trio.Event = field(default_factory=trio.Event)
    """Set when it is to end."""

    def begin_log(self) -> Excerpt:
        """What it prints from now on, for the log of a match that begins."""
        return Excerpt() if self.bot is None else self.bot.follow()

    def catch_up(self, excerpt: Excerpt) -> None:
        """Take into a log what was printed until now."""
        if self.bot is not None:
            self.bot.leave(excerpt)
            self.bot.log.go_on((excerpt,))

    def end_log(self, excerpt: Excerpt) -> None:
        """The match is over: nothing comes to its log any more."""
        if self.bot is not None:
            self.bot.leave(excerpt)

    def printed(self) -> int:
        """Bytes that it has printed until now."""
        if self.bot is None:
            return 0
        self.bot.output.catch_up()
        return self.bot.log.printed

    @property
    def may_print(self) -> bool:
        """Whether it runs, and has not played several matches without printing anything."""
        return self.bot is not None and self.bot.code is None and not (self.bot.log.silent and self.bot.matches > 1)

    def why(self) -> str:
        """How it ended and what it wrote last, in one line."""
        bot = self.bot
        if bot is None:
            return "was not started"
        output = " / ".join(bot.log.text().strip().splitlines()[-LAST_LINES:]) or "nothing"
        how = bot.exceeded or (f"ended with code {bot.code}" if bot.code is not None else "runs")
        return f"{how}; it printed: {output}"

    def end(self) -> str:
        """How it ended, as a sentence for a fault."""
        exceeded = None if self.bot is None else self.bot.exceeded
        return f"the bot {exceeded}" if exceeded else f"the bot's process {self.why()}"


class BotProcesses:
    """All bot processes of one referee."""

    def __init__(
        self, nursery: trio.Nursery, server: Server, tokens: ProcessTokens, address: str, folder: Path
    ) -> None:
        """`address` is the referee's socket for its own bots; `folder` is for what processes may remember."""
        self._nursery = nursery
        self._server = server
        self._tokens = tokens
        self._address = address
        self._folder = folder
        self._numbers: dict[str, itertools.count[int]] = {}
        self._running: dict[str, BotProcess] = {}
        self._idle: list[BotProcess] = []
        self._starting = trio.CapacityLimiter(os.cpu_count() or 1)

    async def take(self, entrant: Entrant, secret: bytes) -> BotProcess:
        """A process of a bot that is connected and has never met the deal of this secret.

        Raises BadSetting that shows what the process printed if it does not say hello.
        """
        deal = hashlib.sha256(secret).digest()
        process = self._free(entrant, deal)
        if process is None:
            process = await self._started(entrant)
        process.deals.add(deal)
        return process

    def give_back(self, process: BotProcess) -> None:
        """A match of a process is over: the process is free for a further one, unless it has ended."""
        if process.bot is not None and process.bot.code is None and not process.leave.is_set():
            process.idle_since = trio.current_time()
            self._idle.append(process)
        else:
            process.leave.set()

    def usage(self, name: str) -> SeatUsage | None:
        """What the process of this name has used; None for a house bot, which is not hosted, or an unknown name."""
        process = self._running.get(name)
        if process is None or process.bot is None or process.entrant.manifest is None:
            return None
        return used(process.bot)

    async def end_idle(self) -> None:
        """End processes that have had no match for long; runs until cancelled."""
        while True:
            await trio.sleep(IDLE_SECONDS / 4)
            long_ago = trio.current_time() - IDLE_SECONDS
            for process in [process for process in self._idle if process.idle_since <= long_ago]:
                self._idle.remove(process)
                process.leave.set()

    def _free(self, entrant: Entrant, deal: bytes) -> BotProcess | None:
        for process in self._idle:
            session = self._server.connections.session(process.name)
            connected = session is not None and session.present
            if process.entrant.spec == entrant.spec and deal not in process.deals and connected:
                self._idle.remove(process)
                return process
        return None

    async def _started(self, entrant: Entrant) -> BotProcess:
        number = next(self._numbers.setdefault(entrant.name, itertools.count(1)))
        name = entrant.name if number == 1 else f"{entrant.name}+{number}"
        while name in self._running:  # a bot may be called as the second process of another one
            name += "'"
        manifest = entrant.manifest or as_process(entrant, "--quiet")
        process = self._running[name] = BotProcess(entrant, manifest, name)
        async with self._starting:
            try:
                await self._nursery.start(self._run, process)
                await self._hello(process)
            except BaseException:
                process.leave.set()
                raise
        return process

    async def _run(self, process: BotProcess, *, task_status: trio.TaskStatus[None]) -> None:
        """Run a process until it is to leave; its name and its token end with it."""
        state = self._folder / secrets.token_hex(8)
        state.mkdir(mode=0o700)
        sandbox = sandbox_for(process.entrant)
        token = self._tokens.new(process.name)
        try:
            async with launched(
                process.manifest, sandbox, address=self._address, name=process.name, token=token, state=state
            ) as bot:
                process.bot = bot
                task_status.started()
                await process.leave.wait()
        finally:
            self._tokens.forget(process.name)
            del self._running[process.name]

    async def _hello(self, process: BotProcess) -> None:
        """Wait until a process has said hello; raises BadSetting that shows what it printed."""
        limit = process.manifest.limits.start_seconds
        bot = process.bot
        with trio.move_on_after(limit):
            while self._server.connections.session(process.name) is None and bot is not None and bot.code is None:
                await trio.sleep(LOOK_SECONDS)
        if self._server.connections.session(process.name) is None:
            if bot is not None and bot.code is not None:
                await bot.wait()  # and with it for its last words
            raise absent(process)


def used(bot: HostedBot) -> SeatUsage:
    """What a process has used, as it stands in a record."""
    usage = bot.usage()
    return SeatUsage(round(usage.cpu_seconds * 1e6), usage.peak_bytes)


def absent(process: BotProcess) -> BadSetting:
    """The error for a bot that does not come."""
    manifest = process.manifest
    limit = manifest.limits.start_seconds
    return BadSetting(
        f"bot {process.entrant.name} ({manifest.folder}) did not say hello within {limit} s: it {process.why()}"
    )


def as_process(entrant: Entrant, *options: str) -> Manifest:
    """A house bot as a process; the options are those of `kumite join`."""
    command = (sys.executable, "-m", "ladder", "join", *options, entrant.spec)
    return Manifest(Path.cwd(), entrant.name, command)
