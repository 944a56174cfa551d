"""Contrasts of parameters: one parameter against a weighted mean of others, as a rating against its reference.

All rows with the same mean share it, so the variance of a thousand contrasts costs no product of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ladder.ratings.results import Floats, Ints

NOTHING = 1e-12
"""A contrast whose largest part is below this compares a parameter with itself."""


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Rows of the form e_i - w."""

    own: Ints
    """Rows: the parameter i."""
    which: Ints
    """Rows: the number of its mean."""
    means: Floats
    """Means x parameters: weights that add up to 1."""

    @property
    def flat(self) -> np.ndarray:
        """Rows: whether the parameter is its own mean, so that the contrast is 0 whatever the parameters are."""
        return np.asarray(self.means[self.which, self.own] >= 1.0 - NOTHING)

    def row(self, number: int) -> Floats:
        """One contrast as a vector."""
        found: Floats = -self.means[self.which[number]]
        found[self.own[number]] += 1.0
        found[np.abs(found) < NOTHING] = 0.0
        return found

    def values(self, x: Floats) -> Floats:
        """The value of each contrast."""
        found: Floats = x[self.own] - (self.means @ x)[self.which]
        return np.where(self.flat, 0.0, found)

    def variance(self, covariance: Floats) -> Floats:
        """c'Mc of each contrast c."""
        across = self.means @ covariance
        common = np.einsum("ij,ij->i", across, self.means)
        found = np.diag(covariance)[self.own] - 2.0 * across[self.which, self.own] + common[self.which]
        return np.where(self.flat, 0.0, found)

    def squares(self, values: Floats) -> Floats:
        """The sum over parameters of a value times the square of the contrast's weight."""
        rest = (self.means**2) @ values
        found = values[self.own] * (1.0 - 2.0 * self.means[self.which, self.own]) + rest[self.which]
        return np.where(self.flat, 0.0, found)
