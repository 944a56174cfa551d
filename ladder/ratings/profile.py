"""Ends of intervals by the profile likelihood, for players at the edge: unbeaten, winless, or with few upsets.

There a likelihood is far from quadratic, or rises for ever on one side. For a value of the contrast all other
parameters are fitted anew; the signed root of twice the loss of log-likelihood, improved by Barndorff-Nielsen's r*,
is compared with the quantile. A quarter of a point is first taken from the player (lower end) or given to it (upper
end), which gives a perfect record a maximum and does to a binomial chance about what Clopper and Pearson's interval
does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log, sqrt

import numpy as np

from ladder.ratings.likelihood import Likelihood, Value
from ladder.ratings.maximum import Inverse, constrained
from ladder.ratings.results import Floats

QUARTER_POINT = 0.25
EXACT_PLAYERS = 50
"""Players of a pool up to which every game counts exactly; beyond, games far from the contrast are a quadratic."""
CLOSE = 5e-3
"""How near to the quantile is near enough: a fraction of a standard error."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The penalised log-likelihood of a pool as a profile along one contrast needs it."""

    at: Callable[[Floats, Floats], Value]
    """Value, gradient and information at a place, with a linear term (the second argument) added."""
    start: Floats
    contrast: Floats
    largest: float
    """The greatest coefficient of the contrast among all parameters of the pool."""


class Surface:
    """The penalised log-likelihood of a pool. `rough` are players whose games no quadratic describes."""

    def __init__(
        self,
        likelihood: Likelihood,
        penalty: Floats,
        blocks: Floats,
        centre: Floats,
        rough: np.ndarray,
    ) -> None:
        self._start = centre
        self._likelihood = likelihood
        self._rough = rough
        self._penalty = penalty
        self._fixed = np.diag(penalty) + blocks
        self._quadratic = self._expanded() if likelihood.players > EXACT_PLAYERS else None

    def around(self, contrast: Floats) -> Slice:
        """Turn to a contrast: in a large pool the games of its players stay exact, and those of rough players."""
        largest = float(np.max(np.abs(contrast)))
        if self._quadratic is None:
            return Slice(self._at, self._start, contrast, largest)
        wanted = np.abs(contrast[: self._likelihood.players]) >= 0.5
        if self._rough.sum() <= EXACT_PLAYERS:
            wanted = wanted | self._rough
        near, kept = self._likelihood.among(wanted)
        rows = np.zeros((len(kept), len(contrast)))
        rows[range(len(kept)), kept] = 1.0
        beyond = contrast.copy()
        beyond[kept] = 0.0
        if beyond.any():
            rows = np.vstack([rows, contrast])
        reduced = _Reduced(near, len(kept), *self._quadratic.seen(rows), rows @ self._start)
        along = np.zeros(len(rows))
        if beyond.any():
            along[-1] = 1.0
        else:
            along[: len(kept)] = contrast[kept]
        return Slice(reduced.at, reduced.start, along, largest)

    def _at(self, x: Floats, tilt: Floats) -> Value:
        value = self._likelihood.evaluate(x)
        total = value.log_likelihood + float(tilt @ x) - 0.5 * float(self._penalty @ x**2)
        return Value(total, value.gradient + tilt - self._penalty * x, value.information + self._fixed)

    def _expanded(self) -> _Quadratic | None:
        """The surface as a quadratic about its centre; None if its information has no inverse."""
        whole = self._at(self._start, np.zeros(len(self._start)))
        inverse = Inverse(whole.information)
        if not inverse.regular:
            return None
        covariance = inverse.matrix()
        return _Quadratic(covariance, self._start + covariance @ whole.gradient)


@dataclass(frozen=True, slots=True)
class _Quadratic:
    """A quadratic of all parameters: the inverse of its information, and where it is greatest."""

    covariance: Floats
    middle: Floats

    def seen(self, rows: Floats) -> tuple[Floats, Floats]:
        """Information and place of the maximum for given linear functions (rows), the rest at its best."""
        information = Inverse(rows @ self.covariance @ rows.T).matrix()
        return information, rows @ self.middle


