"""What the gate is asked: two bots, a game, a sequential test, and what a set counts.

A **set** of one candidate has it once in every seat and copies of the baseline in the others. A **pair** of candidates
(`--pair`) has two copies of the new bot at every table of 4 or 5 seats. Each of them is compared with the baselines
alone, so a game has 2 (n - 2) comparisons in place of n - 1. If seats' results were independent, the variance of its
mean score would be that of Mann and Whitney's statistic, (n + 1) / (12 m (n - m)) for m candidates: three quarters at 4
seats, two thirds at 5. Real sets of bots that differ little gain less, some nothing (`ladder/ratings/README.md`), so
normalised bounds are not multiplied by anything: what is gained shortens the test, what is not costs no power. Two
copies of one bot could help each other if they can talk, so bots that are processes or remember are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ladder.arena.entrants import Entrant, EntrantKind, find, may_share_deals
from ladder.arena.gate.set_scores import NO_RATIO, Ratio, ScoreKind, ratio_of
from ladder.ratings.score_test import Moments, prior_spread
from ladder.ratings.sprt import Model, SequentialDesign
from ladder.ratings.stopping import Stop, needed_information, pace
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame, settle_variant
from referee.match.supervision import DECISION_SECONDS

FIRST_SETS = 8
"""Sets after which the test forecasts how long it takes."""
PENTANOMIAL_BATCH = 8
"""Sets between two looks at the exact test of two seats; the test of means looks after every set."""
PAIR_SEATS = (4, 5)
"""Seats of a table with two candidates: fewer would leave one baseline, which both would be compared with."""


@dataclass(frozen=True, slots=True)
class GateQuestion:
    """What the gate is asked."""

    new: str
    old: str
    game: str
    seats: int
    variant: dict[str, str]
    design: SequentialDesign
    """Bounds in Elo of wins."""
    seed: str
    max_sets: int = 2000
    batch: int = PENTANOMIAL_BATCH
    """Sets between two looks at the test."""
    duplicate: bool = True
    """Whether the games of a set share their deal, and the bots' own dice."""
    score: ScoreKind = ScoreKind.WINS
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
    def pair(self) -> bool:
        """Whether two copies of the new bot sit at every table."""
        return self.design.candidates == 2

    @property
    def tested(self) -> SequentialDesign:
        """The test in units of the score: bounds are Elo of wins, times the ratio of effect sizes."""
        design, ratio = self.design, self.ratio.safe
        return design if ratio == 1.0 else replace(design, elo0=design.elo0 * ratio, elo1=design.elo1 * ratio)

    @property
    def guard(self) -> SequentialDesign:
        """The guard on wins: as much weaker than H0 as H1 is stronger, against H1."""
        return replace(self.design, elo0=2.0 * self.design.elo0 - self.design.elo1)


def ask(
    new: str,
    old: str,
    game: str,
    design: SequentialDesign,
    *,
    variant: dict[str, str] | None = None,
    seed: str,
    max_sets: int | None = None,
    score: ScoreKind | None = ScoreKind.WINS,
    stop: Stop = Stop.WALD,
    budget: float | None = None,
    allow_faults: int = 0,
    limit: float | None = DECISION_SECONDS,
) -> GateQuestion:
    """A question whose parts fit together; raises BadSetting or UnknownName.

    `max_sets` None: as many as 99 of 100 tests with these bounds need, wherever the truth lies. `score` None: soft
    where its ratio of effect sizes is known and the bounds are normalised, else wins.
    """
    rules = registry.game(game)
    entrants = [find(spec) for spec in (new, old)]
    if design.candidates == 2:
        check_pair_seats(design.seats)
        _check_pair(entrants)
    settled = settle_variant(rules, design.seats, variant or {})
    _check_untimed(rules, settled)
    for entrant in entrants:
        entrant.check(rules.name)
    chosen, ratio = _score_of(score, rules.name, design)
    question = GateQuestion(
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
        batch=PENTANOMIAL_BATCH if is_exact(chosen, design.seats) and stop is Stop.WALD else 1,
    )
    if max_sets is None:
        variance = prior_spread(Moments(), design)
        needed = needed_information(stop, design)
        # The guard, or wins where the ratio is 1, may take longer than the test itself: twice the sets are allowed.
        slack = 1.25 if chosen is ScoreKind.WINS else 2.0
        max_sets = max(FIRST_SETS, int(slack * needed / pace(question.tested, variance)) + 1)
    return replace(question, max_sets=max_sets)


def _check_untimed(rules: AnyGame, variant: Mapping[str, str]) -> None:
    """Raise BadSetting where times of arrival count: the games of a duplicate set would not be the same game."""
    for key, choices in rules.variants.items():
        if choices.timed.get(variant[key]):
            raise BadSetting(
                f"{rules.name} with {key}={variant[key]} goes by when answers arrive, so no game of it can be played "
                f"twice and a gate cannot compare bots by it: choose another {key}"
            )


def _score_of(score: ScoreKind | None, game: str, design: SequentialDesign) -> tuple[ScoreKind, Ratio]:
    if score is None:
        known = ratio_of(ScoreKind.SOFT, game, design.seats)
        soft = known is not None and design.model is Model.NORMALISED
        score = ScoreKind.SOFT if soft else ScoreKind.WINS
    ratio = ratio_of(score, game, design.seats)
    if ratio is None:
        raise BadSetting(f"--score {score}: no ratio of effect sizes was measured for {game} at {design.seats} seats")
    if score is not ScoreKind.WINS and design.model is not Model.NORMALISED:
        raise BadSetting(f"--score {score} is tested in normalised Elo; use --score wins with --model {design.model}")
    return score, ratio


def check_pair_seats(seats: int) -> None:
    """Raise BadSetting unless a table of so many seats may have two candidates."""
    if seats not in PAIR_SEATS:
        raise BadSetting(f"--pair needs a table of 4 or 5 seats, and this one has {seats}: add --seats 4")


def _check_pair(entrants: Sequence[Entrant]) -> None:
    """Raise BadSetting unless two copies of each bot may sit at one table."""
    for entrant in entrants:
        if entrant.kind is not EntrantKind.HOUSE:
            why = "is a process"
        elif entrant.remembers:
            why = "remembers other games (remembers = True)"
        else:
            continue
        raise BadSetting(
            f"--pair: {entrant.spec} {why}, and two copies of it at one table could help each other; leave --pair out"
        )


def is_exact(score: ScoreKind, seats: int) -> bool:
    """Whether the exact pentanomial test is used; with more seats its many cells waste sets."""
    return score is ScoreKind.WINS and seats == 2
