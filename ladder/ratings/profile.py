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
from functools import partial
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

    def around(self, contrast: Floats) -> None:
        """Turn to a contrast: in a large pool the games of its players stay exact, and those of rough players."""
        if self._whole is not None:
            wanted = np.abs(contrast[: self._likelihood.players]) >= 0.5
            if self._rough.sum() <= EXACT_PLAYERS:
                wanted = wanted | self._rough
            self._exact = self._likelihood.subset(wanted)
            near = self._exact.evaluate(self.start)
            self._gradient = self._whole.gradient - near.gradient
            self._rest = self._whole.information - near.information

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
    function = partial(surface.at, tilt=tilt)
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
    """That of the information at the maximum."""
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
