"""What a seat may know and remember, and how to imagine the rest.

There are no private hands: everything published stands in the view of everybody. That includes the drafts and the
scored lines of all rounds, because a seat may remember who reached for what (E-6.8) and who scored what (E-9.9), and
it costs a few hundred small numbers at most. All that a seat has for itself is its own unfinished chain of `score_line`
decisions. Sealed rankings and placements are not in the state at all, the unused tails of rankings are kept nowhere,
and the deck shows its size only.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.games.edo_yashiki.components import CARDS
from referee.games.edo_yashiki.house import House
from referee.games.edo_yashiki.scoring import opened
from referee.games.edo_yashiki.state import NONE, Draft, ScoringChain, State
from referee.kernel.chance import Chance
from referee.kernel.game import Seat

OVER = "over"
_SCORE_LINE = "score_line"


class View(NamedTuple):
    """The game as one seat, or the public, may know it (section 11). All parts are shared with the state."""

    seat: Seat | None
    """Whose view it is; None: the public."""
    rules: str
    draft: str
    phase: str
    """The kind of the open decision, or OVER. It stays `score_line` until all chains have ended (E-9.9)."""
    round: int
    first: Seat
    """The first player."""
    left: int
    """Cards in the deck."""
    row: tuple[int, ...]
    """The cards of this round by row index, taken ones too."""
    got: tuple[int, ...]
    """By seat: the row index of its card of this round, or -1."""
    drafts: tuple[Draft, ...]
    """How the rows were shared out, round by round; that of this round as soon as it is resolved."""
    houses: tuple[House, ...]
    """By seat: all cards with their places and order, and what is visible."""
    scores: tuple[int, ...]
    tokens: tuple[int, ...]
    """By seat: the tokens as last published, a bit for each kind; empty under the standard rules."""
    chain: ScoringChain | None
    """The seat's own scoring so far, while lines are being scored under the Specialists rules."""
    scored: tuple[tuple[tuple[int, ...], ...], ...]
    """By round and seat: the numbers of the lines scored, in order, as published; empty under the standard rules."""

    @property
    def card(self) -> int | None:
        """The card that the seat has received this round."""
        if self.seat is None or self.got[self.seat] == NONE:
            return None
        return self.row[self.got[self.seat]]

    @property
    def unseen(self) -> list[int]:
        """The cards that nobody has seen: those of the deck, in the order of the list."""
        seen = bytearray(len(CARDS))
        for house in self.houses:
            for card, _, _, _ in house.cards:
                seen[card] = 1
        for card in self.row:
            seen[card] = 1
        return [card for card in range(len(CARDS)) if not seen[card]]


def view(state: State, seat: Seat | None) -> View:
    """What a seat may know; None: what everybody may know."""
    stack, chains = state.stack, state.chains
    fields = (
        seat,
        state.rules,
        state.draft,
        stack[-1][0] if stack else OVER,
        state.round,
        state.first,
        len(state.deck),
        state.row,
        state.got,
        state.drafts,
        state.houses,
        state.scores,
        state.tokens,
        chains[seat] if chains and seat is not None else None,
        state.scored,
    )
    return tuple.__new__(View, fields)  # half the time of `View(...)`, and there is one for every ask


def determinise(view: View, chance: Chance) -> State:
    """A full state that looks like `view` to its seat: the unseen cards in random order.

    Of the other seats' chains nothing is known, and chains do not touch each other, so the others are imagined as not
    having begun: whoever plays the state on decides what they do.
    """
    state = State()
    state.rules = view.rules
    state.draft = view.draft
    state.deck = tuple(chance.shuffled("deck", view.unseen))
    state.round = view.round
    state.first = view.first
    state.row = view.row
    state.got = view.got
    state.drafts = view.drafts
    state.houses = view.houses
    state.scores = view.scores
    state.tokens = view.tokens
    state.scored = view.scored
    state.chains = _imagined(view) if view.phase == _SCORE_LINE else ()
    state.stack = [(view.phase,)] if view.phase != OVER else []
    return state


def _imagined(view: View) -> tuple[ScoringChain, ...]:
    chains = [opened(house.made, tokens) for house, tokens in zip(view.houses, view.tokens, strict=True)]
    if view.seat is not None and view.chain is not None:
        chains[view.seat] = view.chain
    return tuple(chains)
