"""Bit boards: sets of cells of a plane as one int, for the placement games.

A cell (x, y) of a window is bit `y * stride + x`, so ascending bits read row by row, left to right, and a shift by 1
or by the stride moves the whole set by one column or row. The window must be wide enough that nothing shifted
sideways leaves its row: the caller keeps margins of empty columns, and these functions check nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def bits(mask: int) -> Iterator[int]:
    """The set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def select(mask: int, index: int) -> int:
    """The position of the set bit number `index` (0-based, ascending); the mask has more set bits than that."""
    offset = 0
    length = mask.bit_length()
    while length > 64:
        half = length >> 1
        low = mask & ((1 << half) - 1)
        count = low.bit_count()
        if index < count:
            mask = low
        else:
            index -= count
            offset += half
            mask >>= half
        length = mask.bit_length()
    for _ in range(index):
        mask &= mask - 1
    return offset + (mask & -mask).bit_length() - 1


def rank(mask: int, position: int) -> int:
    """How many set bits stand below `position`: the index of that bit if it is set."""
    return (mask & ((1 << position) - 1)).bit_count()


def around(cells: int, stride: int) -> int:
    """The cells and their orthogonal neighbours."""
    return cells | cells << 1 | cells >> 1 | cells << stride | cells >> stride


def groups(cells: int, stride: int) -> list[int]:
    """The connected groups of orthogonally adjacent cells, by their lowest bit."""
    found = []
    while cells:
        group = cells & -cells
        while True:
            grown = around(group, stride) & cells
            if grown == group:
                break
            group = grown
        found.append(group)
        cells ^= group
    return found


def anchors(cells: int, offsets: Sequence[int]) -> int:
    """Where a shape touches: all positions p such that p + offset is one of the cells for some offset (>= 0)."""
    touched = 0
    for offset in offsets:
        touched |= cells >> offset
    return touched


def lines(cells: int, step: int) -> int:
    """The cells that stand in three or more in a row along `step` (1: rows, the stride: columns)."""
    middles = cells & cells >> step & cells << step
    return middles | middles << step | middles >> step
