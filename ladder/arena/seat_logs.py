"""What the processes of one hosted match print: the log of each seat, and what it was at the seat's first fault."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from ladder.arena.bot_processes import BotProcess
from ladder.store.records import BotLog, Printed
from referee.hosting.output import Excerpt
from referee.match.record import Record, Step

LAST_WORDS_SECONDS = 0.1
"""Most time after the end of a match in which what its bots print still belongs to it."""
LAST_WORDS_PAUSE = 0.001
"""A bot that has printed something since the end, and nothing for so long, has said what it had to say."""
FAILURE_SECONDS = 1.0
"""Most time for that in development, where a bot that failed ends by itself and prints why."""


class MatchOutput:
    """The output of the processes of one match. Each process plays no other at the same time."""

    def __init__(self) -> None:
        self._seated: tuple[tuple[BotProcess, Excerpt], ...] = ()
        self._at_fault: dict[int, BotLog] = {}
        self._at_end: tuple[int, ...] = ()
        """Bytes that each process had printed when the match was over."""

    def begin(self, seated: Sequence[BotProcess]) -> None:
        """The match is about to begin: what these processes print is its output from now on."""
        self._seated = tuple((process, process.begin_log()) for process in seated)

    def stepped(self, step: Step) -> None:
        """The match has moved on."""
        for fault in step.faults:
            if fault.seat not in self._at_fault:
                process, excerpt = self._seated[fault.seat]
                process.catch_up(excerpt)
                self._at_fault[fault.seat] = BotLog(*excerpt.parts())

    def ended(self) -> None:
        """The match is over, and its bots are about to be told."""
        self._at_end = tuple(process.printed() for process, _ in self._seated)

    async def last_words(self, record: Record, *, development: bool) -> None:
        """Give bots a moment to print what they have to say of the end; the next match may be played meanwhile.

        No time is given to a bot that has played other matches and never printed anything.
        """
        endings = () if record.final is None else record.final.endings
        failed = [process.bot for (process, _), end in zip(self._seated, endings, strict=False) if end.faults]
        if development:
            with trio.move_on_after(FAILURE_SECONDS):
                for bot in failed:
                    if bot is not None:
                        await bot.wait()
        processes = [process for process, _ in self._seated]
        at_end = dict(zip(processes, self._at_end, strict=False))
        talkers = {process: -1 for process in at_end if process.may_print}
        deadline = trio.current_time() + LAST_WORDS_SECONDS
        while talkers and trio.current_time() < deadline:
            await trio.sleep(LAST_WORDS_PAUSE)
            for process, seen in tuple(talkers.items()):
                talkers[process] = process.printed()
                if at_end[process] < talkers[process] == seen:
                    del talkers[process]

    def close(self) -> Printed:
        """What was printed; nothing more comes to it."""
        for process, excerpt in self._seated:
            process.end_log(excerpt)
        return Printed([BotLog(*excerpt.parts()) for _, excerpt in self._seated], self._at_fault)
