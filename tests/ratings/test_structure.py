"""What a single scale cannot say: cycles, misfit, mixtures."""

from __future__ import annotations

import pytest

from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import Game, collect
from ladder.ratings.structure import structure


def test_rock_paper_scissors_is_a_pure_cycle() -> None:
    """Each beats the next: one cycle, nothing explained by strength, the even mixture unbeaten."""
    games = [Game(("rock", "scissors"), (1, 2)), Game(("scissors", "paper"), (1, 2)), Game(("paper", "rock"), (1, 2))]
    results = collect(games * 30)
    report = structure(results, fit(results))

    assert report.cycles == (("paper", "rock", "scissors"),)
    assert report.cyclic_share == pytest.approx(1.0)
    assert report.p_value < 1e-6
    assert report.nash == pytest.approx({"paper": 1 / 3, "rock": 1 / 3, "scissors": 1 / 3}, abs=1e-6)


def test_a_pecking_order_has_no_cycle_and_one_best() -> None:
    """Results that follow one scale: no cycle, no misfit, all weight on the best."""
    games = []
    for first, second in (("a", "b"), ("b", "c"), ("a", "c")):
        wins = 40 if (first, second) != ("a", "c") else 64
        games += [Game((first, second), (1, 2))] * wins + [Game((first, second), (2, 1))] * (20 if wins == 40 else 16)
    results = collect(games)
    report = structure(results, fit(results, prior=0.0, seats=False))

    assert report.cycles == ()
    assert report.cyclic_share < 0.01
    assert report.p_value > 0.05
    assert report.nash == pytest.approx({"a": 1.0, "b": 0.0, "c": 0.0}, abs=1e-6)
