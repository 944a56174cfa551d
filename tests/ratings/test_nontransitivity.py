"""What a single scale cannot say: cycles, misfit, mixtures."""

from __future__ import annotations

import numpy as np
import pytest

from ladder.ratings.nontransitivity import pairs, structure
from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import FinishedGame, collect


def test_rock_paper_scissors_is_a_pure_cycle() -> None:
    """Each beats the next: one cycle, nothing explained by strength, the even mixture unbeaten."""
    games = [
        FinishedGame(("rock", "scissors"), (1, 2)),
        FinishedGame(("scissors", "paper"), (1, 2)),
        FinishedGame(("paper", "rock"), (1, 2)),
    ]
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
        games += [FinishedGame((first, second), (1, 2))] * wins + [FinishedGame((first, second), (2, 1))] * (
            20 if wins == 40 else 16
        )
    results = collect(games)
    report = structure(results, fit(results, prior=0.0, seats=False))

    assert report.cycles == ()
    assert report.cyclic_share < 0.01
    assert report.p_value > 0.05
    assert report.nash == pytest.approx({"a": 1.0, "b": 0.0, "c": 0.0}, abs=1e-6)


def test_one_game_a_pair_is_no_evidence_of_a_cycle() -> None:
    """Five equal bots with one game a pair: chance makes cycles of wins, and none is announced."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        games = [
            FinishedGame((f"p{i}", f"p{j}"), (1, 2) if rng.random() < 0.5 else (2, 1))
            for i in range(5)
            for j in range(i + 1, 5)
        ]
        results = collect(games)
        assert structure(results, fit(results, ends=False)).cycles == ()


@pytest.mark.parametrize("count", [5, 8])
def test_false_cycles_stay_rare_where_two_steps_are_true(count: int) -> None:
    """The least favourable pool: two steps of a cycle are sure and the third is level. About 5% announce one."""
    rng = np.random.default_rng(2)
    announced = 0
    for _ in range(60):
        games = []
        for i in range(count):
            for j in range(i + 1, count):
                chance = 0.5 if (j - i) % count == count - 1 else 0.9
                games += [
                    FinishedGame((f"p{i}", f"p{j}"), (1, 2) if rng.random() < chance else (2, 1)) for _ in range(40)
                ]
        results = collect(games)
        announced += bool(structure(results, fit(results, ends=False)).cycles)

    assert announced <= 7


def test_all_cycles_of_a_regular_pool_are_found_once() -> None:
    """Seven bots, each beating the three after it: fourteen cycles of three, each named from its first player on."""
    games = [FinishedGame((f"p{i}", f"p{(i + step) % 7}"), (1, 2)) for i in range(7) for step in (1, 2, 3)] * 30
    results = collect(games)
    report = structure(results, fit(results, ends=False))

    assert report.cycle_count == len(report.cycles) == len(set(report.cycles)) == 14
    assert all(cycle[0] == min(cycle) for cycle in report.cycles)


def test_pairs_count_every_pair_of_a_table_and_no_bot_against_itself() -> None:
    """A table of three is three pairs; two seats of one bot are none."""
    table = pairs(collect([FinishedGame(("a", "b", "c"), (1, 2, 2)), FinishedGame(("a", "a", "b"), (1, 2, 3))]))

    assert table.counts.tolist() == [[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    assert table.scores.tolist() == [[0.0, 3.0, 1.0], [0.0, 0.0, 0.5], [0.0, 0.5, 0.0]]