class _Reduced:
    """The surface of a large pool, seen by the players of some games and one contrast.

    These games stay exact, all others are a quadratic, whose parameters take their best value for each place: by the
    Schur complement that costs a matrix of the players of these games instead of one of the pool, at equal figures.
    """

    def __init__(self, near: Likelihood, kept: int, information: Floats, middle: Floats, start: Floats) -> None:
        self.start = start
        self._near = near
        self._kept = kept
        self._middle = middle
        there = near.evaluate(start[:kept])
        self._gradient = there.gradient
        self._information = there.information
        self._whole = information

    def at(self, x: Floats, tilt: Floats) -> Value:
        """See `Slice.at`."""
        kept = slice(self._kept)
        value = self._near.evaluate(x[kept])
        away, moved = x - self._middle, x[kept] - self.start[kept]
        pull, near_pull = self._whole @ away, self._information @ moved
        total = value.log_likelihood - 0.5 * float(away @ pull) + float(tilt @ x)
        total -= float(self._gradient @ moved - 0.5 * (moved @ near_pull))
        gradient = tilt - pull
        gradient[kept] += value.gradient - self._gradient + near_pull
        information = self._whole.copy()
        information[kept, kept] += value.information - self._information
        return Value(total, gradient, information)


def profile_end(surface: Slice, side: int, phi: float, quantile: float) -> float:
    """The lower (-1) or upper (+1) end of the interval of the slice's contrast; infinite if none is found."""
    contrast = surface.contrast
    tilt = side * QUARTER_POINT * min(1.0, phi) * contrast / surface.largest

    def function(x: Floats) -> Value:
        return surface.at(x, tilt)

    best, top, inverse = constrained(function, surface.start, None)
    middle = float(contrast @ best)
    error = sqrt(max(float(contrast @ inverse(contrast)), 1e-12))
    walk = _ContrastWalk(function, contrast, best, inverse, top, inverse.log_determinant, middle, phi)
    step = quantile * error * sqrt(phi)
    near, near_excess = middle, -quantile
    far = middle
    for _ in range(30):
        far += side * step
        far_excess = walk.root(far) - quantile
        if far_excess >= 0.0:
            break
        near, near_excess = far, far_excess
        step *= 0.5 if far_excess > -0.25 * quantile else 1.0
    else:
        return side * inf
    for _ in range(30):
        if abs(far_excess) < CLOSE:
            return far
        if abs(near_excess) < CLOSE and near != middle:
            return near
        share = -near_excess / (far_excess - near_excess)
        at = near + (far - near) * min(0.95, max(0.05, share))
        excess = walk.root(at) - quantile
        if excess >= 0.0:
            far, far_excess = at, excess
        else:
            near, near_excess = at, excess
    return far


@dataclass(slots=True)
class _ContrastWalk:
    """Refits along a contrast, each from the one before."""

    function: Callable[[Floats], Value]
    contrast: Floats
    x: Floats
    """The last fit; the first is the maximum without a fixed contrast."""
    inverse: Inverse
    """The inverse of the information at x."""
    top: float
    """The function's value at its maximum."""
    log_determinant: float
    """The logarithm of the information's determinant at the maximum."""
    middle: float
    """The value of the contrast at the maximum."""
    phi: float

    def root(self, value: float) -> float:
        """r* at a value of the contrast, in units of the dispersed error."""
        along = self.inverse(self.contrast)
        start = self.x + along * (value - float(self.contrast @ self.x)) / float(self.contrast @ along)
        self.x, height, self.inverse = constrained(self.function, start, self.contrast)
        loss = sqrt(max(2.0 * (self.top - height), 1e-12))
        variance = float(self.contrast @ self.inverse(self.contrast))
        shrunk = (self.log_determinant - self.inverse.log_determinant) / 2.0
        wald = abs(self.middle - value) * exp(min(300.0, max(-300.0, shrunk))) / sqrt(variance)
        return loss / sqrt(self.phi) + log(max(wald, 1e-12) / loss) * sqrt(self.phi) / loss
