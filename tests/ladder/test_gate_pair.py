"""`kumite gate --pair`: two candidates at a table, fair in every seat, with the error rates of the design."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from ladder.arena.entrants import find, may_share_deals
from ladder.arena.gate.question import ask
from ladder.arena.gate.report import as_json, conclusion
from ladder.arena.gate.sequential_test import Answer, GateReport, decide
from ladder.arena.gate.set_scores import Ratio, ScoreKind, game_margin, set_spread, team_score
from ladder.arena.gate.sets import game_job, seatings
from ladder.arena.workers import in_process
from ladder.bench.gate_simulated import drawn_sets, simulate
from ladder.cli import run
from ladder.ratings.score_test import candidates_ratio, counted, even_variance, llr_path, score_llr
from ladder.ratings.sprt import Model, SequentialDesign, cells
from referee.kernel.errors import BadSetting
from referee.kernel.game import Result
from referee.match.policy import Ending, EndingKind
from referee.match.record import Final

CYCLES = {4: 3, 5: 2}
"""Sets after which every pair of seats has held the candidates equally often."""
REMEMBERING = """
from bots import Bot

class Remembering(Bot):
    remembers = True

    def decide(self, ask):
        return 0
"""


def design(seats: int, elo0: float = 0.0, elo1: float = 60.0, model: Model = Model.NORMALISED) -> SequentialDesign:
    """A test of two candidates."""
    return SequentialDesign(elo0, elo1, model, seats=seats, games=seats, candidates=2)


def gate(new: str, old: str, *, score: ScoreKind = ScoreKind.WINS) -> GateReport:
    """Ask and decide at tables of four, in this process."""
    question = ask(new, old, "edo_yashiki", design(4, elo1=150.0), seed="p", score=score, max_sets=200)
    if score is ScoreKind.SOFT:
        question = replace(question, ratio=Ratio(1.19, 0.03))
    with in_process() as workers:
        return decide(question, workers)


@pytest.mark.parametrize("seats", [4, 5])
def test_every_seat_holds_a_candidate_twice_in_a_set(seats: int) -> None:
    """So luck of the deal cancels; over a few sets every pair of seats holds the candidates equally often."""
    pairs: Counter[frozenset[int]] = Counter()
    for number in range(CYCLES[seats]):
        found = seatings(seats, 2, number)
        assert Counter(seat for pair in found for seat in pair) == dict.fromkeys(range(seats), 2)
        pairs.update(map(frozenset, found))

    assert set(pairs) == {frozenset(pair) for pair in combinations(range(seats), 2)}
    assert len(set(pairs.values())) == 1


def test_at_four_seats_every_game_has_its_mirror_image() -> None:
    """Both bots play every deal from both sides of each division of the table."""
    for number in range(3):
        found = set(map(frozenset, seatings(4, 2, number)))
        assert {frozenset(range(4)) - pair for pair in found} == found


def test_names_at_the_table_do_not_tell_the_candidates() -> None:
    """Two seats of every game hold the new bot, and all games have the same names by seat, one deal to a set."""
    question = ask("random", "greedy", "edo_yashiki", design(5), seed="s", max_sets=2)
    jobs = [game_job(question, number, game) for number in range(2) for game in range(5)]

    assert {job.plan.players for job in jobs} == {("seat1", "seat2", "seat3", "seat4", "seat5")}
    assert [job.specs.count("random") for job in jobs] == [2] * 10
    assert len({job.plan.secret for job in jobs}) == 2


@pytest.mark.parametrize("seats", ["2", "3"])
def test_small_tables_are_refused_with_one_line(seats: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A pair needs 4 or 5 seats."""
    assert run(["gate", "greedy", "random", "--game", "edo_yashiki", "--seats", seats, "--pair"]) == 3
    error = capsys.readouterr().err.strip()
    assert error == f"kumite: --pair needs a table of 4 or 5 seats, and this one has {seats}: add --seats 4"


