"""Is the new bot better? A sequential test on sets of games, with as few of them as the answer needs.

In a **set** the candidate sits once in every seat, copies of the baseline in the others. It is one deal, all games with
the same luck, if all bots play in this process. A bot in a process of its own is told the luck of every game that is
over, so each game has a deal of its own then: the sets are as fair, but their scores spread wider. The test takes
longer, and the same gain is fewer normalised Elo. Sets are counted in their order, not in the order in which they
finish (which would favour short games), and the test looks after whole batches.

Everything follows from the seed s: set number k is what `kumite match GAME ... --seed s/k` plays (with independent
deals s/k/seat, by the candidate's seat), so every loss can be looked at. Each match has an id of its own, which tells
no bot a seed that it could not guess; the names at the table tell no bot which seat is the candidate's.

Two bots are **identical** if every answer in every game of the test was the same: in a set of one deal all games are
then one game. Level results alone are evidence like any other, and go through the test.

Scores other than wins (`gate_scores`) have a **guard**, a test of its own: a candidate that is as much weaker in wins
as H1 is stronger than H0 is accepted with a chance of alpha at most, however large its margins of points are.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ladder.entrants import find, may_share_deals
from ladder.gate_faults import Faults, check_baseline, stopped
from ladder.gate_scores import (
    NO_RATIO,
    PILOT_GAMES,
    Ratio,
    Score,
    game_margin,
    ratio_of,
    scale_of,
    set_score,
    set_spread,
    start_variance,
)
from ladder.jobs import Job
from ladder.playing import fresh_id, fresh_secret
from ladder.ratings.estimate import Estimate, Unbiased, naive, unbiased, unbiased_of
from ladder.ratings.results import Floats, pair_scores
from ladder.ratings.score_test import Moments, prior_spread, score_llr
from ladder.ratings.sprt import Design, Model, Verdict, cells, llr
from ladder.ratings.stopping import Forecast, Stop, forecast, needed_information, pace, verdict
from ladder.rows import Played
from ladder.workers import GivenUp, Workers
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import settle_variant
from referee.match.clock import SECOND, duration
from referee.match.policy import EndingKind
from referee.match.supervision import DECISION_SECONDS

WORST = 3
"""How many of the candidate's worst sets are kept for the report."""
FIRST_SETS = 8
"""Sets after which the test forecasts how long it takes."""
PENTANOMIAL_BATCH = 8
"""Sets between two looks at the exact test of two seats; the test of means looks after every set."""


class Answer(StrEnum):
    """What the gate says."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    INCONCLUSIVE = "inconclusive"
    IDENTICAL = "identical"
    FAULTED = "faulted"
    """The candidate had more faults than are tolerated; how it plays was not asked any more."""


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
    batch: int = PENTANOMIAL_BATCH
    """Sets between two looks at the test."""
    duplicate: bool = True
    """Whether the games of a set share their deal, and the bots' own dice."""
    score: Score = Score.WINS
    ratio: Ratio = NO_RATIO
    """Effect size in that score over that in wins."""
    stop: Stop = Stop.WALD
    budget: float | None = None
    """Seconds after which the test is inconclusive."""
    allow_faults: int = 0
    """Faults of the candidate that are tolerated in the whole test."""
    limit: float | None = DECISION_SECONDS
    """Seconds that a decision in a process of ours may take; None: any time."""

    @property
    def tested(self) -> Design:
        """The test in units of the score: bounds are Elo of wins, times the ratio of effect sizes."""
        design, ratio = self.design, self.ratio.safe
        return design if ratio == 1.0 else replace(design, elo0=design.elo0 * ratio, elo1=design.elo1 * ratio)

    @property
    def guard(self) -> Design:
        """The guard on wins: as much weaker than H0 as H1 is stronger, against H1."""
        return replace(self.design, elo0=2.0 * self.design.elo0 - self.design.elo1)


@dataclass(frozen=True, slots=True)
class Loss:
    """A set that went badly for the candidate."""

    number: int
    score: float
    """Mean score of the candidate, 0 to 1."""
    command: str
    """Shows the set's worst game."""


class GameScore(NamedTuple):
    """One game of a set for the candidate."""

    wins: float
    """Mean score against the baselines by place."""
    margin: float
    """Mean margin of points over the baselines; 0 where wins are tested."""
    answers: str
    """A fingerprint of all answers of all seats; empty if it was not needed."""


