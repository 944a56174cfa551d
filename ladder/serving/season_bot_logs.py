"""The logs of a served season's own bots: what their processes print during each match, stored when it is over.

`LoggedMatches` is the season's recorder with one more duty: telling `SeasonBotLogs` when matches begin, start and end.
A log begins when its table is opened, and ends a moment after its match, so that a bot's last words are in it. If the
bot's next table is open by then, they are in both logs; a log ends at the latest when the next match starts, before the
bot sees anything of that deal. What was printed until the end is stored with the end, what came later by a task of its
own: a log that cannot be stored never keeps the referee from playing, and is tried again, within a bound.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import trio

from ladder.escaping import visible
from ladder.store.database import Store
from ladder.store.records import BotLog
from referee.hosting.launch import HostedBot
from referee.hosting.output import Excerpt
from referee.kernel.errors import KumiteError, StorageTrouble
from referee.match.outputs import Settled
from referee.match.protocols import Recorder
from referee.match.record import Final, Header, Step

LAST_WORDS_SECONDS = 0.5
"""Most time after the end of a match in which what its bots print still belongs to it."""
TROUBLE_SECONDS = 1.0
"""Time between two attempts to store logs that could not be stored."""
MOST_UNSTORED = 64
"""Matches whose logs wait for the storage; of further ones the oldest are dropped."""

_logger = logging.getLogger("ladder.crew_logs")  # lines of the log say `crew_logs`


@dataclass(slots=True, eq=False)
class _SeatLog:
    """The log of one seat of a match."""

    seat: int
    excerpt: Excerpt
    late: bool
    shared: bool = False
    stored: BotLog | None = None
    """The log as it was stored last."""

    def log(self) -> BotLog:
        """What is kept of it."""
        return BotLog(*self.excerpt.parts(), shared=self.shared, late=self.late)


@dataclass(slots=True, eq=False)
class _Feed:
    """The output of one bot, whichever process is its present one."""

    process: HostedBot | None = None
    open: dict[str, list[_SeatLog]] = field(default_factory=dict)
    """The logs of its running matches, by match."""
    ended: dict[str, list[_SeatLog]] = field(default_factory=dict)
    """The logs of its matches that have just ended, by match."""

    def excerpts(self) -> list[Excerpt]:
        """Every excerpt that gets what the bot prints now."""
        return [log.excerpt for logs in (*self.open.values(), *self.ended.values()) for log in logs]

    def catch_up(self, logs: Sequence[_SeatLog]) -> None:
        """Take into these logs what the bot has printed until now."""
        process = self.process
        if process is not None:
            for log in logs:
                process.leave(log.excerpt)
            process.log.go_on(log.excerpt for log in logs)

    def close(self, matches: Iterable[str]) -> None:
        """Nothing comes to the logs of these matches any more."""
        for match in matches:
            for log in self.ended.pop(match, ()):
                if self.process is not None:
                    self.process.leave(log.excerpt)


class SeasonBotLogs:
    """What the processes of a season's own bots print, match by match."""

    def __init__(self, names: Iterable[str], store: Store) -> None:
        """`names` are the bots of the season that are processes of this host's."""
        self._feeds = {name: _Feed() for name in names}
        self._store = store
        self._ending: deque[tuple[str, float, list[_SeatLog]]] = deque()
        """Matches that are over and when their logs end, on trio's clock, in the order of their ends."""
        self._unstored: deque[tuple[str, list[_SeatLog]]] = deque()
        self._changed = trio.Event()

    def attach(self, name: str, process: HostedBot) -> None:
        """A process of a bot was started; its output goes on in the logs of the matches that are running."""
        feed = self._feeds[name]
        feed.process = process
        process.log.go_on(feed.excerpts())

    def detach(self, name: str, reason: str) -> None:
        """The process of a bot has ended; a line of the host's own in the logs of its matches says how."""
        feed = self._feeds[name]
        for excerpt in feed.excerpts():
            if feed.process is not None:
                feed.process.leave(excerpt)
            excerpt.add(f"[kumite: the bot's process {reason}]\n".encode())
        feed.process = None

    def begin(self, match: str, players: Sequence[str], *, late: bool = False) -> None:
        """A match begins; `late`: the match goes on after a restart of the referee."""
        for seat, name in enumerate(players):
            feed = self._feeds.get(name)
            if feed is None:
                continue
            excerpt = Excerpt() if feed.process is None else feed.process.follow()
            feed.open.setdefault(match, []).append(_SeatLog(seat, excerpt, late))
            if len(feed.open) > 1:
                for logs in feed.open.values():
                    for log in logs:
                        log.shared = True

    def start(self, match: str) -> None:
        """All bots of a match are ready, and are about to see their hands: the logs of their earlier matches end."""
        for feed in self._feeds.values():
            if match in feed.open:
                feed.close(tuple(feed.ended))

    def end(self, match: str) -> None:
        """A match is over."""
        found: list[_SeatLog] = []
        for feed in self._feeds.values():
            logs = feed.open.pop(match, [])
            if logs:
                feed.catch_up(logs)
                feed.ended[match] = logs
                found += logs
        if found:
            with suppress(KumiteError):  # tried again when the logs have ended
                self._keep(match, found)
            self._ending.append((match, trio.current_time() + LAST_WORDS_SECONDS, found))
            self._changed.set()

    async def run(self) -> None:
        """Store the logs of matches that are over; runs until cancelled."""
        while True:
            now = trio.current_time()
            while self._ending and self._ending[0][1] <= now:
                self._close(*self._ending.popleft())
            stored = self._store_some()
            wait = self._ending[0][1] - now if self._ending else float("inf")
            self._changed = trio.Event()
            with trio.move_on_after(wait if stored else min(wait, TROUBLE_SECONDS)):
                await self._changed.wait()

    async def settle(self) -> None:
        """Wait until the logs of all matches that are over have ended: their bots may have something left to say."""
        if self._ending:
            await trio.sleep_until(self._ending[-1][1])

    def finish(self) -> None:
        """The referee has ended: store the logs of all matches that are over, as far as that is possible."""
        while self._ending:
            self._close(*self._ending.popleft())
        if not self._store_some():
            _logger.warning("the bots' logs of %d matches could not be stored", len(self._unstored))

    def _close(self, match: str, until: float, logs: list[_SeatLog]) -> None:
        for feed in self._feeds.values():
            feed.close((match,))
        if len(self._unstored) >= MOST_UNSTORED:
            self._unstored.popleft()
        self._unstored.append((match, logs))

    def _keep(self, match: str, logs: Iterable[_SeatLog]) -> None:
        """Store the logs of a match that are not stored as they are now."""
        new = {log.seat: (log, log.log()) for log in logs}
        changed = {seat: now for seat, (log, now) in new.items() if now != log.stored}
        if changed:
            with self._store.explained():
                self._store.keep_logs(match, changed)
            for log, now in new.values():
                log.stored = now

    def _store_some(self) -> bool:
        """Store the logs that wait for the storage; False: the storage takes none now."""
        while self._unstored:
            match, logs = self._unstored[0]
            try:
                self._keep(match, logs)
            except StorageTrouble:
                return False
            except KumiteError as error:
                _logger.warning("match %s: the bots' logs are not stored: %s", match, visible(str(error)))
            self._unstored.popleft()
        return True


class LoggedMatches:
    """The recorder of a season that keeps the logs of the season's own bots."""

    def __init__(self, matches: Recorder, logs: SeasonBotLogs) -> None:
        self._matches = matches
        self._logs = logs

    def begin(self, header: Header, secret: bytes) -> None:
        """See `Recorder.begin`."""
        self._matches.begin(header, secret)
        self._logs.begin(header.match, header.players)

    def step(self, match: str, step: Step) -> None:
        """See `Recorder.step`."""
        if step.n == 0:
            self._logs.start(match)
        self._matches.step(match, step)

    def end(self, match: str, final: Final) -> Settled:
        """See `Recorder.end`."""
        settled = self._matches.end(match, final)
        self._logs.end(match)
        return settled
