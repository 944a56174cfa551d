"""The cycle collector, told to look less often.

States, views and messages hold no reference cycles: reference counts free them at once. What the collector finds while
many games are being played is next to nothing, and looking for it takes a tenth of the time. So those who play many
games let it rest; cycles that others make are still found, only later.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

THRESHOLDS = (50_000, 20, 20)
"""When the collector looks: new containers since the last time, then rounds for each older generation."""


def rest() -> None:
    """Let the collector rest from now on; what exists already is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


class _Resters:
    """How many blocks of all threads let the collector rest, and how it was before the first."""

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
    """Let the collector rest in a block; after the last one that is open in any thread it is as before."""
    _RESTERS.enter()
    try:
        yield
    finally:
        _RESTERS.leave()
