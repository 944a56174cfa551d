"""The strength after a triangular stop: median-unbiased, as `estimate` has it for Wald's barriers.

The log-likelihood ratio is Brownian motion whose unit of time is information; halfway between the hypotheses it has no
drift, at H0 and H1 a drift of -1/2 and +1/2. Outcomes are ordered as with Wald's barriers: stopped at the lower side,
the sooner the lower; then stopped at the upper side, the sooner the higher. The chance of a lesser outcome is computed
on a grid, once, near the drift that was seen; for other drifts every exit is weighted by its likelihood ratio
(Girsanov), which depends on its time and place alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.optimize import brentq

from ladder.ratings.estimate import MOST_ELO, Unbiased, elo_of, hypotheses
from ladder.ratings.results import Floats
from ladder.ratings.sprt import NORMALISED, SequentialDesign
from ladder.ratings.stopping import triangle

STEP = 0.01
"""Information of one step of the grid."""
CELLS = 1201
"""Values of the ratio on the grid."""
BETWEEN_LOOKS = 0.5826
"""Standard deviations of a step by which a walk in steps oversteps a barrier, in the mean (Siegmund)."""
FARTHEST_DRIFT = 40.0
"""No drift beyond this is looked for: such a candidate wins nearly every set."""
NEAR = 0.25
"""Drifts of grids are multiples of this, so that few are computed."""


@dataclass(frozen=True, slots=True)
class Exits:
    """When and where walks with one drift leave the triangle."""

    drift: float
    times: Floats
    upper: Floats
    """Chance to leave by the upper side in each step."""
    lower: Floats
    upper_values: Floats
    """The ratio at the upper side in each step."""
    lower_values: Floats

    def chance(self, drift: float, until: float, *, up: bool) -> float:
        """The chance to leave by one side before a time, with any drift."""
        mass, values = (self.upper, self.upper_values) if up else (self.lower, self.lower_values)
        before = np.clip((until - self.times) / STEP + 1.0, 0.0, 1.0)
        turn = drift - self.drift
        weights = np.exp(turn * values - (drift**2 - self.drift**2) * (self.times - 0.5 * STEP) / 2.0)
        return float(min(1.0, np.sum(mass * before * weights)))


@lru_cache(maxsize=64)
def exits(height: float, tilt: float, drift: float) -> Exits:
    """Walks with that drift in the triangle from -height + (1/4 + tilt) i to height - (1/4 - tilt) i."""
    grid = np.linspace(-height, height, CELLS)
    width = float(grid[1] - grid[0])
    reach = int(6.0 * sqrt(STEP) / width) + 2
    offsets = np.arange(-reach, reach + 1) * width
    kernel = np.exp(-((offsets - drift * STEP) ** 2) / (2.0 * STEP))
    kernel /= kernel.sum()
    inward = BETWEEN_LOOKS * sqrt(STEP)
    steps = int(4.0 * height / STEP) + 1
    times: Floats = STEP * np.arange(1, steps + 1, dtype=np.float64)
    tops, bottoms = height - (0.25 - tilt) * times, -height + (0.25 + tilt) * times
    upper, lower = np.zeros(steps), np.zeros(steps)
    mass = np.zeros(CELLS + 2 * reach)
    padded = np.concatenate([grid[0] + offsets[:reach], grid, grid[-1] + offsets[reach + 1 :]])
    mass[reach + CELLS // 2] = 1.0
    for number in range(steps):
        mass = np.convolve(mass, kernel, mode="same")
        middle = (tops[number] + bottoms[number]) / 2.0
        up = padded >= max(tops[number] - inward, middle)
        down = ~up & (padded <= min(bottoms[number] + inward, middle))
        upper[number], lower[number] = mass[up].sum(), mass[down].sum()
        mass[up | down] = 0.0
        if mass.sum() < 1e-12:
            break
    return Exits(drift, times, upper, lower, np.asarray(tops), np.asarray(bottoms))


def unbiased_in_triangle(sets: float, mean: float, variance: float, design: SequentialDesign) -> Unbiased:
    """The strength for which the outcome of a triangular test is the median of all that it could have had."""
    if sets <= 0.0 or variance <= 0.0:
        return Unbiased(None, None, None, None, None, None)
    score0, score1 = hypotheses(design, variance)
    distance, centre = score1 - score0, (score0 + score1) / 2.0
    height, tilt = triangle(design)
    seen = (mean - centre) / distance
    up = seen >= tilt
    # The straight line from the start to the result, cut where it met a side.
    met = height / ((seen - tilt if up else tilt - seen) + 0.25)
    until = min(sets * distance**2 / variance, met)
    drift = NEAR * round(min(4.0, max(-4.0, seen)) / NEAR)
    walks = exits(height, tilt, drift)

    def less(at: float) -> float:
        chance = walks.chance(at, until, up=up)
        return 1.0 - chance if up else chance

    found = [_invert(less, level, centre, distance) for level in (0.5, 0.975, 0.025)]
    unit = NORMALISED / sqrt(design.games * variance)
    elo = [None if score is None else elo_of(score) for score in found]
    inside = [None if value is None or abs(value) > MOST_ELO else value for value in elo]
    normalised = [
        None if score is None or value is None else (score - 0.5) * unit
        for score, value in zip(found, inside, strict=True)
    ]
    return Unbiased(*inside, *normalised)


def _invert(less: Callable[[float], float], level: float, centre: float, distance: float) -> float | None:
    """The mean score at which the chance of a lesser outcome falls to a level."""
    low, high = -FARTHEST_DRIFT, FARTHEST_DRIFT
    if less(low) < level or less(high) > level:
        return None
    return centre + distance * float(brentq(lambda at: less(at) - level, low, high, xtol=1e-6))
