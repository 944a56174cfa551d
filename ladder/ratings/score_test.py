"""The sequential test on the mean scores of sets of any kind: places at many seats, or margins of points.

The exact likelihood of `sprt` spreads a few sets over many cells (41 at five seats) and knows next to nothing about
the spread of scores, so short tests waste sets there. Here the scores of sets are taken as normal, with unknown mean
and spread, and the spread starts as `PRIOR_SETS` sets of what is known beforehand: that of equal bots whose games are
independent. Luck of the deal only lessens it, so the start errs on the safe side.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ladder.ratings.results import Floats, expectation
from ladder.ratings.sprt import NORMALISED, Model, SequentialDesign, values

PRIOR_SETS = 8.0
"""So many sets weighs what is known about the spread beforehand, as in the intervals of ratings."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Number, mean and variance of the scores of sets."""

    sets: int = 0
    mean: float = 0.5
    variance: float = 0.0
    """Divided by the number of sets."""

    def plus(self, score: float) -> Moments:
        """With one more set (Welford's update)."""
        sets = self.sets + 1
        before = 0.0 if self.sets == 0 else self.mean
        mean = before + (score - before) / sets
        square = self.variance * self.sets + (score - before) * (score - mean)
        return Moments(sets, mean, max(0.0, square / sets))

    @classmethod
    def of(cls, counts: Floats) -> Moments:
        """The moments of counts over equally spaced scores from 0 to 1."""
        total = float(counts.sum())
        if total <= 0.0:
            return cls()
        scale = values(len(counts))
        mean = float(counts @ scale) / total
        return cls(round(total), mean, float(counts @ (scale - mean) ** 2) / total)


def even_variance(seats: int, games: int, candidates: int = 1) -> float:
    """The variance of a set's mean score if all bots are equal and games independent.

    (n + 1) / (12 m (n - m) g) for m candidates at n seats and g games: that of Mann and Whitney's statistic.
    """
    return (seats + 1.0) / (12.0 * candidates * (seats - candidates) * games)


def candidates_ratio(seats: int, candidates: int) -> float:
    """Effect size of a table with so many candidates over that of one, if results of seats were independent."""
    return sqrt(even_variance(seats, 1) / even_variance(seats, 1, candidates))


def _start(design: SequentialDesign) -> float:
    return even_variance(design.seats, design.games, design.candidates)


def prior_spread(moments: Moments, design: SequentialDesign, start: float | None = None) -> float:
    """The variance of a set's score, what is known beforehand counted as `PRIOR_SETS` sets."""
    before = _start(design) if start is None else start
    return (moments.sets * moments.variance + PRIOR_SETS * before) / (moments.sets + PRIOR_SETS)


def score_llr(moments: Moments, design: SequentialDesign, start: float | None = None) -> float:
    """The log-likelihood ratio of H1 over H0, for either model; `start` is the variance known beforehand."""
    found = _llr(np.array([moments.sets]), np.array([moments.mean]), np.array([moments.variance]), design, start)
    return float(found[0])


def llr_path(scores: Floats, design: SequentialDesign, start: float | None = None) -> Floats:
    """The ratio after each of these sets."""
    sets = np.arange(1, len(scores) + 1)
    mean = np.cumsum(scores) / sets
    # About 1/2, so that nothing is lost where all scores are nearly equal.
    variance = np.maximum(np.cumsum((scores - 0.5) ** 2) / sets - (mean - 0.5) ** 2, 0.0)
    return _llr(sets, mean, variance, design, start)


def _llr(sets: np.ndarray, mean: Floats, variance: Floats, design: SequentialDesign, start: float | None) -> Floats:
    """The ratio, element by element.

    Each hypothesis is taken with the spread that suits it best. Logistic bounds fix the mean, normalised ones the mean
    above 1/2 over the spread of a game; for those the best spread solves a quadratic equation.
    """
    before = _start(design) if start is None else start
    weight, prior = sets + PRIOR_SETS, PRIOR_SETS * before
    if design.model is Model.LOGISTIC:
        squares = [sets * (variance + (mean - expectation(elo)) ** 2) + prior for elo in (design.elo0, design.elo1)]
        ratio: Floats = weight / 2.0 * np.log(squares[0] / squares[1])
        return ratio
    lead = mean - 0.5
    square = sets * (variance + lead * lead) + prior

    def fitted(elo: float) -> Floats:
        target = elo * sqrt(design.games) / NORMALISED
        pull = sets * lead * target
        spread = (-pull + np.sqrt(pull * pull + 4.0 * weight * square)) / (2.0 * weight)
        found: Floats = -weight * np.log(spread) - (square - 2.0 * pull * spread) / (2.0 * spread**2)
        return found - sets * target**2 / 2.0

    return fitted(design.elo1) - fitted(design.elo0)


def normal_interval(moments: Moments, games: int, quantile: float) -> tuple[float, float, float] | None:
    """Normalised Elo with both ends of its interval; None without any spread."""
    if moments.sets < 2 or moments.variance <= 0.0:
        return None
    ratio = (moments.mean - 0.5) / sqrt(moments.variance)
    error = sqrt((1.0 + ratio * ratio / 2.0) / moments.sets)
    unit = NORMALISED / sqrt(games)
    return unit * ratio, unit * (ratio - quantile * error), unit * (ratio + quantile * error)


def counted(scores: Floats) -> Moments:
    """The moments of a list of scores."""
    return Moments(len(scores), float(np.mean(scores)), float(np.var(scores))) if len(scores) else Moments()
