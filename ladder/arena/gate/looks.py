"""The way of a test to its answer: what it saw at each look, thinned so that a long test keeps a bounded number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

MOST_LOOKS = 400
"""Looks that are kept, the latest not counted: more than a drawing can show."""


class Look(NamedTuple):
    """The test after a number of sets."""

    sets: int
    llr: float | None
    """Log-likelihood ratio of the test; None: the sets have no spread yet."""
    lower: float
    """At this ratio or below H0 is accepted."""
    upper: float
    """At this ratio or above H1 is accepted."""
    guard_llr: float | None
    """Log-likelihood ratio of the guard; None: wins are tested, and need none."""


@dataclass(slots=True)
class Looks:
    """Every look of a test, or every second, fourth, ... of a long one, and always the latest."""

    _kept: list[Look] = field(default_factory=list)
    _latest: Look | None = None
    _seen: int = 0
    _stride: int = 1

    def see(self, look: Look) -> None:
        """Add the latest look."""
        if self._seen % self._stride == 0:
            self._kept.append(look)
        self._seen += 1
        self._latest = look
        if len(self._kept) > MOST_LOOKS:
            del self._kept[1::2]
            self._stride *= 2

    @property
    def kept(self) -> list[Look]:
        """The looks that are kept, in their order; the latest is the last."""
        if self._latest is None or self._kept[-1] is self._latest:
            return list(self._kept)
        return [*self._kept, self._latest]
