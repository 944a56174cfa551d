"""The state of a game: everything that the rules need to go on, and nothing else.

No luck, no clock, no text: numbers, tuples and the stack of open decisions. Tuples are replaced, never changed, so that
clones and views share them.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.kernel.frames import Frame
from referee.kernel.game import Seat

BID, REWARD = "bid", "reward"
"""The kinds of decisions; each frame on the stack begins with one."""
OVER = "over"
"""The phase of a game without an open decision."""
NO_SEAT = -1
"""The winner before the first bids."""


@dataclass(slots=True)
class State:
    """A game of Lanterns."""

    length: str
    """The setting (T-2.1)."""
    round: int
    prize: int
    """Points of this round's prize (T-3.1)."""
    winner: Seat
    """The seat that won the last bidding, or NO_SEAT."""
    deck: tuple[int, ...]
    """Top first: hidden from all seats."""
    hands: list[tuple[int, ...]]
    """By seat, ascending: hidden from the other seats."""
    played: tuple[int, ...]
    """All cards bid so far, by round and seat (T-3.3)."""
    points: list[int]
    """By seat (T-2.3)."""
    stack: list[Frame]
    """The open decision; empty when the game is over."""

    def clone(self) -> State:
        """An independent copy: lists are copied, tuples are shared."""
        return State(
            self.length,
            self.round,
            self.prize,
            self.winner,
            self.deck,
            self.hands.copy(),
            self.played,
            self.points.copy(),
            self.stack.copy(),
        )


def phase(state: State) -> str:
    """The kind of the open decision, or OVER."""
    return str(state.stack[-1][0]) if state.stack else OVER
