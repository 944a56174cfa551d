"""The hashes of the resume tokens of a served referee's bots, as far as a restart may need them.

A bot gets its token when it says hello and its seat later, so the tokens of all bots that the referee remembers are
kept. A bot that it has forgotten comes back as a new one, and after a restart only those are let in again whose match
was going on. All other rows are of no use: without removing them, a referee that is open to every name would collect
names for ever.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable

from ladder.store.file import moment

SWEEP = 256
"""New tokens between two looks for rows that are of no use any more."""


class SessionTable:
    """The table of resume tokens, never much longer than the referee's own memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._present: Callable[[], Iterable[str]] | None = None
        self._new = 0

    def remember(self, name: str, hashes: str) -> None:
        """Keep the hashes of a bot's resume tokens, so that the bot can come back after a restart."""
        self._connection.execute(
            "insert or replace into sessions (name, resume_hash, created) values (?, ?, ?)",
            (name, hashes, moment()),
        )
        self._new += 1
        if self._new >= SWEEP and self._present is not None:
            self.sweep(self._present())

    def watch(self, present: Callable[[], Iterable[str]]) -> None:
        """From now on, forget the bots that the referee has forgotten; `present` tells the names of the others."""
        self._present = present

    def sweep(self, present: Iterable[str] = ()) -> None:
        """Remove every row but those of bots that are present, play on, or may not have read the end of a match."""
        self._connection.execute(
            "delete from sessions where name not in (select value from json_each(?)) and name not in "
            "(select player from seats join matches on match = id where state = 'running') and name not in "
            "(select player from seats where unconfirmed = 1)",
            (json.dumps(list(present)),),
        )
        self._new = 0

    def tokens(self) -> dict[str, str]:
        """The hashes of the resume tokens that bots hold, separated by spaces, by name."""
        rows = self._connection.execute(
            "select name, resume_hash from sessions where resume_hash is not null order by name"
        )
        return dict(rows.fetchall())
