"""The house and hosted bots of a served season: each is a process that connects to the referee like any other bot.

A process has a token of its own, made when it is started, and is started again when it ends while the season goes on.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path

import trio

from ladder.config import BotEntry
from ladder.directory import EntrantDirectory
from ladder.escaping import visible
from ladder.hosted import LAST_LINES, as_process
from ladder.orphans import ended_with_this_process
from referee.hosting.launch import launched
from referee.hosting.manifest import Manifest
from referee.hosting.sandbox import Sandbox, Trusted
from referee.kernel.errors import BadSetting

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between the end of a process and its next start: the first, doubling up to the longest."""
STEADY_SECONDS = 60.0
"""A process that ran so long is started again after the first pause."""

_logger = logging.getLogger(__name__)


async def keep(
    bots: Sequence[BotEntry], directory: EntrantDirectory, address: str, sandbox: Sandbox | None = None
) -> None:
    """Run a process for each bot until cancelled; none is left behind."""
    with tempfile.TemporaryDirectory(prefix="kumite-") as state:
        async with trio.open_nursery() as nursery:
            for number, bot in enumerate(bots):
                own = Path(state) / str(number)
                own.mkdir()
                nursery.start_soon(_keep, bot, directory, address, own, sandbox or Trusted())


def manifest_of(bot: BotEntry) -> Manifest:
    """How a bot of a ladder file is started as a process."""
    entrant = bot.entrant
    return entrant.manifest or as_process(entrant, "--quiet", "--tables", str(bot.tables))


async def _keep(bot: BotEntry, directory: EntrantDirectory, address: str, state: Path, sandbox: Sandbox) -> None:
    pause = FIRST_PAUSE
    manifest = manifest_of(bot)
    while True:
        started = trio.current_time()
        token = directory.process_token(bot.name)
        try:
            async with launched(manifest, sandbox, address=address, name=bot.name, token=token, state=state) as process:
                with ended_with_this_process(process.pid):
                    code = await process.wait()
                output = " / ".join(process.log.text().strip().splitlines()[-LAST_LINES:]) or "nothing"
                reason = f"ended with code {code}; it printed: {output}"
        except BadSetting as error:
            reason = str(error)
        if trio.current_time() - started >= STEADY_SECONDS:
            pause = FIRST_PAUSE
        _logger.warning("bot %s %s; it is started again in %g s", bot.name, visible(reason), pause)
        await trio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
