"""The sequential test behind the gate: an exact generalised SPRT on groups of games that share their luck.

A **group** is one deal with the candidate once in every seat and copies of the baseline in the others: as many games
as seats (two players: the pair of games with sides swapped). Its sample is the candidate's mean score, a multiple of
1 / (2 g (n-1)) for g games of n seats. Under Plackett-Luce its expectation is L(Elo difference), 1/2 under equality,
and over a full rotation the luck of the deal cancels.

The log-likelihood ratio compares the best explanations of the counts under both hypotheses. In **logistic** Elo a
hypothesis fixes the mean; in **normalised** Elo it fixes (mean - 1/2) / standard deviation per game, so the length of a
test does not depend on how drawish a game is. The ratio is exact: no approximation with a floor on the variance, which
would stop wrongly while the first groups are all level.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, log, sqrt

import numpy as np
from scipy.optimize import brentq

from ladder.ratings.results import Floats, expectation

NORMALISED = 800.0 / log(10.0)
"""Normalised Elo per unit of (mean - 1/2) / standard deviation."""

MOST_ELO = 4000
"""A strength beyond this is no hypothesis: the expected score would be 0 or 1."""
LEAST_ELO = 0.001
"""Hypotheses that are closer to each other could not be told apart by any number of games."""
LEAST_ERROR = 1e-9
"""The least error rate: no test can be long enough for a smaller one."""

EMPTY_CELL = 1e-3
"""What an empty cell counts as, so that every likelihood exists."""


class Model(StrEnum):
    """In which unit the hypotheses are stated."""

    NORMALISED = "normalised"
    LOGISTIC = "logistic"


class SprtVerdict(StrEnum):
    """What the test says so far."""

    H0 = "H0"
    H1 = "H1"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class SequentialDesign:
    """A sequential test: two hypotheses, two error rates, and the shape of a group."""

    elo0: float
    elo1: float
    model: Model = Model.NORMALISED
    alpha: float = 0.05
    """Chance to accept H1 although H0 holds."""
    beta: float = 0.05
    """Chance to accept H0 although H1 holds."""
    seats: int = 2
    games: int = 2
    """Games per group."""
    candidates: int = 1
    """Seats of the candidate at every table."""

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 must be below elo1, both finite, and they are {self.elo0} and {self.elo1}")
        if max(abs(self.elo0), abs(self.elo1)) > MOST_ELO or self.elo1 - self.elo0 < LEAST_ELO:
            raise ValueError(
                f"elo0 and elo1 lie within ±{MOST_ELO} and at least {LEAST_ELO} apart, and they are {self.elo0:g} and "
                f"{self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta are error rates between 0 and 0.5, not {self.alpha} and {self.beta}")
        if min(self.alpha, self.beta) < LEAST_ERROR:
            raise ValueError(f"alpha and beta are at least {LEAST_ERROR}, and they are {self.alpha} and {self.beta}")
        if not 1 <= self.candidates < self.seats:
            raise ValueError(f"a table of {self.seats} seats cannot have {self.candidates} of the candidate")

    @property
    def lower(self) -> float:
        """At this log-likelihood ratio or below H0 is accepted."""
        return log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At this log-likelihood ratio or above H1 is accepted."""
        return log((1.0 - self.beta) / self.alpha)

    def verdict(self, llr: float | None) -> SprtVerdict:
        """What a log-likelihood ratio means."""
        if llr is None:
            return SprtVerdict.CONTINUE
        return SprtVerdict.H1 if llr >= self.upper else SprtVerdict.H0 if llr <= self.lower else SprtVerdict.CONTINUE


def cells(seats: int, games: int, candidates: int = 1) -> int:
    """How many values the mean score of a group can take: 5 for a pair of two-player games."""
    if seats < 2 or games < 1:
        raise ValueError(f"a group needs at least 2 seats and 1 game, not {seats} and {games}")
    return 2 * games * candidates * (seats - candidates) + 1


def values(count: int) -> Floats:
    """The mean scores that the cells stand for, worst first."""
    return np.linspace(0.0, 1.0, count)


def llr(counts: Floats, design: SequentialDesign) -> float | None:
    """The exact log-likelihood ratio of H1 over H0, or None where it does not exist (never a made-up number)."""
    expected = cells(design.seats, design.games, design.candidates)
    if len(counts) != expected:
        raise ValueError(
            f"{design.seats} seats and {design.games} games per group have {expected} cells, not {len(counts)}"
        )
    if float(np.sum(counts)) <= 0.0:
        return 0.0
    filled = np.where(counts == 0, EMPTY_CELL, counts).astype(np.float64)
    total = float(filled.sum())
    share = filled / total
    scale = values(len(counts))
    fits = []
    for elo in (design.elo0, design.elo1):
        if design.model is Model.LOGISTIC:
            fitted = with_mean(share, scale, expectation(elo))
        else:
            fitted = with_ratio(share, scale, elo * sqrt(design.games) / NORMALISED)
        if fitted is None:
            return None
        fits.append(fitted)
    return total * float(np.sum(share * np.log(fits[1] / fits[0])))


def with_mean(share: Floats, scale: Floats, mean: float) -> Floats | None:
    """The distribution nearest to `share` (in likelihood) whose mean is `mean`."""
    return _tilted(share, scale - mean)


def with_ratio(share: Floats, scale: Floats, target: float) -> Floats | None:
    """The distribution nearest to `share` with (mean - 1/2) / standard deviation equal to `target`."""
    start = np.full(len(share), 1.0 / len(share))
    found = _iterate(share, scale, target, start)
    if found is None:
        _, spread = _moments(share, scale)
        nearby = with_mean(share, scale, min(max(0.5 + target * spread, 1e-6), 1.0 - 1e-6))
        found = None if nearby is None else _iterate(share, scale, target, nearby)
    return found


def _iterate(share: Floats, scale: Floats, target: float, fitted: Floats) -> Floats | None:
    for _ in range(500):
        mean, spread = _moments(fitted, scale)
        if spread <= 0.0:
            return None
        slope = scale - 0.5 - target * spread * (1.0 + ((scale - mean) / spread) ** 2) / 2.0
        following = _tilted(share, slope)
        if following is None:
            return None
        change = float(np.max(np.abs(following - fitted)))
        fitted = following
        if change < 1e-9:
            return fitted
    return None


def _moments(share: Floats, scale: Floats) -> tuple[float, float]:
    mean = float(np.sum(share * scale))
    return mean, sqrt(max(float(np.sum(share * (scale - mean) ** 2)), 0.0))


def _tilted(share: Floats, slope: Floats) -> Floats | None:
    """share / (1 + t slope) with t such that the slope's expectation is 0; None if its range does not straddle 0."""
    low, high = float(slope.min()), float(slope.max())
    if not low < 0.0 < high:
        return None
    lower, upper = -1.0 / high, -1.0 / low
    margin = 1e-12 * (upper - lower)

    def expectation_at(t: float) -> float:
        return float(np.sum(share * slope / (1.0 + t * slope)))

    left, right = lower + margin, upper - margin
    if expectation_at(left) <= 0.0 or expectation_at(right) >= 0.0:
        return None
    t = float(brentq(expectation_at, left, right, xtol=1e-14, rtol=1e-14))
    tilted: Floats = share / (1.0 + t * slope)
    return tilted
