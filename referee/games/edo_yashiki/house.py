"""A house: one seat's plane of overlapping cards, as an immutable value (E-3.1).

The part of the plane that is in use lies in a *window* of `stride` columns. What is visible is one byte string, a
letter per cell, row by row, so that following a row or column is indexing. Sets of anchors are bit boards over the same
window (bit `row * stride + column`). The candidates of E-7.6 need not be listed and tested again for each card, because
nearly everything about legality only grows: cells never become empty, lines never vanish (E-3.9). A placement adds the
anchors that now touch and takes away those that would cover a new line, and its own. Under the setting `seen` a card
that the placement hides wholly gives its anchor back (E-7.2 c), unless a card there would cover a line.

The window moves with the house: around every legal anchor there is at least one empty row or column in each direction,
so that no shift and no scan leaves its row; a placement too near the rim widens the window first. Houses are public
(section 11), therefore states and views share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from referee.games.edo_yashiki.components import CARDS, HEIGHT, KINDS, LINE, WIDTH, Face
from referee.games.edo_yashiki.options import PlaceCard, Placements
from referee.kernel import grid
from referee.kernel.tuples import new_tuple

SEEN, ALL = "seen", "all"
"""The values of the setting `covering`: which earlier cards keep their anchor to themselves (E-1.5, E-7.2 c)."""

EMPTY = ord(".")
COLUMNS = 14
"""Empty columns on each side of a new window, and columns added on each side when a placement needs more."""
ROWS = 8
"""Empty rows above and below a new window, and rows added where a placement needs more. Adding rows takes one shift,
so there are few at first, which keeps the window and every bit board short."""


class PlacedCard(NamedTuple):
    """A card of the house and where it lies."""

    card: int
    x: int
    y: int
    rot: int


class HouseLine(NamedTuple):
    """Three or more equal cells in a row or column (E-3.5, E-3.8)."""

    axis: str
    """"H" or "V"."""
    x: int
    y: int
    """The left or top end."""
    length: int
    kind: str


class House(NamedTuple):
    """Everything about one seat's house; build it with `first` and `place`."""

    cards: tuple[PlacedCard, ...]
    """All cards in the order they were placed, covered ones too."""
    made: tuple[HouseLine, ...]
    """The lines that the last card made (E-3.7), in canonical order (E-3.8)."""
    cells: bytes
    """The visible kinds of the window as letters, `.` for empty (E-3.3)."""
    legal: int
    """The anchors where a card may go (E-7.2)."""
    barred: int
    """The anchors where no card may go from now on, because a card there would cover a protected cell."""
    used: int
    """The anchors of the cards that count for E-7.2 (c)."""
    owners: bytes
    """By cell of the window: 1 + the number of the card that shows there, 0 for none. Empty
    under the setting `all`, where hidden cards count too and no card needs to be followed."""
    left: int
    top: int
    """The plane's coordinates of the window's first cell."""
    stride: int
    """The window's width."""


class Seeds(NamedTuple):
    """The runs of equal cells on one face of a card that reach its edge: each can grow into a line.

    An entry is (kind, offset, step, length): the first cell beyond the run, counted from the anchor, the way from a
    cell to the next (1 in a row, the stride in a column) and the cells of the run on the card.
    """

    back: tuple[tuple[int, int, int, int], ...]
    """Runs that can only grow to the left or upwards; the offset is the cell before them."""
    forth: tuple[tuple[int, int, int, int], ...]
    """Runs that can only grow to the right or downwards; the offset is the cell after them."""
    through: tuple[tuple[int, int, int, int], ...]
    """Runs from edge to edge, which can grow both ways; the offset is the cell before them."""


WindowLine: TypeAlias = tuple[int, int, int, int]
"""A line in the window: step, position of its left or top end, length, kind. Sorted, they stand in canonical order."""


def first(card: int, covering: str = SEEN) -> House:
    """A house of the starting card alone, at (0, 0) as printed; that card makes no line (E-4.5).

    `covering` is the setting of E-1.5, by which the house judges all later cards.
    """
    width, height = WIDTH + 2 * COLUMNS, HEIGHT + 2 * ROWS
    owners = bytes(width * height) if covering == SEEN else b""
    empty = House((), (), bytes([EMPTY]) * (width * height), 0, 0, 0, owners, -COLUMNS, -ROWS, width)
    return place(empty, card, PlaceCard(0, 0, 0))._replace(made=())


