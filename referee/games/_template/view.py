"""What a seat may know and remember (section 5).

A view is an allow-list: a type of its own, built field by field. Nothing is copied from the state and then removed.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.games._template.state import State, phase
from referee.kernel.game import Seat


class View(NamedTuple):
    """The game as one seat, or the public, may know it. All but `seat` and `hand` are the same in every view."""

    seat: Seat | None
    """The seat whose view this is; None: the public."""
    hand: tuple[int, ...]
    """The seat's own hand, ascending."""
    length: str
    phase: str
    """The kind of the open decision, or `over`."""
    round: int
    prize: int
    winner: Seat
    deck: int
    """Cards in the deck."""
    hand_sizes: tuple[int, ...]
    played: tuple[int, ...]
    """All cards bid so far, by round and seat."""
    points: tuple[int, ...]


def view(state: State, seat: Seat | None) -> View:
    """What a seat may know; None: what the public may know."""
    return View(
        seat=seat,
        hand=() if seat is None else state.hands[seat],
        length=state.length,
        phase=phase(state),
        round=state.round,
        prize=state.prize,
        winner=state.winner,
        deck=len(state.deck),
        hand_sizes=tuple([len(hand) for hand in state.hands]),
        played=state.played,
        points=tuple(state.points),
    )
