"""The estimate after a triangular stop: the walk's exits, the order of outcomes, and coverage by simulation."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from ladder.arena.gate.question import ask
from ladder.arena.gate.report import conclusion
from ladder.arena.gate.sequential_test import Answer, GateReport
from ladder.ratings.estimate import unbiased_of
from ladder.ratings.score_test import Moments
from ladder.ratings.sprt import Model, SequentialDesign, cells
from ladder.ratings.stopping import Stop, triangle
from ladder.ratings.triangle import exits, unbiased_in_triangle
from tests.ratings.after_stop import CASES, STRENGTHS, count, elo_of_bound

DESIGN = SequentialDesign(0.0, 30.0)


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.01, 0.01)])
def test_the_triangle_has_the_error_rates_of_the_design(alpha: float, beta: float) -> None:
    """At H0 a walk leaves by the upper side with the chance alpha, at H1 by the lower one with beta."""
    height, tilt = triangle(SequentialDesign(0.0, 30.0, alpha=alpha, beta=beta))

    assert exits(height, tilt, -0.5).upper.sum() == pytest.approx(alpha, rel=0.02)
    assert exits(height, tilt, 0.5).lower.sum() == pytest.approx(beta, rel=0.02)
    walk = exits(height, tilt, 0.0)
    assert walk.upper.sum() + walk.lower.sum() == pytest.approx(1.0, abs=1e-9)


def test_exits_of_one_drift_tell_those_of_another() -> None:
    """Weighted by likelihood ratios, the walks without drift have the chances of walks with one."""
    height, tilt = triangle(DESIGN)
    still, moving = exits(height, tilt, 0.0), exits(height, tilt, 0.5)
    for until in (2.0, 5.0, 20.0):
        assert still.chance(0.5, until, up=True) == pytest.approx(moving.chance(0.5, until, up=True), abs=0.002)


def test_the_estimate_falls_with_the_time_to_acceptance() -> None:
    """Sooner accepted is stronger, sooner rejected is weaker, and both orders are one."""
    found = []
    for mean in (0.40, 0.45, 0.48, 0.50, 0.52, 0.55, 0.60):
        estimate = unbiased_in_triangle(2000.0, mean, 0.12, DESIGN)
        assert estimate.nelo is not None
        assert estimate.nelo_low is not None
        assert estimate.nelo_high is not None
        assert estimate.nelo_low < estimate.nelo < estimate.nelo_high
        found.append(estimate.nelo)

    assert found == sorted(found)


def test_a_mirror_image_has_the_mirrored_estimate() -> None:
    """Turned round halfway between the hypotheses everything is turned round."""
    design = SequentialDesign(-30.0, 30.0)
    up, down = (unbiased_in_triangle(500.0, mean, 0.12, design) for mean in (0.56, 0.44))

    assert up.nelo == pytest.approx(-(down.nelo or 0.0), abs=0.01)
    assert up.nelo_low == pytest.approx(-(down.nelo_high or 0.0), abs=0.01)


def test_a_strong_candidate_has_nearly_the_naive_estimate() -> None:
    """Far beyond the bounds the stop has little to do with the strength."""
    design = SequentialDesign(0.0, 60.0, Model.LOGISTIC)
    found = unbiased_in_triangle(40.0, 0.72, 0.1, design)
    naive = 400.0 * np.log10(0.72 / 0.28)

    assert found.elo == pytest.approx(naive, rel=0.1)
    wald = unbiased_of(40.0, 0.72, 0.1, design)
    assert wald.elo == pytest.approx(naive, rel=0.1)


def test_no_sets_have_no_estimate() -> None:
    """Nor have sets without any spread."""
    assert unbiased_in_triangle(0.0, 0.5, 0.1, DESIGN).elo is None
    assert unbiased_in_triangle(10.0, 0.5, 0.0, DESIGN).elo is None


def test_the_gate_tells_it() -> None:
    """After a triangular stop the report has the median-unbiased estimate in the unit of the bounds."""
    asked = ask("greedy", "random", "edo_yashiki", DESIGN, seed="s", stop=Stop.TRIANGULAR)
    counts = np.zeros(cells(2, 2))
    counts[:] = 5, 30, 120, 70, 15
    report = GateReport(
        asked, counts, sets=240, moments=Moments.of(counts), llr=2.0, answer=Answer.ACCEPTED, same=False
    )
    lines = [line for line in conclusion(report) if line.startswith("estimate (median-unbiased)")]

    assert len(lines) == 1
    assert "normalised Elo +" in lines[0]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "bound"), CASES)
@pytest.mark.parametrize("share", STRENGTHS)
def test_intervals_after_a_triangular_stop_cover(seats: int, bound: float, share: float) -> None:
    """500 tests: at least 93% hold the truth, beyond twice the simulation's own error."""
    design = SequentialDesign(0.0, bound, seats=seats, games=seats)
    held = count(Stop.TRIANGULAR, design, share * elo_of_bound(design), 500)

    assert held.tests >= 490
    assert held.covers + 2.0 * sqrt(held.covers * (1.0 - held.covers) / held.tests) >= 0.93
