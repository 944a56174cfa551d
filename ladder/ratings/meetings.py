"""Results of every pair of players: how often one was placed better than, level with or worse than the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ladder.ratings.results import Ints, Results, pair_scores


class Meetings(NamedTuple):
    """Players x players, over the games in which both sat; two seats of one player do not meet."""

    wins: Ints
    """Games in which the row's player was placed better than the column's."""
    draws: Ints

    @property
    def losses(self) -> Ints:
        """Games in which the row's player was placed worse than the column's."""
        return self.wins.T

    def tally(self, player: int) -> tuple[int, int, int]:
        """Wins, draws and losses of one player against all others."""
        return int(self.wins[player].sum()), int(self.draws[player].sum()), int(self.wins[:, player].sum())


def meetings(results: Results) -> Meetings:
    """Count all pairs of all games."""
    count = len(results.names)
    wins, draws = _Counts(count), _Counts(count)
    for batch in results.batches:
        scores = pair_scores(batch.places)
        for value, counts in ((1.0, wins), (0.5, draws)):
            for one, other in zip(*np.nonzero(scores == value), strict=True):
                counts.add(batch.players[:, one], batch.players[:, other])
    return Meetings(wins.table(), draws.table())


class _Counts:
    """Counts pairs of players, as many at a time as outweigh the passes over the whole table."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._total = np.zeros(players * players, dtype=np.int64)
        self._waiting: list[Ints] = []
        self._size = 0

    def add(self, first: Ints, second: Ints) -> None:
        """Count pairs of two lists of players."""
        self._waiting.append(first * self._players + second)
        self._size += len(first)
        if self._size > len(self._total):
            self._count()

    def _count(self) -> None:
        if self._waiting:
            self._total += np.bincount(np.concatenate(self._waiting), minlength=len(self._total))
        self._waiting, self._size = [], 0

    def table(self) -> Ints:
        """Players x players, without those that met themselves."""
        self._count()
        found = self._total.reshape(self._players, self._players)
        np.fill_diagonal(found, 0)
        return found
