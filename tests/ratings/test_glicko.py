"""The quick rating: Glickman's worked example, the weight of pairs at larger tables, invariants, coverage."""

from __future__ import annotations

from itertools import permutations
from math import sqrt

import numpy as np
import pytest

from ladder.ratings.glicko import Q, Quick, Rated, certainty, updated, weight
from ladder.ratings.results import ELO, FinishedGame


def test_the_certainty_of_glickmans_example() -> None:
    """g of the deviations 30, 100 and 300 in the Glicko paper."""
    assert [certainty(30), certainty(100), certainty(300)] == pytest.approx([0.9955, 0.9531, 0.7242], abs=1e-4)


def test_two_players_are_glicko_1() -> None:
    """1500 ± 200 beats 1400 ± 30: the update of Glicko-1 written down by hand."""
    after = updated({"a": Rated(1500.0, 200.0), "b": Rated(1400.0, 30.0)}, FinishedGame(("a", "b"), (1, 2)))
    told, expected = 0.9955, 0.639
    square = 1.0 / (1.0 / 200.0**2 + Q**2 * told**2 * expected * (1.0 - expected))

    assert after["a"].deviation == pytest.approx(sqrt(square), abs=0.05)
    assert after["a"].rating == pytest.approx(1500.0 + Q * square * told * (1.0 - expected), abs=0.1)
    assert after["a"].rating == pytest.approx(1563.4, abs=0.5)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_the_weight_is_the_ratio_of_variances(count: int) -> None:
    """Between equals: variance of the summed pairwise score over that of independent pairs, inverted."""
    sums = [sum(order[0] < other for other in order[1:]) for order in permutations(range(count))]

    assert weight(count) == pytest.approx((count - 1) / 4.0 / np.var(sums))


def test_a_draw_of_equals_changes_no_rating_and_shrinks_both_deviations() -> None:
    """Nothing is learned about who is better, but about how far apart they are."""
    after = updated({}, FinishedGame(("a", "b", "c"), (1, 1, 1)))

    assert [player.rating for player in after.values()] == pytest.approx([1500.0] * 3)
    assert all(player.deviation < 350.0 for player in after.values())


def test_seats_of_one_bot_do_not_play_each_other() -> None:
    """A bot in two seats of four meets the two others from both, and nothing else."""
    before = {"a": Rated(1600.0, 80.0), "b": Rated(1500.0, 90.0)}
    after = updated(before, FinishedGame(("a", "a", "b"), (1, 2, 3)))
    alone = updated(before, FinishedGame(("a", "b"), (1, 2)))
    step = (after["a"].rating - 1600.0) / after["a"].deviation ** 2
    single = (alone["a"].rating - 1600.0) / alone["a"].deviation ** 2

    assert step == pytest.approx(2.0 * weight(3) * single)


def test_a_fold_is_repeatable_and_changes_apply_nothing() -> None:
    """The same games in the same order give the same numbers; `changes` only looks."""
    games = [
        FinishedGame(("a", "b", "c"), (1, 2, 3)),
        FinishedGame(("b", "c", "a"), (1, 1, 3)),
        FinishedGame(("c", "a"), (1, 2)),
    ]
    first, second = Quick(), Quick()
    for game in games:
        first.apply(game)
        expected = second.changes(game)
        assert second.changes(game) == expected == second.apply(game)

    assert first == second
    assert first.games == {"a": 3, "b": 2, "c": 3}


@pytest.mark.parametrize("seats", [2, 4])
def test_the_deviation_covers(seats: int) -> None:
    """20 bots of spread 250 Elo: rating ± 1.96 deviations holds the strength at about its level after 50 games."""
    rng = np.random.default_rng(6)
    covered = []
    for _ in range(12):
        truth = rng.normal(0.0, 250.0, 20)
        quick = Quick()
        for _ in range(50 * 20 // seats):
            chosen = rng.choice(20, seats, replace=False)
            utility = truth[chosen] / ELO + rng.gumbel(size=seats)
            places = tuple(int(1 + np.sum(utility > value)) for value in utility)
            quick.apply(FinishedGame(tuple(f"p{player}" for player in chosen), places))
        ratings = np.array([quick.rated(f"p{player}").rating for player in range(20)])
        deviations = np.array([quick.rated(f"p{player}").deviation for player in range(20)])
        distance = np.abs(ratings - ratings.mean() - truth + truth.mean())
        covered.append(np.mean(distance < 1.96 * deviations))

    assert 0.92 < np.mean(covered) <= 1.0
