"""The standstills of the referee's loop: by how much turns took longer than allowed, in all and at most recently."""

from __future__ import annotations

from collections import deque

WINDOW = 60_000_000
"""Microseconds for which the longest standstill is remembered."""


class Lateness:
    """The standstills of one loop. All times are in microseconds."""

    __slots__ = ("_late", "count", "total")

    def __init__(self) -> None:
        self.total = 0
        """Sum of all standstills."""
        self.count = 0
        self._late: deque[tuple[int, int]] = deque()
        """Moment and length of those standstills of the last minute that no later standstill has exceeded."""

    def add(self, at: int, late: int) -> None:
        """Add a standstill of the length `late`; moments never go back."""
        self.total += late
        self.count += 1
        while self._late and self._late[-1][1] <= late:
            self._late.pop()
        self._late.append((at, late))

    def longest(self, at: int) -> int:
        """The longest standstill of the last minute; 0: none."""
        while self._late and self._late[0][0] <= at - WINDOW:
            self._late.popleft()
        return self._late[0][1] if self._late else 0
