"""The start of a game (N-3)."""

from __future__ import annotations

from referee.games.ninjato import decks, dojo, market, raid, sensei
from referee.games.ninjato.components import (
    DOJO_COUNTS,
    ELITE_COUNTS,
    ENVOYS,
    GUARD_COUNTS,
    HENSOJUTSU_COUNTS,
    HOUSES,
    INITIAL_HAND,
    REGULAR_COUNTS,
    RUMORS,
    START_TOKENS,
    TOKENS,
    TREASURE_COUNTS,
)
from referee.games.ninjato.counts import (
    NO_CARDS,
    NO_ELITES,
    NO_GUARDS,
    NO_SKILLS,
    NO_TREASURES,
    gather,
    spread,
)
from referee.games.ninjato.state import State
from referee.games.ninjato.turns import begin_turn
from referee.kernel.chance import Chance
from referee.kernel.game import Event, Variant


def start(seats: int, variant: Variant, chance: Chance) -> State:
    """A new game: shuffled (N-3.1, N-3.2), laid out in the order of N-3.8, with the first seat to place.

    Each house gets the clan token of its number (N-3.4, N-R2). Ninjato has no settings, so `variant` is empty, and the
    same rules for each number of seats (N-3.9).
    """
    state = State(
        seats=seats,
        round=1,
        order=tuple(chance.order("turn-order", seats)),
        placed=(),
        honor=[0] * seats,
        hands=[NO_CARDS] * seats,
        treasures=[NO_TREASURES] * seats,
        ready=[NO_SKILLS] * seats,
        used=[NO_SKILLS] * seats,
        envoys=[()] * seats,
        rumors=[()] * seats,
        trophies=[()] * seats,
        light=[NO_TREASURES] * HOUSES,
        red=[NO_TREASURES] * HOUSES,
        sentinels=[-1] * HOUSES,
        tokens=list(START_TOKENS),
        supply=tuple(token for token in range(len(TOKENS)) if token not in START_TOKENS),
        face_up=NO_CARDS,
        sensei=(),
        palace=(),
        pavilion=(),
        dojo_deck=decks.shuffled(decks.DOJO_PILE, 0, DOJO_COUNTS, chance),
        guard_deck=decks.shuffled(decks.GUARD_PILE, 0, GUARD_COUNTS, chance),
        elite_deck=decks.shuffled(decks.ELITE_PILE, 0, ELITE_COUNTS, chance),
        bag=decks.shuffled(decks.TREASURE_PILE, 0, TREASURE_COUNTS, chance),
        envoy_deck=tuple(chance.order("envoys", len(ENVOYS))),
        rumor_deck=tuple(chance.order("rumors", len(RUMORS))),
        skill_deck=tuple(chance.shuffled("skills", spread(REGULAR_COUNTS))),
        hensojutsu_deck=tuple(chance.shuffled("hensojutsu", spread(HENSOJUTSU_COUNTS))),
        dojo_discard=NO_CARDS,
        guard_discard=NO_GUARDS,
        elite_discard=NO_ELITES,
        treasure_discard=NO_TREASURES,
        retired=NO_SKILLS,
        shuffles=(0, 0, 0, 0),
        known=[NO_CARDS] * seats,
        fresh=[NO_CARDS] * seats,
        doubts=[()] * seats,
        pool=DOJO_COUNTS,
        stack=[],
    )
    _lay_out(state, chance)
    begin_turn(state)
    return state


def _lay_out(state: State, chance: Chance) -> None:
    """Lay out Sentinels and treasures, the displays, the hands, the face-up Dojo cards (N-3.3 to N-3.8)."""
    unsaid: list[Event] = []
    for house in range(HOUSES):
        raid.stock(state, house, chance, unsaid)
    sensei.display(state, state.round, unsaid)
    market.fill_palace(state, unsaid)
    market.fill_pavilion(state, unsaid)
    for seat in range(state.seats):
        hand, state.dojo_deck = state.dojo_deck[:INITIAL_HAND], state.dojo_deck[INITIAL_HAND:]
        state.hands[seat] = state.fresh[seat] = gather(hand, NO_CARDS)
    dojo.turn_up(state, chance, unsaid)