def place(house: House, card: int, at: PlaceCard) -> House:
    """The house after a card was laid at a legal place, with the lines that it made (E-3.3, E-3.7)."""
    cards, _, cells, legal, barred, used, owners, left, top, stride = house
    x, y, rot = at
    # The new card will be touched by cards 2 columns and 3 rows away, and each of those needs an empty rim around it.
    if not (left + 3 <= x <= left + stride - 5 and top + 4 <= y and (y - top + 7) * stride <= len(cells)):
        return place(_roomier(house, x, y), card, at)
    face = CARDS[card].faces[rot // 180]
    position = (y - top) * stride + x - left
    found = grown(cells, position, seeds_on(face, stride))
    used |= 1 << position
    for step, start, length, _kind in found:
        barred |= _covering(stride, step, length) << start - 2 * stride - 1
    legal |= _touching(stride) << position - 3 * stride - 2
    if owners:
        beneath = _under(owners, position, stride)
        owners = _laid(owners, position, stride, _OWNED[len(cards)])
        for owner in beneath:
            if owner and owner not in owners:
                hidden = cards[owner - 1]
                used &= ~(1 << (hidden.y - top) * stride + hidden.x - left)
    legal &= ~(barred | used)
    made = named(found, left, top, stride) if found else ()
    laid = (*cards, new_tuple(PlacedCard, (card, x, y, rot)))
    cells = _laid(cells, position, stride, face)
    return new_tuple(House, (laid, made, cells, legal, barred, used, owners, left, top, stride))


def _laid(window: bytes, position: int, stride: int, rows: Face) -> bytes:
    """A window with the rows of a card written over it."""
    second = position + stride
    third = second + stride
    return b"".join(
        (
            window[:position],
            rows[0],
            window[position + WIDTH : second],
            rows[1],
            window[second + WIDTH : third],
            rows[2],
            window[third + WIDTH :],
        )
    )


def _under(owners: bytes, position: int, stride: int) -> set[int]:
    """The owners of the cells that a card at a position covers."""
    second = position + stride
    third = second + stride
    return {
        *owners[position : position + WIDTH],
        *owners[second : second + WIDTH],
        *owners[third : third + WIDTH],
    }


def options(house: House, card: int) -> Placements:
    """Where a card may be placed: all three conditions of E-7.2 and no other (E-7.1, E-7.3)."""
    return Placements(house.legal, house.left, house.top, house.stride, len(CARDS[card].faces))


def lines_made(house: House, face: Face, x: int, y: int) -> tuple[HouseLine, ...]:
    """The lines that a face of a card would make at a legal anchor, in canonical order (E-3.7, E-3.8)."""
    _, _, cells, _, _, _, _, left, top, stride = house
    position = (y - top) * stride + x - left
    return named(grown(cells, position, seeds_on(face, stride)), left, top, stride)


@lru_cache(maxsize=64)
def boards(cells: bytes) -> dict[int, int]:
    """By letter of a kind: its visible cells as a bit board over the window; kept for the other cards of the row."""
    backwards = cells[::-1]
    return {ord(kind): int(backwards.translate(marks), 2) for kind, marks in _MARKS.items()}


def protected(house: House) -> int:
    """The cells of the window that belong to a line (E-3.6)."""
    cells = 0
    for board in boards(house.cells).values():
        cells |= grid.lines(board, 1) | grid.lines(board, house.stride)
    return cells


def drawn(picture: Sequence[str], x: int, y: int) -> House:
    """A house with these visible cells, `.` for empty, the first at (x, y): for examples that no game has played.

    No cards are recorded, so no anchor counts as used (E-7.2).
    """
    stride = max(map(len, picture)) + 2 * COLUMNS
    pad = bytes([EMPTY]) * (ROWS * stride)
    rows = [row.rjust(len(row) + COLUMNS, ".").ljust(stride, ".").encode("ascii") for row in picture]
    house = House((), (), b"".join((pad, *rows, pad)), 0, 0, 0, b"", x - COLUMNS, y - ROWS, stride)
    footprint = [row * stride + column for row in range(HEIGHT) for column in range(WIDTH)]
    occupied = 0
    for board in boards(house.cells).values():
        occupied |= board
    barred = grid.anchors(protected(house), footprint)
    return house._replace(legal=grid.anchors(grid.around(occupied, stride), footprint) & ~barred, barred=barred)


def grown(cells: bytes, position: int, seeds: Seeds) -> list[WindowLine]:
    """The lines that a card makes at a position: its runs, as far as they go on in the house (E-3.4, E-3.7)."""
    found = []
    back, forth, through = seeds
    for kind, offset, step, length in back:
        at = position + offset
        if cells[at] == kind:
            while cells[at] == kind:
                at -= step
                length += 1
            if length >= LINE:
                found.append((step, at + step, length, kind))
    for kind, offset, step, length in forth:
        at = position + offset
        if cells[at] == kind:
            while cells[at] == kind:
                at += step
                length += 1
            if length >= LINE:
                found.append((step, at - length * step, length, kind))
    for kind, offset, step, length in through:
        at = position + offset
        end = at + (length + 1) * step
        while cells[at] == kind:
            at -= step
            length += 1
        while cells[end] == kind:
            end += step
            length += 1
        if length >= LINE:
            found.append((step, at + step, length, kind))
    if len(found) > 1:
        found.sort()
    return found


def named(found: Sequence[WindowLine], left: int, top: int, stride: int) -> tuple[HouseLine, ...]:
    """The same lines with the plane's coordinates (E-3.8)."""
    return tuple(
        HouseLine("H" if step == 1 else "V", left + start % stride, top + start // stride, length, chr(kind))
        for step, start, length, kind in found
    )


@cache
def _touching(stride: int) -> int:
    """The anchors in contact with a card (E-7.2 a), whose own anchor is 3 rows and 2 columns into the picture.

    Two cards overlap or share an edge if they are at most 2 columns and 3 rows apart, but not both: then they share
    a corner only.
    """
    return sum(
        1 << (HEIGHT + rows) * stride + WIDTH + columns
        for rows in range(-HEIGHT, HEIGHT + 1)
        for columns in range(-WIDTH, WIDTH + 1)
        if abs(rows) < HEIGHT or abs(columns) < WIDTH
    )


@cache
def _covering(stride: int, step: int, length: int) -> int:
    """The anchors whose card would cover a cell of a line (E-7.2 b); the line begins 2 rows and 1 column in."""
    line = sum(1 << (HEIGHT - 1) * stride + WIDTH - 1 + cell * step for cell in range(length))
    return grid.anchors(line, [row * stride + column for row in range(HEIGHT) for column in range(WIDTH)])


@cache
def seeds_on(face: Face, stride: int) -> Seeds:
    """The runs at the edges of a face, in a window of that width (E-3.4)."""
    strips = [(row * stride, 1, face[row]) for row in range(HEIGHT)]
    strips += [(column, stride, bytes(row[column] for row in face)) for column in range(WIDTH)]
    back, forth, through = [], [], []
    for offset, step, strip in strips:
        head = len(strip) - len(strip.lstrip(strip[:1]))
        tail = len(strip) - len(strip.rstrip(strip[-1:]))
        if head == len(strip):
            through.append((strip[0], offset - step, step, head))
        else:
            back.append((strip[0], offset - step, step, head))
            forth.append((strip[-1], offset + len(strip) * step, step, tail))
    return Seeds(tuple(back), tuple(forth), tuple(through))


def _roomier(house: House, x: int, y: int) -> House:
    """The same house in a window that has more room where a card at (x, y) needs it."""
    if not house.left + 3 <= x <= house.left + house.stride - 5:
        return _wider(house)
    rows = ROWS * house.stride
    empty, none = bytes([EMPTY]) * rows, bytes(rows if house.owners else 0)
    if y >= house.top + 4:
        return house._replace(cells=house.cells + empty, owners=house.owners + none)
    return house._replace(
        cells=empty + house.cells,
        legal=house.legal << rows,
        barred=house.barred << rows,
        used=house.used << rows,
        owners=none + house.owners,
        top=house.top - ROWS,
    )


def _wider(house: House) -> House:
    """The same house in a window with more columns on both sides."""
    stride = house.stride
    wide = stride + 2 * COLUMNS
    rows = range(len(house.cells) // stride)
    strip = (1 << stride) - 1

    def moved(anchors: int) -> int:
        return sum((anchors >> row * stride & strip) << row * wide + COLUMNS for row in rows)

    def padded(window: bytes, filling: int) -> bytes:
        side = bytes([filling]) * COLUMNS
        return b"".join(side + window[row * stride : (row + 1) * stride] + side for row in rows)

    return house._replace(
        cells=padded(house.cells, EMPTY),
        legal=moved(house.legal),
        barred=moved(house.barred),
        used=moved(house.used),
        owners=padded(house.owners, 0) if house.owners else b"",
        left=house.left - COLUMNS,
        stride=wide,
    )


_MARKS = {kind: bytes(ord("1") if code == ord(kind) else ord("0") for code in range(256)) for kind in KINDS}
"""For each kind, the translation of cells into binary digits."""
_OWNED: tuple[Face, ...] = tuple((bytes([number] * WIDTH),) * HEIGHT for number in range(1, 1 + len(CARDS)))
"""By number of a card in its house: what the window of owners shows where the card lies."""
