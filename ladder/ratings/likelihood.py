"""The Plackett-Luce likelihood of a pool: value, score and information, of all games and of every set.

Parameters are natural logarithms of strength: first the players, then the seats of each seat count. The utility of a
player is the sum of both; the chance to be best among those still there is proportional to e to the utility.

Games are kept best place first, so all finishing orders with the same pattern of ties are one block of arrays, and
equal games (same players, seats and places) are one row with a weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array

from ladder.ratings.results import Batch, Floats, Ints, Results, terms

CHUNK = 1 << 12
"""Rows that are computed at a time: their arrays stay in the processor's cache."""
SETS = 1 << 15
"""Sets that are summed at a time, so that memory stays small."""


class Choices(NamedTuple):
    """The logarithms of a pattern of places, as matrices."""

    members: Floats
    """Terms x ranks: 1 where a rank is among those still there."""
    weights: Floats
    pairs: Floats
    """Terms x (ranks * ranks): 1 where both are still there."""
    chosen: Floats
    """How often each rank is chosen: once, but the last of a strict order is left over, not chosen."""


@lru_cache(maxsize=256)
def choices(shape: tuple[int, ...]) -> Choices:
    """The choices behind an order whose shared places have these sizes, best first."""
    count = sum(shape)
    found = terms(np.repeat(np.arange(1, len(shape) + 1), shape).tolist())
    members = np.zeros((len(found), count))
    for row, term in enumerate(found):
        members[row, list(term.seats)] = 1.0
    chosen = np.ones(count)
    chosen[count - shape[-1] :] -= 1.0 / shape[-1]
    weights = np.array([term.weight for term in found])
    return Choices(members, weights, (members[:, :, None] * members[:, None, :]).reshape(len(found), -1), chosen)


@lru_cache(maxsize=16)
def _upper(count: int) -> tuple[Ints, Ints]:
    """All pairs of ranks, each once."""
    first, second = np.triu_indices(count, 1)
    return first.astype(np.int64), second.astype(np.int64)


@dataclass(frozen=True, slots=True)
class Orders:
    """Finishing orders with the same seat count and pattern of ties; equal ones are one row."""

    shape: tuple[int, ...]
    players: Ints
    """Rows x ranks, best first."""
    chairs: Ints
    """Rows x ranks: the seat, counted from 0."""
    weights: Floats
    """Rows: how many games."""
    row: Ints
    """Games: the row of each."""
    groups: Ints
    """Games: the set of each."""

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return sum(self.shape)


class Value(NamedTuple):
    """A function of the parameters: its value and derivatives."""

    log_likelihood: float
    gradient: Floats
    information: Floats
    """Minus the second derivative; empty where it was not asked for."""


class SetScores(NamedTuple):
    """The summed scores of sets, each in its own parameters; all these sets have equally many parameters."""

    columns: Ints
    """Sets x parameters: which ones."""
    scores: Floats
    """Sets x parameters."""
    information: Floats
    """Sets x parameters x parameters; empty where it was not asked for."""


