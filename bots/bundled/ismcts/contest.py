"""The contest between the candidates for an answer: the contenders, their elimination, and the length of the search."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from bots.bundled.ismcts.guide import Candidate

PRIOR_VISITS = 4.0
"""Number of sweeps that the guide's opinion of a candidate counts for."""
SLOPE = 0.25
"""Utility for one unit of standing, near an even position."""
RACE = 8
"""Number of sweeps after which clearly beaten contenders leave the contest."""
CERTAINTY = 3.0
"""Standard errors of the mean difference from which a contender is clearly beaten."""
HURRY = 0.1
"""Seconds of search below which candidates are judged in haste."""


class SearchBudget(NamedTuple):
    """The limits of a search: a number of iterations (None: any number) and a moment (None: no limit)."""

    iterations: int | None
    begin: float
    deadline: float | None
    """`begin` and `deadline` are in seconds of `time.monotonic()`."""

    @property
    def hurried(self) -> bool:
        """Whether the search has less than `HURRY` seconds."""
        return self.deadline is not None and self.deadline - self.begin < HURRY

    def spent(self, iterations: int) -> float:
        """The used share of the budget; 1 or more: all of it."""
        share = 0.0 if self.iterations is None else iterations / self.iterations
        if self.deadline is None:
            return share
        now = time.monotonic()
        if now >= self.deadline:
            return 1.0
        return share if self.iterations is not None else (now - self.begin) / (self.deadline - self.begin)


class Contender:
    """A candidate for the answer, and its utilities so far."""

    __slots__ = ("lead", "line", "outcomes")

    def __init__(self, candidate: Candidate, most: float) -> None:
        self.line = candidate.line
        self.lead = candidate.worth - most
        """The guide's worth of the candidate, less that of the best candidate."""
        self.outcomes: list[float] = []
        """The candidate's utility in each sweep."""

    @property
    def score(self) -> float:
        """The candidate's mean utility; the guide's opinion counts as `PRIOR_VISITS` sweeps."""
        opinion = 0.5 + SLOPE * self.lead
        return (sum(self.outcomes) + PRIOR_VISITS * opinion) / (len(self.outcomes) + PRIOR_VISITS)

    def beaten_by(self, other: Contender) -> bool:
        """Whether another contender was better in the same sweeps by more than `CERTAINTY` standard errors."""
        leads = [theirs - own for theirs, own in zip(other.outcomes, self.outcomes, strict=False)]
        count = len(leads)
        mean = sum(leads) / count
        variance = sum([(lead - mean) ** 2 for lead in leads]) / (count - 1)
        return mean > 0 and mean * mean > CERTAINTY * CERTAINTY * variance / count


class Contest:
    """Contenders that are compared in sweep after sweep until one answer is left or the budget is used."""

    __slots__ = ("_halved", "_halvings", "_sweeps", "alive")

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        """`candidates` has the most promising first."""
        self.alive = [Contender(candidate, candidates[0].worth) for candidate in candidates]
        self._halvings = (len(candidates) - 1).bit_length()
        self._halved = 0
        self._sweeps = 0

    @property
    def open(self) -> bool:
        """Whether the contenders begin with more than one answer."""
        first = self.alive[0].line[0]
        return any(contender.line[0] != first for contender in self.alive)

    def judge(self, spent: float) -> None:
        """Remove contenders after a sweep; `spent` is the used share of the budget."""
        self._sweeps += 1
        if self._sweeps % RACE == 0:
            best = max(self.alive, key=_score)
            self.alive = [contender for contender in self.alive if not contender.beaten_by(best)]
        while self._halved + 1 <= spent * self._halvings < self._halvings:
            self._halved += 1
            self.alive = self.ranked()[: (len(self.alive) + 1) // 2]

    def ranked(self) -> list[Contender]:
        """The remaining contenders, the best first."""
        return sorted(self.alive, key=_score, reverse=True)


def _score(contender: Contender) -> float:
    return contender.score
