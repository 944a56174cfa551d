"""Soft scores of the gate: bounded, fair, with a guard against bots that trade games for points."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from ladder.arena.gate.question import GateQuestion, ask
from ladder.arena.gate.report import as_json, conclusion
from ladder.arena.gate.sequential_test import Answer, GateReport, _count, _look, decide
from ladder.arena.gate.set_scores import (
    RATIOS,
    Ratio,
    ScoreKind,
    game_margin,
    pair_margin,
    ratio_of,
    scale_of,
    set_score,
    set_spread,
)
from ladder.arena.gate.sets import GameScore
from ladder.arena.workers import in_process
from ladder.cli import run
from ladder.ratings.sprt import Model, SequentialDesign, cells
from referee.kernel.errors import BadSetting
from referee.kernel.game import Result
from referee.match.policy import Ending, EndingKind
from referee.match.record import Final

DESIGN = SequentialDesign(0.0, 40.0)


def final(places: tuple[int, ...], points: tuple[int, ...], fallen: int | None = None) -> Final:
    """The end of a match."""
    endings = tuple(
        Ending(EndingKind.FORFEITED if seat == fallen else EndingKind.FINISHED, 0, None, "")
        for seat in range(len(places))
    )
    return Final(0, Result(places, points, "over"), endings, True, (), "")


def test_a_soft_score_is_bounded_and_rises_with_the_margin() -> None:
    """1/2 when level, symmetric, between 0 and 1 however large the margin."""
    scores = [set_score(ScoreKind.SOFT, margin, 3.0) for margin in (-1e9, -6.0, -1.0, 0.0, 1.0, 6.0, 1e9)]

    assert scores == sorted(scores)
    assert (scores[0], scores[3], scores[-1]) == pytest.approx((0.0, 0.5, 1.0))
    assert scores[1] + scores[5] == pytest.approx(1.0)


def test_between_equal_bots_soft_scores_are_spread_evenly() -> None:
    """Independent games of equal bots: mean 1/2 and the variance 1/12 that the test expects beforehand."""
    rng = np.random.default_rng(1)
    for seats in (2, 4):
        points = rng.normal(0.0, 8.0, (4000, seats, seats))
        scale = scale_of([[round(100 * value) for value in row] for row in points[:, 0, :]]) / 100.0
        margins = [
            np.mean([game[seat] - np.mean(np.delete(game, seat)) for seat, game in enumerate(games)])
            for games in points
        ]
        scores = [set_score(ScoreKind.SOFT, float(margin), set_spread(scale, seats)) for margin in margins]
        assert np.mean(scores) == pytest.approx(0.5, abs=0.02)
        assert np.var(scores) == pytest.approx(1.0 / 12.0, rel=0.1)


def test_a_forfeited_seat_is_far_behind_whatever_its_points() -> None:
    """Leaving a won game does not keep its margin."""
    assert game_margin(final((2, 1), (99, 1), fallen=0), (0,), 5.0) == -50.0
    assert game_margin(final((2, 1), (99, 1), fallen=0), (1,), 5.0) == 50.0


def test_points_that_contradict_places_count_nothing() -> None:
    """Where a game is won with fewer points the margin says nothing."""
    assert pair_margin((1, 2), (3, 7)) == 0.0
    assert pair_margin((2, 1), (7, 3)) == 0.0
    assert pair_margin((1, 1), (7, 3)) == 4.0


def test_every_ratio_is_plausible_and_belongs_to_a_game() -> None:
    """Effects in soft scores are larger than in wins, by less than two times, and known to a tenth or so."""
    for (game, seats), (soft, points) in RATIOS.items():
        assert ratio_of(ScoreKind.SOFT, game, seats) == soft
        assert ratio_of(ScoreKind.POINTS, game, seats) == points
        assert 1.0 <= soft.safe <= soft.value < 2.0
        assert soft.error < 0.2


def test_unknown_ratios_and_logistic_bounds_are_refused() -> None:
    """One clear line each; the default falls back to wins."""
    with pytest.raises(BadSetting, match="normalised"):
        ask("greedy", "random", "edo_yashiki", SequentialDesign(0, 40, Model.LOGISTIC), seed="s", score=ScoreKind.SOFT)
    logistic = ask("greedy", "random", "edo_yashiki", SequentialDesign(0, 40, Model.LOGISTIC), seed="s", score=None)
    assert logistic.score is ScoreKind.WINS


def question(ratio: float = 1.3) -> GateQuestion:
    """A soft test of two seats."""
    asked = ask("greedy", "random", "edo_yashiki", DESIGN, seed="s", max_sets=4000)
    return replace(asked, score=ScoreKind.SOFT, ratio=Ratio(ratio, 0.0), batch=1)


def simulate(rng: np.random.Generator, win: float, won: float, lost: float) -> GateReport:
    """A test of a candidate that wins games with some chance, by one margin, and loses by another."""
    asked = question()
    report = GateReport(asked, np.zeros(cells(2, 2)), scale=10.0, same=False)
    while report.answer is None:
        games = {}
        for seat in range(2):
            is_won = rng.random() < win
            margin = rng.normal(won if is_won else -lost, 2.0)
            games[seat] = GameScore(float(is_won), margin, "")
        _count(report, report.sets, games)
        _look(report, last=report.sets >= asked.max_sets)
    return report


def test_a_bot_that_trades_games_for_points_is_not_accepted() -> None:
    """44% of games won, by 20 points, the others lost by 5: soft scores say better, wins say worse; at most 5% pass."""
    rng = np.random.default_rng(3)
    reports = [simulate(rng, 0.44, 20.0, 5.0) for _ in range(60)]
    accepted = np.mean([report.answer is Answer.ACCEPTED for report in reports])
    soft = np.mean([report.moments.mean > 0.5 for report in reports])

    assert soft > 0.9
    assert accepted <= 0.05 + 2 * sqrt(0.05 * 0.95 / 60)
    guarded = next(report for report in reports if report.verdict == "H1")
    assert any("gains points and loses games" in line for line in conclusion(guarded))


def test_a_bot_that_is_better_in_both_is_accepted() -> None:
    """56% of games won, by as many points as are lost: accepted in at least 95%."""
    rng = np.random.default_rng(4)
    answers = [simulate(rng, 0.58, 10.0, 10.0).answer for _ in range(40)]

    assert np.mean([answer is Answer.ACCEPTED for answer in answers]) >= 0.95 - 2 * sqrt(0.05 * 0.95 / 40)


def test_the_soft_gate_decides_real_bots() -> None:
    """Greedy against random with points: accepted, the scale measured beforehand, the guard named."""
    asked = replace(
        ask("greedy", "random", "edo_yashiki", DESIGN, seed="s"), score=ScoreKind.SOFT, ratio=Ratio(1.3, 0.1), batch=1
    )
    with in_process() as workers:
        report = decide(asked, workers)
    described = as_json(report)

    assert report.answer is Answer.ACCEPTED
    assert report.scale > 0
    assert described["score"] == "soft"
    assert any(line.startswith("guard: H1") for line in conclusion(report))


def test_a_budget_ends_the_test_and_says_what_it_resolves(capsys: pytest.CaptureFixture[str]) -> None:
    """Expected sets are said after the first ones, and the difference that the budget can resolve."""
    line = ["gate", "random:seed=1", "random:seed=2", "--game", "edo_yashiki", "--workers", "0", "--seed", "s"]

    assert run([*line, "--budget", "2s", "--score", "wins"]) == 2
    err = capsys.readouterr().err
    assert "expected:" in err
    assert "2 s resolve bounds that are" in err
    assert run([*line, "--budget", "soon"]) == 3
    assert "write a time such as" in capsys.readouterr().err
