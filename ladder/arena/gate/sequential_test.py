"""Is the new bot better? A sequential test on sets of games, with as few of them as the answer needs.

In a **set** the candidate sits once in every seat, copies of the baseline in the others; with `--pair` two of it sit
at every table (`question`). A set is one deal, all games with the same luck, unless a bot could carry it from one
game to the next: a bot in a process without walls is told the luck of every game that is over, so each game has a deal
of its own then. The sets are as fair, but their scores spread wider. The test takes longer, and the same gain is fewer
normalised Elo. Sets are counted in their order, not in the order in which they finish (which would favour short games),
and the test looks after whole batches.

Two bots are **identical** if every answer in every game of the test was the same: in a set of one deal all games are
then one game. Level results alone are evidence like any other, and go through the test.

Scores other than wins (`set_scores`) have a **guard**, a test of its own: a candidate that is as much weaker in wins
as H1 is stronger than H0 is accepted with a chance of alpha at most, however large its margins of points are.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from ladder.arena.gate.faults import Faults, check_baseline, stopped
from ladder.arena.gate.looks import Look, Looks
from ladder.arena.gate.question import FIRST_SETS, PENTANOMIAL_BATCH, GateQuestion, is_exact
from ladder.arena.gate.set_scores import (
    NO_RATIO,
    PILOT_GAMES,
    ScoreKind,
    game_margin,
    scale_of,
    set_score,
    set_spread,
    start_variance,
    team_score,
)
from ladder.arena.gate.sets import (
    GameScore,
    command,
    fingerprint,
    game_job,
    limit_option,
    pilot_job,
    seating,
    specs,
)
from ladder.arena.workers import GivenUp, Workers
from ladder.ratings.estimate import Estimate, Unbiased, naive, unbiased, unbiased_of
from ladder.ratings.results import Floats
from ladder.ratings.score_test import Moments, prior_spread, score_llr
from ladder.ratings.sprt import SprtVerdict, cells, llr
from ladder.ratings.stopping import Forecast, Stop, bounds, forecast, needed_information, pace, verdict
from ladder.ratings.triangle import unbiased_in_triangle
from ladder.store.records import Played
from referee.match.policy import EndingKind

SHOWN_SETS = 3
"""How many of the candidate's worst sets, and of its best, are kept for the report."""


class Answer(StrEnum):
    """What the gate says."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    INCONCLUSIVE = "inconclusive"
    IDENTICAL = "identical"
    FAULTED = "faulted"
    """The candidate had more faults than are tolerated; how it plays was not asked any more."""


@dataclass(frozen=True, slots=True)
class ShownSet:
    """One of the sets that went worst, or best, for the candidate, and its worst or best game."""

    number: int
    score: float
    """Mean score of the candidate, 0 to 1."""
    command: str
    """Plays the game again."""
    specs: tuple[str, ...]
    """The bots of the game, by seat."""
    record: str
    """The lines of the game's record; empty unless records are kept."""


@dataclass(slots=True)
class GateReport:
    """Where the test stands, or how it ended."""

    question: GateQuestion
    counts: Floats
    """Sets by the candidate's mean score in wins, worst first."""
    sets: int = 0
    dropped: int = 0
    """Sets that could not be counted because a match had no result."""
    forfeits: int = 0
    """Matches in which the candidate was forfeited."""
    faults: Faults = field(default_factory=Faults)
    llr: float | None = 0.0
    answer: Answer | None = None
    moments: Moments = field(default_factory=Moments)
    """Of the sets' mean scores, in the score that is tested."""
    scale: float = 0.0
    """Spread of margins of points, from games of the baseline against itself; 0: wins are tested."""
    same: bool = True
    """Whether every answer of both bots has been the same so far."""
    guard_llr: float | None = None
    """Log-likelihood ratio of the guard; None: wins are tested, and need none."""
    verdict: SprtVerdict = SprtVerdict.CONTINUE
    """The first verdict of the test itself."""
    guarded: SprtVerdict = SprtVerdict.CONTINUE
    """The first verdict of the guard."""
    seconds: float = 0.0
    """Time since the first set was begun."""
    forecast: Forecast | None = None
    """Sets that the test needs, from its first sets; None before these are played."""
    seconds_a_set: float = 0.0
    """As measured with the forecast."""
    worst: list[ShownSet] = field(default_factory=list)
    """The sets below one half with the lowest scores, worst first."""
    best: list[ShownSet] = field(default_factory=list)
    """The sets above one half with the highest scores, best first."""
    looks: Looks = field(default_factory=Looks)
    """The way to the answer."""
    keeps_records: bool = False
    """Whether the games of the worst and best sets are kept."""
    without_result: int = 0
    """Matches that ended without a result."""

    @property
    def problems(self) -> list[str]:
        """What went wrong, line by line."""
        return [*(found.line() for found in self.faults.kept), *stopped(self.without_result)]

    @property
    def estimate(self) -> Estimate:
        """Strength of the candidate in wins as if the number of sets had been fixed."""
        return naive(self.counts, self.question.design.games)

    @property
    def unbiased(self) -> Unbiased | None:
        """Strength of the candidate, corrected for the stop, in Elo of wins; None while the test goes on."""
        question = self.question
        if self.answer not in (Answer.ACCEPTED, Answer.REJECTED) or self.llr is None:
            return None
        if question.score is ScoreKind.WINS and question.stop is Stop.WALD:
            return unbiased(self.counts, question.design)
        spread = prior_spread(self.moments, question.tested, self.start)
        after = unbiased_of if question.stop is Stop.WALD else unbiased_in_triangle
        found = after(float(self.moments.sets), self.moments.mean, spread, question.tested)
        return found if question.score is ScoreKind.WINS else found.times(1.0 / question.ratio.value)

    @property
    def start(self) -> float | None:
        """The variance of a set's score that is known beforehand; None: that of places of equal bots."""
        return start_variance(self.question.score)


