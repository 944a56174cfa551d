"""Ends of intervals by the profile likelihood, for players at the edge: unbeaten, winless, or with few upsets.

There a likelihood is far from quadratic, or rises for ever on one side. For a value of the contrast all other
parameters are fitted anew; the signed root of twice the loss of log-likelihood, improved by Barndorff-Nielsen's r*,
is compared with the quantile. A quarter of a point is first taken from the player (lower end) or given to it (upper
end), which gives a perfect record a maximum and does to a binomial chance about what Clopper and Pearson's interval
does.
"""

from __future__ import annotations

from collections.abc import Callable
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
        self.start = centre
        self._likelihood = self._exact = likelihood
        self._rough = rough
        self._penalty = penalty
        self._fixed = np.diag(penalty) + blocks
        self._gradient = np.zeros(likelihood.size)
        self._rest = np.zeros_like(blocks)
        self._whole = likelihood.evaluate(centre) if likelihood.players > EXACT_PLAYERS else None

    def around(self, contrast: Floats) -> Surface:
        """Turn to a contrast: in a large pool the games of its players stay exact, and those of rough players."""
        if self._whole is not None:
            wanted = np.abs(contrast[: self._likelihood.players]) >= 0.5
            if self._rough.sum() <= EXACT_PLAYERS:
                wanted = wanted | self._rough
            self._exact = self._likelihood.subset(wanted)
            near = self._exact.evaluate(self.start)
            self._gradient = self._whole.gradient - near.gradient
            self._rest = self._whole.information - near.information
        return self

    def at(self, x: Floats, tilt: Floats) -> Value:
        """Value, gradient and information at x, with a linear term added."""
        value = self._exact.evaluate(x)
        away = x - self.start
        pull = self._rest @ away
        total = value.log_likelihood + float(self._gradient @ away - 0.5 * (away @ pull) + tilt @ x)
        total -= 0.5 * float(self._penalty @ x**2)
        gradient = value.gradient + self._gradient - pull + tilt - self._penalty * x
        return Value(total, gradient, value.information + self._fixed + self._rest)


def profile_end(surface: Surface, contrast: Floats, side: int, phi: float, quantile: float) -> float:
    """The lower (-1) or upper (+1) end of a contrast's interval; infinite if none is found."""
    tilt = side * QUARTER_POINT * min(1.0, phi) * contrast / np.max(np.abs(contrast))

    def function(x: Floats) -> Value:
        return surface.at(x, tilt)

    best, top, inverse = constrained(function, surface.start, None)
    middle = float(contrast @ best)
    error = sqrt(max(float(contrast @ inverse(contrast)), 1e-12))
    walk = _ContrastWalk(function, contrast, best, inverse, top, phi)
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


class _ContrastWalk:
    """Refits along a contrast, each from the one before."""

    def __init__(
        self,
        function: Callable[[Floats], Value],
        contrast: Floats,
        best: Floats,
        inverse: Inverse,
        top: float,
        phi: float,
    ) -> None:
        self._function = function
        self._contrast = contrast
        self._x, self._inverse = best, inverse
        self._top, self._log_determinant = top, inverse.log_determinant
        self._middle, self._phi = float(contrast @ best), phi

    def root(self, value: float) -> float:
        """r* at a value of the contrast, in units of the dispersed error."""
        along = self._inverse(self._contrast)
        start = self._x + along * (value - float(self._contrast @ self._x)) / float(self._contrast @ along)
        self._x, height, self._inverse = constrained(self._function, start, self._contrast)
        loss = sqrt(max(2.0 * (self._top - height), 1e-12))
        variance = float(self._contrast @ self._inverse(self._contrast))
        shrunk = (self._log_determinant - self._inverse.log_determinant) / 2.0
        wald = abs(self._middle - value) * exp(min(300.0, max(-300.0, shrunk))) / sqrt(variance)
        return loss / sqrt(self._phi) + log(max(wald, 1e-12) / loss) * sqrt(self._phi) / loss
