"""What a seat may know and remember (section 11).

There are no private hands: every view has all that was published. A view has the drafts and the scored lines of all
rounds, because a seat may remember which cards were reached for (E-6.8) and which lines were scored (E-9.9); both
together are a few hundred small numbers at most. The only private field is the seat's own unfinished chain of
`score_line` decisions. Sealed rankings and placements are not in the state, the unused tails of rankings are not
stored, and of the deck the view has the size only.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.games.edo_yashiki.components import CARDS
from referee.games.edo_yashiki.house import House
from referee.games.edo_yashiki.state import NONE, Draft, ScoringChain, State, phase
from referee.kernel.game import Seat
from referee.kernel.tuples import new_tuple


class View(NamedTuple):
    """The game as one seat, or the public, may know it (section 11). All parts are shared with the state."""

    seat: Seat | None
    """The seat whose view this is; None: the public."""
    rules: str
    draft: str
    covering: str
    phase: str
    """The kind of the open decision, or OVER; `score_line` until all chains have ended (E-9.9)."""
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
        """The cards that no seat has seen: those of the deck, in the order of the list."""
        seen = bytearray(len(CARDS))
        for house in self.houses:
            for card, _, _, _ in house.cards:
                seen[card] = 1
        for card in self.row:
            seen[card] = 1
        return [card for card in range(len(CARDS)) if not seen[card]]


def view(state: State, seat: Seat | None) -> View:
    """What a seat may know; None: what the public may know."""
    chains = state.chains
    fields = (
        seat,
        state.rules,
        state.draft,
        state.covering,
        phase(state),
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
    return new_tuple(View, fields)