def decide(
    question: GateQuestion,
    workers: Workers,
    told: Callable[[GateReport], None] = lambda report: None,
    *,
    keeps_records: bool = False,
) -> GateReport:
    """Play sets until the test has an answer or the limit is reached; `told` hears after every batch.

    With `keeps_records` the report has the games of the worst and best sets whole. Raises GivenUp if a match cannot be
    played to its end, since a test without it would be biased, and BaselineFaulted if the old bot fails.
    """
    scale = 0.0 if question.score is ScoreKind.WINS else _pilot(question, workers)
    if not scale:
        # Also where the baseline's games against itself have no margins that could be measured.
        question = replace(question, score=ScoreKind.WINS, ratio=NO_RATIO)
    design = question.design
    report = GateReport(question, np.zeros(cells(design.seats, design.games, design.candidates)), scale=scale)
    report.keeps_records = keeps_records
    report.looks.see(Look(0, 0.0, *bounds(question.stop, question.tested, 0.0), 0.0 if scale else None))
    sets: dict[int, dict[int, GameScore | None]] = {}
    places: dict[str, tuple[int, int]] = {}
    submitted = 0
    total = question.max_sets * question.seats
    began = time.monotonic()
    while report.answer is None:
        while workers.room > 0 and submitted < total:
            number, game = divmod(submitted, question.seats)
            job = game_job(question, number, game)
            places[job.plan.match] = number, game
            workers.submit(job)
            submitted += 1
        for job, outcome in workers.collect():
            number, game = places.pop(job.plan.match)
            sets.setdefault(number, {})[game] = _score(report, outcome, number, game)
        report.seconds = time.monotonic() - began
        _count_whole_sets(report, sets)
        _foresee(report)
        if report.answer is None and question.budget is not None and report.seconds > question.budget:
            report.answer = Answer.INCONCLUSIVE
        if report.answer is not None or (report.sets + report.dropped) % PENTANOMIAL_BATCH == 0:
            told(report)
    told(report)
    return report


def _pilot(question: GateQuestion, workers: Workers) -> float:
    """The spread of margins in games of the baseline against itself, on deals of their own."""
    waiting = [pilot_job(question, number) for number in range(PILOT_GAMES)]
    games: dict[str, tuple[int, ...]] = {}
    left = len(waiting)
    while left:
        while waiting and workers.room > 0:
            workers.submit(waiting.pop())
        for job, outcome in workers.collect():
            if isinstance(outcome, GivenUp):
                raise outcome
            if outcome.faults or outcome.troubles:
                bots = f"{question.game} {' '.join([question.old] * question.seats)}"
                check_baseline(outcome, question.old, f"kumite match {bots} --development{limit_option(question)}")
            left -= 1
            result = outcome.final.result
            if result is not None:
                games[job.plan.match] = result.points[: question.seats]
    return scale_of([games[match] for match in sorted(games)])


def _score(report: GateReport, outcome: Played | GivenUp, number: int, game: int) -> GameScore | None:
    """The candidate's scores against the baselines; None if the match does not count."""
    if isinstance(outcome, GivenUp):
        # Passing over such games would let a bot take those back that it is about to lose.
        raise outcome
    final, question = outcome.final, report.question
    new = seating(question, number, game)
    again = command(question, number, game, f" --development{limit_option(question)}")
    report.faults.see(number, new, outcome, question.new, question.old, again)
    if final.result is None:
        report.without_result += 1
        return None
    if any(final.endings[seat].kind is not EndingKind.FINISHED for seat in new):
        report.forfeits += 1
    margin = game_margin(final, new, report.scale) if report.scale else 0.0
    answers = fingerprint(outcome.steps) if report.same and question.duplicate else ""
    record = f"{outcome.first}{outcome.steps}{outcome.last}" if report.keeps_records else ""
    return GameScore(team_score(final.result.places, new), margin, answers, record)


