"""The results of every pair of players of a pool, and who is likely to be the stronger one."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from ladder.ratings.meetings import meetings
from ladder.ratings.plackett_luce import Fit
from ladder.ratings.results import Results, collect
from ladder.seasons.standings import PoolFold


@dataclass(frozen=True, slots=True)
class CrossTable:
    """By players, in one order for rows and columns: island by island, best first."""

    players: tuple[str, ...]
    results: tuple[tuple[tuple[int, int, int], ...], ...]
    """Wins, draws and losses of the row's player against the column's, over the games in which both sat."""
    superiority: tuple[tuple[float | None, ...], ...]
    """Likelihood of superiority: the chance that the row's player is the stronger; None: not comparable, or itself."""


def cross_table(table: PoolFold) -> CrossTable | None:
    """The cross table of a pool; None before it was rated."""
    return None if table.fit is None else cross_table_of(table.fit, collect(table.games))


def cross_table_of(found: Fit, results: Results) -> CrossTable:
    """The cross table of results and their fit."""
    order = sorted(range(len(found.names)), key=lambda at: (found.island[at], -found.elo[at], found.names[at]))
    met = meetings(results)
    return CrossTable(
        tuple(found.names[at] for at in order),
        tuple(tuple((int(met.wins[i, j]), int(met.draws[i, j]), int(met.wins[j, i])) for j in order) for i in order),
        tuple(
            tuple(None if i == j or not isfinite(found.los[i, j]) else float(found.los[i, j]) for j in order)
            for i in order
        ),
    )
