"""How strong is the candidate: estimates from the scores of groups, plain and after a sequential stop.

`naive` is the textbook interval. A test that stops when the evidence is good makes it biased: `unbiased` therefore
orders all outcomes that the test could have had, models its log-likelihood ratio as Brownian motion between two
barriers (first passage), and reports the strength for which the outcome seen is the median, with the 2.5% and 97.5%
points as an interval: the median-unbiased estimate that fishtest prints.

A test looks only now and then, so its last value lies beyond the barrier. The straight line from the start to the
result is therefore cut where it met the barrier: otherwise a strong candidate, which oversteps by much, would be taken
for one that needed all its sets to get there, and be underrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log10, pi, sqrt

import numpy as np
from scipy.optimize import bisect
from scipy.special import log_ndtr, ndtr

from ladder.ratings.results import Z95, Floats, expectation
from ladder.ratings.score_test import Moments, prior_spread
from ladder.ratings.sprt import EMPTY_CELL, NORMALISED, Model, SequentialDesign, values

MOST_ELO = 1000.0
"""Beyond this logistic Elo no estimate is given: the counts then say no more than a direction."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Strength of the candidate over the baseline; a number that does not exist is None."""

    groups: int
    mean: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    nelo: float | None
    los: float | None
    """Likelihood of superiority."""
    level: bool
    """Whether every group ended level: typical of identical bots, and then no test can tell them apart."""


def elo_of(score: float) -> float | None:
    """The Elo difference with that expected score; None outside (0, 1)."""
    return 0.0 - 400.0 * log10(1.0 / score - 1.0) if 0.0 < score < 1.0 else None


def naive(counts: Floats, games: int) -> Estimate:
    """The estimate as if the number of groups had been fixed beforehand."""
    total = round(float(counts.sum()))
    if total == 0:
        return Estimate(0, None, None, None, None, None, None, False)
    scale = values(len(counts))
    mean = float(counts @ scale) / total
    variance = float(counts @ (scale - mean) ** 2) / total
    error = sqrt(variance / total)
    centre = elo_of(mean)
    low, high = elo_of(mean - Z95 * error), elo_of(mean + Z95 * error)
    # Groups that were all the same say nothing of their spread, so there is no interval.
    half = None if low is None or high is None or error == 0.0 else (high - low) / 2.0
    middle = len(counts) // 2
    return Estimate(
        groups=total,
        mean=mean,
        elo=centre,
        elo_low=None if centre is None or half is None else centre - half,
        elo_high=None if centre is None or half is None else centre + half,
        nelo=NORMALISED * (mean - 0.5) / sqrt(games * variance) if variance > 0 else None,
        los=float(ndtr((mean - 0.5) / error)) if error > 0 else None,
        level=float(counts[middle]) == total and len(counts) % 2 == 1,
    )


@dataclass(frozen=True, slots=True)
class Unbiased:
    """Median-unbiased strength after a stop with its 95% interval, in both units; None beyond `MOST_ELO`."""

    elo: float | None
    """Logistic Elo."""
    low: float | None
    high: float | None
    nelo: float | None
    """Normalised Elo: the same strength in the unit of normalised bounds, by the spread of the counts."""
    nelo_low: float | None
    nelo_high: float | None

    def times(self, factor: float) -> Unbiased:
        """The normalised strength times a factor, where another score was tested; a logistic one does not exist."""
        ends = (self.nelo, self.nelo_low, self.nelo_high)
        return Unbiased(None, None, None, *(None if end is None else end * factor for end in ends))


@dataclass(frozen=True, slots=True)
class _BrownianTest:
    """A test as Brownian motion: where it ended, between which barriers, and how strength becomes drift."""

    time: float
    """Sets until the straight line from the start to the result met a barrier, or all sets."""
    value: float
    lower: float
    upper: float
    centre: float
    """The mean score without drift: halfway between the hypotheses."""
    slope: float
    """Drift a set for each unit of mean score."""
    square: float
    """Variance a set."""
    variance: float
    """Variance of a set's mean score."""

    def chance_of_less(self, elo: float) -> float:
        """The chance of a worse outcome than this one, if the candidate is that strong; it falls with strength."""
        drift = (expectation(elo) - self.centre) * self.slope
        return outcome_cdf(self.time, self.value, self.lower, self.upper, drift, sqrt(self.square))


