"""The points of a finished domain, counted on bit boards, and the ranking (H-8.5 to H-8.7 and section 9).

Everything that scores by its shape (towns, lakes, lines, squares) is one bit board of visible cells (H-2.6); the rest
only counts cells and cubes. `score` takes a `Land` and no cards, so any picture can be scored. H-11.8 has totals to
compare with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.games.honshu.components import (
    FACTORIES,
    FACTORY_SCORES,
    FIELD,
    FOREST,
    KINDS,
    LAKE,
    POINTS,
    PRODUCTION,
    SCORING_CARDS,
    TOWN,
    ScoringCard,
)
from referee.games.honshu.geometry import STRIDE
from referee.games.honshu.layering import SLOT_UNIT
from referee.games.honshu.state import SeatScore, State, cube_colours
from referee.kernel import grid
from referee.kernel.game import Result, rank

REPLACE = "replace"
"""The value of `equals_cards` under which cards 4 and 5 replace points instead of adding to them (H-R11)."""


PRINTED = next(iter(FACTORY_SCORES))
"""The value of `factories` under which a factory scores the value that is printed on it (H-8.8)."""
_SCORES = {reading: tuple([scores.get(kind.value, 0) for kind in KINDS]) for reading, scores in FACTORY_SCORES.items()}
"""By value of `factories` and kind of cell: what a delivered cube scores there."""


FIRST_FACTORY = min(kind for same_colour in FACTORIES for kind in same_colour)
"""The factories are the last kinds of cells, from this one on."""


class Land(NamedTuple):
    """The visible cells of a domain: a bit board for each sort of land, and the number of cells of each kind."""

    forest: int
    town: int
    lake: int
    field: int
    tally: tuple[int, ...]
    """By kind."""


def land_of(cells: Mapping[int, int]) -> Land:
    """The land of visible cells: by position, slot times SLOT_UNIT plus kind.

    The boards begin at the first cell, so that they are no longer than the land.
    """
    boards = [0] * len(KINDS)
    tally = [0] * len(KINDS)
    first = min(cells)
    for at, shown in cells.items():
        kind = shown % SLOT_UNIT
        boards[kind] |= 1 << at - first
        tally[kind] += 1
    return Land(boards[FOREST], boards[TOWN], boards[LAKE], boards[FIELD], tuple(tally))


class Delivery(NamedTuple):
    """The cubes of a domain at the end, by colour (H-8.5)."""

    points: int
    delivered: tuple[int, ...]
    surplus: tuple[int, ...]


def score(
    land: Land, cubes: Sequence[int], scoring_card: int, equals_cards: str, factories: str = PRINTED
) -> SeatScore:
    """The points of a land with so many cubes of each colour (H-8.6, section 9)."""
    card = SCORING_CARDS.get(scoring_card)
    delivery = deliver(land.tally, cubes, card.factory_capacity if card else POINTS.factory_capacity, factories)
    lake = lake_points(land.lake)
    bonus = 0
    if card is not None:
        bonus = _BONUS[card.key](land, delivery, card, equals_cards == REPLACE)
        if card.key == "lake_cell" and equals_cards == REPLACE:
            lake, bonus = bonus, 0
    return SeatScore(
        forest=POINTS.forest * land.tally[FOREST],
        town=POINTS.town * largest_town(land.town).bit_count(),
        factory=delivery.points,
        lake=lake,
        bonus=bonus,
        fields=land.tally[FIELD],
    )


def deliver(tally: Sequence[int], cubes: Sequence[int], capacity: int, factories: str = PRINTED) -> Delivery:
    """Bring as many cubes as possible to factories of their colour, the most valuable first (H-8.5, H-8.8, H-R5)."""
    return _brought(tuple(tally[FIRST_FACTORY:]), tuple(cubes), capacity, factories)


@lru_cache(maxsize=1 << 12)
def _brought(built: tuple[int, ...], cubes: tuple[int, ...], capacity: int, factories: str) -> Delivery:
    """See `deliver`; `built` counts factories alone. Few deliveries differ among the domains that a bot judges."""
    points = 0
    surplus = []
    scores = _SCORES[factories]
    for same_colour, count in zip(FACTORIES, cubes, strict=True):
        left = count
        for kind in same_colour:
            sent = min(left, built[kind - FIRST_FACTORY] * capacity)
            points += sent * scores[kind]
            left -= sent
        surplus.append(left)
    return Delivery(points, tuple(q - left for q, left in zip(cubes, surplus, strict=True)), tuple(surplus))


def largest_town(town: int) -> int:
    """The largest group of adjacent town cells, 0 if there is none (H-8.6)."""
    return max(_groups(town), key=int.bit_count, default=0)


def lake_points(lake: int) -> int:
    """Points for every lake cell after the first of its group (H-8.6, H-R14)."""
    return POINTS.lake_after_first * (lake.bit_count() - lake_groups(lake))


def lake_groups(lake: int) -> int:
    """Number of groups of adjacent lake cells (H-2.5)."""
    return len(_groups(lake))


@lru_cache(maxsize=1 << 12)
def _groups(cells: int) -> list[int]:
    """The groups of adjacent cells; diagonals do not count (H-2.5). Bots ask for one board many times."""
    return grid.groups(cells, STRIDE)


def _forest_lines(land: Land, delivery: Delivery, card: ScoringCard, replace: bool) -> int:
    """Card 2: every window of three forests in a row or column (H-9.1, H-R12)."""
    forest = land.forest
    return card.points * sum((forest & forest >> step & forest >> 2 * step).bit_count() for step in (1, STRIDE))


def _field_squares(land: Land, delivery: Delivery, card: ScoringCard, replace: bool) -> int:
    """Card 3: every 2x2 window of fields (H-9.1, H-R12)."""
    pairs = land.field & land.field >> 1
    return card.points * (pairs & pairs >> STRIDE).bit_count()


def _lake_cells(land: Land, delivery: Delivery, card: ScoringCard, replace: bool) -> int:
    """Card 4: every lake cell; under `replace` this is the lake line itself (H-R11)."""
    return card.points * land.tally[LAKE]


def _surrounded_towns(land: Land, delivery: Delivery, card: ScoringCard, replace: bool) -> int:
    """Card 5: every town cell among four town cells, in any town.

    Under `replace` such a cell is worth the card's points in total, so in the largest town its point is already counted
    (H-R11). Of several largest towns that one counts as the largest which leaves the most points.
    """
    town = land.town
    inner = town & town >> 1 & town << 1 & town >> STRIDE & town << STRIDE
    bonus = card.points * inner.bit_count()
    if replace:
        groups = _groups(town)
        largest = max((group.bit_count() for group in groups), default=0)
        counted = [(group & inner).bit_count() for group in groups if group.bit_count() == largest]
        bonus -= POINTS.town * min(counted, default=0)
    return bonus


def _empty_production(land: Land, delivery: Delivery, card: ScoringCard, replace: bool) -> int:
    """Card 6: every production cell without a cube after delivery (H-9.2, H-R13)."""
    cells = sum(land.tally[kind] for kind in PRODUCTION)
    return card.points * (cells - sum(delivery.surplus))


def _delivered(land: Land, delivery: Delivery, card: ScoringCard, replace: bool) -> int:
    """Cards 7 and 8: every delivered cube of the card's colours."""
    return card.points * sum(delivery.delivered[colour] for colour in card.colours)


