"""Drawing from the decks and the bag, and renewing them when they run out (N-13).

Every pile is shuffled as a whole, once at the start and again when it is renewed, from a chance stream of its own
(`dojo/0`, `dojo/1`, ...): so the third card of a deck is the same whatever was played before it (N-15). A pile is
renewed only when something must be drawn from it (N-13.6, N-R23).
"""

from __future__ import annotations

from referee.games.ninjato import memory
from referee.games.ninjato.components import Counts
from referee.games.ninjato.counts import NO_ELITES, NO_GUARDS, NO_TREASURES, spread
from referee.games.ninjato.events import SHUFFLED
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.errors import RulesBug
from referee.kernel.game import Event

DOJO_PILE, GUARD_PILE, ELITE_PILE, TREASURE_PILE = range(4)
PILES = ("dojo", "guards", "elites", "treasures")
"""Names of the piles that are renewed, and of their chance streams, by their place in `State.shuffles`."""


def shuffled(pile: int, times: int, heap: Counts, chance: Chance) -> tuple[int, ...]:
    """A pile in random order, from the stream of its `times`-th renewal."""
    return tuple(chance.shuffled(f"{PILES[pile]}/{times}", spread(heap)))


def _renew(state: State, pile: int, heap: Counts, chance: Chance, events: list[Event]) -> tuple[int, ...]:
    """The new order of a pile that is made of `heap`; counts the shuffle and tells it to all."""
    counts = list(state.shuffles)
    counts[pile] += 1
    state.shuffles = (counts[0], counts[1], counts[2], counts[3])
    events.append(SHUFFLED[pile])
    return shuffled(pile, counts[pile], heap, chance)


def draw_dojo(state: State, chance: Chance, events: list[Event]) -> int:
    """The top card of the Dojo deck, renewed from the discard pile when the deck is empty (N-5.7)."""
    deck = state.dojo_deck
    if not deck:
        heap = state.dojo_discard
        memory.shuffle_in(state)
        deck = _renew(state, DOJO_PILE, heap, chance, events)
        if not deck:
            raise RulesBug("no Dojo card is left; N-5.7 says that there is always one")
    state.dojo_deck = deck[1:]
    return deck[0]


def draw_guard(state: State, chance: Chance, events: list[Event]) -> int:
    """The top guard, from the renewed deck when the old one is empty (N-13.1)."""
    deck = state.guard_deck
    if not deck:
        heap = state.guard_discard
        state.guard_discard = NO_GUARDS
        deck = _renew(state, GUARD_PILE, heap, chance, events)
        if not deck:
            raise RulesBug("no guard is left; N-13.1 says that there is always one")
    state.guard_deck = deck[1:]
    return deck[0]


def draw_elite(state: State, chance: Chance, events: list[Event]) -> int:
    """The top elite guard, or -1 when all of them are trophies (N-13.2, N-R17)."""
    deck = state.elite_deck
    if not deck:
        heap = state.elite_discard
        if not any(heap):
            return -1
        state.elite_discard = NO_ELITES
        deck = _renew(state, ELITE_PILE, heap, chance, events)
    state.elite_deck = deck[1:]
    return deck[0]


def draw_treasure(state: State, chance: Chance, events: list[Event]) -> int:
    """A treasure from the bag, refilled from the discard pile (N-13.3); -1 when both are empty (N-13.4, N-R18)."""
    bag = state.bag
    if not bag:
        heap = state.treasure_discard
        if not any(heap):
            return -1
        state.treasure_discard = NO_TREASURES
        bag = _renew(state, TREASURE_PILE, heap, chance, events)
    state.bag = bag[1:]
    return bag[0]