def unbiased(counts: Floats, design: SequentialDesign) -> Unbiased:
    """The strength for which the outcome of the test is the median of all outcomes it could have had.

    The value of the outcome is the linear log-likelihood ratio of the counts, not the exact one of the stopping rule.
    """
    if float(counts.sum()) <= 0.0:
        return Unbiased(None, None, None, None, None, None)
    filled = np.where(counts == 0, EMPTY_CELL, counts).astype(np.float64)
    time = float(filled.sum())
    scale = values(len(filled))
    mean = float(filled @ scale) / time
    # Sets that all ended alike, but not level, tell nothing of their spread: what is known beforehand is its unit.
    alike = np.count_nonzero(counts) == 1 and counts[len(counts) // 2] == 0
    spread = prior_spread(Moments.of(counts), design) if alike else None
    return unbiased_of(time, mean, float(filled @ (scale - mean) ** 2) / time, design, spread)


def unbiased_of(
    time: float, mean: float, variance: float, design: SequentialDesign, spread: float | None = None
) -> Unbiased:
    """The same from the number of sets and the mean and variance of their scores.

    `spread`: the variance that is the unit of normalised Elo, if it is another.
    """
    walk = _walk(time, mean, variance, design)
    found = [_invert(walk, level) for level in (0.5, 0.975, 0.025)]
    unit = NORMALISED / sqrt(design.games * (walk.variance if spread is None else spread))
    normalised = [None if elo is None else (expectation(elo) - 0.5) * unit for elo in found]
    return Unbiased(*found, *normalised)


def _walk(time: float, mean: float, variance: float, design: SequentialDesign) -> _BrownianTest:
    """The straight line from the start to the result, cut where it met a barrier."""
    score0, score1 = hypotheses(design, variance)
    centre, slope = (score0 + score1) / 2.0, (score1 - score0) / variance
    step = (mean - centre) * slope
    value = time * step
    for barrier in (design.lower, design.upper):
        if abs(value) > abs(barrier) and value * barrier > 0.0:
            time, value = barrier / step, barrier
    return _BrownianTest(time, value, design.lower, design.upper, centre, slope, slope * (score1 - score0), variance)


def hypotheses(design: SequentialDesign, variance: float) -> tuple[float, float]:
    """The mean scores of both hypotheses, where a set's score has that variance."""
    if design.model is Model.LOGISTIC:
        return expectation(design.elo0), expectation(design.elo1)
    unit = sqrt(design.games * variance) / NORMALISED
    return 0.5 + design.elo0 * unit, 0.5 + design.elo1 * unit


def _invert(walk: _BrownianTest, level: float) -> float | None:
    """The strength in Elo at which the chance of a lesser outcome falls to `level`."""
    if walk.chance_of_less(-MOST_ELO) < level or walk.chance_of_less(MOST_ELO) > level:
        return None
    return float(bisect(lambda elo: walk.chance_of_less(elo) - level, -MOST_ELO, MOST_ELO, xtol=1e-7))


def outcome_cdf(time: float, value: float, lower: float, upper: float, drift: float, spread: float) -> float:
    """The chance that Brownian motion between barriers ends lower than (time, value) in the order of outcomes.

    The order: stopped at the lower barrier, the sooner the lower; then not yet stopped, by value; then stopped at the
    upper barrier, the sooner the higher. A series of sines, or where that converges badly (short walks, strong
    drift) the first mirror images at both barriers.
    """
    square, width = spread * spread, upper - lower
    pull = drift / square
    if square * time / width**2 < 0.01 or abs(pull * width) > 15.0:
        root = sqrt(square * time)
        ahead = drift * time
        chance = float(ndtr((value - ahead) / root))
        chance += exp(2.0 * pull * lower + float(log_ndtr((2.0 * lower - value + ahead) / root)))
        chance -= exp(2.0 * pull * upper + float(log_ndtr((value - ahead - 2.0 * upper) / root)))
        return min(1.0, max(0.0, chance))
    start, end = -lower, value - lower
    turns = _N * pi
    decay = np.exp(pull * (end - start) - time * ((turns / width) ** 2 * square / 2.0 + drift * drift / (2.0 * square)))
    waves = 2.0 * width * pull * np.sin(turns * end / width) - 2.0 * turns * np.cos(turns * end / width)
    series = decay * np.sin(turns * start / width) * waves / ((width * pull) ** 2 + turns**2)
    return min(1.0, max(0.0, _ruin(pull, start, width) + float(np.sum(series))))


_N = np.arange(1.0, 201.0)


def _ruin(pull: float, start: float, width: float) -> float:
    """The chance to leave through the lower barrier in the end."""
    if abs(pull * width) < 1e-8:
        return (width - start) / width
    return expm1(2.0 * pull * (width - start)) / expm1(2.0 * pull * width)
