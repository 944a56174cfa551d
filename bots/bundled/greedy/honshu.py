"""Greedy at Honshu: the card and the placement of the highest promise, and no bid above its gain.

The promise of a domain is its score now, plus estimates of what is still open: cubes without a factory, factories
without a cube, lakes and towns that can grow. The estimates fade as the rounds run out. Every placement is first
estimated cell by cell; the best `CANDIDATES` placements are laid and judged by the promise of the whole domain. A card
is worth what its best placement adds. Bids, picks and pairs follow from the worth of the cards on the table for the
seat's own domain and, with two players, for the other domain too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias, cast

from bots.ask import Ask
from bots.bundled.greedy.honshu_judging import SurveyedDomain
from referee.games.honshu.components import (
    COLOUR_OF,
    COLOURS,
    FACTORIES,
    FIELD,
    FOREST,
    KINDS,
    LAKE,
    POINTS,
    PRODUCTION,
    PRODUCTION_CELLS,
    PROVINCE_FACES,
    TOWN,
)
from referee.games.honshu.components import PLAY as CONSTANTS
from referee.games.honshu.domain import Domain, Laid, domain_of
from referee.games.honshu.geometry import CELLS, OFFSETS, STRIDE, cell, position
from referee.games.honshu.layering import SLOT_UNIT
from referee.games.honshu.options import (
    DECK_PAIR,
    DECLINE,
    HAND_PAIR,
    Keep,
    Override,
    Pick,
    Placement,
    Play,
)
from referee.games.honshu.scoring import FIRST_FACTORY, Land, deliver, lake_groups, land_of, largest_town, score
from referee.games.honshu.state import KEEP, NO_CUBE, OVERRIDE, PAIR, PICK, PLACE, PLAY, PLAY2, State
from referee.games.honshu.tricks import value
from referee.games.honshu.view import View, unseen_cards
from referee.kernel import grid
from referee.kernel.game import Seat

CANDIDATES = 8
"""Number of placements that are judged by the whole domain."""
LOOSE_CUBE = 1.5
"""Points that a cube without a factory is worth at the beginning."""
LOOSE_FACTORY = 0.5
"""Share of its points that a factory without a cube is worth at the beginning."""
OTHER_TOWN = 0.25
"""Points that a town cell outside the largest town is worth, because a later card may join both."""
LAKE_GROUP = 1.0
"""Points that a group of lakes is worth at the beginning, because the group may grow."""
FIELD_WORTH = 0.02
"""Points that a field is worth, which breaks ties only."""
LATER_CUBE = 0.2
"""Probability that a seat that has not played yet adds a cube to its bid."""
SUPPLIED = 2.5
"""Estimated points of a cube that finds a factory without a cube."""
AROUND = (1, -1, STRIDE, -STRIDE)
INDICES = tuple(tuple(index for index in range(CELLS) if mask >> index & 1) for mask in range(1 << CELLS))
"""By mask of a card's cells: the indices of the cells in the mask."""


class Holding(NamedTuple):
    """One seat's domain and everything that its promise depends on."""

    domain: Domain
    cubes: tuple[int, ...]
    """The position of each cube."""
    left: int
    """Number of cards still to be laid; greedy does not count the card of this round, the search does."""
    scoring_card: int
    equals_cards: str
    factories: str

    @property
    def fade(self) -> float:
        """Weight of the estimates of what is open, from 1 in the first round down to 0."""
        return self.left / CONSTANTS.rounds

    def counts(self) -> list[int]:
        """Number of cubes of each colour."""
        counts = [0] * len(COLOURS)
        for at in self.cubes:
            counts[COLOUR_OF[self.domain.cells[at] % SLOT_UNIT]] += 1
        return counts


class BestPlacement(NamedTuple):
    """The best placement of a card."""

    worth: float
    """The promise that the placement adds to the domain."""
    placement: Placement


PairWorth: TypeAlias = Callable[[Holding, Sequence[int]], float]
"""A function that gives the worth of a pair of cards for a domain."""


def holding(view: View, seat: Seat) -> Holding:
    """A seat's domain as the view shows it."""
    seen = view.domains[seat]
    domain = domain_of(PROVINCE_FACES[seen.province], seen.laid, view.rules.layering == "free")
    cubes = tuple([position(*cube) for cube in seen.cubes])
    return Holding(
        domain, cubes, CONSTANTS.rounds - view.round, view.scoring_card, view.rules.equals_cards, view.rules.factories
    )


def promise(held: Holding) -> float:
    """The score of a domain, and the estimates of what is open in it."""
    return _promise_of(land_of(held.domain.cells), tuple(held.counts()), held)


def _promise_of(land: Land, counts: tuple[int, ...], held: Holding) -> float:
    """The promise of this land with so many cubes of each colour, by the rules of a holding."""
    lines = score(land, counts, held.scoring_card, held.equals_cards, held.factories)
    towns = land.town.bit_count() - largest_town(land.town).bit_count()
    lakes = lake_groups(land.lake)
    cubes, idle = _unmatched(land.tally[FIRST_FACTORY:], counts)
    open_ends = LAKE_GROUP * lakes + OTHER_TOWN * towns + (LOOSE_CUBE * cubes + LOOSE_FACTORY * idle)
    return lines.total + FIELD_WORTH * lines.fields + held.fade * open_ends


