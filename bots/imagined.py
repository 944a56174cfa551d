"""What may follow an answer: one imagined moment, with the view and the points that the seat would have then.

    best = max(ask.options, key=lambda option: ask.after(option).total)

The moment comes from a world that is consistent with the view (`ask.worlds`), so it holds nothing that the seat may not
know; what is hidden from the seat is drawn at random there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from referee.kernel.board import board
from referee.kernel.game import Event, Game, Result, Seat

S = TypeVar("S")
V = TypeVar("V")


class Imagined(Generic[S, V]):
    """The moment of the next real decision after an answer, of whichever seat, or the end of the game."""

    __slots__ = ("_view", "events", "game", "game_name", "seat", "state")

    def __init__(self, game: Game[S, V], game_name: str, seat: Seat, state: S, events: Sequence[Event]) -> None:
        self.game = game
        """The rules."""
        self.game_name = game_name
        """The game's identifier."""
        self.seat = seat
        """The seat that answered, counted from 0."""
        self.state = state
        """The full state; a bot may change it."""
        self.events = events
        """What happened, as far as the seat would be told."""
        self._view: V | None = None

    @property
    def view(self) -> V:
        """What the seat would know."""
        if self._view is None:
            self._view = self.game.view(self.state, self.seat)
        return self._view

    @property
    def result(self) -> Result | None:
        """Places and points if the game would be over; None: it would go on."""
        return self.game.result(self.state)

    def points(self, seat: Seat | None = None) -> dict[str, int]:
        """The points by category then, as `Ask.points` counts them; None: those of the seat that answered."""
        return points_of(self.game_name, self.view, self.seat if seat is None else seat)

    @property
    def total(self) -> int:
        """All points of the seat that answered."""
        return sum(self.points().values())


def points_of(game_name: str, view: object, seat: Seat) -> dict[str, int]:
    """By category, in the order of the rules: what a seat has, or would have if the game ended now."""
    listed: Any = board(game_name).facts(view, ())["points"]
    return {entry["category"]: entry["points"][seat] for entry in listed}
