"""The two-player model with draws: recovered from simulation, and Bradley-Terry where nothing is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from ladder.ratings import plackett_luce
from ladder.ratings.rao_kupper import fit
from ladder.ratings.results import ELO, Game, collect


def simulate(elo: list[float], advantage: float, draw_elo: float, rounds: int, seed: int) -> list[Game]:
    """Every ordered pair `rounds` times, drawn from the model."""
    rng = np.random.default_rng(seed)
    games = []
    for i, first in enumerate(elo):
        for j, second in enumerate(elo):
            if i == j:
                continue
            d = first - second + advantage
            win, loss = (1 / (1 + 10 ** (-x / 400)) for x in (d - draw_elo, -d - draw_elo))
            for roll in rng.random(rounds):
                places = (1, 2) if roll < win else (2, 1) if roll < win + loss else (1, 1)
                games.append(Game((f"p{i}", f"p{j}"), places))
    return games


def test_strength_advantage_and_drawishness_are_recovered() -> None:
    """All three parameters come back within a few standard errors."""
    truth = [-150.0, -20.0, 60.0, 110.0]
    found = fit(collect(simulate(truth, 40.0, 90.0, 800, 3)))

    assert np.all(np.abs(found.elo - (np.array(truth) - np.mean(truth))) < 4 * found.se)
    assert found.advantage == pytest.approx(40.0, abs=12.0)
    assert found.draw_elo == pytest.approx(90.0, abs=12.0)


def test_without_draws_it_is_bradley_terry_with_a_seat_effect() -> None:
    """The same differences and the same advantage as the Plackett-Luce fit, up to the priors."""
    results = collect(simulate([0.0, 80.0, 200.0], 30.0, 0.0, 600, 4))
    mine, other = fit(results, prior=0.0), plackett_luce.fit(results, prior=0.0)

    assert mine.elo == pytest.approx(other.elo, abs=1.0)
    assert mine.advantage == pytest.approx(other.seat_effects[2][0] - other.seat_effects[2][1], abs=1.0)
    assert mine.draw_elo == pytest.approx(0.0, abs=3.0)


def test_the_gradient_is_that_of_the_likelihood() -> None:
    """Compared with differences at an arbitrary point."""
    from ladder.ratings.rao_kupper import _negative, _tallies

    tallies = _tallies(collect(simulate([0.0, 50.0, -30.0], 10.0, 60.0, 5, 5)), 2.0)
    point = np.array([0.2, -0.1, 0.4, 0.05, 0.3])
    expected = [
        (_negative(point + 1e-6 * unit, tallies)[0] - _negative(point - 1e-6 * unit, tallies)[0]) / 2e-6
        for unit in np.eye(5)
    ]

    assert _negative(point, tallies)[1] == pytest.approx(expected, abs=1e-4)


def test_more_than_two_players_are_refused() -> None:
    """The message says what the model is for."""
    with pytest.raises(ValueError, match="two players"):
        fit(collect([Game(("a", "b", "c"), (1, 2, 3))]))


def test_the_unit_is_elo() -> None:
    """Three wins of four against an equal number of seats are 400 log10 3."""
    games = [Game(("a", "b"), (1, 2)), Game(("b", "a"), (2, 1))] * 150
    games += [Game(("a", "b"), (2, 1)), Game(("b", "a"), (1, 2))] * 50
    found = fit(collect(games), prior=0.0)

    assert found.elo[0] - found.elo[1] == pytest.approx(ELO * np.log(3), abs=0.5)
