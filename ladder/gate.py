"""Is the new bot better? A sequential test on sets of games, with as few of them as the answer needs.

In a **set** the candidate sits once in every seat, copies of the baseline in the others. It is one deal, all games with
the same luck, if all bots play in this process. A bot in a process of its own is told the luck of every game that is
over, so each game has a deal of its own then: the sets are as fair, but their scores spread wider. The test takes
longer, and the same gain is fewer normalised Elo. Sets are counted in their order, not in the order in which they
finish (which would favour short games), and the test looks after whole batches.

Everything follows from the seed s: set number k is what `kumite match GAME ... --seed s/k` plays (with independent
deals s/k/seat, by the candidate's seat), so every loss can be looked at. Each match has an id of its own, which tells
nobody the seed who could not guess it.

Two bots that always play alike make every set of one deal level, and no test can tell them apart; after `LEVEL_SETS`
such sets that is the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from ladder.entrants import find, may_share_deals
from ladder.playing import fresh_id, fresh_secret
from ladder.ratings.estimate import Estimate, Unbiased, naive, unbiased
from ladder.ratings.results import Floats, pair_scores
from ladder.ratings.sprt import Design, Verdict, cells, llr
from ladder.rows import Played
from ladder.workers import GivenUp, Job, Workers
from referee.kernel import registry
from referee.kernel.game import settle_variant
from referee.match.policy import EndingKind

LEVEL_SETS = 32
"""So many sets, all of them level, and the bots count as identical."""
WORST = 3
"""How many of the candidate's worst sets are kept for the report."""


class Answer(StrEnum):
    """What the gate says."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    INCONCLUSIVE = "inconclusive"
    IDENTICAL = "identical"


@dataclass(frozen=True, slots=True)
class Question:
    """What the gate is asked."""

    new: str
    old: str
    game: str
    seats: int
    variant: dict[str, str]
    design: Design
    seed: str
    max_sets: int = 2000
    batch: int = 8
    """Sets between two looks at the test."""
    duplicate: bool = True
    """Whether the games of a set share their deal, and the bots' own dice."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A set that went badly for the candidate."""

    number: int
    score: float
    """Mean score of the candidate, 0 to 1."""
    command: str
    """Shows the set's worst game."""


@dataclass(slots=True)
class Report:
    """Where the test stands, or how it ended."""

    question: Question
    counts: Floats
    sets: int = 0
    dropped: int = 0
    """Sets that could not be counted because a match had no result."""
    faults: int = 0
    """Matches in which the candidate was forfeited."""
    llr: float | None = 0.0
    answer: Answer | None = None
    worst: list[Loss] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def estimate(self) -> Estimate:
        """Strength of the candidate as if the number of sets had been fixed."""
        return naive(self.counts, self.question.design.games)

    @property
    def unbiased(self) -> Unbiased | None:
        """Strength of the candidate, corrected for the stop; None while the test goes on."""
        if self.answer not in (Answer.ACCEPTED, Answer.REJECTED) or self.llr is None:
            return None
        return unbiased(self.counts, self.question.design, self.llr)


def ask(
    new: str,
    old: str,
    game: str,
    design: Design,
    *,
    variant: dict[str, str] | None = None,
    seed: str,
    max_sets: int = 2000,
) -> Question:
    """A question whose parts fit together; raises BadSetting or UnknownName."""
    rules = registry.game(game)
    settled = settle_variant(rules, design.seats, variant or {})
    entrants = [find(spec) for spec in (new, old)]
    for entrant in entrants:
        entrant.check(rules.name)
    duplicate = may_share_deals(entrants)
    return Question(new, old, rules.name, design.seats, settled, design, seed, max_sets, duplicate=duplicate)


