"""The test on mean scores of sets: right in the long run, quick in the short, and it says what it will cost."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from ladder.ratings.results import ELO
from ladder.ratings.score_test import Moments, counted, even_variance, llr_path, prior_spread, score_llr
from ladder.ratings.sprt import NORMALISED, Model, SequentialDesign, SprtVerdict, cells, llr
from ladder.ratings.stopping import Stop, _survival, forecast, pace, triangle_end, verdict


def sets_of(rng: np.random.Generator, seats: int, elo: float, count: int) -> np.ndarray:
    """Mean scores of sets: a candidate that much stronger once in every seat, without luck of the deal."""
    total = np.zeros(count)
    for seat in range(seats):
        utility = rng.gumbel(size=(count, seats))
        utility[:, seat] += elo / ELO
        total += (utility[:, [seat]] > utility).sum(axis=1) / (seats - 1)
    return total / seats


def run(
    rng: np.random.Generator, design: SequentialDesign, elo: float, stop: Stop = Stop.WALD
) -> tuple[int, SprtVerdict]:
    """Sets and verdict of one test that looks after every set."""
    moments = Moments()
    scores = sets_of(rng, design.seats, elo, 3000)
    for score, ratio in zip(scores, llr_path(scores, design), strict=True):
        moments = moments.plus(float(score))
        spread = prior_spread(moments, design)
        found = verdict(stop, design, float(ratio), moments.sets * pace(design, spread))
        if found is not SprtVerdict.CONTINUE:
            return moments.sets, found
    return moments.sets, SprtVerdict.CONTINUE


def test_moments_of_a_sum_are_those_of_the_list() -> None:
    """Welford's update agrees with the mean and variance of all scores."""
    scores = np.random.default_rng(1).uniform(size=50)
    moments = Moments()
    for score in scores:
        moments = moments.plus(float(score))

    assert moments.mean == pytest.approx(counted(scores).mean, abs=1e-12)
    assert moments.variance == pytest.approx(counted(scores).variance, abs=1e-12)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_spread_of_equal_bots_is_known(seats: int) -> None:
    """(n + 1) / (12 (n - 1) g) is the variance of a set's mean score where all are equal."""
    scores = sets_of(np.random.default_rng(2), seats, 0.0, 40_000)

    assert float(np.var(scores)) == pytest.approx(even_variance(seats, seats), rel=0.03)


@pytest.mark.parametrize("model", list(Model))
def test_long_tests_agree_with_the_exact_ratio(model: Model) -> None:
    """With many sets of two seats both ways to compute the ratio are nearly one."""
    design = SequentialDesign(0.0, 20.0, model)
    counts = np.array([130.0, 480.0, 1010.0, 620.0, 160.0])

    assert score_llr(Moments.of(counts), design) == pytest.approx(llr(counts, design) or 0.0, rel=0.05)


@pytest.mark.parametrize("model", list(Model))
@pytest.mark.parametrize("truth", [0, 1])
def test_short_tests_at_five_seats_waste_no_sets(model: Model, truth: int) -> None:
    """At most half more sets than Wald's approximation, with the error rates of the design (200 tests, alpha 0.05)."""
    design = SequentialDesign(0.0, 60.0, model, seats=5, games=5)
    spread = even_variance(5, 5)
    elo = (
        60.0 * truth
        if model is Model.LOGISTIC
        else truth * 400.0 / np.log(10) * 4.0 * 60.0 * sqrt(5 * spread) / NORMALISED
    )
    rng = np.random.default_rng(3)
    tests = [run(rng, design, elo) for _ in range(200)]
    expected = forecast(Stop.WALD, design, pace(design, spread)).at_h0

    wrong = SprtVerdict.H0 if truth else SprtVerdict.H1
    assert np.mean([sets for sets, _ in tests]) < 1.5 * expected
    assert np.mean([found is wrong for _, found in tests]) < 0.05 + 2 * sqrt(0.05 * 0.95 / 200)


def test_no_score_at_all_is_no_evidence() -> None:
    """Before the first set the ratio is 0."""
    assert score_llr(Moments(), SequentialDesign(0.0, 30.0)) == 0.0
    assert (
        score_llr(Moments.of(np.zeros(cells(3, 3))), SequentialDesign(0.0, 30.0, Model.LOGISTIC, seats=3, games=3))
        == 0.0
    )


def test_level_sets_are_evidence_against_a_difference() -> None:
    """Nothing but level sets speaks for the hypothesis of no difference, the more of them the more."""
    design = SequentialDesign(-30.0, 0.0, seats=3, games=3)
    ratios = [score_llr(Moments(sets, 0.5, 0.0), design) for sets in (10, 50, 300)]

    assert 0.0 < ratios[0] < ratios[1] < ratios[2]
    assert design.verdict(ratios[2]) is SprtVerdict.H1


def test_the_triangle_closes() -> None:
    """At its end every ratio has a verdict, and the triangle needs fewer sets than Wald's barriers halfway."""
    design = SequentialDesign(0.0, 30.0)
    end = triangle_end(design)

    assert {verdict(Stop.TRIANGULAR, design, ratio, end) for ratio in (-0.5, -0.01, 0.01, 0.5)} == {
        SprtVerdict.H0,
        SprtVerdict.H1,
    }
    assert verdict(Stop.TRIANGULAR, design, 0.0, end / 2) is SprtVerdict.CONTINUE
    each = pace(design, 0.1)
    assert forecast(Stop.TRIANGULAR, design, each).between < forecast(Stop.WALD, design, each).between
    assert forecast(Stop.TRIANGULAR, design, each).cap < forecast(Stop.WALD, design, each).cap


def test_the_triangle_keeps_its_error_rates() -> None:
    """300 tests of three seats under each hypothesis."""
    design = SequentialDesign(0.0, 60.0, Model.LOGISTIC, seats=3, games=3)
    rng = np.random.default_rng(4)
    bar = 0.05 + 2 * sqrt(0.05 * 0.95 / 300)

    assert np.mean([run(rng, design, 0.0, Stop.TRIANGULAR)[1] is SprtVerdict.H1 for _ in range(300)]) < bar
    assert np.mean([run(rng, design, 60.0, Stop.TRIANGULAR)[1] is SprtVerdict.H0 for _ in range(300)]) < bar


def test_the_default_cap_lets_tests_end() -> None:
    """By the cap 99 of 100 tests have ended, wherever the truth lies; at the bounds more."""
    design = SequentialDesign(0.0, 30.0)
    each = pace(design, 0.1)
    cap = forecast(Stop.WALD, design, each).cap

    assert _survival(design.lower, design.upper, 0.0, cap * each) == pytest.approx(0.01, abs=0.001)
    assert _survival(design.lower, design.upper, 0.5, cap * each) < 0.005
    assert 2000 < cap < 3000
