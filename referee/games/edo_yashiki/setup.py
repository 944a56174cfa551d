"""Set-up: the deck, the first player and the starting cards (section 4)."""

from __future__ import annotations

from referee.games.edo_yashiki.components import ALL_TOKENS, CARDS
from referee.games.edo_yashiki.house import first
from referee.games.edo_yashiki.rounds import reveal
from referee.games.edo_yashiki.state import SPECIALISTS, State
from referee.kernel.chance import Chance
from referee.kernel.game import Variant


def start(seats: int, variant: Variant, chance: Chance) -> State:
    """A new game with its first row revealed (E-4.1 to E-4.6).

    Deck and first player are drawn here (E-12.4, E-12.5); the only other random event is the priority of a round
    (E-12.1). Each has its own stream, so no answer changes later luck (E-12.2, E-12.3, E-12.8).
    """
    state = State()
    state.rules = variant["rules"]
    state.draft = variant["draft"]
    state.covering = variant["covering"]
    deck = chance.shuffled("deck", range(len(CARDS)))
    state.first = chance.pick("first", seats)
    state.houses = tuple(first(deck[(seat - state.first) % seats], state.covering) for seat in range(seats))
    state.deck = tuple(deck[seats:])
    state.round = 0
    state.drafts = ()
    state.scores = (0,) * seats
    state.tokens = (ALL_TOKENS,) * seats if state.rules == SPECIALISTS else ()
    state.scored = ()
    state.chains = ()
    state.stack = []
    reveal(state, [])
    return state
