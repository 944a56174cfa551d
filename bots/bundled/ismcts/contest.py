"""The contest between the candidates for an answer: who is in it, who leaves, and how long it lasts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from bots.bundled.ismcts.guide import Candidate

PRIOR_VISITS = 4.0
"""How many sweeps the guide's opinion of a candidate counts for."""
SLOPE = 0.25
"""What a little more standing is worth in utility, where things are even."""
RACE = 8
"""After every so many sweeps those who are clearly beaten leave."""
CERTAINTY = 3.0
"""Standard errors that make it clear."""
HURRY = 0.1
"""Seconds of thought below which there is no time to judge candidates with care."""


class Budget(NamedTuple):
    """How long to search: so many iterations (None: any number), and not past a time (None: no matter)."""

    iterations: int | None
    begin: float
    deadline: float | None
    """Both by `time.monotonic()`."""

    @property
    def hurried(self) -> bool:
        """Whether there is hardly any time."""
        return self.deadline is not None and self.deadline - self.begin < HURRY

    def spent(self, iterations: int) -> float:
        """The share of the budget that is used up; 1 or more: all of it."""
        share = 0.0 if self.iterations is None else iterations / self.iterations
        if self.deadline is None:
            return share
        now = time.monotonic()
        if now >= self.deadline:
            return 1.0
        return share if self.iterations is not None else (now - self.begin) / (self.deadline - self.begin)


class Contender:
    """A candidate for the answer, and how it has done."""

    __slots__ = ("lead", "line", "outcomes")

    def __init__(self, candidate: Candidate, most: float) -> None:
        self.line = candidate.line
        self.lead = candidate.worth - most
        """How far the guide puts it behind the best one."""
        self.outcomes: list[float] = []
        """Its utility in every sweep so far."""

    @property
    def score(self) -> float:
        """Its mean utility; the guide's opinion counts like a few sweeps at which things were even."""
        opinion = 0.5 + SLOPE * self.lead
        return (sum(self.outcomes) + PRIOR_VISITS * opinion) / (len(self.outcomes) + PRIOR_VISITS)

    def beaten_by(self, other: Contender) -> bool:
        """Whether another one was better in the same sweeps by more than luck explains."""
        leads = [theirs - own for theirs, own in zip(other.outcomes, self.outcomes, strict=False)]
        count = len(leads)
        mean = sum(leads) / count
        variance = sum([(lead - mean) ** 2 for lead in leads]) / (count - 1)
        return mean > 0 and mean * mean > CERTAINTY * CERTAINTY * variance / count


class Contest:
    """Contenders that meet in sweep after sweep until one answer is left, or the time is up."""

    __slots__ = ("_halved", "_halvings", "_sweeps", "alive")

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        """The candidates, the most promising first."""
        self.alive = [Contender(candidate, candidates[0].worth) for candidate in candidates]
        self._halvings = (len(candidates) - 1).bit_length()
        self._halved = 0
        self._sweeps = 0

    @property
    def open(self) -> bool:
        """Whether more than one answer is left."""
        first = self.alive[0].line[0]
        return any(contender.line[0] != first for contender in self.alive)

    def judge(self, spent: float) -> None:
        """Look at the contenders after a sweep, when that share of the budget is used up."""
        self._sweeps += 1
        if self._sweeps % RACE == 0:
            best = max(self.alive, key=_score)
            self.alive = [contender for contender in self.alive if not contender.beaten_by(best)]
        while self._halved + 1 <= spent * self._halvings < self._halvings:
            self._halved += 1
            self.alive = self.ranked()[: (len(self.alive) + 1) // 2]

    def ranked(self) -> list[Contender]:
        """Those who are left, by falling success."""
        return sorted(self.alive, key=_score, reverse=True)


def _score(contender: Contender) -> float:
    return contender.score
