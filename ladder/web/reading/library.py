"""What pages read: the database, opened read-only, and an edition that changes with what pages show."""

from __future__ import annotations

import threading
from pathlib import Path

from ladder.store.database import Store


class Library:
    """One database, read by several threads: every thread has a connection of its own, none of which can write."""

    def __init__(self, path: Path, *, address: str = "") -> None:
        """Open the file for reading; raises StoreProblem with one clear line.

        `address` is where bots connect, as the first page tells newcomers; empty: no referee is known.
        """
        self.path = path
        self.address = address
        self._local = threading.local()
        self._watching = threading.Lock()
        self._watcher = Store(path, reading=True, any_thread=True)
        self._version = -1
        self._edition = ""

    def store(self) -> Store:
        """The database as the present thread sees it."""
        found: Store | None = getattr(self._local, "store", None)
        if found is None:
            found = self._local.store = Store(self.path, reading=True)
        return found

    def edition(self) -> str:
        """A text that changes when a match ends, a table opens or a ruling or rating is stored, and with no step.

        Cached pages are as good as new while it stays the same.
        """
        with self._watching:
            version = self._watcher.data_version()
            if version != self._version:
                # Read first, kept after: a change in between is noticed at the next look.
                self._edition = self._watcher.edition()
                self._version = version
            return self._edition
