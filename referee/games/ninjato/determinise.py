"""A random full state that is consistent with a view, that is, with an information set (N-14): `determinise`.

Hidden are the order of the decks and the hands of the other seats. The decks are shuffled anew from the components
that are visible nowhere else. A hand consists of known, fresh and old Dojo cards (`memory.py`): fresh cards are dealt
from the pool, old cards from the heap of old cards, after the viewer's own cards were taken out of both; what is left
of the pool is the Dojo deck. Two things restrict the deal: a card in doubt was fresh or old, and one of the two must
have been there; and a seat that is choosing a skill tile can pay for one (N-4.4). Such cards are put into hands first,
by a search that tries all ways; the rest of the deal is free.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from referee.games.ninjato.components import (
    ELITE_COUNTS,
    ENVOYS,
    GUARD_COUNTS,
    HENSOJUTSU_COUNTS,
    REGULAR_COUNTS,
    RUMORS,
    TREASURE_COUNTS,
    Counts,
)
from referee.games.ninjato.counts import (
    NO_CARDS,
    NO_ELITES,
    NO_GUARDS,
    NO_SKILLS,
    NO_TREASURES,
    gather,
    minus,
    plus,
    spread,
    total,
)
from referee.games.ninjato.memory import old_pool, old_size
from referee.games.ninjato.sensei import learnable
from referee.games.ninjato.state import ELITE, GUARD, Raid, State
from referee.games.ninjato.view import View
from referee.kernel.chance import Chance
from referee.kernel.errors import RulesBug
from referee.kernel.game import Seat

_STREAM = "world"
_FREE_DEALS = 12
"""Deals that may miss the price of a skill tile before its card is put into the hand on purpose."""
OLD, FRESH = 0, 1
"""The two sorts of hidden cards: indices of heaps, of open places and of dealt cards."""


def determinise(view: View, chance: Chance) -> State:
    """A random state whose view for `view.seat` is `view`."""
    hands, fresh, deck = _deal(view, chance)
    frame = view.frame
    raid = frame if isinstance(frame, Raid) else None
    return State(
        seats=len(view.order),
        round=view.round,
        order=view.order,
        placed=view.placed,
        honor=list(view.honor),
        hands=hands,
        treasures=list(view.treasures),
        ready=list(view.ready),
        used=list(view.used),
        envoys=list(view.envoys),
        rumors=list(view.rumors),
        trophies=list(view.trophies),
        light=list(view.light),
        red=list(view.red),
        sentinels=list(view.sentinels),
        tokens=list(view.tokens),
        supply=view.supply,
        face_up=view.face_up,
        sensei=view.sensei,
        palace=view.palace,
        pavilion=view.pavilion,
        dojo_deck=deck,
        guard_deck=_guard_deck(view, raid, chance),
        elite_deck=_elite_deck(view, raid, chance),
        bag=_bag(view, raid, chance),
        envoy_deck=_rest(len(ENVOYS), (*view.envoys, view.palace), chance),
        rumor_deck=_rest(len(RUMORS), (*view.rumors, view.pavilion), chance),
        skill_deck=_skill_deck(view, REGULAR_COUNTS, chance),
        hensojutsu_deck=_skill_deck(view, HENSOJUTSU_COUNTS, chance),
        dojo_discard=view.dojo_discard,
        guard_discard=view.guard_discard,
        elite_discard=view.elite_discard,
        treasure_discard=view.treasure_discard,
        retired=view.retired,
        shuffles=view.shuffles,
        known=list(view.known),
        fresh=fresh,
        doubts=list(view.doubts),
        pool=view.pool,
        stack=[] if frame is None else [frame],
    )


def _shuffled(heap: Counts, chance: Chance) -> tuple[int, ...]:
    return tuple(chance.shuffled(_STREAM, spread(heap)))


def _guard_deck(view: View, raid: Raid | None, chance: Chance) -> tuple[int, ...]:
    seen = [kind for kind in view.sentinels if kind >= 0]
    if raid is not None and raid.opponent == GUARD:
        seen.append(raid.card)
    return _shuffled(minus(minus(GUARD_COUNTS, view.guard_discard), gather(seen, NO_GUARDS)), chance)


def _elite_deck(view: View, raid: Raid | None, chance: Chance) -> tuple[int, ...]:
    seen = [kind for trophies in view.trophies for kind in trophies]
    if raid is not None and raid.opponent == ELITE:
        seen.append(raid.card)
    return _shuffled(minus(minus(ELITE_COUNTS, view.elite_discard), gather(seen, NO_ELITES)), chance)


def _bag(view: View, raid: Raid | None, chance: Chance) -> tuple[int, ...]:
    loot = () if raid is None else (raid.light, raid.red)
    seen = total((*view.treasures, *view.light, *view.red, view.treasure_discard, *loot), NO_TREASURES)
    return _shuffled(minus(TREASURE_COUNTS, seen), chance)


def _skill_deck(view: View, stack: Counts, chance: Chance) -> tuple[int, ...]:
    seen = total((*view.ready, *view.used, view.retired), gather(view.sensei, NO_SKILLS))
    left = tuple(count - out if count else 0 for count, out in zip(stack, seen, strict=True))
    return _shuffled(left, chance)


def _rest(count: int, seen: tuple[tuple[int, ...], ...], chance: Chance) -> tuple[int, ...]:
    """The cards of a deck of single cards, numbered below `count`, that were not seen."""
    gone = {card for cards in seen for card in cards}
    return tuple(chance.shuffled(_STREAM, [card for card in range(count) if card not in gone]))


@dataclass(slots=True)
class _HiddenHand:
    """The hidden Dojo cards of one seat in a deal: places that are open, and the cards in the others."""

    open: list[int]
    """Number of places for old and for fresh cards."""
    cards: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    """Old and fresh cards that were dealt."""


class _Must(NamedTuple):
    """A restriction of the deal: a seat has, or had, one of `cards`."""

    seat: Seat
    cards: tuple[int, ...]
    limit: int
    """Fresh cards that the seat had drawn by then; the card was one of these, or old."""


class _Dealer:
    """One deal: the two heaps that are left, and the hidden hands as they grow."""

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
            seat: _HiddenHand([_old_size(view, seat), view.fresh[seat]])
            for seat in range(len(view.order))
            if seat != view.seat
        }

    def put(self, musts: list[_Must], at: int = 0) -> bool:
        """Find a place for the card of every restriction from number `at` on; False if there is no way."""
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

    def _ways(self, must: _Must, hand: _HiddenHand) -> list[tuple[int, int]]:
        """The ways to place a card as (sort, card), one drawn by its weight in front."""
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

    def fill(self) -> list[int]:
        """Fill the open places of all hands at random; returns what is left of the pool, the Dojo deck."""
        piles = [self.chance.shuffled(_STREAM, spread(tuple(heap))) for heap in self.heaps]
        for hand in self.hidden.values():
            for sort, pile in enumerate(piles):
                count = hand.open[sort]
                hand.cards[sort].extend(pile[:count])
                del pile[:count]
        return piles[FRESH]


def _deal(view: View, chance: Chance) -> tuple[list[Counts], list[Counts], tuple[int, ...]]:
    """Hands by seat, fresh cards by seat, and the Dojo deck."""
    doubts = [
        _Must(seat, (card,), limit)
        for seat, spent in enumerate(view.doubts)
        if seat != view.seat
        for card, limit in spent
    ]
    price = _price_in_hand(view)
    for attempt in range(_FREE_DEALS + 1):
        dealer = _Dealer(view, chance)
        musts = doubts if price is None or attempt < _FREE_DEALS else [*doubts, price]
        if not dealer.put(musts):
            break
        deck = dealer.fill()
        hands, fresh = _hands(view, dealer)
        if price is None or any(hands[price.seat][card] for card in price.cards):
            return hands, fresh, tuple(deck)
    raise RulesBug("no deal of the hidden Dojo cards fits the view")


def _hands(view: View, dealer: _Dealer) -> tuple[list[Counts], list[Counts]]:
    """Hands and fresh cards by seat: the viewer's own as they are, the others' as dealt, without cards in doubt."""
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


def _price_in_hand(view: View) -> _Must | None:
    """The cards of which a seat that is choosing a skill tile holds one (N-6.2); None if known cards pay for one."""
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
