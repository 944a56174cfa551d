"""Stops all tables of a referee while storing fails, and lets them go on when storing works again.

All tables of a referee share one `Storage`. The first table whose recorder raises `StorageTrouble` begins the trouble:
play time stops, so no clock of any seat runs, and every table keeps its outputs. One table tries to store again, with a
back-off that doubles up to a second. When the recorder succeeds, the tables carry out the outputs that they kept, first
come, first served; when no table has outputs left the trouble is over and play time goes on. The log has one line when
a trouble begins and one when it is over.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from referee.kernel.errors import StorageTrouble
from referee.match.playtime import PlayTime

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two attempts to store: the first pause, which doubles with each attempt, and the longest."""

_logger = logging.getLogger(__name__)


class Waiting(Protocol):
    """A table whose outputs wait for the end of a trouble."""

    def resume(self) -> bool:
        """Carry out the outputs that were kept; False: the first of them cannot be stored yet."""


class Storage:
    """Whether the tables of one referee can store. Moments are in seconds of the event loop's clock."""

    def __init__(self, time: PlayTime) -> None:
        self.trouble: StorageTrouble | None = None
        """The error of the current trouble; None: storing works."""
        self.pause = FIRST_PAUSE
        """Seconds until the next attempt."""
        self.serving: Callable[[bool], None] = lambda works: None
        """Called with False when a trouble begins and with True when the trouble is over: for the health service."""
        self.lasting: Callable[[], None] = lambda: None
        """Called once for a trouble that has lasted for LONGEST_PAUSE."""
        self.passed: Callable[[], None] = lambda: None
        """Called when a trouble is over: tables can be opened again."""
        self._time = time
        self._waiting: dict[Waiting, None] = {}
        self._since = 0.0
        self._next = 0.0
        self._told = False
        self._trying = False

    def failed(self, table: Waiting, error: StorageTrouble, at: float) -> None:
        """Let a table wait that could not store; the first such table begins a trouble."""
        self._waiting[table] = None
        if self.trouble is not None:
            return
        self.trouble = error
        self.pause = FIRST_PAUSE
        self._since = at
        self._next = at + FIRST_PAUSE
        self._told = False
        self._time.stop()
        text = "cannot store: %s; all tables and clocks stand still until storing works again"
        _logger.error(text, error, extra={"event": "storage", "works": False})
        self.serving(False)

    def keep(self, table: Waiting) -> None:
        """Let a table wait that has outputs to carry out after the trouble."""
        self._waiting[table] = None

    def retry(self, at: float) -> None:
        """Let the waiting tables try again if the pause is over. The trouble is over when no table waits."""
        if self.trouble is None or at < self._next or self._trying:
            return
        self._trying = True
        try:
            while self._waiting:
                table = next(iter(self._waiting))
                if not table.resume():
                    self._again(at)
                    return
                del self._waiting[table]
        finally:
            self._trying = False
        self.trouble = None
        self._time.go()
        seconds = at - self._since
        extra = {"event": "storage", "works": True, "seconds": round(seconds, 3)}
        _logger.warning("storing works again after %.1f s; play goes on", seconds, extra=extra)
        self.serving(True)
        self.passed()

    def _again(self, at: float) -> None:
        self.pause = min(2 * self.pause, LONGEST_PAUSE)
        self._next = at + self.pause
        if not self._told and at - self._since >= LONGEST_PAUSE:
            self._told = True
            self.lasting()