@pytest.mark.parametrize("candidate", [True, False])
def test_bots_that_are_processes_are_refused(
    tmp_path: Path, candidate: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two copies of a process could talk to each other; on either side of the test."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["./bot"]\n')
    bots = (str(folder), "greedy") if candidate else ("greedy", str(folder))

    assert run(["gate", *bots, "--game", "edo_yashiki", "--seats", "4", "--pair", "--trust"]) == 3
    error = capsys.readouterr().err.strip()
    assert "is a process" in error
    assert "leave --pair out" in error
    assert len(error.splitlines()) == 1


def test_bots_that_remember_are_refused_and_never_meet_a_deal_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class that declares shared memory gets deals of its own, and no second seat."""
    (tmp_path / "remembering.py").write_text(REMEMBERING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    spec = "py:remembering:Remembering"

    assert not may_share_deals([find(spec), find("greedy")])
    assert not ask(spec, "greedy", "edo_yashiki", SequentialDesign(0, 60, seats=4, games=4), seed="s").duplicate
    with pytest.raises(BadSetting, match="remembers other games"):
        ask(spec, "greedy", "edo_yashiki", design(4), seed="s")


@pytest.mark.parametrize(
    ("score", "new", "old", "answer"),
    [
        (ScoreKind.WINS, "greedy", "random", "accepted"),
        (ScoreKind.WINS, "random", "greedy", "rejected"),
        (ScoreKind.SOFT, "greedy", "random", "accepted"),
    ],
)
def test_a_stronger_bot_is_accepted_and_a_weaker_one_rejected(
    score: ScoreKind, new: str, old: str, answer: str
) -> None:
    """Greedy against random, two of each at a table."""
    assert gate(new, old, score=score).answer == answer


def test_identical_bots_are_recognised() -> None:
    """All games of a set are one game where every answer is the same."""
    question = ask("greedy", "greedy", "edo_yashiki", design(4), seed="p", max_sets=1)
    with in_process() as workers:
        assert decide(question, workers).answer is Answer.IDENTICAL


def test_the_report_names_the_pair() -> None:
    """Bounds are not multiplied by what a pair may gain; the command of a loss shows both copies."""
    report = gate("random", "greedy")
    lines, entry = conclusion(report), as_json(report)

    assert any("two seats of every table held the new bot, 2 the old one" in line for line in lines)
    assert entry["pair"] is True
    assert report.worst[0].command.split()[3:7].count("random") == 2
    assert json.dumps(entry)
    assert report.question.tested == report.question.design


def test_logistic_bounds_fix_the_mean_and_need_no_ratio() -> None:
    """Their unit does not depend on the spread of sets, so all that a pair gains is there: 1.4 times fewer sets."""
    found = simulate(5, 0.0, Model.LOGISTIC, tests=60)

    assert found.one.sets / found.pair.sets > 1.15
    assert max(found.pair.wrong) <= 0.05 + 2 * sqrt(0.05 * 0.95 / 60)


@pytest.mark.parametrize("seats", [4, 5])
def test_the_spread_of_equal_bots_is_known(seats: int) -> None:
    """(n + 1) / (12 m (n - m) g) is the variance of a set's mean score; the effect's size follows from it."""
    rng = np.random.default_rng(1)
    for candidates in (1, 2):
        scores = drawn_sets(rng, seats, candidates, 0.0, 0.0, 20_000)
        assert float(np.mean(scores)) == pytest.approx(0.5, abs=0.005)
        assert float(np.var(scores)) == pytest.approx(even_variance(seats, seats, candidates), rel=0.05)
    assert candidates_ratio(seats, 2) ** 2 == pytest.approx({4: 4 / 3, 5: 3 / 2}[seats])


@pytest.mark.parametrize("seats", [4, 5])
def test_two_candidates_score_as_one_does(seats: int) -> None:
    """Against baselines alone the mean score of two is that of one: L of the Elo difference."""
    rng = np.random.default_rng(2)
    one, two = (drawn_sets(rng, seats, many, 60.0, 0.0, 30_000).mean() for many in (1, 2))

    assert one == pytest.approx(1.0 / (1.0 + 10 ** (-60 / 400)), abs=0.004)
    assert two == pytest.approx(one, abs=0.005)


def test_scores_count_the_baselines_alone() -> None:
    """Places and margins of both candidates against both baselines; what one candidate does to the other counts 0."""
    endings = (Ending(EndingKind.FINISHED, 0, None, ""),) * 4
    final = Final(0, Result((1, 2, 3, 4), (40, 30, 20, 10), "over"), endings, True, (), "")

    assert team_score((1, 2, 3, 4), (0, 1)) == 1.0
    assert team_score((1, 2, 3, 4), (0, 3)) == 0.5
    assert team_score((1, 1, 1, 1), (1, 2)) == 0.5
    assert game_margin(final, (0, 1), 5.0) == 20.0
    assert game_margin(final, (0, 3), 5.0) == 0.0
    assert set_spread(6.0, 4, 2) == pytest.approx(6.0 / sqrt(8.0))
    assert cells(4, 4, 2) == 33


def test_the_path_of_ratios_is_the_ratio_after_every_set() -> None:
    """Computed at once or set by set, for both models and numbers of candidates."""
    scores = np.random.default_rng(3).uniform(0.2, 0.9, 40)
    for asked in (design(4), design(5, model=Model.LOGISTIC), SequentialDesign(-5.0, 20.0, seats=3, games=3)):
        path = llr_path(scores, asked)
        assert path[[0, 7, 39]] == pytest.approx([score_llr(counted(scores[:count]), asked) for count in (1, 8, 40)])


def test_a_design_has_room_for_baselines() -> None:
    """Two candidates at a table of two leave no opponent."""
    with pytest.raises(ValueError, match="a table of 2 seats cannot have 2 of the candidate"):
        SequentialDesign(0.0, 30.0, candidates=2)


@pytest.mark.parametrize("seats", [4, 5])
def test_pairs_keep_the_error_rates_and_need_fewer_sets(seats: int) -> None:
    """40 tests under each hypothesis, luck 300: at most 5% wrong beyond noise, and fewer sets than with one."""
    found = simulate(seats, 300.0, tests=40)

    bar = 0.05 + 2 * sqrt(0.05 * 0.95 / 40)
    assert max(found.pair.wrong) <= bar
    assert found.one.sets / found.pair.sets > 1.0


@pytest.mark.slow
@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize("luck", [0.0, 300.0])
@pytest.mark.parametrize(("model", "least"), [(Model.NORMALISED, 1.05), (Model.LOGISTIC, 1.2)])
def test_pairs_save_what_the_docs_say(seats: int, luck: float, model: Model, least: float) -> None:
    """1,000 tests: false alarms and misses at most 5% beyond noise, and fewer sets; with logistic bounds far fewer."""
    found = simulate(seats, luck, model, tests=1000)

    assert max(found.pair.wrong) <= 0.05 + 2 * sqrt(0.05 * 0.95 / 1000)
    assert least < found.one.sets / found.pair.sets < 1.6
