"""A host for bots of `flawed`: it starts and ends threads, as the checker's own hosts do processes."""

from __future__ import annotations

import threading
from pathlib import Path

import trio

from ladder.check.examination import Subject
from tests.check.flawed import GAME, NAME, Honest


class Threaded:
    """A host whose processes are threads."""

    controlled = True
    patience = 20.0

    def __init__(self, kind: type[Honest], address: str) -> None:
        self._kind = kind
        self._address = address
        self._bot: Honest | None = None
        self._thread: threading.Thread | None = None
        self._done = trio.Event()
        self._code: int | None = None

    async def start(self, token: str = "") -> None:
        if self._thread is not None and self._code is None:
            return
        await self.stop()
        here = trio.lowlevel.current_trio_token()
        bot, done = self._kind(self._address), trio.Event()
        bot.bearer = token

        def run() -> None:
            try:
                code = bot.run()
            except Exception:  # what a process would die of
                code = 1
            try:
                here.run_sync_soon(ended, code)
            except trio.RunFinishedError:
                return

        def ended(code: int) -> None:
            if self._done is done:
                self._code = code
            done.set()

        self._bot, self._done, self._code = bot, done, None
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        if self._bot is not None:
            self._bot.stop()
            await self._done.wait()
            self._bot = self._thread = None

    async def ended(self, within: float) -> int | None:
        with trio.move_on_after(within):
            await self._done.wait()
        return self._code

    def output(self) -> str:
        return ""


def subject_of(kind: type[Honest]) -> Subject:
    """The bot, as something that can be checked."""

    def host(address: str, folder: Path, nursery: trio.Nursery) -> Threaded:
        return Threaded(kind, address)

    return Subject(kind.__name__, NAME, (GAME,), "", host)
