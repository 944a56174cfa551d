"""The Plackett-Luce likelihood of a pool: value, score and information, of all games and of every set.

Parameters are natural logarithms of strength: first the players, then the seats of each seat count. The utility of a
player is the sum of both; the chance to be best among those still there is proportional to e to the utility. Sums over
games run over the codes of players in seats (`orders`), and are added up for players and for seats afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array

from ladder.ratings.orders import Orders, choices, orders_of
from ladder.ratings.results import Attendance, Floats, Ints, Results

CHUNK = 1 << 13
"""Rows that are computed at a time: their arrays stay in the processor's cache."""
SETS = 1 << 15
"""Sets that are summed at a time, so that memory stays small."""
LEAST = 1e-300
"""A strength that underflows to 0 would leave a term without any player."""


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
    """Sets x parameters x parameters."""


def even_information(seats: int) -> float:
    """The information about one player of an even game: (n - H_n) / n."""
    return (seats - sum(1.0 / rank for rank in range(1, seats + 1))) / seats


class _Rows(NamedTuple):
    """What rows of a block contribute, ranks first."""

    height: float
    """The sum of the logarithms that the log-likelihood subtracts."""
    expected: Floats
    """Ranks x rows: how often each is expected to be chosen."""
    own: Floats
    """Ranks x rows: information about the utility of each; empty where it was not asked for."""
    shared: Floats
    """Pairs of ranks x rows: information that both share."""


class _Sums(NamedTuple):
    """Information of a block, summed over its rows."""

    own: Floats
    """Codes: about the utility of each."""
    mixed: Floats
    """Codes: what a player shares with that seat while another player sits there."""
    between: Floats
    """Seats x seats: what each shares with the other, from the better rank to the worse."""

    def add(self, block: Orders, codes: Ints, found: _Rows, *, seats: bool) -> None:
        """Add some rows; `seats`: whether seats have an effect."""
        size, count = len(self.own), block.seats
        self.own[:] += np.bincount(codes.ravel(), found.own.ravel(), size)
        if not seats:
            return
        first, second = choices(block.shape).first, choices(block.shape).second
        chairs = codes % count
        here, there = chairs[first], chairs[second]
        values = found.shared.ravel()
        self.between[:] += np.bincount((here * count + there).ravel(), values, count * count)
        # A player shares information with the other's seat: the code of the player in that seat.
        there -= here
        for cells in (codes[first] + there, codes[second] - there):
            self.mixed[:] += np.bincount(cells.ravel(), values, size)


