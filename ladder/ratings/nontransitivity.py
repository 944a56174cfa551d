"""What one number per player cannot say: cycles, misfit, and the mixture that no player beats (Nash averaging).

All of it is read from the matrix of pairwise scores and from a fit of `plackett_luce`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, minimize
from scipy.special import betainc, chdtrc

from ladder.ratings.connection import Flags
from ladder.ratings.maximum import Inverse
from ladder.ratings.meetings import Meetings, meetings
from ladder.ratings.plackett_luce import Fit
from ladder.ratings.results import Floats, Results

CYCLE_ERROR = 0.05
"""The chance to announce any cycle in a pool that has none, whatever the number of bots."""
MOST_CYCLES = 100
"""Cycles that are listed; all are counted."""
MOST_NASH = 150
"""Players up to which the Nash mixture is computed."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Scores and numbers of games of every ordered pair of players."""

    scores: Floats
    counts: Floats


@dataclass(frozen=True, slots=True)
class Structure:
    """How far a pool is from a single scale of strength."""

    chi2: float
    degrees: int
    p_value: float
    """The chance of a misfit as large as this if one number per player told all."""
    cycles: tuple[tuple[str, str, str], ...]
    """Triples in which each beats the next, the first `MOST_CYCLES` of them."""
    cycle_count: int
    """How many such triples there are."""
    compared: int
    """Comparisons that were looked at for cycles; each step of a cycle is sure at 5% divided by this."""
    cyclic_share: float
    """Part of the variation of pairwise results that no scale of strength explains: 0 transitive, 1 a pure cycle."""
    nash: dict[str, float] | None
    """The mixture of players that no player beats on average, of all such the most even one; None in large pools."""


def pairs(results: Results, met: Meetings | None = None) -> Pairs:
    """The pairwise scores of all games; `met` are their meetings, if they are at hand."""
    met = meetings(results) if met is None else met
    scores: Floats = met.wins + 0.5 * met.draws
    return Pairs(scores, scores + scores.T)


def structure(results: Results, fit: Fit, met: Meetings | None = None) -> Structure:
    """The whole report."""
    table = pairs(results, met)
    statistic, degrees = _misfit(table, fit)
    sure, compared = _sure(table)
    mixture = dict(zip(results.names, map(float, nash(table)), strict=True)) if len(fit.names) <= MOST_NASH else None
    cycles, count = _cycles(results.names, sure)
    return Structure(
        chi2=statistic,
        degrees=degrees,
        p_value=float(chdtrc(degrees, statistic)) if degrees > 0 else 1.0,
        cycles=cycles,
        cycle_count=count,
        compared=compared,
        cyclic_share=_cyclic_share(table),
        nash=mixture,
    )


def _misfit(table: Pairs, fit: Fit) -> tuple[float, int]:
    """Sum of squared standardised residuals against the fit; conservative with ties."""
    expected = 1.0 / (1.0 + np.exp(-(fit.theta[:, None] - fit.theta[None, :])))
    upper = np.triu(table.counts > 0, 1)
    count, p = table.counts[upper], expected[upper]
    residuals = (table.scores[upper] - count * p) / np.sqrt(count * p * (1.0 - p))
    return float(np.sum(residuals**2)), int(upper.sum()) - (len(fit.names) - 1)


