"""The answers a seat can give: four small tuples, one for each kind of decision, and the lists they come in.

Each distinct option is built once and shared. Two lists are lazy sequences: `Rankings` is a table with an index, and
`Placements` makes an option from the set of legal anchors of a house when that option is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple, overload

from referee.games.edo_yashiki.components import ROTATIONS, SEATS
from referee.kernel import grid
from referee.kernel.game import Pending


class RankCards(NamedTuple):
    """All row indices from most to least wanted (E-6.1)."""

    order: tuple[int, ...]


class PickCard(NamedTuple):
    """A card that is still in the row (E-6.2)."""

    card: int
    """Its index in the row."""


class PlaceCard(NamedTuple):
    """Where the card's top-left cell goes and which way up it lies (E-7.1)."""

    x: int
    y: int
    rot: int
    """0 as printed, 180 after a half-turn."""


class ScoreLine(NamedTuple):
    """The number of a scorable line, or -1: `STOP` (E-9.3)."""

    line: int


STOP = ScoreLine(-1)
PICKS = tuple(PickCard(card) for card in range(max(SEATS)))
SCORES = tuple(ScoreLine(line) for line in range(10))
"""`score_line` by line number; one card makes at most 10 lines (section 15)."""


class Rankings(Sequence[RankCards]):
    """All rankings of a row in lexicographic order (E-5.5), with the index of each at hand."""

    __slots__ = ("_index", "_items")

    def __init__(self, cards: int) -> None:
        self._items = tuple(map(RankCards, permutations(range(cards))))
        self._index: dict[object, int] = {option: index for index, option in enumerate(self._items)}

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, at: int) -> RankCards: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[RankCards]: ...
    def __getitem__(self, at: int | slice) -> RankCards | Sequence[RankCards]:
        return self._items[at]

    def __iter__(self) -> Iterator[RankCards]:
        return iter(self._items)

    def __contains__(self, option: object) -> bool:
        return option in self._index

    def index(self, option: object, start: int = 0, stop: int | None = None) -> int:
        """The place of an option in the list."""
        return _within(self._index.get(option, -1), start, stop, len(self._items))


RANKINGS = {cards: Rankings(cards) for cards in SEATS}
"""By the number of cards in the row."""


class Placements(Sequence[PlaceCard]):
    """The legal placements of a card in canonical order: by y, then x, then rot (E-7.5).

    The legal anchors are a bit board: bit `row * stride + column` is the anchor (left + column, top + row), so that
    ascending bits are the canonical order. An option is made when it is asked for.
    """

    __slots__ = ("_anchors", "_count", "_left", "_stride", "_top", "_turns")

    def __init__(self, anchors: int, left: int, top: int, stride: int, turns: int) -> None:
        """`turns` is the number of ways up that differ: 2, or 1 for a card that equals its half-turn (E-7.1)."""
        self._anchors = anchors
        self._left = left
        self._top = top
        self._stride = stride
        self._turns = turns
        self._count = anchors.bit_count() * turns

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> PlaceCard: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[PlaceCard]: ...
    def __getitem__(self, at: int | slice) -> PlaceCard | Sequence[PlaceCard]:
        if isinstance(at, slice):
            return tuple(self[index] for index in range(*at.indices(self._count)))
        if at < 0:
            at += self._count
        if not 0 <= at < self._count:
            raise IndexError(f"there are {self._count} placements")
        number, turn = divmod(at, self._turns)
        row, column = divmod(grid.select(self._anchors, number), self._stride)
        return placement(self._left + column, self._top + row, turn)

    def __iter__(self) -> Iterator[PlaceCard]:
        left, turns = self._left, range(self._turns)
        width = (1 << self._stride) - 1
        rows, y = self._anchors, self._top
        while rows:
            for column in grid.bits(rows & width):
                for turn in turns:
                    yield placement(left + column, y, turn)
            rows >>= self._stride
            y += 1

    def __contains__(self, option: object) -> bool:
        return self._position(option) >= 0

    def index(self, option: object, start: int = 0, stop: int | None = None) -> int:
        """The place of an option in the list."""
        position = self._position(option)
        index = -1
        if position >= 0 and isinstance(option, PlaceCard):
            index = grid.rank(self._anchors, position) * self._turns + ROTATIONS.index(option.rot)
        return _within(index, start, stop, self._count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Placements):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<{self._count} placements>"

    def _key(self) -> tuple[int, ...]:
        return (self._anchors, self._left, self._top, self._stride, self._turns)

    def _position(self, option: object) -> int:
        """The bit of a legal option's anchor, -1 for anything else."""
        if not isinstance(option, PlaceCard):
            return -1
        x, y, rot = option
        if rot not in ROTATIONS[: self._turns]:
            return -1
        column = x - self._left
        row = y - self._top
        if row < 0 or not 0 <= column < self._stride:
            return -1
        position = row * self._stride + column
        return position if self._anchors >> position & 1 else -1


_placements: dict[int, PlaceCard] = {}


def placement(x: int, y: int, turn: int) -> PlaceCard:
    """The shared option for an anchor and a number of half-turns; coordinates stay far inside 16 bits (section 15)."""
    key = ((y << 16) + x << 1) + turn
    option = _placements.get(key)
    if option is None:
        option = _placements[key] = PlaceCard(x, y, ROTATIONS[turn])
    return option


def asks_of_all(kind: str) -> dict[int, tuple[Pending, ...]]:
    """By number of seats: the asks of a decision that all seats take at once."""
    return {seats: tuple(Pending(seat, kind) for seat in range(seats)) for seats in SEATS}


def _within(index: int, start: int, stop: int | None, count: int) -> int:
    """`index`, if it lies in the stretch that `Sequence.index` was asked to search."""
    if index not in range(count)[start:stop]:
        raise ValueError("no such option")
    return index
