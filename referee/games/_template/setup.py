"""Set-up: the deal (section 2)."""

from __future__ import annotations

from referee.games._template.components import CARDS, HAND_SIZE
from referee.games._template.rounds import begin_round
from referee.games._template.state import NO_SEAT, State
from referee.kernel.chance import Chance
from referee.kernel.game import Variant


def start(seats: int, variant: Variant, chance: Chance) -> State:
    """A new game in its first round (T-2.1 to T-2.3).

    Hands are kept ascending, so that they do not tell in which order the cards were dealt.
    """
    deck = chance.shuffled("deck", CARDS)
    dealt = seats * HAND_SIZE
    state = State(
        length=variant["length"],
        round=0,
        prize=0,
        winner=NO_SEAT,
        deck=tuple(deck[dealt:]),
        hands=[tuple(sorted(deck[first : first + HAND_SIZE])) for first in range(0, dealt, HAND_SIZE)],
        played=(),
        points=[0] * seats,
        stack=[],
    )
    begin_round(state, chance, [])
    return state