def _sure(table: Pairs) -> tuple[Flags, int]:
    """Players x players: the row's beats the column's for sure, all such claims together; and how many were tested.

    A false cycle needs a false claim about one of its steps. So it is enough to hold the chance of any false claim:
    over all pairs that met, both ways, or over all triples that met, both ways round, where these are fewer
    (Bonferroni). The test of a pair is the binomial one against even chances: exact without draws, careful with
    draws and with games that shared their luck.
    """
    met = table.counts > 0
    edges = met.astype(np.float64)
    triples = round(float(np.sum((edges @ edges) * edges)) / 6.0)
    compared = 2 * max(1, min(int(met.sum()) // 2, triples))
    # No less than half of all points can be a sure win, which spares the other half of all tests.
    sure = table.scores > 0.5 * table.counts
    points, counts = np.ceil(table.scores[sure]), table.counts[sure]
    sure[sure] = betainc(points, counts - points + 1.0, 0.5) <= CYCLE_ERROR / compared
    return sure, compared


def _cycles(names: tuple[str, ...], sure: Flags) -> tuple[tuple[tuple[str, str, str], ...], int]:
    """Cycles of three sure steps, each named from its first player on, and how many there are in all."""
    steps = sure.astype(np.float32)
    closing = (steps @ steps).T * steps
    found: list[tuple[str, str, str]] = []
    for i, j in zip(*np.nonzero(closing), strict=True):
        if len(found) >= MOST_CYCLES:
            break
        found += [(names[i], names[j], names[k]) for k in np.flatnonzero(sure[j] & sure[:, i]) if i < min(j, k)]
    return tuple(found[:MOST_CYCLES]), round(float(closing.sum(dtype=np.float64)) / 3.0)


def _logits(table: Pairs) -> Floats:
    logits: Floats = np.log((table.scores + 0.5) / (table.scores.T + 0.5))
    return logits


def _cyclic_share(table: Pairs) -> float:
    """Weighted least squares of pairwise logits on potentials: the residual sum of squares over the total one."""
    observed, weights = _logits(table), table.counts
    total = float(np.sum(weights * observed**2)) / 2.0
    if total <= 0.0:
        return 0.0
    pulls = np.sum(weights * observed, axis=1)
    degrees = weights.sum(axis=1)
    # The ridge fixes the sum of each component's potentials, which the logits do not know.
    laplacian = np.diag(degrees + 1e-9 * degrees.max()) - weights
    explained = float(Inverse(laplacian)(pulls) @ pulls)
    return min(1.0, max(0.0, 1.0 - explained / total))


def nash(table: Pairs) -> Floats:
    """Maximum-entropy Nash equilibrium of the antisymmetric matrix of logits."""
    payoff = _logits(table)
    payoff = (payoff - payoff.T) / 2.0
    count = len(payoff)
    if count == 1:
        return np.ones(1)
    support = _largest_support(payoff)
    if support.sum() == 1:
        return support.astype(np.float64)
    inside = payoff[:, support]
    size = int(support.sum())
    constraints = [LinearConstraint(np.ones((1, size)), 1.0, 1.0), LinearConstraint(inside, -np.inf, 0.0)]
    start = _feasible(inside)

    def disorder(mixture: Floats) -> float:
        return float(np.sum(mixture * np.log(np.maximum(mixture, 1e-300))))

    found = minimize(
        disorder,
        start,
        method="SLSQP",
        bounds=Bounds(0.0, 1.0),
        constraints=constraints,
        tol=1e-12,
    )
    mixture = np.zeros(count)
    mixture[support] = np.maximum(found.x if found.success else start, 0.0)
    normal: Floats = mixture / mixture.sum()
    return normal


def _feasible(inside: Floats) -> Floats:
    size = inside.shape[1]
    solved = linprog(np.zeros(size), A_ub=inside, b_ub=np.zeros(len(inside)), A_eq=np.ones((1, size)), b_eq=[1.0])
    if not solved.success or solved.x is None:
        return np.full(size, 1.0 / size)
    return np.asarray(solved.x, dtype=np.float64)


def _largest_support(payoff: Floats) -> Flags:
    """Which players have a share in some equilibrium.

    Equilibria without their sum of 1 are a cone. So one linear program finds the largest support: as many players as
    possible with a share of 1 or more.
    """
    count = len(payoff)
    goal = np.concatenate([np.zeros(count), -np.ones(count)])
    unbeaten = np.concatenate([payoff, np.zeros((count, count))], axis=1)
    counted = np.concatenate([-np.eye(count), np.eye(count)], axis=1)
    limits = [(0.0, None)] * count + [(0.0, 1.0)] * count
    rows = np.concatenate([unbeaten, counted])
    solved = linprog(goal, A_ub=rows, b_ub=np.zeros(2 * count), bounds=limits)
    if not solved.success or solved.x is None:
        return np.ones(count, dtype=bool)
    member = np.asarray(solved.x[count:] > 0.5)
    return member if member.any() else np.ones(count, dtype=bool)
