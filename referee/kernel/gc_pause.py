"""Runs the cycle collector (`gc`) less often while many games are played.

States, views and messages hold no reference cycles: reference counts free them at once. While many games are played the
collector finds hardly anything, and its runs take a tenth of the time. So drivers of many games let it rest; cycles of
other code are still collected, only later.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

THRESHOLDS = (50_000, 20, 20)
"""When the collector runs: new containers since its last run, then runs for each older generation."""


def rest() -> None:
    """Let the collector rest from now on; objects that exist already are never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


class _Resters:
    """The number of open `resting` blocks of all threads, and the thresholds before the first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._before = gc.get_threshold()

    def enter(self) -> None:
        with self._lock:
            if not self._count:
                self._before = gc.get_threshold()
                rest()
            self._count += 1

    def leave(self) -> None:
        with self._lock:
            self._count -= 1
            if not self._count:
                gc.unfreeze()
                gc.set_threshold(*self._before)


_RESTERS = _Resters()


@contextmanager
def resting() -> Iterator[None]:
    """Let the collector rest in a block; the end of the last open block of all threads restores the thresholds."""
    _RESTERS.enter()
    try:
        yield
    finally:
        _RESTERS.leave()
