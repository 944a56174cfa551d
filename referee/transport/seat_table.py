"""What a session uses of the tables at which its bot sits."""

from __future__ import annotations

from typing import Protocol

from referee.kernel.game import Seat
from referee.match.outputs import Verdict


class Table(Protocol):
    """The part of a table that a session uses. Every call acts at once."""

    def listen(self, seat: Seat, wanted: bool) -> None:
        """Whether the seat is told events."""

    def ready(self, seat: Seat, at: int) -> None:
        """The seat can play."""

    def sent(self, seat: Seat, ask: int, at: int, waited: int) -> None:
        """An ask of the seat's has left the referee after it waited there."""

    def answer(
        self, seat: Seat, ask: int, index: int, at: int, *, lag: int = 0, queued: int = 0, note: str = ""
    ) -> Verdict:
        """The seat answers one of its asks."""

    def unanswered(self, seat: Seat, ask: int, at: int, message: str) -> Verdict:
        """The seat cannot answer one of its asks."""

    def malformed(self, seat: Seat, at: int, message: str) -> None:
        """The seat sent something that is no message."""

    def crashed(self, seat: Seat, at: int, message: str) -> None:
        """The seat's process has ended."""

    def remove(self, seat: Seat, at: int, message: str) -> None:
        """An organiser takes the bot from its seat."""

    def gone(self, seat: Seat, at: int) -> None:
        """The seat's stream is gone."""

    def back(self, seat: Seat, at: int) -> None:
        """The seat has a stream again: put out what is owed to it."""
