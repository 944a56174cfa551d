"""The part of a table that the session of a seated bot uses."""

from __future__ import annotations

from typing import Protocol

from referee.kernel.game import Seat
from referee.match.match import Match
from referee.match.outputs import Verdict


class SeatTable(Protocol):
    """The part of `referee.match.table.RunningTable` that a session uses. Every call acts at once."""

    @property
    def match(self) -> Match:
        """The match that is played at the table."""

    def ready(self, seat: Seat, at: int) -> None:
        """The seat can play."""

    def answer(
        self, seat: Seat, ask: int, index: int, at: int, *, lag: int = 0, queued: int = 0, note: str = ""
    ) -> Verdict:
        """The seat answers one of its asks."""

    def unanswered(self, seat: Seat, ask: int, at: int, message: str) -> Verdict:
        """The seat cannot answer one of its asks."""

    def malformed(self, seat: Seat, at: int, message: str) -> None:
        """The seat sent bytes that are no message."""

    def crashed(self, seat: Seat, at: int, message: str) -> None:
        """The seat's process has ended."""

    def remove(self, seat: Seat, at: int, message: str) -> None:
        """An organiser takes the bot from its seat."""

    def gone(self, seat: Seat, at: int) -> None:
        """The seat's stream has ended."""

    def back(self, seat: Seat, at: int) -> None:
        """The seat has a stream again: put out its open ask once more."""
