"""The time of a referee's matches: a monotonic clock from which every standstill of the referee is taken off.

What a referee sleeps, pages or waits (SIGSTOP, a slow disk, a flood that keeps the loop busy) is no bot's thinking
time. The event loop calls `turn` when a turn begins and, while it waits, at short intervals. Between two calls play
time advances by `stretch` microseconds at most; the rest is a standstill, and every clock that ran is the shorter by
it, because all of them are read from here. `stop` makes play time stand altogether, until `go`: for as long as the
referee cannot store.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.match.clock import FOREVER

STRETCH = 15_000
"""Microseconds that one stretch of a referee's loop may count: the most that a standstill costs a bot."""


def monotonic() -> int:
    """The monotonic clock of this machine in microseconds. It runs on while the process is stopped."""
    return time.monotonic_ns() // 1000


class PlayTime:
    """Time in microseconds as matches count it. Calling it reads it; it never goes back."""

    __slots__ = ("_began", "_lost", "_read", "_stopped", "_stretch", "stood")

    def __init__(self, read: Callable[[], int], stretch: int = FOREVER) -> None:
        """`read` is a monotonic clock. `stretch`: see above; without it only `stop` takes time off."""
        self._read = read
        self._stretch = stretch
        self._began = read()
        self._lost = 0
        self._stopped: int | None = None
        self.stood = -1
        """The moment, in play time, at which the last standstill was noticed; -1: there was none."""

    def __call__(self) -> int:
        """The time now."""
        if self._stopped is not None:
            return self._stopped
        at = self._read()
        latest = self._began + self._stretch
        return (at if at < latest else latest) - self._lost

    @property
    def lost(self) -> int:
        """Microseconds of all standstills that are over."""
        return self._lost

    def turn(self) -> None:
        """A stretch ends and the next one begins."""
        at = self._read()
        over = at - self._began - self._stretch
        self._began = at
        if over > 0:
            self._lost += over
            self.stood = self()

    def stop(self) -> None:
        """Stand still until `go`."""
        if self._stopped is None:
            self._stopped = self()

    def go(self) -> None:
        """Go on from the moment at which the time was stopped."""
        if self._stopped is not None:
            self._began = self._read()
            self._lost = self._began - self._stopped
            self.stood = self._stopped
            self._stopped = None