def unmatched(land: Land, counts: Sequence[int]) -> tuple[int, int]:
    """Number of cubes without a factory, and value of all factories without a cube."""
    return _unmatched(land.tally[FIRST_FACTORY:], tuple(counts))


@lru_cache(maxsize=1 << 12)
def _unmatched(built: tuple[int, ...], counts: tuple[int, ...]) -> tuple[int, int]:
    tally = (*[0] * FIRST_FACTORY, *built)
    cubes = sum(deliver(tally, counts, POINTS.factory_capacity).surplus)
    idle = 0
    for factories, count in zip(FACTORIES, counts, strict=True):
        values = [KINDS[kind].value for kind in factories for _ in range(tally[kind])]
        idle += sum(values[count:])
    return cubes, idle


def after(held: Holding, card: int, place: Placement, laid: int = 0) -> Holding:
    """A domain after a card is laid: covered cubes are gone, new ones are added, and `laid` cards fewer are left."""
    domain = held.domain.lay(Laid(card, *place))
    newest = (len(domain.above) - 1) * SLOT_UNIT
    kept = [at for at in held.cubes if domain.cells[at] < newest]
    at = position(place.row, place.col)
    fresh = [at + OFFSETS[place.k][index] for index, _ in PRODUCTION_CELLS[card] if not place.mask >> index & 1]
    return held._replace(domain=domain, cubes=tuple(kept + fresh), left=held.left - laid)


@lru_cache(maxsize=512)
def best(held: Holding, card: int) -> BestPlacement:
    """The best placement of a card; cached, because a card that was judged in the trick is placed later."""
    surveyed = _surveyed(held)
    chosen = surveyed.best_guesses(card, CANDIDATES)
    judged = [_promise_of(*surveyed.after(card, *place), held) for place in chosen]
    most = max(judged)
    k, at, mask = chosen[judged.index(most)]
    return BestPlacement(most - _promise_now(held), Placement(k, *cell(at), mask))


_promise_now = lru_cache(maxsize=64)(promise)


@lru_cache(maxsize=64)
def _surveyed(held: Holding) -> SurveyedDomain:
    return SurveyedDomain(held.domain, held.cubes, CellGains(held).table)


class CellGains:
    """The estimated gain of a visible cell of each kind at each position of a domain."""

    def __init__(self, held: Holding) -> None:
        cells = {at: seen % SLOT_UNIT for at, seen in held.domain.cells.items()}
        lakes = grid.groups(sum(1 << at for at, kind in cells.items() if kind == LAKE), STRIDE)
        town = set(grid.bits(largest_town(sum(1 << at for at, kind in cells.items() if kind == TOWN))))
        shores = Counter(at for group in lakes for at in {at + step for at in grid.bits(group) for step in AROUND})
        self._bare = _bare(held)
        self._more = {
            TOWN: dict.fromkeys((at + step for at in town for step in AROUND), POINTS.town - self._bare[TOWN]),
            LAKE: {at: float(POINTS.lake_after_first * groups) for at, groups in shores.items()},
        }
        empty = {at for at, kind in cells.items() if kind in PRODUCTION} - set(held.cubes)
        self._loss = {at: self._bare[kind] for at, kind in cells.items() if at not in empty}
        self._loss.update(dict.fromkeys(town, float(POINTS.town)))
        self._tables: dict[int, tuple[dict[int, float], float]] = {}

    def table(self, kind: int) -> tuple[dict[int, float], float]:
        """The gain of a cell of a kind by position, and its gain at every other position."""
        if kind not in self._tables:
            bare = self._bare[kind]
            net = {at: bare - loss for at, loss in self._loss.items()}
            for at, more in self._more.get(kind, {}).items():
                net[at] = net.get(at, bare) + more
            self._tables[kind] = net, bare
        return self._tables[kind]


def _bare(held: Holding) -> list[float]:
    """The gain of a cell of each kind without its neighbours."""
    fade = held.fade
    tally = land_of(held.domain.cells).tally
    worth = [0.0] * len(KINDS)
    worth[FOREST], worth[FIELD] = POINTS.forest, FIELD_WORTH
    worth[TOWN], worth[LAKE] = OTHER_TOWN * fade, LAKE_GROUP * fade
    for colour, (factories, count) in enumerate(zip(FACTORIES, held.counts(), strict=True)):
        idle = sum(tally[kind] for kind in factories) - count
        for kind in factories:
            worth[kind] = KINDS[kind].value * (1.0 if idle < 0 else LOOSE_FACTORY * fade)
        worth[PRODUCTION[colour]] = SUPPLIED if idle > 0 else LOOSE_CUBE * fade
    return worth


def choose(ask: Ask[State, View]) -> int:
    """The index of the greedy answer."""
    return _CHOICES[ask.kind](ask)