@dataclass(slots=True)
class Report:
    """Where the test stands, or how it ended."""

    question: Question
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
    verdict: Verdict = Verdict.CONTINUE
    """The first verdict of the test itself."""
    guarded: Verdict = Verdict.CONTINUE
    """The first verdict of the guard."""
    seconds: float = 0.0
    """Time since the first set was begun."""
    forecast: Forecast | None = None
    """Sets that the test needs, from its first sets; None before these are played."""
    seconds_a_set: float = 0.0
    """As measured with the forecast."""
    worst: list[Loss] = field(default_factory=list)
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
        if self.answer not in (Answer.ACCEPTED, Answer.REJECTED) or self.llr is None or question.stop is not Stop.WALD:
            return None
        if question.score is Score.WINS:
            return unbiased(self.counts, question.design)
        spread = prior_spread(self.moments, question.tested, self.start)
        found = unbiased_of(float(self.moments.sets), self.moments.mean, spread, question.tested)
        return found.times(1.0 / question.ratio.value)

    @property
    def start(self) -> float | None:
        """The variance of a set's score that is known beforehand; None: that of places of equal bots."""
        return start_variance(self.question.score)


def ask(
    new: str,
    old: str,
    game: str,
    design: Design,
    *,
    variant: dict[str, str] | None = None,
    seed: str,
    max_sets: int | None = None,
    score: Score | None = Score.WINS,
    stop: Stop = Stop.WALD,
    budget: float | None = None,
    allow_faults: int = 0,
    limit: float | None = DECISION_SECONDS,
) -> Question:
    """A question whose parts fit together; raises BadSetting or UnknownName.

    `max_sets` None: as many as 99 of 100 tests with these bounds need, wherever the truth lies. `score` None: soft
    where its ratio of effect sizes is known and the bounds are normalised, else wins.
    """
    rules = registry.game(game)
    settled = settle_variant(rules, design.seats, variant or {})
    entrants = [find(spec) for spec in (new, old)]
    for entrant in entrants:
        entrant.check(rules.name)
    chosen, ratio = _score_of(score, rules.name, design)
    question = Question(
        new,
        old,
        rules.name,
        design.seats,
        settled,
        design,
        seed,
        duplicate=may_share_deals(entrants),
        score=chosen,
        ratio=ratio,
        stop=stop,
        budget=budget,
        allow_faults=allow_faults,
        limit=limit,
        batch=PENTANOMIAL_BATCH if _is_exact(chosen, design.seats) and stop is Stop.WALD else 1,
    )
    if max_sets is None:
        variance = prior_spread(Moments(), design)
        needed = needed_information(stop, design)
        # The guard, or wins where the ratio is 1, may take longer than the test itself: twice the sets are allowed.
        slack = 1.25 if chosen is Score.WINS else 2.0
        max_sets = max(FIRST_SETS, int(slack * needed / pace(question.tested, variance)) + 1)
    return replace(question, max_sets=max_sets)


def _score_of(score: Score | None, game: str, design: Design) -> tuple[Score, Ratio]:
    if score is None:
        known = ratio_of(Score.SOFT, game, design.seats)
        soft = known is not None and known.safe > 1.0 and design.model is Model.NORMALISED
        score = Score.SOFT if soft else Score.WINS
    ratio = ratio_of(score, game, design.seats)
    if ratio is None:
        raise BadSetting(f"--score {score}: no ratio of effect sizes was measured for {game} at {design.seats} seats")
    if score is not Score.WINS and design.model is not Model.NORMALISED:
        raise BadSetting(f"--score {score} is tested in normalised Elo; use --score wins with --model {design.model}")
    return score, ratio


def _is_exact(score: Score, seats: int) -> bool:
    """Whether the exact pentanomial test is used; with more seats its many cells waste sets."""
    return score is Score.WINS and seats == 2


