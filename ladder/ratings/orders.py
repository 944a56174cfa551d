"""Finishing orders as arrays: the games of a pool, best place first, equal games (players, seats, places) as one row.

All finishing orders with the same pattern of ties are one block. A player in a seat is one number, its **code**
(player * seats + seat), so a sum over games needs one look into a table for each; ranks lie along the first axis, so
every step of a computation runs over long rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array

from ladder.ratings.results import Attendance, Batch, Floats, Ints, Results, terms


class PatternMatrices(NamedTuple):
    """The logarithms of a pattern of places, as matrices."""

    members: Floats
    """Terms x ranks: 1 where a rank is among those still there."""
    weights: Floats
    pairs: Floats
    """Pairs of ranks (each once) x terms: 1 where both are still there."""
    chosen: Floats
    """How often each rank is chosen: once, but the last of a strict order is left over, not chosen."""
    first: Ints
    second: Ints
    """The ranks of each pair."""


@lru_cache(maxsize=256)
def choices(shape: tuple[int, ...]) -> PatternMatrices:
    """The choices behind an order whose shared places have these sizes, best first."""
    count = sum(shape)
    found = terms(np.repeat(np.arange(1, len(shape) + 1), shape).tolist())
    members = np.zeros((len(found), count))
    for row, term in enumerate(found):
        members[row, list(term.seats)] = 1.0
    chosen = np.ones(count)
    chosen[count - shape[-1] :] -= 1.0 / shape[-1]
    weights = np.array([term.weight for term in found])
    first, second = np.triu_indices(count, 1)
    pairs = np.ascontiguousarray((members[:, first] * members[:, second]).T)
    return PatternMatrices(members, weights, pairs, chosen, first.astype(np.int64), second.astype(np.int64))


@dataclass(frozen=True, slots=True)
class Orders:
    """Finishing orders with the same seat count and pattern of ties; equal ones are one row."""

    shape: tuple[int, ...]
    codes: Ints
    """Ranks x rows, best first: player * seats + seat, both counted from 0."""
    weights: Floats | None
    """Rows: how many games; None: one each."""
    row: Ints | None
    """Games: the row of each; None: every game is a row."""
    groups: Ints
    """Games: the set of each; empty where sets are not kept."""

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return sum(self.shape)

    @property
    def rows(self) -> int:
        """Rows of the block."""
        return int(self.codes.shape[1])

    def players(self) -> Ints:
        """Ranks x rows: the players."""
        return self.codes // self.seats

    def chosen(self, codes: int) -> Floats:
        """How often each code is chosen, ties in part."""
        total = np.zeros(codes)
        for rank, share in enumerate(choices(self.shape).chosen):
            if share:
                total += share * np.bincount(self.codes[rank], self.weights, codes)
        return total

    def some(self, rows: slice | np.ndarray, weight: float = 1.0) -> Orders:
        """Some of the rows, by number or mask, each counted so many times. Sets are not kept."""
        codes = np.ascontiguousarray(self.codes[:, rows])
        weights = np.ones(codes.shape[1]) if self.weights is None else self.weights[rows]
        plain = self.weights is None and weight == 1.0
        return Orders(self.shape, codes, None if plain else weights * weight, None, np.zeros(0, dtype=np.int64))

    def renumbered(self, number: Ints) -> Orders:
        """The same orders with a new number for each player."""
        return replace(self, codes=number[self.players()] * self.seats + self.codes % self.seats)


def orders_of(results: Results) -> list[Orders]:
    """The finishing orders of a pool, one block for each pattern of ties."""
    found: dict[tuple[int, ...], list[tuple[Batch, np.ndarray]]] = {}
    for batch in results.batches:
        ranks = np.argsort(batch.places, kind="stable")
        shape = tuple(np.bincount(batch.places)[1:].tolist())
        found.setdefault(shape, []).append((batch, ranks))
    return [_merged(shape, batches, len(results.names)) for shape, batches in sorted(found.items())]


def _merged(shape: tuple[int, ...], batches: Sequence[tuple[Batch, np.ndarray]], names: int) -> Orders:
    count, games = sum(shape), sum(len(batch.groups) for batch, _ in batches)
    codes = np.empty((count, games), dtype=np.int64)
    start = 0
    for batch, ranks in batches:
        for rank, seat in enumerate(ranks):
            codes[rank, start : start + len(batch.groups)] = batch.players[:, seat] * count + seat
        start += len(batch.groups)
    groups = np.concatenate([batch.groups for batch, _ in batches])
    # Where there are far more orders than games, equal games are rare and not looked for.
    if float(names) ** count * factorial(count) > 4.0 * games:
        return Orders(shape, codes, None, None, groups)
    key = np.zeros(games, dtype=np.int64)
    for rank in range(count):
        key = key * (names * count) + codes[rank]
    _, first, row, weights = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return Orders(shape, np.ascontiguousarray(codes[:, first]), weights.astype(np.float64), row, groups)


def attendance(orders: Sequence[Orders], sets: int, players: int) -> Attendance:
    """The players of every set, and which entry belongs to every game and rank of each block.

    Entries are sorted once, by counting; what sums over sets follows the entries from then on.
    """
    seated = [block.players() if block.row is None else block.players()[:, block.row] for block in orders]
    rows = np.concatenate([np.tile(block.groups, block.seats) for block in orders]).astype(np.int32)
    columns = np.concatenate([part.ravel() for part in seated]).astype(np.int32)
    order = _sorted_by(columns, players)
    order = order[_sorted_by(rows[order], sets)]
    rows, columns = rows[order], columns[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (columns[1:] != columns[:-1]) | (rows[1:] != rows[:-1])
    entry = np.empty(len(rows), dtype=np.int32)
    entry[order] = np.cumsum(new, dtype=np.int32) - 1
    first = np.zeros(sets + 1, dtype=np.int64)
    first[1:] = np.cumsum(np.bincount(rows[new], minlength=sets))
    ends = np.cumsum([0, *(part.size for part in seated)])
    entries = tuple(entry[ends[at] : ends[at + 1]].reshape(part.shape) for at, part in enumerate(seated))
    return Attendance(first, columns[new].astype(np.int64), entries)


def _sorted_by(keys: np.ndarray, count: int) -> np.ndarray:
    """The order that sorts keys below a count, equal ones as they stand: a counting sort, which numpy has not."""
    places = np.arange(len(keys), dtype=np.int32)
    table = coo_array((np.ones(len(keys), dtype=np.int8), (keys, places)), shape=(count, len(keys)))
    return np.asarray(table.tocsr().indices)
