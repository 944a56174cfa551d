"""What one number per player cannot say: cycles, misfit, and the mixture that nobody beats.

All of it is read from the matrix of pairwise scores and from a fit of `plackett_luce`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, minimize
from scipy.special import ndtr
from scipy.stats import chi2

from ladder.ratings.plackett_luce import Fit
from ladder.ratings.results import ELO, Floats, Results, pair_scores


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
    """Triples in which each beats the next, every step with a likelihood of at least 0.95."""
    cyclic_share: float
    """Part of the variation of pairwise results that no scale of strength explains: 0 transitive, 1 a pure cycle."""
    nash: dict[str, float]
    """The mixture of players that no player beats on average, of all such the most even one."""


def pairs(results: Results) -> Pairs:
    """The pairwise scores of all games."""
    count = len(results.names)
    scores = np.zeros((count, count))
    counts = np.zeros((count, count))
    for batch in results.batches:
        table = pair_scores(batch.places)
        for i in range(batch.seats):
            for j in range(batch.seats):
                if i == j:
                    continue
                apart = batch.players[:, i] != batch.players[:, j]
                cell = (batch.players[apart, i], batch.players[apart, j])
                np.add.at(scores, cell, table[i, j])
                np.add.at(counts, cell, 1.0)
    return Pairs(scores, counts)


def structure(results: Results, fit: Fit) -> Structure:
    """The whole report."""
    table = pairs(results)
    statistic, degrees = _misfit(table, fit)
    return Structure(
        chi2=statistic,
        degrees=degrees,
        p_value=float(chi2.sf(statistic, degrees)) if degrees > 0 else 1.0,
        cycles=_cycles(results.names, table),
        cyclic_share=_cyclic_share(table),
        nash=dict(zip(results.names, map(float, nash(table)), strict=True)),
    )


def _misfit(table: Pairs, fit: Fit) -> tuple[float, int]:
    """Sum of squared standardised residuals against the fit; conservative with ties."""
    expected = 1.0 / (1.0 + np.exp(-(fit.elo[:, None] - fit.elo[None, :]) / ELO))
    upper = np.triu(table.counts > 0, 1)
    count, p = table.counts[upper], expected[upper]
    residuals = (table.scores[upper] - count * p) / np.sqrt(count * p * (1.0 - p))
    return float(np.sum(residuals**2)), int(upper.sum()) - (len(fit.names) - 1)


def _cycles(names: tuple[str, ...], table: Pairs) -> tuple[tuple[str, str, str], ...]:
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = table.scores / table.counts
        los = ndtr((mean - 0.5) / np.sqrt(np.maximum(mean * (1.0 - mean), 1e-9) / table.counts))
    sure = np.nan_to_num(los, nan=0.0) >= 0.95
    found = []
    for i, j, k in permutations(range(len(names)), 3):
        if i < j and i < k and sure[i, j] and sure[j, k] and sure[k, i]:
            found.append((names[i], names[j], names[k]))
    return tuple(found)


def _logits(table: Pairs) -> Floats:
    logits: Floats = np.log((table.scores + 0.5) / (table.scores.T + 0.5))
    return logits


def _cyclic_share(table: Pairs) -> float:
    first, second = np.nonzero(np.triu(table.counts > 0, 1))
    if len(first) == 0:
        return 0.0
    observed = _logits(table)[first, second]
    weights = np.sqrt(table.counts[first, second])
    design = np.zeros((len(first), len(table.counts)))
    design[np.arange(len(first)), first] = 1.0
    design[np.arange(len(first)), second] = -1.0
    potential, *_ = np.linalg.lstsq(design * weights[:, None], observed * weights, rcond=None)
    residual = (observed - design @ potential) * weights
    total = float(np.sum((observed * weights) ** 2))
    return float(np.sum(residual**2)) / total if total > 0 else 0.0


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


def _largest_support(payoff: Floats) -> np.ndarray:
    """Which players have a share in some equilibrium: for each, the largest share that one allows is above 0."""
    count = len(payoff)
    ones = np.ones((1, count))
    member = np.zeros(count, dtype=bool)
    for player in range(count):
        goal = np.zeros(count)
        goal[player] = -1.0
        solved = linprog(goal, A_ub=payoff, b_ub=np.zeros(count), A_eq=ones, b_eq=[1.0])
        member[player] = bool(solved.success) and solved.fun is not None and solved.fun < -1e-9
    return member if member.any() else np.ones(count, dtype=bool)