def _place(ask: Ask[State, View]) -> int:
    view = ask.view
    return ask.index(best(holding(view, ask.seat), view.taken[ask.seat]).placement)


def _pick(ask: Ask[State, View]) -> int:
    """The card that adds most to the seat's own domain."""
    held = holding(ask.view, ask.seat)
    return ask.index(max((Pick(card) for card in ask.view.faceup), key=lambda pick: best(held, pick.card).worth))


def _play(ask: Ask[State, View]) -> int:
    """The bid with the best expected pick, less the worth of the bid's cube."""
    view, seat = ask.view, ask.seat
    held = holding(view, seat)
    known = [best(held, bid.card).worth for bid in view.trick]
    own = {card: best(held, card).worth for card in view.known_hands[seat]}
    average = sum(own.values()) / len(own)
    rivals = len(view.order) - len(view.trick) - 1
    bids = [value(bid) for bid in view.trick]
    price = {None: 0.0} | {cube: _price(held, position(*cube)) for cube in view.domains[seat].cubes}
    first = not any(bid.colour != NO_CUBE for bid in view.trick)

    def expected(play: Play) -> float:
        bid = play.card if play.cube is None else play.card + CONSTANTS.cube_bonus
        behind = sum(other > bid for other in bids) + rivals * _beaten(play, first)
        pool = sorted([*known, own[play.card], *[average] * rivals], reverse=True)
        return _at(pool, behind) - price[play.cube]

    plays = cast(Sequence[Play], list(ask.options))
    return max(range(len(plays)), key=lambda index: (expected(plays[index]), -index))


def _beaten(play: Play, first: bool) -> float:
    """Probability that one later seat bids more."""
    higher = (CONSTANTS.cube_bonus - play.card) / CONSTANTS.cube_bonus
    if play.cube is not None:
        return LATER_CUBE * higher
    return LATER_CUBE + (1 - LATER_CUBE) * higher if first else LATER_CUBE / 2 + (1 - LATER_CUBE / 2) * higher


def _at(pool: Sequence[float], index: float) -> float:
    """The value at a fractional index of a falling list."""
    low = min(int(index), len(pool) - 1)
    high = min(low + 1, len(pool) - 1)
    return pool[low] + (pool[high] - pool[low]) * (index - int(index))


def _price(held: Holding, *spent: int) -> float:
    """The points of cubes at their positions."""
    return promise(held) - promise(held._replace(cubes=tuple(at for at in held.cubes if at not in spent)))


def _pair_worth(held: Holding, cards: Sequence[int]) -> float:
    """The worth of the better card of a pair."""
    return max(best(held, card).worth for card in cards)


def _play2(ask: Ask[State, View]) -> int:
    """The card of the highest expected pair: the better pair if the seat leads, else the mean of both."""
    view, seat = ask.view, ask.seat
    held = holding(view, seat)
    rival = 1 - seat
    others = view.known_hands[rival] or unseen_cards(view)
    deck = _pair_worth(held, view.revealed)

    def expected(card: int) -> float:
        hand = best(held, card).worth
        lead = sum(other < card for other in others) / len(others)
        return lead * max(deck, hand) + (1 - lead) * (deck + hand) / 2

    cards = view.known_hands[seat]
    return ask.index(Play(max(cards, key=expected), None))


def balance(own: Holding, rival: Holding, deck: Sequence[int], hand: Sequence[int], worth: PairWorth) -> float:
    """The gain of the deck pair over the hand pair for a seat, less what the other seat gains by the hand pair."""
    mine = worth(own, deck) - worth(own, hand)
    theirs = worth(rival, hand) - worth(rival, deck)
    return mine - theirs


def _balance(view: View, seat: Seat) -> float:
    return balance(holding(view, seat), holding(view, 1 - seat), view.revealed, view.faceup, _pair_worth)


def _pair(ask: Ask[State, View]) -> int:
    return ask.index(DECK_PAIR if _balance(ask.view, ask.seat) > 0 else HAND_PAIR)


def _override(ask: Ask[State, View]) -> int:
    """Pay the two cheapest cubes if the choice is worth more than the cubes."""
    view, seat = ask.view, ask.seat
    held = holding(view, seat)
    own, theirs = _balance(view, seat), _balance(view, 1 - seat)
    gain = abs(own) if (own > 0) == (theirs > 0) else 0.0
    price, pair = min((_price(held, *pair), pair) for pair in combinations(held.cubes, CONSTANTS.override_cubes))
    return ask.index(Override(tuple(cell(at) for at in pair)) if gain > price else DECLINE)


def _keep(ask: Ask[State, View]) -> int:
    held = holding(ask.view, ask.seat)
    return ask.index(max((Keep(card) for card in ask.view.offers[ask.seat]), key=lambda keep: best(held, keep.card)))


_CHOICES: dict[str, Callable[[Ask[State, View]], int]] = {
    PLAY: _play,
    PICK: _pick,
    PLAY2: _play2,
    OVERRIDE: _override,
    PAIR: _pair,
    KEEP: _keep,
    PLACE: _place,
}
