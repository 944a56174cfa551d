"""Matchmaking as an optimal design: the tables whose results will make ratings most certain (A-optimality).

What is known about the ratings of a pool is a covariance matrix: the inverse of the information that all sets played so
far have, and of the prior that the fit has too. A set of two bots adds information about their difference, most if they
are about equal; a table of more adds it for each of its pairs. A table is chosen that lessens the sum of all bots'
variances most, the matrix is brought up to date as if it had been played, and so on for a whole batch. So a bot that is
little known plays much, but not eight sets in a row, and bots far apart meet only as long as their distance is not
known: chains of neighbours alone would leave the ends of a pool uncertain.

Strengths are those of the last fit, and uncertain themselves. A pair counts as far apart only as far as its 95%
interval says so. To take ratings at their word would be worse than a round robin in sparse pools: a bot that was lucky
is thought far above those it beat, does not meet them again, and keeps its luck (ratings then spread by a tenth too
much).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, log

import numpy as np
import numpy.typing as npt

ELO = 400.0 / log(10.0)
"""Elo points per unit of the natural logarithm of strength."""
PRIOR = 0.25
"""Information of one drawn game about each bot, as in the fit."""
DOUBT = 1.96
"""Standard errors by which two bots may be nearer than their ratings say: those of a 95% interval."""
FARTHEST = 100.0
"""Beyond this distance a result is certain."""
TIED = 1e-9
"""Share of the best gain by which another one is as good: then the first by name is taken."""

Floats = npt.NDArray[np.float64]


class TableDesign:
    """What is known about the strengths of a pool, and what each pair of bots would add."""

    def __init__(self, elo: Mapping[str, float | None], seats: int, lineups: Sequence[Sequence[str]]) -> None:
        """Ratings by bot (None: not known yet), and the sets played so far."""
        self.names = tuple(sorted(elo))
        self._index = {name: at for at, name in enumerate(self.names)}
        self._seats = seats
        known = [value for value in elo.values() if value is not None and isfinite(value)]
        middle = sum(known) / len(known) if known else 0.0
        given = [elo[name] for name in self.names]
        self._strengths = np.array([middle if value is None or not isfinite(value) else value for value in given]) / ELO
        self._apart: Floats = np.abs(self._strengths[:, None] - self._strengths[None, :])
        self._covariance: Floats = np.linalg.inv(self._information(lineups)).astype(np.float64)
        self._square: Floats = self._covariance @ self._covariance

    def _information(self, lineups: Sequence[Sequence[str]]) -> Floats:
        """The information of sets that were played, with the prior."""
        count = len(self.names)
        total = PRIOR * np.eye(count)
        bots = np.array([[self._index[name] for name in lineup] for lineup in lineups], dtype=np.int64)
        if len(bots):
            first, second = np.triu_indices(self._seats, 1)
            cells = (bots[:, first] * count + bots[:, second]).ravel()
            met = np.bincount(cells, minlength=count * count).reshape(count, count)
            weight = pair_weight(self._seats) * (met + met.T) * variance_of_result(self._apart)
            total += np.diag(weight.sum(axis=1)) - weight
        return total

    def gains(self) -> Floats:
        """Bots x bots: by how much a set of both would lessen the sum of all variances."""
        doubt = _differences(self._covariance)
        weight = self._expected(self._apart, doubt)
        gain: Floats = weight * _differences(self._square) / (1.0 + weight * doubt)
        np.fill_diagonal(gain, -np.inf)
        return gain

    def _expected(self, apart: Floats, doubt: Floats) -> Floats:
        """The information of a set, by pair, if bots are as near to each other as they may well be.

        `apart` are distances of strengths, `doubt` their variances.
        """
        nearest = np.maximum(0.0, apart - DOUBT * np.sqrt(np.maximum(doubt, 0.0)))
        found: Floats = pair_weight(self._seats) * variance_of_result(nearest)
        return found

    def table(self, first: Sequence[str]) -> tuple[str, ...]:
        """The best table with one of these bots in it."""
        gain = self.gains()
        allowed = np.array([self._index[name] for name in first])
        row, other = divmod(_best(gain[allowed].ravel()), len(self.names))
        chosen = [int(allowed[row]), other]
        while len(chosen) < self._seats:
            chosen.append(_best(gain[chosen].sum(axis=0)))
        return tuple(self.names[at] for at in chosen)

    def add(self, lineup: Sequence[str]) -> None:
        """Count a table as played: Woodbury's formula for all its pairs at once."""
        seated = [self._index[name] for name in lineup]
        inside = np.ix_(seated, seated)
        own = self._covariance[inside]
        weight = self._expected(self._apart[inside], _differences(own))
        np.fill_diagonal(weight, 0.0)
        added = np.diag(weight.sum(axis=1)) - weight
        lessened = np.linalg.solve(np.eye(len(seated)) + added @ own, added)
        columns = self._covariance[:, seated].copy()
        turned = (self._covariance @ columns) @ lessened @ columns.T
        self._square += columns @ (lessened @ (columns.T @ columns) @ lessened) @ columns.T - turned - turned.T
        self._covariance -= columns @ lessened @ columns.T


def pair_weight(seats: int) -> float:
    """Games of a set, times the share of a pair's result at a table of n that is its own: 3 / (n + 1)."""
    return seats * 3.0 / (seats + 1.0)


def variance_of_result(apart: Floats) -> Floats:
    """p (1 - p) of games between bots whose strengths are so far apart, in natural logarithms."""
    chance = 1.0 / (1.0 + np.exp(np.minimum(apart, FARTHEST)))
    found: Floats = chance * (1.0 - chance)
    return found


def _differences(matrix: Floats) -> Floats:
    """d'Md for the difference d of every two bots."""
    own = np.diag(matrix)
    found: Floats = own[:, None] + own[None, :] - 2.0 * matrix
    return found


def _best(values: Floats) -> int:
    """The first of the largest values; differences that are nothing but rounding count as none."""
    top = float(values.max())
    return int(np.flatnonzero(values >= top - TIED * abs(top))[0])