class Likelihood:
    """The log-likelihood of all games of a pool, without any prior."""

    def __init__(self, players: int, seats: dict[int, int], orders: Sequence[Orders]) -> None:
        self.players = players
        self.seats = seats
        """Where the parameters of each seat count begin; empty if seats have no effect."""
        self.orders = tuple(orders)
        self.size = players + sum(seats)
        self.rows = sum(block.rows for block in self.orders)
        self._chosen = [block.chosen(players * block.seats) for block in self.orders]

    @classmethod
    def of(cls, results: Results, *, seats: bool) -> Likelihood:
        """The likelihood of a pool's results."""
        at, begin = {}, len(results.names)
        for count in sorted({batch.seats for batch in results.batches}) if seats else ():
            at[count] = begin
            begin += count
        return cls(len(results.names), at, orders_of(results))

    def evaluate(self, x: Floats, *, information: bool = True) -> Value:
        """Value, gradient and, if asked for, information at the parameters x."""
        total = 0.0
        gradient = np.zeros(self.size)
        square = np.zeros((self.size, self.size) if information else (0, 0))
        # A sum over pairs of players is a whole matrix: so many rows at once that they outweigh it.
        most = max(CHUNK, self.players**2 // 8)
        for block, chosen in zip(self.orders, self._chosen, strict=True):
            utility = self._utility(x, block.seats)
            strength = np.exp(utility - utility.max())
            total += float(chosen @ (utility - utility.max()))
            count = len(utility)
            sums = _Sums(np.zeros(count), np.zeros(count), np.zeros(block.seats**2))
            expected = np.zeros(count)
            for part in _chunks(0, block.rows, most):
                pairs = np.empty((len(choices(block.shape).first) if information else 0, part.stop - part.start))
                for rows in _chunks(part.start, part.stop, CHUNK):
                    codes = block.codes[:, rows]
                    found = _rows(block, codes, rows, strength, information)
                    total -= found.height
                    expected += np.bincount(codes.ravel(), found.expected.ravel(), len(expected))
                    if information:
                        pairs[:, rows.start - part.start : rows.stop - part.start] = found.shared
                        sums.add(block, codes, found, seats=block.seats in self.seats)
                if information:
                    self._add_pairs(square, block, block.codes[:, part], pairs)
            self._add(gradient, block.seats, chosen - expected)
            if information:
                self._add_own(square, block.seats, sums)
        return Value(total, gradient, square)

    def even_information(self) -> Floats:
        """The information about each player if all players were equal and none tied."""
        total = np.zeros(self.players)
        for block in self.orders:
            counts = np.bincount(
                block.codes.ravel(), None if block.weights is None else np.tile(block.weights, block.seats)
            )
            seated = np.zeros(self.players * block.seats)
            seated[: len(counts)] = counts
            total += seated.reshape(self.players, block.seats).sum(axis=1) * even_information(block.seats)
        return total

    def _utility(self, x: Floats, count: int) -> Floats:
        """The utility of every player in every seat of a table, by code."""
        effects = x[self.seats[count] : self.seats[count] + count] if count in self.seats else np.zeros(count)
        utility: Floats = (x[: self.players, None] + effects).ravel()
        return utility

    def _add(self, vector: Floats, count: int, sums: Floats) -> None:
        """Add sums over codes to players and seats."""
        table = sums.reshape(self.players, count)
        vector[: self.players] += table.sum(axis=1)
        if count in self.seats:
            vector[self.seats[count] : self.seats[count] + count] += table.sum(axis=0)

    def among(self, wanted: np.ndarray) -> tuple[Likelihood, Ints]:
        """The likelihood of the games in which one of the wanted players sits, and which parameters of this one it has.

        Its players are those of these games alone. Sets are not kept.
        """
        blocks = []
        for block in self.orders:
            mask = np.asarray(np.repeat(wanted, block.seats)[block.codes].any(axis=0))
            if mask.any():
                blocks.append(block.some(mask))
        there = np.zeros(self.players, dtype=bool)
        for block in blocks:
            there[block.players()] = True
        number = np.cumsum(there) - 1
        count = int(there.sum())
        seats = {many: at - self.players + count for many, at in self.seats.items()}
        small = Likelihood(count, seats, [block.renumbered(number) for block in blocks])
        return small, np.concatenate([np.flatnonzero(there), np.arange(self.players, self.size)])

    def sample(self, every: int) -> Likelihood:
        """The likelihood of every so many-th row. Sets are not kept."""
        return Likelihood(
            self.players, self.seats, [block.some(slice(None, None, every), float(every)) for block in self.orders]
        )

    def _add_pairs(self, square: Floats, block: Orders, codes: Ints, values: Floats) -> None:
        """Add the information that pairs of players share."""
        many, found = self.players, choices(block.shape)
        players = codes // block.seats
        cells = players[found.first] * many + players[found.second]
        half = np.bincount(cells.ravel(), values.ravel(), many * many).reshape(many, many)
        square[:many, :many] += half
        square[:many, :many] += half.T

    def _add_own(self, square: Floats, count: int, sums: _Sums) -> None:
        """Add the information about each player and seat, and what players share with seats."""
        many = self.players
        own = sums.own.reshape(many, count)
        square[range(many), range(many)] += own.sum(axis=1)
        if count in self.seats:
            seats = slice(self.seats[count], self.seats[count] + count)
            mixed = own + sums.mixed.reshape(many, count)
            square[:many, seats] += mixed
            square[seats, :many] += mixed.T
            between = sums.between.reshape(count, count)
            square[seats, seats] += between + between.T + np.diag(own.sum(axis=0))

    def products(self, x: Floats, sittings: Attendance, wanted: np.ndarray) -> Floats:
        """The sum over the wanted sets (a mask) of the outer products of their scores at x."""
        many, sets = self.players, len(wanted)
        own = np.zeros(len(sittings.players))
        seats = np.zeros((sets, self.size - many))
        for block, entries in zip(self.orders, sittings.entries, strict=True):
            scores = self._scores(block, x)
            own += np.bincount(entries.ravel(), scores.ravel(), len(own))
            if block.seats in self.seats:
                cells = block.groups * seats.shape[1] + (self.seats[block.seats] - many)
                chairs = block.codes % block.seats
                cells = cells + (chairs if block.row is None else chairs[:, block.row])
                seats += np.bincount(cells.ravel(), scores.ravel(), seats.size).reshape(seats.shape)
        set_of = np.repeat(np.arange(sets), np.diff(sittings.first))
        own[~wanted[set_of]] = 0.0
        seats[~wanted] = 0.0
        square = np.zeros((self.size, self.size))
        square[many:, many:] = seats.T @ seats
        for column in range(seats.shape[1]):
            mixed = np.bincount(sittings.players, own * seats[set_of, column], many)
            square[:many, many + column] = mixed
            square[many + column, :many] = mixed
        square[:many, :many] = self._player_products(own, sittings)
        return square

    def _scores(self, block: Orders, x: Floats) -> Floats:
        """Ranks x games: the score of every player in every game."""
        utility = self._utility(x, block.seats)
        strength = np.exp(utility - utility.max())
        scores = np.empty(block.codes.shape)
        chosen = choices(block.shape).chosen[:, None]
        for rows in _chunks(0, block.rows, CHUNK):
            scores[:, rows] = chosen - _rows(block, block.codes[:, rows], None, strength, False).expected
        return scores if block.row is None else scores[:, block.row]

    def _player_products(self, own: Floats, sittings: Attendance) -> Floats:
        many = self.players
        total = np.zeros(many * many)
        widths = np.diff(sittings.first)
        for width in np.unique(widths[widths > 0]):
            at = sittings.first[:-1][widths == width][:, None] + np.arange(width)
            players, scores = sittings.players[at], own[at]
            first, second = np.triu_indices(width)
            for i, j in zip(first, second, strict=True):
                # Half of the diagonal, since the other half comes with the transpose.
                values = scores[:, i] * scores[:, j] * (0.5 if i == j else 1.0)
                total += np.bincount(players[:, i] * many + players[:, j], values, len(total))
        half = total.reshape(many, many)
        whole: Floats = half + half.T
        return whole

    def sets(self, x: Floats, wanted: np.ndarray) -> Iterator[SetScores]:
        """Scores and information of the wanted sets (a mask) at x, sets with equally many parameters together."""
        for start in range(0, len(wanted), SETS):
            part = np.zeros_like(wanted)
            part[start : start + SETS] = wanted[start : start + SETS]
            if part.any():
                yield from self._sets(x, part, start)

    def _sets(self, x: Floats, wanted: np.ndarray, start: int) -> Iterator[SetScores]:
        groups, columns, scores, squares = [], [], [], []
        for block in self.orders:
            games = np.flatnonzero(wanted[block.groups])
            if not len(games):
                continue
            rows = games if block.row is None else block.row[games]
            score, square = self._games(block, rows, x)
            codes = block.codes[:, rows].T
            placed, repeat = codes // block.seats, 1
            if block.seats in self.seats:
                placed = np.concatenate([placed, codes % block.seats + self.seats[block.seats]], axis=1)
                repeat = 2
            groups.append(np.broadcast_to(block.groups[games][:, None] - start, placed.shape))
            columns.append(placed)
            scores.append(np.tile(score, (1, repeat)))
            squares.append(np.tile(square, (1, repeat, repeat)))
        rows, slots = (np.concatenate([part.ravel() for part in parts]) for parts in (groups, columns))
        values = np.concatenate([part.ravel() for part in scores])
        table = coo_array((values, (rows, slots)), shape=(min(SETS, len(wanted) - start), self.size)).tocsr()
        table.sum_duplicates()
        widths = np.diff(table.indptr)
        for width in np.unique(widths[widths > 0]):
            chosen = np.flatnonzero(widths == width)
            at = table.indptr[chosen][:, None] + np.arange(width)
            own = table.indices[at].astype(np.int64)
            held = _held(chosen, own, groups, columns, squares, len(widths), self.size)
            yield SetScores(own, table.data[at], held)

    def _games(self, block: Orders, rows: Ints, x: Floats) -> tuple[Floats, Floats]:
        """Scores (games x ranks) and information (games x ranks x ranks) of some games, by row."""
        utility = self._utility(x, block.seats)
        pattern, count = choices(block.shape), block.seats
        found = _rows(block, block.codes[:, rows], None, np.exp(utility - utility.max()), True)
        square = np.empty((len(rows), count, count))
        square[:, range(count), range(count)] = found.own.T
        square[:, pattern.first, pattern.second] = found.shared.T
        square[:, pattern.second, pattern.first] = found.shared.T
        return pattern.chosen - found.expected.T, square


def _rows(block: Orders, codes: Ints, rows: slice | None, strength: Floats, information: bool) -> _Rows:
    """What some rows contribute, by the strength of every code; their weights count if `rows` are named."""
    members, weights, pairs, _, first, second = choices(block.shape)
    mine = strength[codes]
    total = np.maximum(members @ mine, LEAST)
    logarithms = np.log(total)
    ratio = weights[:, None] / total
    if rows is not None and block.weights is not None:
        ratio *= block.weights[rows]
        logarithms *= block.weights[rows]
    # Not a product with the weights: libraries share such a one among threads, which cost more than they save here.
    height = float((logarithms.sum(axis=1) * weights).sum())
    expected = members.T @ ratio
    expected *= mine
    if not information:
        return _Rows(height, expected, np.zeros((0, 0)), np.zeros((0, 0)))
    ratio /= total
    own = members.T @ ratio
    own *= mine
    own *= -mine
    own += expected
    shared = pairs @ ratio
    shared *= mine[first]
    shared *= -mine[second]
    return _Rows(height, expected, own, shared)


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
