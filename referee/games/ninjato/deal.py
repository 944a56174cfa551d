"""Dealing the hidden Dojo cards anew so that everything the viewer remembers still holds.

A hand consists of known, fresh and old cards (`memory.py`): fresh ones are dealt from the pool, old ones from the heap
of old cards, after the viewer's own cards were taken out; what is left of the pool is the deck. Two things restrict
the deal: a doubtful card was fresh or old, and must have come from somewhere; and a player who is choosing a skill tile
can pay for one (N-4.4). Such cards are put into hands first, by a search that tries all ways; the rest is free.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from referee.games.ninjato.components import Counts
from referee.games.ninjato.counts import NO_CARDS, gather, minus, plus, spread
from referee.games.ninjato.memory import old_pool, old_size
from referee.games.ninjato.sensei import learnable
from referee.games.ninjato.view import View
from referee.kernel.chance import Chance
from referee.kernel.errors import RulesBug
from referee.kernel.game import Seat

_STREAM = "world"
_TRIES = 12
"""Free deals before a card that must be in a hand is put there on purpose."""
OLD, FRESH = 0, 1


@dataclass(slots=True)
class _Hidden:
    """The hidden cards of one seat: how many are still to be dealt of each sort, and those that were."""

    open: list[int]
    """Places for old and for fresh cards."""
    cards: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))


class _Must(NamedTuple):
    """A card that a seat has, or had: one of `cards`, fresh only while fewer than `limit` such were fresh."""

    seat: Seat
    cards: tuple[int, ...]
    limit: int


class _Dealer:
    """One deal: the two heaps that are left, and the hands of the others as they grow."""

    __slots__ = ("chance", "heaps", "hidden")

    def __init__(self, view: View, chance: Chance) -> None:
        self.chance = chance
        old = old_pool(view.dojo_discard, view.face_up, view.pool, view.known, view.doubts)
        pool = view.pool
        if view.seat is not None and view.hand is not None and view.drawn is not None:
            own = plus(view.hand, _doubtful(view, view.seat))
            old = minus(old, minus(minus(own, view.known[view.seat]), view.drawn))
            pool = minus(pool, view.drawn)
        self.heaps = (list(old), list(pool))
        self.hidden = {
            seat: _Hidden([_old_size(view, seat), view.fresh[seat]])
            for seat in range(len(view.order))
            if seat != view.seat
        }

    def put(self, musts: list[_Must], at: int = 0) -> bool:
        """Find a place for every card that must have one, from the one at `at` on; False if there is no way."""
        if at == len(musts):
            return True
        must = musts[at]
        hand = self.hidden[must.seat]
        for sort, card in self._ways(must, hand):
            self.heaps[sort][card] -= 1
            hand.open[sort] -= 1
            hand.cards[sort].append(card)
            if self.put(musts, at + 1):
                return True
            hand.cards[sort].pop()
            hand.open[sort] += 1
            self.heaps[sort][card] += 1
        return False

    def _ways(self, must: _Must, hand: _Hidden) -> list[tuple[int, int]]:
        """The ways to place a card, one drawn by its weight in front."""
        ways, weights = [], []
        for card in must.cards:
            for sort, heap in enumerate(self.heaps):
                late = sort == FRESH and len(hand.cards[FRESH]) >= must.limit
                if heap[card] and hand.open[sort] and not late:
                    ways.append((sort, card))
                    weights.append(hand.open[sort] * heap[card] * sum(self.heaps[1 - sort]) or 1)
        if len(ways) > 1:
            drawn = self.chance.pick(_STREAM, sum(weights))
            at = 0
            while drawn >= weights[at]:
                drawn -= weights[at]
                at += 1
            ways.insert(0, ways.pop(at))
        return ways

    def deal(self) -> list[int]:
        """Fill the hands at random; what is left of the pool is the deck."""
        piles = [self.chance.shuffled(_STREAM, spread(tuple(heap))) for heap in self.heaps]
        for hand in self.hidden.values():
            for sort, pile in enumerate(piles):
                count = hand.open[sort]
                hand.cards[sort].extend(pile[:count])
                del pile[:count]
        return piles[FRESH]


def deal(view: View, chance: Chance) -> tuple[list[Counts], list[Counts], tuple[int, ...]]:
    """Hands by seat, fresh cards by seat, and the Dojo deck."""
    doubts = [
        _Must(seat, (card,), limit)
        for seat, spent in enumerate(view.doubts)
        if seat != view.seat
        for card, limit in spent
    ]
    needed = _needed(view)
    for attempt in range(_TRIES + 1):
        dealer = _Dealer(view, chance)
        musts = doubts
        if needed is not None and attempt == _TRIES:
            musts = [*doubts, needed]
        if not dealer.put(musts):
            break
        deck = dealer.deal()
        hands, fresh = _hands(view, dealer)
        if needed is None or any(hands[needed.seat][card] for card in needed.cards):
            return hands, fresh, tuple(deck)
    raise RulesBug("no deal of the hidden Dojo cards fits the view")


def _hands(view: View, dealer: _Dealer) -> tuple[list[Counts], list[Counts]]:
    hands, fresh = [], []
    for seat in range(len(view.order)):
        if view.hand is not None and view.drawn is not None and seat == view.seat:
            hands.append(view.hand)
            fresh.append(view.drawn)
        else:
            old_cards, fresh_cards = dealer.hidden[seat].cards
            all_cards = plus(gather(old_cards, gather(fresh_cards, NO_CARDS)), view.known[seat])
            hands.append(minus(all_cards, _doubtful(view, seat)))
            fresh.append(gather(fresh_cards, NO_CARDS))
    return hands, fresh


def _doubtful(view: View, seat: Seat) -> Counts:
    return gather((card for card, _ in view.doubts[seat]), NO_CARDS)


def _old_size(view: View, seat: Seat) -> int:
    return old_size(view.hand_sizes[seat], sum(view.known[seat]), view.fresh[seat], len(view.doubts[seat]))


def _needed(view: View) -> _Must | None:
    """The cards of which the player who is choosing a skill tile must hold one, unless one can be paid anyway."""
    frame = view.frame
    if frame is None or frame[0] != "sensei_take" or frame[1] == view.seat:
        return None
    seat: Seat = frame[1]
    ready, used = view.ready[seat], view.used[seat]
    if learnable(view.sensei, ready, used, view.known[seat]):
        return None
    single = [(card, gather((card,), NO_CARDS)) for card in range(len(NO_CARDS))]
    cards = tuple(card for card, hand in single if learnable(view.sensei, ready, used, hand))
    return _Must(seat, cards, view.fresh[seat])
