"""Determinisation: a full state from the information set of one seat, given as its view."""

from __future__ import annotations

from referee.games._template.components import CARDS
from referee.games._template.state import OVER, State
from referee.games._template.view import View
from referee.kernel.chance import Chance


def determinise(view: View, chance: Chance) -> State:
    """A random full state that shows `view` to its seat: the unseen cards are dealt anew.

    The function gets the view alone, so it cannot use what the seat does not know.
    """
    seen = {*view.played, *view.hand}
    unseen = chance.shuffled("unseen", [card for card in CARDS if card not in seen])
    hands = []
    for seat, size in enumerate(view.hand_sizes):
        if seat == view.seat:
            hands.append(view.hand)
        else:
            hands.append(tuple(sorted(unseen[:size])))
            unseen = unseen[size:]
    return State(
        length=view.length,
        round=view.round,
        prize=view.prize,
        winner=view.winner,
        deck=tuple(unseen),
        hands=hands,
        played=view.played,
        points=list(view.points),
        stack=[] if view.phase == OVER else [(view.phase,)],
    )