def _count_whole_sets(report: GateReport, sets: dict[int, dict[int, GameScore | None]]) -> None:
    """Count the sets that are next in order and whole, looking at the test after every batch."""
    question = report.question
    while report.answer is None:
        number = report.sets + report.dropped
        played = sets.get(number)
        if played and report.faults.over_budget(number, question.allow_faults):
            report.answer = Answer.FAULTED
        if report.answer is not None or played is None or len(played) < question.seats:
            return
        report.faults.take(number)
        del sets[number]
        scores = {game: score for game, score in played.items() if score is not None}
        if len(scores) < question.seats:
            report.dropped += 1
            report.same = False
        else:
            _count(report, number, scores)
        if (number + 1) % question.batch == 0 or number + 1 >= question.max_sets:
            _look(report, last=number + 1 >= question.max_sets)


def _count(report: GateReport, number: int, played: dict[int, GameScore]) -> None:
    mean = sum(score.wins for score in played.values()) / len(played)
    report.counts[round(mean * (len(report.counts) - 1))] += 1
    margin = sum(played[game].margin for game in sorted(played)) / len(played)
    spread = set_spread(report.scale, report.question.seats, report.question.design.candidates)
    report.moments = report.moments.plus(set_score(report.question.score, margin, spread) if report.scale else mean)
    report.sets += 1
    answers = {score.answers for score in played.values()}
    report.same = report.same and report.question.duplicate and len(answers) == 1 and "" not in answers
    if mean != 0.5:
        _show(report, number, mean, played)


def _show(report: GateReport, number: int, mean: float, played: dict[int, GameScore]) -> None:
    """Keep a set if it is one of the worst, or of the best."""
    shown, sign, file = (report.worst, 1.0, "loss") if mean < 0.5 else (report.best, -1.0, "win")
    if len(shown) == SHOWN_SETS and sign * mean >= sign * shown[-1].score:
        return
    game = min(played, key=lambda key: (sign * played[key].wins, key))
    question = report.question
    again = command(question, number, game, f" --record {file}.jsonl")
    shown.append(ShownSet(number, mean, again, specs(question, number, game), played[game].record))
    shown.sort(key=lambda found: (sign * found.score, found.number))
    del shown[SHOWN_SETS:]


def _look(report: GateReport, *, last: bool) -> None:
    question = report.question
    design = question.tested
    if is_exact(question.score, question.seats):
        report.llr = llr(report.counts, design)
    else:
        report.llr = score_llr(report.moments, design, report.start)
    information = report.sets * pace(design, prior_spread(report.moments, design, report.start))
    if report.verdict is SprtVerdict.CONTINUE:
        report.verdict = verdict(question.stop, design, report.llr, information)
    if report.scale:
        report.guard_llr = score_llr(Moments.of(report.counts), question.guard)
        if report.guarded is SprtVerdict.CONTINUE:
            report.guarded = question.guard.verdict(report.guard_llr)
    report.looks.see(Look(report.sets, report.llr, *bounds(question.stop, design, information), report.guard_llr))
    report.answer = _answer(report)
    if report.answer is None and last:
        report.answer = Answer.INCONCLUSIVE
    if report.answer is not None and report.same and report.sets:
        report.answer = Answer.IDENTICAL


def _answer(report: GateReport) -> Answer | None:
    """The answer that the test and its guard give together; None: play on."""
    if report.verdict is SprtVerdict.H0 or (report.scale and report.guarded is SprtVerdict.H0):
        return Answer.REJECTED
    if report.verdict is SprtVerdict.H1 and (not report.scale or report.guarded is SprtVerdict.H1):
        return Answer.ACCEPTED
    return None


def _foresee(report: GateReport) -> None:
    """Say, once the first sets are played, how many the test needs."""
    if report.forecast is None and report.sets >= FIRST_SETS:
        question = report.question
        spread = prior_spread(report.moments, question.tested, report.start)
        report.forecast = forecast(question.stop, question.tested, pace(question.tested, spread))
        report.seconds_a_set = report.seconds / (report.sets + report.dropped)


def resolved_by(report: GateReport, seconds: float) -> float | None:
    """The least distance of both bounds, in their own unit, that a test of so many seconds can resolve."""
    if report.seconds_a_set <= 0.0 or seconds <= 0.0:
        return None
    question = report.question
    sets = seconds / report.seconds_a_set
    wanted = needed_information(question.stop, question.design) / sets
    spread = prior_spread(report.moments, question.tested, report.start)
    return (question.design.elo1 - question.design.elo0) * float(np.sqrt(wanted / pace(question.tested, spread)))