def _nothing(land: Land, delivery: Delivery, card: ScoringCard, replace: bool) -> int:
    """Card 1: its effect is inside the factory points (H-9.3)."""
    return 0


_BONUS: Mapping[str, Callable[[Land, Delivery, ScoringCard, bool], int]] = {
    "double_factory": _nothing,
    "forest_line": _forest_lines,
    "field_square": _field_squares,
    "lake_cell": _lake_cells,
    "surrounded_town": _surrounded_towns,
    "empty_production": _empty_production,
    "delivered_colour": _delivered,
}
"""By the key of a scoring card, what it adds."""


def final_scores(state: State) -> tuple[SeatScore, ...]:
    """The points of every seat (H-8.5, H-8.6)."""
    return tuple(
        score(
            land_of(domain.cells),
            cube_colours(state, seat),
            state.scoring_card,
            state.rules.equals_cards,
            state.rules.factories,
        )
        for seat, domain in enumerate(state.domains)
    )


def result(state: State) -> Result | None:
    """More points first, then more visible fields, else a shared place (H-8.7, H-R8); None while the game goes on."""
    if not state.scores:
        return None
    keys = [(score.total, score.fields) for score in state.scores]
    return Result(rank(keys), tuple(points for points, _ in keys), "twelve rounds played")
