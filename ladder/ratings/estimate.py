"""How strong is the candidate: estimates from the scores of groups, plain and after a sequential stop.

`naive` is the textbook interval. A test that stops when the evidence is good makes it biased: `unbiased` therefore
orders all outcomes that the test could have had, models its log-likelihood ratio as Brownian motion between two
barriers, and reports the strength for which the outcome seen is the median, with the 2.5% and 97.5% points as an
interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log10, pi, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr

from ladder.ratings.elo import expectation
from ladder.ratings.plackett_luce import Z95
from ladder.ratings.results import Floats
from ladder.ratings.sprt import NORMALISED, Design, Model, values


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
    return -400.0 * log10(1.0 / score - 1.0) if 0.0 < score < 1.0 else None


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
    half = None if low is None or high is None else (high - low) / 2.0
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
    """Median-unbiased strength after a stop, in logistic Elo, with its 95% interval."""

    elo: float | None
    low: float | None
    high: float | None


def unbiased(counts: Floats, design: Design, llr: float) -> Unbiased:
    """The strength for which the outcome of the test is the median of all outcomes it could have had."""
    groups = float(counts.sum())
    scale = values(len(counts))
    if groups == 0:
        return Unbiased(None, None, None)
    mean = float(counts @ scale) / groups
    variance = float(counts @ (scale - mean) ** 2) / groups
    if variance <= 0.0:
        return Unbiased(None, None, None)
    score0, score1 = _scores(design, variance)
    slope = (score1 - score0) / variance
    centre = (score0 + score1) / 2.0
    spread = slope * sqrt(variance)

    def chance_of_less(score: float) -> float:
        return outcome_cdf(groups, llr, design.lower, design.upper, slope * (score - centre), spread)

    found = [_invert(chance_of_less, level) for level in (0.5, 0.975, 0.025)]
    median, low, high = (None if score is None else elo_of(score) for score in found)
    return Unbiased(median, low, high)


def _scores(design: Design, variance: float) -> tuple[float, float]:
    if design.model is Model.LOGISTIC:
        return expectation(design.elo0), expectation(design.elo1)
    unit = sqrt(design.games * variance) / NORMALISED
    return 0.5 + design.elo0 * unit, 0.5 + design.elo1 * unit


def _invert(chance_of_less: Callable[[float], float], level: float) -> float | None:
    """The score at which the chance of a lesser outcome falls to `level`."""
    low, high = 1e-6, 1.0 - 1e-6
    if chance_of_less(low) < level or chance_of_less(high) > level:
        return None
    return float(brentq(lambda score: chance_of_less(score) - level, low, high, xtol=1e-9))


def outcome_cdf(time: float, value: float, lower: float, upper: float, drift: float, spread: float) -> float:
    """The chance that Brownian motion between barriers ends lower than (time, value) in the order of outcomes.

    The order: stopped at the lower barrier, the sooner the lower; then not yet stopped, by value; then stopped at the
    upper barrier, the sooner the higher.
    """
    if value >= upper:
        return 1.0 - _hits_upper(time, lower, upper, drift, spread)
    hits_lower = _hits_upper(time, -upper, -lower, -drift, spread)
    if value <= lower:
        return hits_lower
    return min(1.0, hits_lower + _inside(time, value, lower, upper, drift, spread))


_N = np.arange(1.0, 401.0)


def _hits_upper(time: float, lower: float, upper: float, drift: float, spread: float) -> float:
    """The chance that motion from 0 has left through the upper barrier by `time`."""
    width, start, square = upper - lower, -lower, spread * spread
    ever = _ever_hits(drift * 2.0 / square, start, width)
    rates = drift * drift / (2.0 * square) + (_N * pi * spread / width) ** 2 / 2.0
    signs = np.where(_N % 2 == 1, 1.0, -1.0)
    exponents = drift * (width - start) / square - rates * time
    # Each summand stays finite, whatever it is divided by, and so does their sum.
    bounded = np.minimum(exponents, 690.0 + np.log(np.minimum(rates / _N, 1.0)))
    tail = np.sum(_N * signs * np.sin(_N * pi * start / width) * np.exp(bounded) / rates)
    return min(1.0, max(0.0, ever - pi * square / width**2 * float(tail)))


def _ever_hits(pull: float, start: float, width: float) -> float:
    if abs(pull * width) < 1e-9:
        return start / width
    if pull > 0:
        return (1.0 - exp(-pull * start)) / (1.0 - exp(-pull * width))
    return exp(pull * (width - start)) * (1.0 - exp(pull * start)) / (1.0 - exp(pull * width)) if pull > -inf else 0.0


def _inside(time: float, value: float, lower: float, upper: float, drift: float, spread: float) -> float:
    """The chance of being between the barriers at `time`, below `value`, without having touched either."""
    width, square = upper - lower, spread * spread
    waves = np.sin(_N * pi * -lower / width) * np.exp(-((_N * pi * spread / width) ** 2) * time / 2.0)

    def density(at: float) -> float:
        shape = float(np.sum(waves * np.sin(_N * pi * (at - lower) / width)))
        return 2.0 / width * exp(min(700.0, drift * at / square - drift * drift * time / (2.0 * square))) * shape

    area, _ = quad(density, lower, value, limit=200)
    return max(0.0, float(area))
