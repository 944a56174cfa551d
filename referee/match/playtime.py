"""Play time: a monotonic clock for a referee's matches that leaves out every standstill of the referee.

A standstill is time in which the referee could not work: SIGSTOP, paging, a slow disk, a flood that keeps the loop
busy. Bots are not charged for a standstill. The event loop calls `turn` when a turn begins and, while the loop waits,
at short intervals. Between two calls play time advances by at most `stretch` microseconds; the rest is a standstill.
All clocks of seats read play time, so none of them counts the rest. While the referee cannot store, play time does not
advance at all, from `stop` to `go`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.match.clock import FOREVER

STRETCH = 15_000
"""Most microseconds that play time advances between two turns of a referee's loop: what a standstill costs a bot."""


def monotonic() -> int:
    """The monotonic clock of this machine in microseconds, which runs on while the process is stopped."""
    return time.monotonic_ns() // 1000


class PlayTime:
    """Play time in microseconds; a call of the object reads it. Play time never goes back."""

    __slots__ = ("_began", "_lost", "_read", "_stopped", "_stretch", "stood")

    def __init__(self, read: Callable[[], int], stretch: int = FOREVER) -> None:
        """`read` is a monotonic clock, `stretch` as above; by default only `stop` makes play time stand."""
        self._read = read
        self._stretch = stretch
        self._began = read()
        self._lost = 0
        self._stopped: int | None = None
        self.stood = -1
        """The moment, in play time, at which the last standstill was noticed; -1: no standstill so far."""

    def __call__(self) -> int:
        """Play time now."""
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
        """Begin a new stretch; time beyond the limit of the last one is a standstill."""
        at = self._read()
        over = at - self._began - self._stretch
        self._began = at
        if over > 0:
            self._lost += over
            self.stood = self()

    def stop(self) -> None:
        """Let play time stand until `go`."""
        if self._stopped is None:
            self._stopped = self()

    def go(self) -> None:
        """Let play time run again from the moment at which `stop` was called."""
        if self._stopped is not None:
            self._began = self._read()
            self._lost = self._began - self._stopped
            self.stood = self._stopped
            self._stopped = None