def decide(question: Question, workers: Workers, told: Callable[[Report], None] = lambda report: None) -> Report:
    """Play sets until the test has an answer or the limit is reached; `told` hears after every batch.

    Raises GivenUp if a match cannot be played to its end, since a test without it would be biased.
    """
    report = Report(question, np.zeros(cells(question.seats, question.design.games)))
    sets: dict[int, dict[int, float | None]] = {}
    places: dict[str, tuple[int, int]] = {}
    submitted = 0
    total = question.max_sets * question.seats
    while report.answer is None:
        while workers.room > 0 and submitted < total:
            number, seat = divmod(submitted, question.seats)
            job = _job(question, number, seat)
            places[job.match] = number, seat
            workers.submit(job)
            submitted += 1
        for job, outcome in workers.collect():
            number, seat = places.pop(job.match)
            sets.setdefault(number, {})[seat] = _score(report, outcome, seat)
        _count_whole_sets(report, sets)
        if report.answer is not None or (report.sets + report.dropped) % question.batch == 0:
            told(report)
    told(report)
    return report


def _luck(question: Question, number: int, seat: int) -> str:
    """The seed of one game of a set: the set's, or one of its own."""
    return f"{question.seed}/{number}" if question.duplicate else f"{question.seed}/{number}/{seat}"


def _job(question: Question, number: int, seat: int) -> Job:
    """One game of a set: the candidate in `seat`."""
    luck = _luck(question, number, seat)
    others = [index != seat for index in range(question.seats)]
    return Job(
        match=fresh_id(f"{question.seed}/{number}/{seat}", question.game),
        game=question.game,
        variant=question.variant,
        names=tuple("old" if other else "new" for other in others),
        specs=tuple(question.old if other else question.new for other in others),
        secret=fresh_secret(luck),
        dice=fresh_id(luck),
    )


def _score(report: Report, outcome: Played | GivenUp, seat: int) -> float | None:
    """The candidate's mean score against the baselines; None if the match does not count."""
    if isinstance(outcome, GivenUp):
        # Passing over such games would let a bot take those back that it is about to lose.
        raise outcome
    final = outcome.final
    if final.result is None:
        report.problems.append("a match ended without a result")
        return None
    if final.endings[seat].kind is not EndingKind.FINISHED:
        report.faults += 1
        if len(report.problems) < WORST:
            report.problems.append(final.endings[seat].message)
    scores = pair_scores(final.result.places)[seat]
    return float(scores.sum()) / (len(final.result.places) - 1)


def _count_whole_sets(report: Report, sets: dict[int, dict[int, float | None]]) -> None:
    """Count the sets that are next in order and whole, looking at the test after every batch."""
    question = report.question
    while report.answer is None:
        number = report.sets + report.dropped
        played = sets.get(number)
        if played is None or len(played) < question.seats:
            return
        del sets[number]
        scores = [score for score in played.values() if score is not None]
        if len(scores) < question.seats:
            report.dropped += 1
        else:
            _count(report, number, {seat: score for seat, score in played.items() if score is not None})
        if (number + 1) % question.batch == 0 or number + 1 >= question.max_sets:
            _look(report, last=number + 1 >= question.max_sets)


def _count(report: Report, number: int, played: dict[int, float]) -> None:
    mean = sum(played.values()) / len(played)
    report.counts[round(mean * (len(report.counts) - 1))] += 1
    report.sets += 1
    if mean < 0.5:
        question = report.question
        seat = min(played, key=lambda key: (played[key], key))
        bots = [question.new if index == seat else question.old for index in range(question.seats)]
        settings = "".join(f" -v {key}={value}" for key, value in question.variant.items())
        seed = _luck(question, number, seat)
        command = f"kumite match {question.game} {' '.join(bots)}{settings} --seed {seed} --record loss.jsonl"
        report.worst.append(Loss(number, mean, command))
        report.worst.sort(key=lambda loss: (loss.score, loss.number))
        del report.worst[WORST:]


def _look(report: Report, *, last: bool) -> None:
    design = report.question.design
    report.llr = llr(report.counts, design)
    verdict = design.verdict(report.llr)
    if report.estimate.level and report.sets >= LEVEL_SETS:
        report.answer = Answer.IDENTICAL
    elif verdict is Verdict.H1:
        report.answer = Answer.ACCEPTED
    elif verdict is Verdict.H0:
        report.answer = Answer.REJECTED
    elif last:
        report.answer = Answer.INCONCLUSIVE
