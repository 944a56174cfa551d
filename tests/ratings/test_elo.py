"""Online Elo: classical at two players, zero-sum at any number, identical when replayed."""

from __future__ import annotations

import random

import pytest

from ladder.ratings.elo import Live, deltas, expectation
from ladder.ratings.results import FinishedGame


def test_two_players_are_classical_elo() -> None:
    """A win between 1613 and 1609 with K 32 moves K times (1 - L(4)), the textbook update."""
    change = deltas([1613.0, 1609.0], [1, 2], [32.0, 32.0], ["a", "b"])

    assert change[0] == pytest.approx(32.0 * (1.0 - 1.0 / (1.0 + 10.0 ** (-4.0 / 400.0))))
    assert change[1] == pytest.approx(-change[0])


def test_an_advantage_of_400_is_ten_to_one() -> None:
    """L(400) is 10/11 by definition."""
    assert expectation(400.0) == pytest.approx(10.0 / 11.0)


def test_three_equal_players_gain_by_pairs() -> None:
    """First of three equals wins both pairs: K/2 for each half point above expectation."""
    change = deltas([1500.0] * 3, [1, 2, 3], [20.0] * 3, ["a", "b", "c"])

    assert change == pytest.approx([10.0, 0.0, -10.0])


def test_two_seats_of_one_bot_do_not_play_each_other() -> None:
    """A bot that holds two of three seats is paired only with the third, and its seats are added."""
    live = Live(k=20.0, provisional_games=0)
    change = live.apply(FinishedGame(("a", "a", "b"), (1, 3, 2)))

    assert change == pytest.approx({"a": 0.0, "b": 0.0})
    assert live.games == {"a": 1, "b": 1}


def test_the_sum_of_ratings_stays_constant_with_provisional_factors() -> None:
    """Every pair uses the mean of both factors, so nothing is created or lost, however long the season."""
    rng = random.Random(5)
    live = Live()
    names = [f"bot{number}" for number in range(9)]
    for _ in range(2000):
        seats = rng.randint(2, 5)
        players = tuple(rng.sample(names, seats))
        order = rng.sample(range(1, seats + 1), seats)
        live.apply(FinishedGame(players, tuple(order)))

    assert sum(live.ratings.values()) == pytest.approx(1500.0 * 9, abs=1e-9 * 2000)


def test_a_replay_gives_the_same_numbers_to_the_last_bit() -> None:
    """Ratings are a fold over results: applying them again yields identical floats."""
    rng = random.Random(6)
    games = [FinishedGame(tuple(rng.sample("abcde", 3)), tuple(rng.sample([1, 2, 3], 3))) for _ in range(300)]
    first, second = Live(), Live()
    for game in games:
        first.apply(game)
    for game in games:
        second.apply(game)

    assert first.ratings == second.ratings
