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
    wins, draws = np.zeros(count * count, dtype=np.int64), np.zeros(count * count, dtype=np.int64)
    for batch in results.batches:
        scores = pair_scores(batch.places)
        for value, total in ((1.0, wins), (0.5, draws)):
            for one, other in zip(*np.nonzero(scores == value), strict=True):
                cells = batch.players[:, one] * count + batch.players[:, other]
                total += np.bincount(cells, minlength=count * count)
    found = Meetings(wins.reshape(count, count), draws.reshape(count, count))
    np.fill_diagonal(found.wins, 0)
    np.fill_diagonal(found.draws, 0)
    return found
