"""The whole database: what every module of the room reads and writes, as one object."""

from __future__ import annotations

from pathlib import Path

from ladder.store.events import EventTable
from ladder.store.imports import ImportTable
from ladder.store.ratings import RatingTable
from ladder.store.rulings import RulingTable
from ladder.store.sessions import Sessions
from ladder.store.tokens import TokenTable


class Store(TokenTable, RulingTable, RatingTable, ImportTable, EventTable):
    """An open database."""

    def __init__(self, path: Path | str) -> None:
        """Open a file, or create it; raises StoreProblem with one clear line."""
        super().__init__(path)
        self.sessions = Sessions(self._connection)