def decide(question: Question, workers: Workers, told: Callable[[Report], None] = lambda report: None) -> Report:
    """Play sets until the test has an answer or the limit is reached; `told` hears after every batch.

    Raises GivenUp if a match cannot be played to its end, since a test without it would be biased, and BaselineFaulted
    if the old bot fails.
    """
    scale = 0.0 if question.score is Score.WINS else _pilot(question, workers)
    if not scale:
        # Also where the baseline's games against itself have no margins that could be measured.
        question = replace(question, score=Score.WINS, ratio=NO_RATIO)
    report = Report(question, np.zeros(cells(question.seats, question.design.games)), scale=scale)
    sets: dict[int, dict[int, GameScore | None]] = {}
    places: dict[str, tuple[int, int]] = {}
    submitted = 0
    total = question.max_sets * question.seats
    began = time.monotonic()
    while report.answer is None:
        while workers.room > 0 and submitted < total:
            number, seat = divmod(submitted, question.seats)
            job = _job(question, number, seat)
            places[job.match] = number, seat
            workers.submit(job)
            submitted += 1
        for job, outcome in workers.collect():
            number, seat = places.pop(job.match)
            sets.setdefault(number, {})[seat] = _score(report, outcome, number, seat)
        report.seconds = time.monotonic() - began
        _count_whole_sets(report, sets)
        _foresee(report)
        if report.answer is None and question.budget is not None and report.seconds > question.budget:
            report.answer = Answer.INCONCLUSIVE
        if report.answer is not None or (report.sets + report.dropped) % PENTANOMIAL_BATCH == 0:
            told(report)
    told(report)
    return report


def _pilot(question: Question, workers: Workers) -> float:
    """The spread of margins in games of the baseline against itself, on deals of their own."""
    waiting = [
        Job(
            match=fresh_id(f"{question.seed}/scale/{number}", question.game),
            game=question.game,
            variant=question.variant,
            names=_names(question.seats),
            specs=(question.old,) * question.seats,
            secret=fresh_secret(f"{question.seed}/scale/{number}"),
            limit=question.limit,
        )
        for number in range(PILOT_GAMES)
    ]
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
                check_baseline(outcome, question.old, f"kumite match {bots} --development{_limit(question)}")
            left -= 1
            result = outcome.final.result
            if result is not None:
                games[job.match] = result.points[: question.seats]
    return scale_of([games[match] for match in sorted(games)])


def _names(seats: int) -> tuple[str, ...]:
    """Names at a table, which tell no bot where the candidate sits."""
    return tuple(f"seat{seat + 1}" for seat in range(seats))


def _luck(question: Question, number: int, seat: int) -> str:
    """The seed of one game of a set: the set's, or one of its own."""
    return f"{question.seed}/{number}" if question.duplicate else f"{question.seed}/{number}/{seat}"


def _job(question: Question, number: int, seat: int) -> Job:
    """One game of a set: the candidate in `seat`."""
    luck = _luck(question, number, seat)
    return Job(
        match=fresh_id(f"{question.seed}/{number}/{seat}", question.game),
        game=question.game,
        variant=question.variant,
        names=_names(question.seats),
        specs=tuple(question.new if index == seat else question.old for index in range(question.seats)),
        secret=fresh_secret(luck),
        dice=fresh_id(luck, question.game),  # what `kumite match` throws for that seed
        limit=question.limit,
    )


def _command(question: Question, number: int, seat: int, options: str) -> str:
    """The command that plays one game of a set again."""
    bots = " ".join(question.new if index == seat else question.old for index in range(question.seats))
    settings = "".join(f" -v {key}={value}" for key, value in question.variant.items())
    return f"kumite match {question.game} {bots}{settings} --seed {_luck(question, number, seat)}{options}"


def _limit(question: Question) -> str:
    return "" if question.limit is None else f" --limit {duration(round(question.limit * SECOND))}"


def _score(report: Report, outcome: Played | GivenUp, number: int, seat: int) -> GameScore | None:
    """The candidate's scores against the baselines; None if the match does not count."""
    if isinstance(outcome, GivenUp):
        # Passing over such games would let a bot take those back that it is about to lose.
        raise outcome
    final, question = outcome.final, report.question
    command = _command(question, number, seat, f" --development{_limit(question)}")
    report.faults.see(number, seat, outcome, question.new, question.old, command)
    if final.result is None:
        report.without_result += 1
        return None
    if final.endings[seat].kind is not EndingKind.FINISHED:
        report.forfeits += 1
    # Automata of the rules stand behind the seats, and are opponents of neither bot's choosing.
    scores = pair_scores(final.result.places)[seat]
    wins = float(scores.sum()) / (len(final.result.places) - 1)
    margin = game_margin(final, seat, report.scale) if report.scale else 0.0
    answers = _answers(outcome.steps) if report.same and question.duplicate else ""
    return GameScore(wins, margin, answers)


