"""The public books about hidden Dojo cards: all that a player with a perfect memory knows (N-14, N-14.1).

Three things are public about hidden cards: a card taken face up is in that hand until a card of its value leaves it;
the pile that was shuffled into the Dojo deck lay open, so the deck's contents at that moment are known; and a card
that leaves a hand is seen. From these follows the bookkeeping of this module. A hand consists of

    known cards     taken face up;
    fresh cards     drawn unseen from the deck as it was shuffled last;
    old cards       drawn unseen before that shuffle.

`pool` is the deck and all fresh cards together. All old cards together are what is left of the 52 after the pool, the
known cards, the face-up cards and the discard pile. So the books tell from which heap each hidden card comes, and a
seat that subtracts its own cards can tell more: with two seats, a shuffle of the deck shows the other hand.

When a value leaves a hand, a known card of that value goes first: equal cards are interchangeable, so no knowledge is
lost. Without one, the card was fresh or old. If the seat had only one of the two sorts, the card is traced; otherwise
it stays a **doubt** until the next shuffle, when the old and the fresh cards of all hands become one heap of old ones.
The books never exclude what is true, and within one shuffle of the deck they exclude everything that is not possible.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.ninjato.components import DOJO_COUNTS, Counts
from referee.games.ninjato.counts import NO_CARDS, fewer, gather, minus, more, plus, total
from referee.games.ninjato.state import Doubt, State
from referee.kernel.game import Seat


def take_face_up(state: State, seat: Seat, card: int) -> None:
    """A seat takes a face-up card: all seats know that it is in that hand (N-5.3, N-14)."""
    state.face_up = fewer(state.face_up, card)
    state.hands[seat] = more(state.hands[seat], card)
    state.known[seat] = more(state.known[seat], card)


def draw_unseen(state: State, seat: Seat, card: int) -> None:
    """A seat takes the card that was on top of the deck; no other seat sees it (N-5.3, N-14)."""
    state.hands[seat] = more(state.hands[seat], card)
    state.fresh[seat] = more(state.fresh[seat], card)


def turn_up(state: State, card: int) -> None:
    """The card that was on top of the deck is turned face up (N-5.5)."""
    state.face_up = more(state.face_up, card)
    state.pool = fewer(state.pool, card)


def shuffle_in(state: State) -> None:
    """The discard pile becomes the pool of the empty deck (N-5.7); all hidden cards in hands are old from now on."""
    state.pool = state.dojo_discard
    state.dojo_discard = NO_CARDS
    for seat in range(state.seats):
        state.fresh[seat] = NO_CARDS
        state.doubts[seat] = ()


def spend(state: State, seat: Seat, card: int) -> None:
    """A card goes from a hand to the discard pile, seen by all (N-5.4, N-6.2, N-7.9)."""
    hand, known = state.hands[seat], state.known[seat]
    if known[card]:
        state.known[seat] = fewer(known, card)
    else:
        fresh = sum(state.fresh[seat])
        if not old_size(sum(hand), sum(known), fresh, len(state.doubts[seat])):
            state.fresh[seat] = fewer(state.fresh[seat], card)
            state.pool = fewer(state.pool, card)
        elif fresh:
            state.doubts[seat] = (*state.doubts[seat], (card, fresh))
    state.hands[seat] = fewer(hand, card)
    state.dojo_discard = more(state.dojo_discard, card)


def spend_all(state: State, seat: Seat, cards: Counts) -> None:
    """Several cards go from a hand to the discard pile (N-7.9)."""
    for card, count in enumerate(cards):
        for _ in range(count):
            spend(state, seat, card)


def old_size(hand: int, known: int, fresh: int, doubts: int) -> int:
    """The number of old cards that a seat holds or may have spent in doubt, from the sizes of its heaps."""
    return hand - known - fresh + doubts


def old_pool(
    discard: Counts, face_up: Counts, pool: Counts, known: Iterable[Counts], doubts: Iterable[Iterable[Doubt]]
) -> Counts:
    """The old cards of all seats together, with those that their doubts may be, from public knowledge alone."""
    elsewhere = total((discard, face_up, pool, *known), NO_CARDS)
    spent = gather((card for seat in doubts for card, _ in seat), NO_CARDS)
    return plus(minus(DOJO_COUNTS, elsewhere), spent)
