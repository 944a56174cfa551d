"""The search's guide to Honshu.

The worth of a domain is its score, plus estimates of what is still open, weighed by the number of cards still to come.
The weights were fitted to the results of games between greedy bots: fields count because they can be covered without
loss, lakes and factories without a cube because there is time to join and to supply them. Placements are first
estimated cell by cell, then the best few are judged by the whole domain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from heapq import nlargest
from random import Random
from typing import NamedTuple, cast

from bots.bundled.greedy.honshu import INDICES, Holding, after, balance, unmatched
from bots.bundled.ismcts.guide import Candidate, best_first
from referee.games.honshu.components import (
    FACES,
    FACTORIES,
    FIELD,
    FOREST,
    KINDS,
    LAKE,
    POINTS,
    PRODUCTION,
    TOWN,
)
from referee.games.honshu.components import PLAY as CONSTANTS
from referee.games.honshu.geometry import CELLS, OFFSETS, PLANE, STRIDE, position
from referee.games.honshu.layering import SLOT_UNIT
from referee.games.honshu.options import DECK_PAIR, Keep, Override, Pick, Placement, Placements, Play, placement
from referee.games.honshu.scoring import land_of, largest_town, score
from referee.games.honshu.state import KEEP, OVERRIDE, PAIR, PICK, PLACE, PLAY, PLAY2, State
from referee.games.honshu.tricks import value
from referee.kernel import grid
from referee.kernel.game import Option, Seat

POINT = 0.15
"""Worth of a point."""
CAREFUL, HASTY = 30, 6
"""Number of placements judged by the whole domain, at the search's own question and at later ones."""
STEP = 5
"""In playouts one of `STEP` anchors is considered."""
AROUND = (1, -1, STRIDE, -STRIDE)


class Weights(NamedTuple):
    """Points of what is still open in a domain."""

    cube: float
    """Points of a cube without a factory."""
    factory: float
    """Share of its points that a factory without a cube is worth."""
    town: float
    """Points of a town cell outside the largest town."""
    lake: float
    """Points of a group of lakes."""
    field: float


def _weights(cards: int) -> Weights:
    """The weights with `cards` cards still to be laid."""
    return Weights(
        cube=0.95 * min(1.0, cards / 3.5),
        factory=min(0.1 * cards, 0.2 + 0.04 * cards),
        town=0.2 * min(1.0, cards / 4),
        lake=max(0.0, 0.3 * cards - 0.5),
        field=0.01 + 0.033 * cards,
    )


WEIGHTS = tuple(_weights(cards) for cards in range(CONSTANTS.rounds + 1))


def holding(state: State, seat: Seat) -> Holding:
    """A seat's domain; the card of this round counts as still to be laid."""
    cards = CONSTANTS.rounds - state.round + 1
    rules = state.rules
    return Holding(
        state.domains[seat], state.cubes[seat], cards, state.scoring_card, rules.equals_cards, rules.factories
    )


def worth(held: Holding) -> float:
    """The score of a domain, and the estimates of what is open in it."""
    weights = WEIGHTS[held.left]
    land = land_of(held.domain.cells)
    counts = held.counts()
    lines = score(land, counts, held.scoring_card, held.equals_cards, held.factories)
    loose, idle = unmatched(land, counts)
    towns = land.town.bit_count() - largest_town(land.town).bit_count()
    lakes = len(grid.groups(land.lake, STRIDE))
    return (
        lines.total
        + weights.cube * loose
        + weights.factory * idle
        + weights.town * towns
        + weights.lake * lakes
        + weights.field * lines.fields
    )


