"""The moment that is being acted on, as the tables and sessions of one referee share it."""

from __future__ import annotations

from collections.abc import Callable

from referee.match.playtime import PlayTime


class Watch:
    """The moment that is being acted on.

    Tables call it to know the time; a session sets `at` to the arrival of the message that it hands on. So whoever
    is asked in consequence knows since when the match believes the question to be open.
    """

    __slots__ = ("_read", "_time", "at")

    def __init__(self, read: Callable[[], int], time: PlayTime | None = None) -> None:
        """`time`: what `read` is read from, if that knows of standstills."""
        self._read = read
        self._time = time
        self.at = read()

    @property
    def stood(self) -> int:
        """The moment of the referee's last standstill; -1: there was none."""
        return -1 if self._time is None else self._time.stood

    def __call__(self) -> int:
        at = self.at = self._read()
        return at
