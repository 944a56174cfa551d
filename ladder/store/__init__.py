"""The ladder's database: the only package that opens it.

One SQLite file in WAL mode, written by one process at a time (a lock file's worth of care: a second writer is
refused). Everything that a season does goes through here in small transactions, so the file is whole after `kill -9`
at any moment. `file` opens it, `sealed` keeps it safe to show with the host's key of `host_key`, `schema` declares its
tables, and one module for each kind of thing reads and writes them: `seasons`, `matches`, `played`, `imports`,
`bot_logs`, `events`, `ratings`, `rulings`, `tokens`, `sessions`; `backup` copies the file and the key.
"""

from __future__ import annotations

from pathlib import Path

from ladder.store.bot_logs import StoredLog
from ladder.store.events import EventTable
from ladder.store.file import StoreProblem, StoreTrouble
from ladder.store.imports import ImportTable
from ladder.store.matches import Place, SealedRecord
from ladder.store.ratings import RatingTable
from ladder.store.rulings import RulingTable
from ladder.store.sessions import Sessions
from ladder.store.tokens import TokenTable

__all__ = ["Place", "SealedRecord", "Store", "StoreProblem", "StoreTrouble", "StoredLog"]


class Store(TokenTable, RulingTable, RatingTable, ImportTable, EventTable):
    """An open database."""

    def __init__(self, path: Path | str) -> None:
        """Open a file, or create it; raises StoreProblem with one clear line."""
        super().__init__(path)
        self.sessions = Sessions(self._connection)
