"""Bit boards against plain sets of cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kernel import grid

STRIDE = 12
HEIGHT = 9

# The outermost columns and rows stay empty, as the module asks of its callers.
cells = st.frozensets(st.tuples(st.integers(1, STRIDE - 2), st.integers(1, HEIGHT - 2)), max_size=40)
masks = st.integers(0, 2**300)


def mask_of(some: frozenset[tuple[int, int]] | set[tuple[int, int]]) -> int:
    """The bit board of a set of cells."""
    return sum(1 << (y * STRIDE + x) for x, y in some)


def cells_of(mask: int) -> set[tuple[int, int]]:
    """The set of cells of a bit board, found without the functions under test."""
    return {(i % STRIDE, i // STRIDE) for i, digit in enumerate(reversed(bin(mask)[2:])) if digit == "1"}


def neighbours(cell: tuple[int, int]) -> set[tuple[int, int]]:
    """The four cells beside one."""
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


@given(masks)
def test_bits_are_the_set_positions_in_ascending_order(mask: int) -> None:
    """Walking the bits names every set position once, from low to high."""
    assert [i for i in range(mask.bit_length()) if mask >> i & 1] == list(grid.bits(mask))


@given(masks.filter(bool), st.data())
def test_select_and_rank_undo_each_other(mask: int, data: st.DataObject) -> None:
    """The bit number i stands where a list of all bits has it, and its rank is i again."""
    positions = [i for i in range(mask.bit_length()) if mask >> i & 1]
    index = data.draw(st.integers(0, len(positions) - 1))

    assert positions[index] == grid.select(mask, index)
    assert index == grid.rank(mask, positions[index])


@given(masks, st.integers(0, 320))
def test_rank_counts_the_bits_below_any_position(mask: int, position: int) -> None:
    """Also between and beyond the set bits."""
    assert sum(mask >> i & 1 for i in range(position)) == grid.rank(mask, position)


@pytest.mark.parametrize("gap", [0, 1, 63, 64, 65, 127, 128, 1000])
def test_select_finds_both_ends_of_a_sparse_mask(gap: int) -> None:
    """Halving a long mask loses no bit at its seams."""
    mask = 1 | 2 << gap

    assert grid.select(mask, 0) == 0
    assert gap + 1 == grid.select(mask, 1)


@given(cells)
def test_around_is_the_cells_and_their_neighbours(some: frozenset[tuple[int, int]]) -> None:
    """Shifts in four directions are the orthogonal neighbourhood."""
    expected = set(some).union(*map(neighbours, some))

    assert expected == cells_of(grid.around(mask_of(some), STRIDE))


@given(cells)
def test_groups_are_the_connected_parts_by_their_first_cell(some: frozenset[tuple[int, int]]) -> None:
    """Filling cell by cell finds the same parts, in the order of their lowest cells."""
    left, expected = set(some), []
    while left:
        part, edge = set(), {min(left, key=lambda cell: (cell[1], cell[0]))}
        while edge:
            part |= edge
            edge = {other for cell in edge for other in neighbours(cell) if other in left and other not in part}
        left -= part
        expected.append(part)

    assert expected == [cells_of(group) for group in grid.groups(mask_of(some), STRIDE)]


@given(cells, st.frozensets(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=6))
def test_anchors_are_the_positions_where_a_shape_meets_a_cell(
    some: frozenset[tuple[int, int]], shape: frozenset[tuple[int, int]]
) -> None:
    """Trying every position finds the same anchors as the shifts."""
    offsets = sorted(y * STRIDE + x for x, y in shape)
    taken = mask_of(some)
    expected = [p for p in range(STRIDE * HEIGHT) if any(taken >> (p + offset) & 1 for offset in offsets)]

    assert expected == list(grid.bits(grid.anchors(taken, offsets)))


@given(cells)
def test_lines_are_the_cells_in_runs_of_three_or_more(some: frozenset[tuple[int, int]]) -> None:
    """Measuring the run through each cell finds the same rows and columns."""

    def run(cell: tuple[int, int], dx: int, dy: int) -> int:
        length = 1
        for sign in (1, -1):
            x, y = cell[0] + sign * dx, cell[1] + sign * dy
            while (x, y) in some:
                length, x, y = length + 1, x + sign * dx, y + sign * dy
        return length

    assert {cell for cell in some if run(cell, 1, 0) >= 3} == cells_of(grid.lines(mask_of(some), 1))
    assert {cell for cell in some if run(cell, 0, 1) >= 3} == cells_of(grid.lines(mask_of(some), STRIDE))
