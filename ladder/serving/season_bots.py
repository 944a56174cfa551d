"""The house and hosted bots of a served season: each is a process that connects to the referee like any other bot.

A process has a token and a state folder of its own, made when it is started, and is started again when it ends while
the season goes on. Its end is a fault at each of its tables that waits for an answer. What it prints during a match is
the log of its seat (`ladder.serving.season_bot_logs`).
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path

import trio

from ladder.arena.bot_processes import LAST_LINES, as_process, used
from ladder.arena.host_settings import sandbox_for
from ladder.config.ladder_file import BotEntry
from ladder.escaping import visible
from ladder.serving.directory import EntrantDirectory
from ladder.serving.season_bot_logs import SeasonBotLogs
from referee.hosting import owned
from referee.hosting.launch import HostedBot, launched
from referee.hosting.manifest import Manifest
from referee.kernel.errors import BadSetting
from referee.match.record import SeatUsage
from referee.transport.server import Server

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between the end of a process and its next start: the first, doubling up to the longest."""
STEADY_SECONDS = 60.0
"""A process that ran so long is started again after the first pause."""

_logger = logging.getLogger(__name__)


class SeasonBots:
    """The processes of a season's own bots."""

    def __init__(
        self, bots: Sequence[BotEntry], directory: EntrantDirectory, address: str, logs: SeasonBotLogs
    ) -> None:
        """`address` is the referee's socket for its own bots."""
        self._bots = bots
        self._logs = logs
        self._directory = directory
        self._address = address
        self._hosted: dict[str, HostedBot] = {}
        """By the bot's name: the process of a hosted bot, the last one if none runs."""

    def usage(self, name: str) -> SeatUsage | None:
        """What the process of a hosted bot has used; None: the bot is not hosted."""
        bot = self._hosted.get(name)
        return None if bot is None else used(bot)

    async def run(self, server: Server) -> None:
        """Run a process for each bot until cancelled; none is left behind."""
        with owned.folder() as folder:
            async with trio.open_nursery() as nursery:
                for bot in self._bots:
                    nursery.start_soon(self._keep, bot, server, folder)

    async def _keep(self, bot: BotEntry, server: Server, folder: Path) -> None:
        pause = FIRST_PAUSE
        while True:
            started = trio.current_time()
            try:
                reason = await self._run_once(bot, Path(tempfile.mkdtemp(dir=folder)))
            except BadSetting as error:
                reason = str(error)
            session = server.connections.session(bot.name)
            if session is not None:
                session.crashed(f"the bot's process {reason}", server.now(), for_good=False)
            if trio.current_time() - started >= STEADY_SECONDS:
                pause = FIRST_PAUSE
            line = "bot %s %s; it is started again in %g s"
            _logger.warning(line, bot.name, visible(reason), pause, extra={"event": "process", "bot": bot.name})
            await trio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run_once(self, bot: BotEntry, state: Path) -> str:
        """Run a process of a bot until it ends; returns how that came. `state` is for what it may remember."""
        token = self._directory.process_token(bot.name)
        sandbox = sandbox_for(bot.entrant)
        async with launched(
            manifest_of(bot), sandbox, address=self._address, name=bot.name, token=token, state=state
        ) as process:
            if bot.entrant.manifest is not None:
                self._hosted[bot.name] = process
            self._logs.attach(bot.name, process)
            code = await process.wait()
            reason = process.exceeded or f"ended with code {code}"
            self._logs.detach(bot.name, reason)
            output = " / ".join(process.log.text().strip().splitlines()[-LAST_LINES:]) or "nothing"
            return f"{reason}; it printed: {output}"


def manifest_of(bot: BotEntry) -> Manifest:
    """How a bot of a ladder file is started as a process."""
    entrant = bot.entrant
    return entrant.manifest or as_process(entrant, "--quiet", "--tables", str(bot.tables))
