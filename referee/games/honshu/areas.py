"""What scores in a domain, area by area: forests, the largest town, lakes, cubes at factories, the scoring card.

The points of a game come from `scoring.py`, which counts and names no cell. This module finds the cells behind the same
points, for people who look at a board; the tests compare the sums of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.games.honshu.components import (
    FACTORY_SCORES,
    KIND_OF,
    KINDS,
    POINTS,
    SCORING_CARDS,
    ScoringCard,
)
from referee.games.honshu.geometry import STRIDE, Cell, cell, position
from referee.games.honshu.scoring import REPLACE, land_of, largest_town, score
from referee.games.honshu.state import SeatScore, Switches
from referee.games.honshu.view import DomainView, View
from referee.kernel import grid


class Area(NamedTuple):
    """Cells that score together."""

    cells: tuple[Cell, ...]
    """By (row, col)."""
    points: int


class Delivered(NamedTuple):
    """A cube that a factory takes at the end (H-8.5)."""

    source: Cell
    """The production cell on which the cube lies."""
    factory: Cell
    points: int


class Areas(NamedTuple):
    """What scores in one domain if the game ends now."""

    forest: Area
    town: Area
    """The largest town; without cells if no town is visible."""
    lakes: tuple[Area, ...]
    """The lakes that bring points, by their first cell."""
    deliveries: tuple[Delivered, ...]
    """By colour, the most valuable factory first; of equal factories, and of the cubes of a colour, the first by (row,
    col)."""
    bonus: tuple[Area, ...]
    """What the scoring card pays for, one area for each payment."""


def shown(domain: DomainView) -> dict[Cell, str]:
    """The visible cells of a domain with their codes, by (row, col)."""
    return dict(zip(domain.picture.cells, domain.picture.codes, strict=True))


def cubes_by_colour(domain: DomainView) -> list[int]:
    """How many cubes of each colour lie on a domain."""
    codes = shown(domain)
    counts = [0] * 4
    for cube in domain.cubes:
        counts[KINDS[KIND_OF[codes[cube]]].colour] += 1
    return counts


def points_now(view: View) -> list[SeatScore]:
    """By seat, the points if the game ended now; at the end, the points of the game."""
    return [_score(view, domain) for domain in view.domains]


def _score(view: View, domain: DomainView) -> SeatScore:
    land = land_of({position(*at): KIND_OF[code] for at, code in shown(domain).items()})
    return score(land, cubes_by_colour(domain), view.scoring_card, view.rules.equals_cards, view.rules.factories)


def areas_of(view: View, domain: DomainView) -> Areas:
    """The cells that score in a domain if the game ends now, with their points (H-8.5, H-8.6, section 9)."""
    codes = shown(domain)
    card = SCORING_CARDS.get(view.scoring_card)
    forest, town, lake = (_board(codes, code) for code in "FTL")
    deliveries = _deliveries(domain, codes, card.factory_capacity if card else POINTS.factory_capacity, view.rules)
    largest = _cells(largest_town(town))
    by_cell = card is not None and card.key == "lake_cell" and view.rules.equals_cards == REPLACE
    lakes = [Area(cells, _lake(len(cells), card if by_cell else None)) for cells in map(_cells, _groups(lake))]
    return Areas(
        forest=Area(_cells(forest), POINTS.forest * forest.bit_count()),
        town=Area(largest, POINTS.town * len(largest)),
        lakes=tuple([area for area in lakes if area.points]),
        deliveries=deliveries,
        bonus=() if card is None or by_cell else _bonus(codes, domain, deliveries, card, view.rules),
    )


def _board(codes: Mapping[Cell, str], code: str) -> int:
    """The cells that show a code as a bit board of positions."""
    return sum(1 << position(*at) for at, found in codes.items() if found == code)


def _cells(board: int) -> tuple[Cell, ...]:
    return tuple([cell(at) for at in grid.bits(board)])


def _groups(board: int) -> list[int]:
    return grid.groups(board, STRIDE)


def _lake(cells: int, card: ScoringCard | None) -> int:
    """The points of one lake; `card` is the scoring card that replaces them (H-8.6, H-R11)."""
    return POINTS.lake_after_first * (cells - 1) if card is None else card.points * cells


def _deliveries(domain: DomainView, codes: Mapping[Cell, str], capacity: int, rules: Switches) -> tuple[Delivered, ...]:
    """Which cube goes to which factory (H-8.5, H-8.8)."""
    scores = FACTORY_SCORES[rules.factories]
    found = []
    for colour in range(4):
        factories = [
            (-scores[kind.value], at)
            for at, kind in ((at, KINDS[KIND_OF[code]]) for at, code in codes.items())
            if kind.what == "factory" and kind.colour == colour
        ]
        places = [place for place in sorted(factories) for _ in range(capacity)]
        cubes = [at for at in domain.cubes if KINDS[KIND_OF[codes[at]]].colour == colour]
        found += [Delivered(cube, at, -worth) for cube, (worth, at) in zip(cubes, places, strict=False)]
    return tuple(found)


def _bonus(
    codes: Mapping[Cell, str],
    domain: DomainView,
    deliveries: Sequence[Delivered],
    card: ScoringCard,
    rules: Switches,
) -> tuple[Area, ...]:
    """What a scoring card pays for (section 9)."""
    if card.key == "surrounded_town":
        return _surrounded(codes, card, rules.equals_cards == REPLACE)
    if card.key == "empty_production":
        full = set(domain.cubes) - {delivery.source for delivery in deliveries}
        empty = [at for at, code in codes.items() if code[0] == "p" and at not in full]
        return tuple([Area((at,), card.points) for at in empty])
    if card.key == "delivered_colour":
        paid = [KINDS[KIND_OF[codes[delivery.source]]].colour in card.colours for delivery in deliveries]
        return tuple(
            [Area((delivery.factory,), card.points) for delivery, pays in zip(deliveries, paid, strict=True) if pays]
        )
    if card.key not in _SHAPES:
        return ()
    code, shapes = _SHAPES[card.key]
    board = _board(codes, code)
    windows = [
        sum(1 << at + offset for offset in shape)
        for shape in shapes
        for at in grid.bits(board)
        if all(board >> at + offset & 1 for offset in shape)
    ]
    return tuple([Area(_cells(window), card.points) for window in windows])


_SHAPES: Mapping[str, tuple[str, tuple[tuple[int, ...], ...]]] = {
    "forest_line": ("F", ((0, 1, 2), (0, STRIDE, 2 * STRIDE))),
    "field_square": ("W", ((0, 1, STRIDE, STRIDE + 1),)),
    "lake_cell": ("L", ((0,),)),
}
"""By the key of a scoring card: the code of the cells and the shapes that it pays for, from their first cell."""


def _surrounded(codes: Mapping[Cell, str], card: ScoringCard, replace: bool) -> tuple[Area, ...]:
    """Town cells among four town cells; under `replace`, a point less in the largest town (H-R11)."""
    town = _board(codes, "T")
    inner = town & town >> 1 & town << 1 & town >> STRIDE & town << STRIDE
    groups = _groups(town)
    size = max(map(int.bit_count, groups), default=0)
    largest_ones = [group for group in groups if group.bit_count() == size]
    largest = min(largest_ones, key=lambda group: (group & inner).bit_count(), default=0)
    counted = POINTS.town if replace else 0
    return tuple([Area((cell(at),), card.points - (counted if largest >> at & 1 else 0)) for at in grid.bits(inner)])
