"""When storing fails: the referee stands still in an orderly way, and goes on where it was.

All tables of a referee share one `Storage`. The first table whose recorder raises `StorageTrouble` begins the
trouble: play time stops, so no clock of any seat runs, and every table keeps what it has to store and to send. One
table tries again after a moment, later once a second. When its recorder takes what failed, the tables carry out what
they kept, in the order in which they came to wait; when nothing is kept any more the trouble is over and play time goes
on. One line of the log says that the trouble began, and one that it is over.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from referee.kernel.errors import StorageTrouble
from referee.match.playtime import PlayTime

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two attempts to store: at first, doubling, and at most."""

_logger = logging.getLogger(__name__)


class Waiting(Protocol):
    """A table that has something to store."""

    def resume(self) -> bool:
        """Carry out what was kept; False: it cannot be stored yet."""


def _nothing() -> None:
    """No hook is set."""


def _unheard(works: bool) -> None:
    """No hook is set."""


class Storage:
    """Whether the tables of one referee can store. Moments are in seconds of the event loop's clock."""

    def __init__(self, time: PlayTime) -> None:
        self.trouble: StorageTrouble | None = None
        """Why nothing can be stored now; None: everything can."""
        self.pause = FIRST_PAUSE
        """Seconds until the next attempt."""
        self.serving: Callable[[bool], None] = _unheard
        """Called with False when a trouble begins and with True when it is over: for the referee's health."""
        self.lasting: Callable[[], None] = _nothing
        """Called once for a trouble that has lasted for the longest pause."""
        self.passed: Callable[[], None] = _nothing
        """Called when a trouble is over, to let tables be opened again."""
        self._time = time
        self._waiting: dict[Waiting, None] = {}
        self._since = 0.0
        self._next = 0.0
        self._told = False
        self._trying = False

    def failed(self, table: Waiting, error: StorageTrouble, at: float) -> None:
        """A table could not store; it is kept waiting."""
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
        """A table has something to carry out and waits for the end of the trouble."""
        self._waiting[table] = None

    def retry(self, at: float) -> None:
        """Try again if it is time to. The trouble is over when no table waits any more."""
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
