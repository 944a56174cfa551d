"""What hosted bots printed during their matches: for the organiser alone.

A log may hold its bot's hand, and much else that is its author's affair. So it is sealed with the host's key for good:
the file without the key tells nothing of it, neither while its match or its duplicate set is going on nor later, and
no record, export or page has it. Only `kumite matches DB:MATCH --log SEAT` reads it, with the key beside the file.

All logs of a file together stay within `MOST_LOG_BYTES`: the oldest are dropped, and their rows say so.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import NamedTuple

from ladder.store.file import moment
from ladder.store.records import BotLog
from ladder.store.sealed import SealedFile, log_purpose

MOST_LOG_BYTES = 256 << 20
"""What all logs of a file may take together, compressed and sealed."""
LOOK_EVERY = 64
"""After so many new logs the store looks whether all logs take too much."""


class StoredLog(NamedTuple):
    """The log of a seat, as far as it is there."""

    moment: str
    """When it was stored, in UTC."""
    log: BotLog | None
    """None: the log was dropped."""


class BotLogTable(SealedFile):
    """The logs of hosted bots, one for each seat whose bot was a process of the host's."""

    def keep_logs(self, match: str, logs: Mapping[int, BotLog | None]) -> None:
        """Store the logs of a match by seat; None: that seat's bot was no process of the host's."""
        run = self._connection.execute
        with self.transaction():
            for seat, log in logs.items():
                if log is None:
                    continue
                sealed = self.key.seal(zlib.compress(log.pack(), 1), log_purpose(match, seat))
                made = run(
                    "insert or replace into bot_logs (match, seat, moment, log) values (?, ?, ?, ?)",
                    (match, seat, moment(), sealed),
                )
                if (made.lastrowid or 0) % LOOK_EVERY == 0:
                    self.drop_logs(MOST_LOG_BYTES)

    def drop_logs(self, most: int) -> None:
        """Drop the oldest logs, until all of them take at most so many bytes."""
        self._connection.execute(
            "update bot_logs set log = null where log is not null and id <= (select max(id) from "
            "(select id, sum(length(log)) over (order by id desc) as taken from bot_logs) where taken > ?)",
            (most,),
        )

    def bot_log(self, match: str, seat: int) -> StoredLog | None:
        """The log of a seat, by the match's whole id; None: its bot was no process of the host's.

        Raises StoreProblem if the host's key is not there.
        """
        with self.explained():
            row = self._connection.execute(
                "select moment, log from bot_logs where match = ? and seat = ?", (match, seat)
            ).fetchone()
        if row is None or row[1] is None:
            return None if row is None else StoredLog(row[0], None)
        packed = zlib.decompress(self.key.unseal(row[1], log_purpose(match, seat)))
        return StoredLog(row[0], BotLog.unpack(packed))

    def unfinished_beside(self, match: str, player: str, until: str) -> str | None:
        """A match of the same bot, begun before a moment, that is not over or whose set is not; None: there is none."""
        row = self._connection.execute(
            "select id from matches join seats on match = id where player = ? and id != ? and started <= ? "
            "and (state = 'running' or sealed_secret is not null) order by started limit 1",
            (player, match, until),
        ).fetchone()
        return None if row is None else str(row[0])
