"""The sequential test on the mean scores of sets of any kind: places at many seats, or margins of points.

The exact likelihood of `sprt` spreads a few sets over many cells (41 at five seats) and knows next to nothing about
the spread of scores, so short tests waste sets there. Here the scores of sets are taken as normal, with unknown mean
and spread, and the spread starts as `PRIOR_SETS` sets of what is known beforehand: that of equal bots whose games are
independent. Luck of the deal only lessens it, so the start errs on the safe side.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from ladder.ratings.elo import expectation
from ladder.ratings.results import Floats
from ladder.ratings.sprt import NORMALISED, Design, Model, values

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


def even_variance(seats: int, games: int) -> float:
    """The variance of a set's mean score if all bots are equal and games independent: (n + 1) / (12 (n - 1) g)."""
    return (seats + 1.0) / (12.0 * (seats - 1.0) * games)


def prior_spread(moments: Moments, design: Design, start: float | None = None) -> float:
    """The variance of a set's score, what is known beforehand counted as `PRIOR_SETS` sets."""
    before = even_variance(design.seats, design.games) if start is None else start
    return (moments.sets * moments.variance + PRIOR_SETS * before) / (moments.sets + PRIOR_SETS)


def score_llr(moments: Moments, design: Design, start: float | None = None) -> float:
    """The log-likelihood ratio of H1 over H0, for either model; `start` is the variance known beforehand.

    Each hypothesis is taken with the spread that suits it best. Logistic bounds fix the mean, normalised ones the mean
    above 1/2 over the spread of a game; for those the best spread solves a quadratic equation.
    """
    sets, before = float(moments.sets), even_variance(design.seats, design.games) if start is None else start
    weight, prior = sets + PRIOR_SETS, PRIOR_SETS * before
    if design.model is Model.LOGISTIC:
        squares = [
            sets * (moments.variance + (moments.mean - expectation(elo)) ** 2) + prior
            for elo in (design.elo0, design.elo1)
        ]
        return weight / 2.0 * log(squares[0] / squares[1])
    lead = moments.mean - 0.5
    square = sets * (moments.variance + lead * lead) + prior

    def fitted(elo: float) -> float:
        target = elo * sqrt(design.games) / NORMALISED
        pull = sets * lead * target
        spread = (-pull + sqrt(pull * pull + 4.0 * weight * square)) / (2.0 * weight)
        return -weight * log(spread) - (square - 2.0 * pull * spread) / (2.0 * spread**2) - sets * target**2 / 2.0

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