class Likelihood:
    """The log-likelihood of all games of a pool, without any prior."""

    def __init__(self, players: int, seats: dict[int, int], orders: Sequence[Orders]) -> None:
        self.players = players
        self.seats = seats
        """Where the parameters of each seat count begin; empty if seats have no effect."""
        self.orders = tuple(orders)
        self.size = players + sum(seats)

    @classmethod
    def of(cls, results: Results, *, seats: bool) -> Likelihood:
        """The likelihood of a pool's results."""
        at, begin = {}, len(results.names)
        for count in results.seat_counts if seats else ():
            at[count] = begin
            begin += count
        return cls(len(results.names), at, _orders(results))

    def evaluate(self, x: Floats, *, information: bool = True) -> Value:
        """Value, gradient and, if asked for, information at the parameters x."""
        total = 0.0
        gradient = np.zeros(self.size)
        square = np.zeros((self.size, self.size) if information else (0, 0))
        # A sum over pairs of players is a whole matrix: so many rows at once that they outweigh it.
        most = max(CHUNK, self.players**2 // 8)
        for orders in self.orders:
            first, second = _upper(orders.seats)
            for block in _chunks(0, len(orders.players), most):
                pairs = np.empty((len(orders.players[block]), len(first) if information else 0))
                for rows in _chunks(block.start, block.stop, CHUNK):
                    weights = orders.weights[rows]
                    value, score, curvature = self._rows(orders, rows, x, information)
                    total += float(value @ weights)
                    self._add_scores(gradient, orders, rows, score * weights[:, None])
                    if information:
                        curvature *= weights[:, None, None]
                        pairs[rows.start - block.start : rows.stop - block.start] = curvature[:, first, second]
                        self._add_own(square, orders, rows, curvature)
                if information:
                    self._add_pairs(square, orders.players[block][:, first], orders.players[block][:, second], pairs)
        return Value(total, gradient, square)

    def subset(self, wanted: np.ndarray) -> Likelihood:
        """The likelihood of the games in which one of the wanted players sits. Sets are not kept."""
        kept = []
        for orders in self.orders:
            mask = wanted[orders.players].any(axis=1)
            if mask.any():
                nothing = np.zeros(0, dtype=np.int64)
                rows = (orders.players[mask], orders.chairs[mask], orders.weights[mask])
                kept.append(Orders(orders.shape, *rows, nothing, nothing))
        return Likelihood(self.players, self.seats, kept)

    def sample(self, every: int) -> Likelihood:
        """The likelihood of every so many-th row. Sets are not kept."""
        nothing = np.zeros(0, dtype=np.int64)
        kept = [
            Orders(
                orders.shape,
                orders.players[::every],
                orders.chairs[::every],
                orders.weights[::every] * every,
                nothing,
                nothing,
            )
            for orders in self.orders
        ]
        return Likelihood(self.players, self.seats, kept)

    def _rows(self, orders: Orders, rows: slice | Ints, x: Floats, information: bool) -> tuple[Floats, Floats, Floats]:
        """Of each row: log-likelihood, score (rows x ranks) and information (rows x ranks x ranks)."""
        count = orders.seats
        utility = x[orders.players[rows]]
        if count in self.seats:
            utility = utility + x[self.seats[count] + orders.chairs[rows]]
        members, weights, pairs, chosen = choices(orders.shape)
        top = utility.max(axis=1)
        strength = np.exp(utility - top[:, None])
        # A strength that underflows to 0 would leave a term without anybody.
        total = np.maximum(strength @ members.T, 1e-300)
        value = utility @ chosen - np.log(total) @ weights - top * weights.sum()
        ratio = weights / total
        expected = strength * (ratio @ members)
        if not information:
            return value, chosen - expected, np.zeros((0, count, count))
        square = -((ratio / total) @ pairs).reshape(-1, count, count)
        square *= strength[:, :, None]
        square *= strength[:, None, :]
        square[:, range(count), range(count)] += expected
        return value, chosen - expected, square

    def _add_scores(self, gradient: Floats, orders: Orders, rows: slice, score: Floats) -> None:
        gradient[: self.players] += np.bincount(orders.players[rows].ravel(), score.ravel(), self.players)
        if orders.seats in self.seats:
            at = self.seats[orders.seats]
            gradient[at : at + orders.seats] += np.bincount(orders.chairs[rows].ravel(), score.ravel(), orders.seats)

    def _add_pairs(self, square: Floats, first: Ints, second: Ints, values: Floats) -> None:
        """Add the information that pairs of players share."""
        many = self.players
        half = np.bincount((first * many + second).ravel(), values.ravel(), many * many).reshape(many, many)
        square[:many, :many] += half
        square[:many, :many] += half.T

    def _add_own(self, square: Floats, orders: Orders, rows: slice, curvature: Floats) -> None:
        """Add the information about each player and seat, and what players share with seats."""
        players, chairs, many, count = orders.players[rows], orders.chairs[rows], self.players, orders.seats
        own = curvature[:, range(count), range(count)]
        square[range(many), range(many)] += np.bincount(players.ravel(), own.ravel(), many)
        if count in self.seats:
            at = slice(self.seats[count], self.seats[count] + count)
            values = curvature.ravel()
            cells = players[:, :, None] * count + chairs[:, None, :]
            mixed = np.bincount(cells.ravel(), values, many * count).reshape(many, count)
            square[:many, at] += mixed
            square[at, :many] += mixed.T
            cells = chairs[:, :, None] * count + chairs[:, None, :]
            square[at, at] += np.bincount(cells.ravel(), values, count * count).reshape(count, count)

    def sets(self, x: Floats, wanted: np.ndarray, *, information: bool) -> Iterator[SetScores]:
        """The scores of the wanted sets (a mask) at x, sets with equally many parameters together."""
        for start in range(0, len(wanted), SETS):
            part = np.zeros_like(wanted)
            part[start : start + SETS] = wanted[start : start + SETS]
            if part.any():
                yield from self._sets(x, part, start, information)

    def _sets(self, x: Floats, wanted: np.ndarray, start: int, information: bool) -> Iterator[SetScores]:
        groups, columns, scores, squares = [], [], [], []
        for orders in self.orders:
            games = np.flatnonzero(wanted[orders.groups])
            if not len(games):
                continue
            rows = orders.row[games]
            _, score, square = self._rows(orders, rows, x, information)
            placed, repeat = self._columns(orders, rows)
            groups.append(np.broadcast_to(orders.groups[games][:, None] - start, placed.shape))
            columns.append(placed)
            scores.append(np.tile(score, (1, repeat)))
            squares.append(np.tile(square, (1, repeat, repeat)) if information else square)
        rows, slots = (np.concatenate([part.ravel() for part in parts]) for parts in (groups, columns))
        values = np.concatenate([part.ravel() for part in scores])
        table = coo_array((values, (rows, slots)), shape=(min(SETS, len(wanted) - start), self.size)).tocsr()
        table.sum_duplicates()
        widths = np.diff(table.indptr)
        for width in np.unique(widths[widths > 0]):
            chosen = np.flatnonzero(widths == width)
            at = table.indptr[chosen][:, None] + np.arange(width)
            own = table.indices[at].astype(np.int64)
            held = np.zeros((0, 0, 0))
            if information:
                held = _held(chosen, own, groups, columns, squares, len(widths), self.size)
            yield SetScores(own, table.data[at], held)

    def _columns(self, orders: Orders, rows: Ints) -> tuple[Ints, int]:
        if orders.seats not in self.seats:
            return orders.players[rows], 1
        return np.concatenate([orders.players[rows], orders.chairs[rows] + self.seats[orders.seats]], axis=1), 2


def _held(
    chosen: Ints,
    own: Ints,
    groups: Sequence[np.ndarray],
    columns: Sequence[Ints],
    squares: Sequence[Floats],
    sets: int,
    size: int,
) -> Floats:
    """The information of each chosen set in its own parameters."""
    count, width = own.shape
    number = np.full(sets, -1, dtype=np.int64)
    number[chosen] = np.arange(count)
    keys = (chosen[:, None] * size + own).ravel()
    total = np.zeros(count * width * width)
    for group, column, square in zip(groups, columns, squares, strict=True):
        games = np.flatnonzero(number[group[:, 0]] >= 0)
        if not len(games):
            continue
        slot = np.searchsorted(keys, group[games] * size + column[games]) % width
        first = number[group[games, 0]] * (width * width)
        cells = first[:, None, None] + slot[:, :, None] * width + slot[:, None, :]
        total += np.bincount(cells.ravel(), square[games].ravel(), len(total))
    return total.reshape(count, width, width)


def _chunks(start: int, stop: int, step: int) -> Iterator[slice]:
    for at in range(start, stop, step):
        yield slice(at, min(at + step, stop))


def _orders(results: Results) -> list[Orders]:
    found: dict[tuple[int, ...], list[tuple[Batch, np.ndarray]]] = {}
    for batch in results.batches:
        ranks = np.argsort(batch.places, kind="stable")
        shape = tuple(np.bincount(batch.places)[1:].tolist())
        found.setdefault(shape, []).append((batch, ranks))
    return [_merged(shape, batches, len(results.names)) for shape, batches in sorted(found.items())]


def _merged(shape: tuple[int, ...], batches: Sequence[tuple[Batch, np.ndarray]], names: int) -> Orders:
    count = sum(shape)
    players = np.concatenate([batch.players[:, ranks] for batch, ranks in batches])
    chairs = np.concatenate([np.broadcast_to(ranks, batch.players.shape) for batch, ranks in batches])
    groups = np.concatenate([batch.groups for batch, _ in batches])
    games = len(players)
    # Where there are far more orders than games, equal games are rare and not looked for.
    if float(names) ** count * factorial(count) > 4.0 * games:
        return Orders(shape, players, chairs, np.ones(games), np.arange(games), groups)
    key = np.zeros(games, dtype=np.int64)
    for rank in range(count):
        key = (key * names + players[:, rank]) * count + chairs[:, rank]
    _, first, row, weights = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return Orders(shape, players[first], chairs[first], weights.astype(np.float64), row, groups)
