"""The state of a game: what each seat has, and the open decision.

Every field but the stack holds an immutable value that is replaced, never changed, so that a clone or a view shares
everything with the state it was made from. Sealed answers are no part of the state (E-5.3): the driver of the game
keeps them until all seats have answered.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.games.edo_yashiki.house import House, HouseLine
from referee.kernel.frames import Frame
from referee.kernel.game import Seat

STANDARD, SPECIALISTS = "standard", "specialists"
SEALED, REFLEX, TURN_ORDER = "sealed", "reflex", "turn_order"

RANK_CARDS, PICK_CARD, PLACE_CARD, SCORE_LINE = "rank_cards", "pick_card", "place_card", "score_line"
"""The kinds of decisions. The stack has at most one frame, which holds its kind alone."""
OVER = "over"
"""The phase of a game without an open decision."""

NONE = -1
"""No card: the entry of a seat that has not taken one, or does not reach for one."""


class Draft(NamedTuple):
    """How the row of one round was shared out: public, and remembered by every seat (E-6.8)."""

    row: tuple[int, ...]
    """The cards."""
    got: tuple[int, ...]
    """By seat: the row index of the card it received."""
    priority: tuple[Seat, ...] = ()
    """The seats in the order in which they win a clash; empty if the cards were picked in turn."""
    reaches: tuple[tuple[int, ...], ...] = ()
    """By pass and seat: the row index reached for, or NONE. A seat that reached for the card it got won that pass."""
    arrivals: tuple[int, ...] = ()
    """By seat, in a reflex draft: the bucket in which its answer arrived, or NONE if the seat did not answer itself
    (E-6.9); empty in the other drafts."""


class ScoringChain(NamedTuple):
    """One seat's scoring of a placement under the Specialists rules, so far (E-9.3)."""

    lines: tuple[HouseLine, ...]
    """The scorable lines, by their number (E-9.2)."""
    scored: tuple[int, ...]
    """The numbers of the lines scored, in order."""
    tokens: int
    """The tokens now on the seat's card, a bit for each kind."""
    ended: bool


class State:
    """A game of Edo Yashiki."""

    __slots__ = (
        "chains",
        "covering",
        "deck",
        "draft",
        "drafts",
        "first",
        "got",
        "houses",
        "round",
        "row",
        "rules",
        "scored",
        "scores",
        "stack",
        "tokens",
    )

    rules: str
    """STANDARD or SPECIALISTS (E-1.2)."""
    draft: str
    """SEALED, REFLEX or TURN_ORDER (E-1.3)."""
    covering: str
    """SEEN or ALL (E-1.5)."""
    deck: tuple[int, ...]
    """The cards not yet drawn, top first: hidden from all seats."""
    round: int
    first: Seat
    """The first player."""
    row: tuple[int, ...]
    """The cards of this round by row index."""
    got: tuple[int, ...]
    """By seat: the row index of its card of this round, or NONE."""
    drafts: tuple[Draft, ...]
    """How the rows of all rounds were shared out."""
    houses: tuple[House, ...]
    scores: tuple[int, ...]
    tokens: tuple[int, ...]
    """By seat: the published set of tokens, a bit for each kind; empty under the standard rules (E-9.1)."""
    scored: tuple[tuple[tuple[int, ...], ...], ...]
    """By round and seat: the numbers of the lines scored, in order, as published (E-9.9); empty under the standard
    rules."""
    chains: tuple[ScoringChain, ...]
    """By seat, while lines are being scored under the Specialists rules: hidden from the other seats (E-9.9)."""
    stack: list[Frame]
    """The open decision; empty when the game is over."""

    def clone(self) -> State:
        """An independent copy."""
        copy = State()
        copy.rules = self.rules
        copy.draft = self.draft
        copy.covering = self.covering
        copy.deck = self.deck
        copy.round = self.round
        copy.first = self.first
        copy.row = self.row
        copy.got = self.got
        copy.drafts = self.drafts
        copy.houses = self.houses
        copy.scores = self.scores
        copy.tokens = self.tokens
        copy.scored = self.scored
        copy.chains = self.chains
        copy.stack = self.stack.copy()
        return copy


def phase(state: State) -> str:
    """The kind of the open decision, or OVER."""
    return str(state.stack[-1][0]) if state.stack else OVER
