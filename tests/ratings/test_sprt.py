"""The sequential test: exactness against direct optimisation, published examples, error rates by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, NonlinearConstraint, minimize

from ladder.ratings.estimate import elo_of, naive, outcome_cdf, unbiased
from ladder.ratings.sprt import (
    NORMALISED,
    Model,
    SequentialDesign,
    SprtVerdict,
    cells,
    llr,
    values,
    with_mean,
    with_ratio,
)

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


def counts_of(*numbers: float) -> np.ndarray:
    """Counts as floats."""
    return np.array(numbers, dtype=np.float64)


def test_the_bounds_are_walds() -> None:
    """Error rates of 5% give log(0.05 / 0.95) and its opposite."""
    design = SequentialDesign(0.0, 10.0)

    assert design.lower == pytest.approx(-2.944438979)
    assert design.upper == pytest.approx(2.944438979)


def test_cells_follow_seats_and_games() -> None:
    """5 for a pair of two-player games, 3 for one game, 13 for a rotation of three seats."""
    assert [cells(2, 2), cells(2, 1), cells(3, 3), cells(5, 5)] == [5, 3, 13, 41]


def test_the_constrained_mean_is_the_likeliest_one() -> None:
    """The closed form agrees with a numerical maximisation of the likelihood under the same mean."""
    share = counts_of(3, 20, 60, 30, 4) / 117
    scale = values(5)
    found = with_mean(share, scale, 0.5)

    def unlikelihood(q: Vector) -> float:
        return -float(share @ np.log(q))

    numeric = minimize(
        unlikelihood,
        share.tolist(),
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        constraints=[LinearConstraint(np.ones((1, 5)), 1, 1), LinearConstraint(scale[None, :], 0.5, 0.5)],
        tol=1e-14,
    ).x

    assert found is not None
    assert found @ scale == pytest.approx(0.5)
    assert found == pytest.approx(numeric, abs=1e-5)


def test_the_constrained_ratio_is_the_likeliest_one() -> None:
    """The fixed point for normalised Elo agrees with a numerical maximisation under the same ratio."""
    share = counts_of(3, 20, 60, 30, 4) / 117
    scale = values(5)

    def ratio(q: np.ndarray) -> float:
        mean = q @ scale
        return float((mean - 0.5) / np.sqrt(q @ (scale - mean) ** 2))

    target = 20.0 * np.sqrt(2) / NORMALISED
    found = with_ratio(share, scale, target)

    def unlikelihood(q: Vector) -> float:
        return -float(share @ np.log(q))

    numeric = minimize(
        unlikelihood,
        share.tolist(),
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            LinearConstraint(np.ones((1, 5)), 1, 1),
            NonlinearConstraint(lambda q: [ratio(q)], target, target),
        ],
        tol=1e-14,
    ).x

    assert found is not None
    assert ratio(found) == pytest.approx(target)
    assert found == pytest.approx(numeric, abs=1e-4)


def test_the_ratio_is_zero_without_games_and_antisymmetric_in_the_counts() -> None:
    """Mirrored counts under mirrored hypotheses have the opposite log-likelihood ratio."""
    counts = counts_of(5, 30, 80, 41, 9)
    gain = llr(counts, SequentialDesign(0.0, 10.0))
    loss = llr(counts[::-1], SequentialDesign(-10.0, 0.0))

    assert llr(counts_of(0, 0, 0, 0, 0), SequentialDesign(0.0, 10.0)) == 0.0
    assert gain is not None
    assert loss is not None
    assert gain == pytest.approx(-loss)


def test_the_ratio_approaches_the_normal_approximation_for_many_games() -> None:
    """For large counts and close hypotheses the exact ratio is that of two normal means."""
    counts = counts_of(100, 2200, 6000, 2300, 110) * 10
    scale = values(5)
    total = counts.sum()
    mean = counts @ scale / total
    variance = counts @ (scale - mean) ** 2 / total
    score0, score1 = 0.5, 1 / (1 + 10 ** (-1 / 400))
    normal = total * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    exact = llr(counts, SequentialDesign(0.0, 1.0, Model.LOGISTIC))

    assert exact == pytest.approx(normal, rel=2e-2)


def test_early_level_groups_do_not_stop_the_test() -> None:
    """Thirty level groups say nothing about who is stronger: no verdict in either unit."""
    for model in Model:
        design = SequentialDesign(0.0, 10.0, model)
        assert design.verdict(llr(counts_of(0, 0, 30, 0, 0), design)) is SprtVerdict.CONTINUE


def test_identical_bots_are_recognised() -> None:
    """If every group is level the estimate says so, and has no likelihood of superiority."""
    estimate = naive(counts_of(0, 0, 30, 0, 0), 2)

    assert estimate.level
    assert estimate.elo == pytest.approx(0.0)
    assert estimate.los is None


def test_scores_of_nothing_but_wins_have_no_elo() -> None:
    """A perfect score is no finite difference, so no number is printed."""
    estimate = naive(counts_of(0, 0, 0, 0, 12), 2)

    assert estimate.mean == 1.0
    assert (estimate.elo, estimate.elo_low, estimate.los) == (None, None, None)


def test_the_naive_estimate_has_its_textbook_values() -> None:
    """Mean, Elo and normalised Elo recomputed from the formulas for one set of counts."""
    counts = counts_of(1, 20, 60, 25, 2)
    samples = np.repeat(values(5), counts.astype(int))
    estimate = naive(counts, 2)

    assert estimate.mean == pytest.approx(samples.mean())
    assert estimate.elo == pytest.approx(elo_of(samples.mean()))
    assert estimate.nelo == pytest.approx(NORMALISED * (samples.mean() - 0.5) / (np.sqrt(2) * samples.std()))


def test_wrong_hypotheses_and_counts_are_refused() -> None:
    """Bounds in the wrong order, impossible error rates and a wrong number of cells name what is wrong."""
    with pytest.raises(ValueError, match="below"):
        SequentialDesign(5.0, 5.0)
    with pytest.raises(ValueError, match="error rates"):
        SequentialDesign(0.0, 5.0, alpha=0.7)
    with pytest.raises(ValueError, match="5 cells"):
        llr(counts_of(1, 2, 3), SequentialDesign(0.0, 5.0))


def test_the_chances_of_brownian_outcomes_agree_with_simulation() -> None:
    """Leaving through either barrier and being inside by a time, against a fine random walk."""
    rng = np.random.default_rng(2)
    lower, upper, drift, spread, time, steps = -2.0, 3.0, 0.4, 1.3, 4.0, 2000
    paths = np.cumsum(rng.normal(drift * time / steps, spread * np.sqrt(time / steps), (4000, steps)), axis=1)
    above, below = paths >= upper, paths <= lower
    first_above = np.where(above.any(axis=1), above.argmax(axis=1), steps)
    first_below = np.where(below.any(axis=1), below.argmax(axis=1), steps)
    hit_lower = np.mean(first_below < first_above)
    inside = (first_below == steps) & (first_above == steps)
    less = hit_lower + np.mean(inside & (paths[:, -1] < 1.0))
    hit_upper = np.mean(first_above < first_below)

    assert outcome_cdf(time, 1.0, lower, upper, drift, spread) == pytest.approx(less, abs=0.03)
    assert 1.0 - outcome_cdf(time, upper, lower, upper, drift, spread) == pytest.approx(hit_upper, abs=0.03)


def test_the_unbiased_estimate_is_nearer_to_zero_than_the_naive_one_after_a_win() -> None:
    """A test that stopped because of its evidence overstates it; the correction pulls back."""
    counts = counts_of(30, 350, 1000, 420, 40)
    design = SequentialDesign(0.0, 10.0)
    ratio = llr(counts, design)

    assert ratio is not None
    assert ratio > design.upper
    corrected, plain = unbiased(counts, design), naive(counts, 2)
    assert corrected.elo is not None
    assert plain.elo is not None
    assert 0 < corrected.elo < plain.elo


@pytest.mark.parametrize(
    ("counts", "model", "expected"),
    [
        ((1, 4, 9, 21, 13), Model.NORMALISED, (154.27, 84.94, 237.54)),
        ((1, 4, 9, 21, 13), Model.LOGISTIC, (152.41, 71.34, 252.98)),
        ((10, 100, 260, 140, 18), Model.NORMALISED, (15.63, -0.74, 31.22)),
        ((10, 100, 260, 140, 18), Model.LOGISTIC, (15.42, -3.65, 33.80)),
        ((0, 3, 20, 2, 0), Model.NORMALISED, (-6.95, -37.45, 23.44)),
    ],
)
def test_the_unbiased_estimate_is_fishtests(
    counts: tuple[int, ...], model: Model, expected: tuple[float, float, float]
) -> None:
    """Median and interval of pentanomial counts after a test of 0 against 30, as fishtest prints them."""
    found = unbiased(counts_of(*counts), SequentialDesign(0.0, 30.0, model))

    assert (found.elo, found.low, found.high) == pytest.approx(expected, abs=0.01)


def test_the_unbiased_estimate_has_the_unit_of_normalised_bounds_beside_it() -> None:
    """At the mean of the counts the normalised strength is that of the naive estimate."""
    counts = counts_of(10, 100, 260, 140, 18)
    found, plain = unbiased(counts, SequentialDesign(0.0, 30.0)), naive(counts, 2)

    assert found.elo is not None
    assert found.nelo is not None
    assert plain.elo is not None
    assert plain.nelo is not None
    assert found.nelo / found.elo == pytest.approx(plain.nelo / plain.elo, rel=1e-3)


def test_nothing_but_wins_have_a_lower_end_and_no_estimate() -> None:
    """Twelve won sets of twelve: at least some hundred Elo, and no number for the median."""
    found = unbiased(counts_of(0, 0, 0, 0, 12), SequentialDesign(0.0, 10.0))

    assert (found.elo, found.high) == (None, None)
    assert found.low is not None
    assert found.low > 400


def test_both_forms_of_the_chance_of_an_outcome_meet() -> None:
    """Where the series of sines gives way to mirror images, the chance does not jump."""
    for time in (0.0999, 0.1001):
        series = [outcome_cdf(time * 36.0 / 10.0, value, -3.0, 3.0, 0.5, 1.0) for value in (-1.0, 0.2, 1.0)]
        assert series == sorted(series)
    before = outcome_cdf(0.35999, 0.3, -3.0, 3.0, 0.5, 1.0)
    after = outcome_cdf(0.36001, 0.3, -3.0, 3.0, 0.5, 1.0)

    assert before == pytest.approx(after, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("model", list(Model))
@pytest.mark.parametrize(("elo", "accepted"), [(0.0, SprtVerdict.H0), (40.0, SprtVerdict.H1)])
def test_error_rates_hold(model: Model, elo: float, accepted: SprtVerdict) -> None:
    """At either hypothesis the wrong verdict comes at most about 5% of the time."""
    rng = np.random.default_rng(11)
    win = 1 / (1 + 10 ** (-elo / 400))
    design = SequentialDesign(0.0, 40.0, model)
    wrong = 0
    trials = 200
    for _ in range(trials):
        counts = np.zeros(5)
        verdict = SprtVerdict.CONTINUE
        while verdict is SprtVerdict.CONTINUE:
            won = rng.binomial(1, win, (16, 2)).sum(axis=1)
            counts += np.bincount(won * 2, minlength=5)
            verdict = design.verdict(llr(counts, design))
        wrong += verdict is not accepted

    assert wrong / trials < 0.085
