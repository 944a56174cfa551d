"""The answers a seat can give, and the asks of every phase, built once and shared.

`Placements` is the one lazy list (H-7.1 to H-7.7): a domain has counted for every window how many masks leave a lake on
each of its cells visible, so the number of placements takes four look-ups, finding one placement a walk over the
anchors of one rotation, and only a whole iteration makes all of them. Their order is ascending (k, row, col, mask),
which is the order of the code of H-2.7 (H-4.3).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, overload

from referee.games.honshu.components import LAKE_INDEX, SEATS
from referee.games.honshu.domain import Domain
from referee.games.honshu.geometry import (
    CELLS,
    CENTRE,
    FULL,
    PLANE,
    ROTATIONS,
    STRIDE,
    WINDOW_CELL,
    Cell,
    cell,
    position,
)
from referee.games.honshu.layering import COUNT_BITS, COUNT_MASK, NO_LAKE
from referee.games.honshu.state import KEEP, OVERRIDE, PAIR, PICK, PLACE, PLAY, PLAY2
from referee.kernel.game import Pending, Seat


class Play(NamedTuple):
    """PLAY and PLAY2: lay this hand card down (H-5.1, H-6.2)."""

    card: int
    cube: Cell | None
    """The production cell whose cube goes on the card, or None; with two players always None."""


class Pick(NamedTuple):
    """PICK: take this trick card (H-5.6)."""

    card: int


class Override(NamedTuple):
    """OVERRIDE: discard the cubes of these two cells, or none to decline (H-6.4)."""

    cubes: tuple[Cell, ...]


class Pair(NamedTuple):
    """PAIR: take the deck pair or the hand pair (H-6.5)."""

    which: str


class Keep(NamedTuple):
    """KEEP: keep this card, discard the other (H-6.6)."""

    card: int


class Placement(NamedTuple):
    """PLACE: how the card is laid (H-2.7)."""

    k: int
    """Clockwise quarter turns."""
    row: int
    col: int
    """The anchor: the top-left cell of the rotated card."""
    mask: int
    """Bit i is set if cell i of the card goes under the domain."""


@lru_cache(maxsize=1 << 17)
def placement(code: int) -> Placement:
    """The shared placement with this code."""
    at, mask = code >> CELLS, code & FULL
    return Placement(at // PLANE, *cell(at % PLANE), mask)


def code_of(k: int, row: int, col: int, mask: int) -> int:
    """The 20-bit code of a placement (H-2.7)."""
    return (k * PLANE + position(row, col) << CELLS) + mask


DECK_PAIR, HAND_PAIR = Pair("deck"), Pair("hand")
PAIRS = (DECK_PAIR, HAND_PAIR)
DECLINE = Override(())


@lru_cache(maxsize=1 << 14)
def play_option(card: int, at: int) -> Play:
    """The shared option to play a card with the cube at a position (-1: none)."""
    return Play(card, cell(at) if at >= 0 else None)


@lru_cache(maxsize=1 << 14)
def override_option(first: int, second: int) -> Override:
    """The shared option to pay with the cubes at these positions."""
    return Override((cell(first), cell(second)))


@cache
def pick_option(card: int) -> Pick:
    """The shared option to take a card."""
    return Pick(card)


@cache
def keep_option(card: int) -> Keep:
    """The shared option to keep a card."""
    return Keep(card)


_SEATS = range(SEATS.stop - 1)
_ONE = {kind: tuple((Pending(seat, kind),) for seat in _SEATS) for kind in (PLAY, PICK, OVERRIDE, PAIR)}
_ALL = {kind: tuple(tuple(Pending(seat, kind) for seat in range(n)) for n in SEATS) for kind in (PLAY2, KEEP, PLACE)}


def ask_one(kind: str, seat: Seat) -> tuple[Pending, ...]:
    """The ask of one seat."""
    return _ONE[kind][seat]


def ask_all(kind: str, seats: int) -> tuple[Pending, ...]:
    """The asks of a decision that all seats take at once (H-11.7)."""
    return _ALL[kind][seats - SEATS.start]


class PlacementColumns(NamedTuple):
    """Placements as parallel rows of bytes, in canonical order."""

    k: bytes
    row: bytes
    col: bytes
    """Anchors, each coordinate plus CENTRE."""
    mask: bytes


_BYTES = tuple(bytes((number,)) for number in range(STRIDE))


class Placements(Sequence[Placement]):
    """Every legal placement of a card in a domain, in canonical order."""

    __slots__ = ("_counts", "_lakes", "_length", "_sites")

    def __init__(self, domain: Domain, card: int) -> None:
        sites = domain.sites
        self._sites = sites
        self._lakes = _LAKE_CELLS[card]
        """By rotation, the window cell of the card's lake."""
        self._counts = [sites[k & 1].packed >> COUNT_BITS * self._lakes[k] & COUNT_MASK for k in ROTATIONS]
        """By rotation, how many placements there are."""
        self._length = sum(self._counts)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Placement: ...

    @overload
    def __getitem__(self, index: slice) -> list[Placement]: ...

    def __getitem__(self, index: int | slice) -> Placement | list[Placement]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        left = index + self._length if index < 0 else index
        if not 0 <= left < self._length:
            raise IndexError(f"there are {self._length} placements, none has number {index}")
        k = 0
        while left >= self._counts[k]:
            left -= self._counts[k]
            k += 1
        lake = self._lakes[k]
        windows = self._sites[k & 1].windows
        anchor = 0
        for anchor in self._sites[k & 1].anchors:
            count = windows[anchor].counts[lake]
            if left < count:
                break
            left -= count
        return placement((k * PLANE + anchor << CELLS) + windows[anchor].turned(k, lake)[left])

    def __iter__(self) -> Iterator[Placement]:
        for k, anchor, masks in self.by_anchor():
            code = k * PLANE + anchor << CELLS
            for mask in masks:
                yield placement(code + mask)

    def by_rotation(self) -> Iterator[tuple[int, Sequence[int], list[bytes]]]:
        """For each rotation: positions of anchors, and the legal masks of each, which may be none."""
        for k in ROTATIONS:
            sites, lake = self._sites[k & 1], self._lakes[k]
            windows = sites.windows
            yield k, sites.anchors, [windows[anchor].turned(k, lake) for anchor in sites.anchors]

    def by_anchor(self) -> Iterator[tuple[int, int, bytes]]:
        """Rotation, position of the anchor and legal masks, for every anchor that has some, in canonical order."""
        for k, anchors, found in self.by_rotation():
            for anchor, masks in zip(anchors, found, strict=True):
                if masks:
                    yield k, anchor, masks

    def __contains__(self, option: object) -> bool:
        if not isinstance(option, Placement):
            return False
        k, row, col, mask = option
        if k not in ROTATIONS or not (-CENTRE <= row < CENTRE and -CENTRE <= col < CENTRE):
            return False
        window = self._sites[k & 1].windows.get(position(row, col))
        return window is not None and 0 <= mask <= FULL and mask in window.turned(k, self._lakes[k])

    def columns(self) -> PlacementColumns:
        """All placements as parallel rows of bytes, as the wire has them; no option is built."""
        rows, cols, found = [], [], []
        for _, anchor, masks in self.by_anchor():
            rows.append(_BYTES[anchor // STRIDE] * len(masks))
            cols.append(_BYTES[anchor % STRIDE] * len(masks))
            found.append(masks)
        turns = (_BYTES[k] * self._counts[k] for k in ROTATIONS)
        return PlacementColumns(b"".join(turns), b"".join(rows), b"".join(cols), b"".join(found))

    def index(self, option: object, start: int = 0, stop: int | None = None) -> int:
        """The number of a placement in this sequence; ValueError if it is not legal."""
        if isinstance(option, Placement) and option in self:
            k, row, col, mask = option
            sites, lake = self._sites[k & 1], self._lakes[k]
            windows = sites.windows
            here = position(row, col)
            before = bisect_left(sites.anchors, here)
            found = sum(self._counts[:k]) + sum(windows[anchor].counts[lake] for anchor in sites.anchors[:before])
            found += windows[here].turned(k, lake).index(mask)
            if start <= found and (stop is None or found < stop):
                return found
        raise ValueError("the placement is not among the options")


def _lake_cells(index: int) -> tuple[int, ...]:
    """By rotation, the window cell of a lake at this cell index (-1: no lake)."""
    return tuple(NO_LAKE if index < 0 else WINDOW_CELL[k][index] for k in ROTATIONS)


_LAKE_CELLS = tuple(_lake_cells(LAKE_INDEX[card]) for card in range(len(LAKE_INDEX)))
"""By card and rotation."""