def _answers(steps: str) -> str:
    """A fingerprint of who answered what in a game, without times and notes."""
    digest = hashlib.sha256()
    for line in steps.splitlines():
        entry = json.loads(line)
        digest.update(json.dumps([entry.get("answers"), entry.get("by")], sort_keys=True).encode())
    return digest.hexdigest()


def _count_whole_sets(report: Report, sets: dict[int, dict[int, GameScore | None]]) -> None:
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
        scores = {seat: score for seat, score in played.items() if score is not None}
        if len(scores) < question.seats:
            report.dropped += 1
            report.same = False
        else:
            _count(report, number, scores)
        if (number + 1) % question.batch == 0 or number + 1 >= question.max_sets:
            _look(report, last=number + 1 >= question.max_sets)


def _count(report: Report, number: int, played: dict[int, GameScore]) -> None:
    mean = sum(score.wins for score in played.values()) / len(played)
    report.counts[round(mean * (len(report.counts) - 1))] += 1
    margin = sum(played[seat].margin for seat in sorted(played)) / len(played)
    spread = set_spread(report.scale, report.question.seats)
    report.moments = report.moments.plus(set_score(report.question.score, margin, spread) if report.scale else mean)
    report.sets += 1
    answers = {score.answers for score in played.values()}
    report.same = report.same and report.question.duplicate and len(answers) == 1 and "" not in answers
    if mean < 0.5:
        seat = min(played, key=lambda key: (played[key].wins, key))
        report.worst.append(Loss(number, mean, _command(report.question, number, seat, " --record loss.jsonl")))
        report.worst.sort(key=lambda loss: (loss.score, loss.number))
        del report.worst[WORST:]


def _look(report: Report, *, last: bool) -> None:
    question = report.question
    design = question.tested
    if _is_exact(question.score, question.seats):
        report.llr = llr(report.counts, design)
    else:
        report.llr = score_llr(report.moments, design, report.start)
    if report.verdict is Verdict.CONTINUE:
        information = report.sets * pace(design, prior_spread(report.moments, design, report.start))
        report.verdict = verdict(question.stop, design, report.llr, information)
    if report.scale:
        report.guard_llr = score_llr(Moments.of(report.counts), question.guard)
        if report.guarded is Verdict.CONTINUE:
            report.guarded = question.guard.verdict(report.guard_llr)
    report.answer = _answer(report)
    if report.answer is None and last:
        report.answer = Answer.INCONCLUSIVE
    if report.answer is not None and report.same and report.sets:
        report.answer = Answer.IDENTICAL


def _answer(report: Report) -> Answer | None:
    """The answer that the test and its guard give together; None: play on."""
    if report.verdict is Verdict.H0 or (report.scale and report.guarded is Verdict.H0):
        return Answer.REJECTED
    if report.verdict is Verdict.H1 and (not report.scale or report.guarded is Verdict.H1):
        return Answer.ACCEPTED
    return None


def _foresee(report: Report) -> None:
    """Say, once the first sets are played, how many the test needs."""
    if report.forecast is None and report.sets >= FIRST_SETS:
        question = report.question
        spread = prior_spread(report.moments, question.tested, report.start)
        report.forecast = forecast(question.stop, question.tested, pace(question.tested, spread))
        report.seconds_a_set = report.seconds / (report.sets + report.dropped)


def resolved_by(report: Report, seconds: float) -> float | None:
    """The least distance of both bounds, in their own unit, that a test of so many seconds can resolve."""
    if report.seconds_a_set <= 0.0 or seconds <= 0.0:
        return None
    question = report.question
    sets = seconds / report.seconds_a_set
    wanted = needed_information(question.stop, question.design) / sets
    spread = prior_spread(report.moments, question.tested, report.start)
    return (question.design.elo1 - question.design.elo0) * float(np.sqrt(wanted / pace(question.tested, spread)))
