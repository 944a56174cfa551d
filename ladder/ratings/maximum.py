"""Newton's method on a penalised log-likelihood, with or without a fixed contrast."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs

from ladder.ratings.likelihood import Likelihood, Value
from ladder.ratings.results import Floats

LONGEST_STEP = 2.0
"""No parameter moves further in one step of Newton's method."""
SMALLEST_STEP, ROUGH_STEP = 1e-8, 1e-2
"""A fit ends with a step below the first, the fit of a sample with one below the second."""
PROFILE_STEP = 1e-5
"""A maximum under a fixed contrast: its height is then off by the square of this."""
NEARBY = 5e-4
"""A step below this changes the information by less than one part in a thousand."""
SAMPLED_ROWS, SAMPLED = 60_000, 8
"""From so many rows on a fit starts from the maximum of every so many-th of them."""


class Inverse:
    """Solves with a positive semidefinite matrix: by Cholesky's factor, or its pseudo-inverse where it has none."""

    def __init__(self, matrix: Floats) -> None:
        factor, failed = dpotrf(matrix, lower=1)
        diagonal = np.diag(factor)
        self._factor: Floats | None = None
        if not failed and diagonal.min() > 1e-7 * diagonal.max():
            self._factor = factor
            self.log_determinant = 2.0 * float(np.sum(np.log(diagonal)))
        else:
            self._matrix: Floats = np.linalg.pinv(matrix, hermitian=True).astype(np.float64)
            values = np.linalg.eigvalsh(matrix)
            self.log_determinant = float(np.sum(np.log(values[values > 1e-12 * values.max()])))

    @property
    def regular(self) -> bool:
        """Whether the matrix has an inverse."""
        return self._factor is not None

    def __call__(self, right: Floats) -> Floats:
        """The solution for a vector or for the columns of a matrix."""
        if self._factor is None:
            found: Floats = self._matrix @ right
            return found
        solved: Floats = dpotrs(self._factor, right, lower=1)[0]
        return solved

    def matrix(self) -> Floats:
        """The inverse itself, in a third of the time of solving for every column."""
        if self._factor is None:
            return self._matrix
        half = np.tril(dpotri(self._factor, lower=1)[0])
        found: Floats = half + half.T
        found[np.diag_indices_from(found)] /= 2.0
        return found


class Maximum(NamedTuple):
    """Where a penalised log-likelihood is greatest."""

    x: Floats
    value: Value
    """Of the log-likelihood without the penalty, with its information."""


def maximise(
    likelihood: Likelihood,
    penalty: Floats,
    blocks: Floats,
    start: Floats,
    *,
    most_seat_effect: float = np.inf,
) -> Maximum:
    """The maximum of log-likelihood - penalty * x^2 / 2; the search ends where a seat effect exceeds the given most.

    `blocks` is added to the information: it fixes sums that the likelihood does not know. A gradient costs a tenth of
    the information. So near the maximum the last information is used again, and a large pool whose fit starts from
    nothing starts with the maximum and the information of a sample of its games.
    """
    x, inverse = _centred(start, blocks), None
    if likelihood.rows >= SAMPLED_ROWS and not start.any():
        x, inverse = _sampled(likelihood.sample(SAMPLED), penalty, blocks)
    sampled, previous = inverse is not None, np.inf
    information, known = np.zeros((0, 0)), np.full(likelihood.size, np.inf)
    for _ in range(200):
        value = likelihood.evaluate(x, information=inverse is None)
        if inverse is None:
            information, known = value.information, x
            inverse = Inverse(information + np.diag(penalty) + blocks)
        step = inverse(value.gradient - penalty * x)
        largest = float(np.max(np.abs(step), initial=0.0))
        x = x + step * min(1.0, LONGEST_STEP / largest if largest else 1.0)
        if largest < SMALLEST_STEP or np.any(np.abs(x[likelihood.players :]) > most_seat_effect):
            break
        if sampled and (largest < NEARBY or largest > 0.5 * previous):
            inverse, sampled = None, False
        elif not sampled and largest > NEARBY:
            inverse = None
        previous = largest
    if likelihood.rows >= SAMPLED_ROWS // SAMPLED and np.max(np.abs(x - known)) < NEARBY:
        return Maximum(x, value._replace(information=information))
    return Maximum(x, likelihood.evaluate(x))


def _centred(x: Floats, blocks: Floats) -> Floats:
    """The parameters, each sum that `blocks` fixes moved to 0, where it is at the maximum: no step moves it."""
    sizes = blocks.sum(axis=1)
    found: Floats = x - np.divide(blocks @ x, sizes, out=np.zeros_like(x), where=sizes > 0)
    return found


def _sampled(sample: Likelihood, penalty: Floats, blocks: Floats) -> tuple[Floats, Inverse]:
    """About the maximum of a sample of games, and the inverse of its information near there."""
    x = np.zeros(sample.size)
    # What a step of Newton's method would be if no two players shared information.
    slope = sample.evaluate(x, information=False).gradient[: sample.players]
    x[: sample.players] = slope / np.maximum(sample.even_information(), 1.0)
    x = _centred(x, blocks)
    for turn in range(50):
        value = sample.evaluate(x, information=turn < 2)
        if turn < 2:
            inverse = Inverse(value.information + np.diag(penalty) + blocks)
        step = inverse(value.gradient - penalty * x)
        largest = float(np.max(np.abs(step), initial=0.0))
        x = x + step * min(1.0, LONGEST_STEP / largest if largest else 1.0)
        if turn > 0 and largest < ROUGH_STEP:
            break
    return x, inverse


def constrained(
    surface: Callable[[Floats], Value], start: Floats, contrast: Floats | None
) -> tuple[Floats, float, Inverse]:
    """The maximum of a concave function, with the value of a contrast kept as it is at the start if one is given.

    Returns the place, the function's value there, and the inverse of its information.
    """
    x = start
    value = surface(x)
    inverse = Inverse(value.information)
    for _ in range(100):
        step = inverse(value.gradient)
        if contrast is not None:
            along = inverse(contrast)
            step = step - along * (contrast @ step) / (contrast @ along)
        largest = float(np.max(np.abs(step), initial=0.0))
        if largest < PROFILE_STEP:
            break
        share = min(1.0, LONGEST_STEP / largest)
        for _ in range(30):
            following = surface(x + share * step)
            if following.log_likelihood >= value.log_likelihood - 1e-9 * (1.0 + abs(value.log_likelihood)):
                break
            share /= 2.0
        x, value = x + share * step, following
        inverse = Inverse(value.information)
    return x, value.log_likelihood, inverse
