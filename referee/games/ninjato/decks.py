"""Drawing from the decks and the bag, and what happens when they run out (N-13).

Every pile is shuffled as a whole, once at the start and again when it is renewed, from a chance stream of its own
(`dojo/0`, `dojo/1`, ...): so the third card of a deck is the same whatever was played before it. A pile is renewed
only when something must be drawn from it (N-13.6).
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

DOJO, GUARDS, ELITES, TREASURES = range(4)
PILES = ("dojo", "guards", "elites", "treasures")
"""The piles that are renewed, by their place in `State.shuffles`; also the names of their chance streams."""


def shuffled(pile: int, times: int, heap: Counts, chance: Chance) -> tuple[int, ...]:
    """A pile in random order, from the stream of its `times`-th renewal."""
    return tuple(chance.shuffled(f"{PILES[pile]}/{times}", spread(heap)))


def _renew(state: State, pile: int, heap: Counts, chance: Chance, events: list[Event]) -> tuple[int, ...]:
    counts = list(state.shuffles)
    counts[pile] += 1
    state.shuffles = (counts[0], counts[1], counts[2], counts[3])
    events.append(SHUFFLED[pile])
    return shuffled(pile, counts[pile], heap, chance)


def draw_dojo(state: State, chance: Chance, events: list[Event]) -> int:
    """The top card of the Dojo deck, which is renewed from the discard pile when it is empty (N-5.7)."""
    deck = state.dojo_deck
    if not deck:
        heap = state.dojo_discard
        memory.shuffle_in(state)
        deck = _renew(state, DOJO, heap, chance, events)
        if not deck:
            raise RulesBug("no Dojo card is left; N-5.7 says that there is always one")
    state.dojo_deck = deck[1:]
    return deck[0]


def draw_guard(state: State, chance: Chance, events: list[Event]) -> int:
    """The top guard, from a renewed deck if need be (N-13.1)."""
    deck = state.guard_deck
    if not deck:
        heap = state.guard_discard
        state.guard_discard = NO_GUARDS
        deck = _renew(state, GUARDS, heap, chance, events)
        if not deck:
            raise RulesBug("no guard is left; N-13.1 says that there is always one")
    state.guard_deck = deck[1:]
    return deck[0]


def draw_elite(state: State, chance: Chance, events: list[Event]) -> int:
    """The top elite guard, or -1 when all of them are trophies (N-13.2)."""
    deck = state.elite_deck
    if not deck:
        heap = state.elite_discard
        if not any(heap):
            return -1
        state.elite_discard = NO_ELITES
        deck = _renew(state, ELITES, heap, chance, events)
    state.elite_deck = deck[1:]
    return deck[0]


def draw_treasure(state: State, chance: Chance, events: list[Event]) -> int:
    """A treasure from the bag, which is refilled from the discard pile (N-13.3), or -1 when both are empty (N-13.4)."""
    bag = state.bag
    if not bag:
        heap = state.treasure_discard
        if not any(heap):
            return -1
        state.treasure_discard = NO_TREASURES
        bag = _renew(state, TREASURES, heap, chance, events)
    state.bag = bag[1:]
    return bag[0]
