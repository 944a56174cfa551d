"""Cells, rotations and footprints as numbers: the tables behind every placement (section 2 of the rules).

A **position** packs a cell (row, col) into one number with the row stride of the bit boards, `(row + 32) * 64 + col
+ 32`, so that a placement's code (H-2.7) is `k << 18 | position << 6 | mask`. Domains stay far from the edges of that
plane (H-11.4), so no shift ever wraps.

A card covers a **window** of one of two shapes: 3x2 for rotations 0 and 2, 2x3 for 1 and 3. The cells of a window are
numbered row by row; what is legal at a window is worked out once in these numbers (`layering.py`) and then turned into
the card's own cell indices for each rotation.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from referee.games.honshu.components import FACES
from referee.kernel import grid

STRIDE = 64
CENTRE = 32
CELLS = 6
"""Cells of a card."""
FULL = (1 << CELLS) - 1
"""The mask of a card that lies wholly under others."""
ROTATIONS = range(4)
SHAPES = range(2)
"""0: three rows of two, 1: two rows of three."""
PLANE = STRIDE * STRIDE
"""Positions there are."""

LAYOUT = (
    ((0, 1), (2, 3), (4, 5)),
    ((4, 2, 0), (5, 3, 1)),
    ((5, 4), (3, 2), (1, 0)),
    ((1, 3, 5), (0, 2, 4)),
)
"""By rotation, the cell indices row by row (H-2.3)."""


class Cell(NamedTuple):
    """A cell of a domain (H-2.1)."""

    row: int
    col: int


def position(row: int, col: int) -> int:
    """The number of a cell."""
    return (row + CENTRE) * STRIDE + col + CENTRE


@cache
def cell(at: int) -> Cell:
    """The cell at a position."""
    return Cell(at // STRIDE - CENTRE, at % STRIDE - CENTRE)


def _offsets(k: int) -> tuple[int, ...]:
    at = {index: row * STRIDE + col for row, line in enumerate(LAYOUT[k]) for col, index in enumerate(line)}
    return tuple(at[index] for index in range(CELLS))


def _turned(k: int) -> tuple[int, ...]:
    order = [index for line in LAYOUT[k] for index in line]
    return tuple(sum(1 << order[j] for j in range(CELLS) if mask >> j & 1) for mask in range(FULL + 1))


OFFSETS = tuple(_offsets(k) for k in ROTATIONS)
"""By rotation and cell index: position of the cell less that of the anchor (H-2.4)."""
WINDOW_OFFSETS = tuple(tuple(sorted(OFFSETS[shape])) for shape in SHAPES)
"""By shape and window cell: position of the cell less that of the window's anchor."""
WINDOW_CELL = tuple(tuple(WINDOW_OFFSETS[k & 1].index(offset) for offset in OFFSETS[k]) for k in ROTATIONS)
"""By rotation and cell index: the window cell that it lies on."""
TURNED = tuple(_turned(k) for k in ROTATIONS)
"""By rotation and mask of window cells: that mask by cell index."""


TURNED_CELLS = tuple(
    tuple(tuple((1 << index, OFFSETS[k][index], kind) for index, kind in enumerate(face)) for k in ROTATIONS)
    for face in FACES
)
"""By face and rotation: the bit of the cell index, the offset and the kind of each cell."""
SHOWN = tuple(
    tuple(sum(1 << OFFSETS[k][index] for index in range(CELLS) if not mask >> index & 1) for mask in range(FULL + 1))
    for k in ROTATIONS
)
"""By rotation and mask: the bit board of the visible cells of the card, relative to its anchor."""


LAKE_FLAG = FULL + 1
"""Beside the cells of a change to a window: one of them shows a lake."""


@cache
def reach(shape: int, k: int, mask: int, lake: int) -> tuple[tuple[int, int], ...]:
    """The windows that a card changes whose visible cells are those outside `mask`, relative to the card's anchor.

    Each is the offset of its anchor and the window cells that show the new card, plus LAKE_FLAG if the card's lake (at
    cell index `lake`, -1: none) is among them. The anchors are those where the window's shape touches a visible cell: a
    few shifts of the bit board of these cells, which is moved away from the origin so that no anchor falls below it.
    """
    offsets = WINDOW_OFFSETS[shape]
    margin = max(offsets)
    shown = SHOWN[k][mask] << margin
    water = 1 << OFFSETS[k][lake] + margin if lake >= 0 else 0
    changes = []
    for anchor in grid.bits(grid.anchors(shown, offsets)):
        change = sum(1 << j for j, offset in enumerate(offsets) if shown >> anchor + offset & 1)
        if any(water >> anchor + offset & 1 for offset in offsets):
            change |= LAKE_FLAG
        changes.append((anchor - margin, change))
    return tuple(changes)
