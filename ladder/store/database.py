"""The whole database: what every module of the room reads and writes, as one object."""

from __future__ import annotations

from functools import cached_property

from ladder.store.events import EventTable
from ladder.store.imports import ImportTable
from ladder.store.ratings import RatingTable
from ladder.store.rulings import RulingTable
from ladder.store.sessions import SessionTable
from ladder.store.tokens import TokenTable


class Store(TokenTable, RulingTable, RatingTable, ImportTable, EventTable):
    """An open database."""

    @cached_property
    def sessions(self) -> SessionTable:
        """The table of resume tokens."""
        return SessionTable(self._connection)