class EstimatedCellGains:
    """The estimated gain of a visible cell of each kind at each position of a domain."""

    def __init__(self, held: Holding) -> None:
        weights = WEIGHTS[held.left - 1]
        cells = {at: seen % SLOT_UNIT for at, seen in held.domain.cells.items()}
        boards = [0] * len(KINDS)
        tally = [0] * len(KINDS)
        for at, kind in cells.items():
            boards[kind] |= 1 << at
            tally[kind] += 1
        self.bare = bare = _bare(tally, held.counts(), weights)
        """The gain of a cell of each kind without its neighbours."""
        lakes = grid.groups(boards[LAKE], STRIDE)
        town = list(grid.bits(largest_town(boards[TOWN])))
        shores = Counter(at for group in lakes for at in {at + step for at in grid.bits(group) for step in AROUND})
        self._more = {
            TOWN: dict.fromkeys([at + step for at in town for step in AROUND], POINTS.town - bare[TOWN]),
            LAKE: {at: POINTS.lake_after_first * groups - weights.lake for at, groups in shores.items()},
        }
        bare_cells = {at for at, kind in cells.items() if kind in PRODUCTION}.difference(held.cubes)
        self._loss = {at: bare[kind] for at, kind in cells.items() if at not in bare_cells}
        self._loss.update(dict.fromkeys(town, float(POINTS.town)))
        self._tables: dict[int, dict[int, float]] = {}

    def table(self, kind: int) -> dict[int, float]:
        """The gain of a cell of a kind by position, less what the cell covers; at other positions `bare` counts."""
        found = self._tables.get(kind)
        if found is None:
            bare = self.bare[kind]
            found = {at: bare - loss for at, loss in self._loss.items()}
            for at, more in self._more.get(kind, {}).items():
                found[at] = found.get(at, bare) + more
            self._tables[kind] = found
        return found

    def guess(self, card: int) -> float:
        """The estimated gain of a card, without a choice of its placement."""
        bare = self.bare
        return sum([bare[kind] for kind in FACES[card]])


def _bare(tally: Sequence[int], counts: Sequence[int], weights: Weights) -> list[float]:
    worth = [0.0] * len(KINDS)
    worth[FOREST], worth[FIELD] = POINTS.forest, weights.field
    worth[TOWN], worth[LAKE] = weights.town, weights.lake
    for colour, (factories, count) in enumerate(zip(FACTORIES, counts, strict=True)):
        values = [KINDS[kind].value for kind in factories for _ in range(tally[kind])]
        idle = values[count:]
        for kind in factories:
            worth[kind] = KINDS[kind].value * (1.0 if count > len(values) else weights.factory)
        worth[PRODUCTION[colour]] = idle[0] * (1 - weights.factory) if idle else weights.cube
    return worth


survey = lru_cache(maxsize=1024)(EstimatedCellGains)


def rough(held: Holding, card: int, step: int = 1, begin: int = 0) -> list[tuple[float, int]]:
    """The estimated gain of placements, each with its code; of the anchors one in `step`."""
    found: list[tuple[float, int]] = []
    seen = survey(held)
    tables = [(seen.table(kind), seen.bare[kind]) for kind in FACES[card]]
    number = begin
    for k, anchor, masks in Placements(held.domain, card).by_anchor():
        number += 1
        if number % step:
            continue
        net = [table.get(anchor + offset, bare) for offset, (table, bare) in zip(OFFSETS[k], tables, strict=True)]
        whole = sum(net)
        code = k * PLANE + anchor << CELLS
        found += [(whole - sum([net[index] for index in INDICES[mask]]), code + mask) for mask in masks]
    return found


@lru_cache(maxsize=4096)
def best(held: Holding, card: int, count: int) -> list[tuple[float, Placement]]:
    """The best of `count` candidate placements of a card, by the worth of the domain after them."""
    places = [placement(code) for _, code in nlargest(count, rough(held, card))]
    return sorted([(worth(after(held, card, place, 1)), place) for place in places], reverse=True)


def gain(held: Holding, card: int) -> float:
    """What a card adds to a domain."""
    return best(held, card, HASTY)[0][0] - _now(held)


_now = lru_cache(maxsize=1024)(worth)


class Guide:
    """The guide of the search at Honshu."""

    depth = 2
    width = 10

    def horizon(self, state: State, depth: int) -> int:
        return self.stage(state) + depth

    def stage(self, state: State) -> int:
        return state.round if state.stack else CONSTANTS.rounds + 1

    def lines(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        return best_first(_JUDGES[kind](state, seat, options, CAREFUL))

    def answers(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        return best_first(_JUDGES[kind](state, seat, options, HASTY))[:HASTY]

    def reply(self, state: State, seat: Seat, kind: str, options: Sequence[Option], rng: Random) -> Option:
        if kind == PLACE:
            found = rough(holding(state, seat), state.taken[seat], STEP, int(rng.random() * STEP))
            return placement(max(found)[1]) if found else options[0]
        if kind in (KEEP, PICK):
            seen = survey(holding(state, seat))
            return max(cast(Sequence[Keep | Pick], options), key=lambda option: seen.guess(option.card))
        if kind == PAIR:
            seen = survey(holding(state, seat))
            deck = max(map(seen.guess, state.revealed))
            return options[0] if deck > max(map(seen.guess, state.faceup)) else options[1]
        if kind == OVERRIDE:
            return options[0]
        return options[int(rng.random() * len(options))]

    def standing(self, state: State) -> Sequence[float]:
        if not state.stack:
            return [POINT * points.total for points in state.scores]
        return [POINT * worth(holding(state, seat)) for seat in range(len(state.domains))]


def _place(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    found = best(holding(state, seat), state.taken[seat], effort)
    return [Candidate((place,), POINT * value) for value, place in found]


def _take(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    """PICK and KEEP: the card that adds most to the seat's own domain."""
    held = holding(state, seat)
    return [Candidate((option,), POINT * gain(held, option.card)) for option in cast(Sequence[Keep | Pick], options)]


def _pair_worth(held: Holding, cards: Sequence[int]) -> float:
    return max(gain(held, card) for card in cards)


def _balance(state: State, seat: Seat) -> float:
    return balance(holding(state, seat), holding(state, 1 - seat), state.revealed, state.faceup, _pair_worth)


def _pair(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    lead = _balance(state, seat)
    return [Candidate((option,), POINT * (lead if option == DECK_PAIR else 0.0)) for option in options]


def _override(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    """The gain of the choice, less the points of the cubes."""
    held = holding(state, seat)
    own, theirs = _balance(state, seat), _balance(state, 1 - seat)
    choice = abs(own) if (own > 0) == (theirs > 0) else 0.0
    found = []
    for option in cast(Sequence[Override], options):
        spent = [position(*cube) for cube in option.cubes]
        left = held._replace(cubes=tuple([at for at in held.cubes if at not in spent]))
        found.append(Candidate((option,), POINT * (worth(left) + (choice if spent else 0.0))))
    return found


def _play2(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    """The card of the highest expected pair: the better pair if the seat leads, else the mean of both."""
    held = holding(state, seat)
    deck = _pair_worth(held, state.revealed)
    found = []
    for option in cast(Sequence[Play], options):
        hand = gain(held, option.card)
        lead = option.card / CONSTANTS.cube_bonus
        found.append(Candidate((option,), POINT * (lead * max(deck, hand) + (1 - lead) * (deck + hand) / 2)))
    return found


def _play(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    """The worth of the card that the bid leads to, less the worth of the bid's cube."""
    held = holding(state, seat)
    now = worth(held)
    rivals = len(state.order) - len(state.trick) - 1
    known = [gain(held, bid.card) for bid in state.trick]
    bids = [value(bid) for bid in state.trick]
    own = {card: gain(held, card) for card in state.hands[seat]}
    average = sum(own.values()) / len(own)
    found = []
    for option in cast(Sequence[Play], options):
        paid = 0.0
        bid = option.card
        if option.cube is not None:
            bid += CONSTANTS.cube_bonus
            at = position(*option.cube)
            paid = now - worth(held._replace(cubes=tuple([cube for cube in held.cubes if cube != at])))
        beaten = max(0.0, 1 - bid / (CONSTANTS.cube_bonus * 4 / 3))
        behind = sum(other > bid for other in bids) + rivals * beaten
        pool = sorted([*known, own[option.card], *[average] * rivals], reverse=True)
        low = min(int(behind), len(pool) - 1)
        high = min(low + 1, len(pool) - 1)
        picked = pool[low] + (pool[high] - pool[low]) * (behind - int(behind))
        found.append(Candidate((option,), POINT * (picked - paid)))
    return found


_JUDGES: dict[str, Callable[[State, Seat, Sequence[Option], int], list[Candidate]]] = {
    PLAY: _play,
    PICK: _take,
    PLAY2: _play2,
    OVERRIDE: _override,
    PAIR: _pair,
    KEEP: _take,
    PLACE: _place,
}


GUIDE = Guide()
