"""The table of `kumite bench gate`: real sets, turned round and resampled, from seeds that tuned nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ladder.arena.gate.set_scores import RATIOS, ScoreKind
from ladder.bench import slips
from ladder.bench.gate_table import GateTest, Sets, first_verdict, gather, measure, ratio_in, show
from ladder.bench.slips import PlayedGame, PlayedSet, Range, SetSource, play_set
from ladder.ratings.sprt import SequentialDesign, SprtVerdict
from referee.kernel import registry

LINE = SetSource("edo_yashiki", 2)


def sets(effect: float, count: int = 300, candidates: int = 1, seats: int = 2) -> Sets:
    """Made-up sets: margins of points, and wins that follow them with noise of their own."""
    rng = np.random.default_rng(1)
    margins = rng.normal(effect, 1.0, count)
    wins = np.clip(np.round(2.0 + margins + rng.normal(0.0, 0.8, count)) / 4.0, 0.0, 1.0)
    return Sets(SetSource("edo_yashiki", seats, candidates), wins, margins, 1.5)


def test_every_game_and_number_of_seats_has_a_ratio() -> None:
    """So soft scores are the default everywhere."""
    assert set(RATIOS) == {(game, n) for game in registry.names() for n in registry.game(game).seats if n > 1}


def test_sets_of_a_weaker_candidate_are_turned_round() -> None:
    """All scores are those of the stronger bot: greedy without slips."""
    games = (PlayedGame((0,), (1, 2), (20, 15)), PlayedGame((1,), (1, 2), (18, 17)))
    found = gather(LINE, [PlayedSet(LINE, 0, 50, 0, games), PlayedSet(LINE, 50, 0, 0, games)], 5.0)

    assert found.wins.tolist() == [0.5, 0.5]
    assert found.margins.tolist() == [2.0, -2.0]


def test_sets_follow_from_their_seeds_and_ranges_share_none() -> None:
    """One set twice is the same, one of the other range is another; a file gives back what was written."""
    first, again = play_set(LINE, 0, 50, 0), play_set(LINE, 0, 50, 0)
    tuned = play_set(replace(LINE, range=Range.TUNING), 0, 50, 0)

    assert first == again
    assert first.games != tuned.games


def test_a_file_of_sets_gives_back_what_was_written(tmp_path: Path) -> None:
    """With two candidates too."""
    line = replace(LINE, seats=4, candidates=2)
    games = (PlayedGame((0, 2), (1, 2, 3, 4), (9, 8, 7, 6)),)
    played = PlayedSet(line, 0, 50, 7, games)
    path = tmp_path / "sets.jsonl"
    path.write_text(slips.as_json(played) + "\n")

    assert slips.read(str(path)) == [played]


def test_the_ratio_of_a_score_with_itself_is_one() -> None:
    """And that of margins over noisier wins is above it."""
    found = sets(0.4)

    assert ratio_in(found.wins, found.wins).value == pytest.approx(1.0)
    assert ratio_in(found.wins, found.soft(ScoreKind.SOFT)).value > 1.0


def test_the_guard_rejects_what_wins_reject() -> None:
    """Scores that say H1 and wins that say H0: not accepted."""
    design = SequentialDesign(0.0, 40.0)
    drawn, turned = np.zeros(4000, dtype=int), np.zeros(4000, dtype=bool)
    guarded = GateTest(np.array([0.8]), design, None, np.array([0.2]), replace(design, elo0=-40.0))

    assert replace(guarded, guard=None).decide(drawn, turned)[1] is SprtVerdict.H1
    assert guarded.decide(drawn, turned)[1] is SprtVerdict.H0


def test_a_path_without_a_verdict_goes_on() -> None:
    """All sets count, and nothing is said."""
    assert first_verdict(np.array([0.1, -0.2, 0.3]), SequentialDesign(0.0, 30.0)) == (3, SprtVerdict.CONTINUE)
    assert first_verdict(np.array([0.1, 9.0, -9.0]), SequentialDesign(0.0, 30.0)) == (2, SprtVerdict.H1)


def test_a_row_has_sets_errors_and_their_errors(capsys: pytest.CaptureFixture[str]) -> None:
    """Fewer sets by soft scores, wrong verdicts near 5%, and the number of sets behind the line."""
    found = sets(0.4)
    row = measure(found, found, tests=20)
    show([row, replace(row, candidates=2)])

    assert row.played == 300
    assert row.saving[0] > 1.0
    assert row.saving[1] > 0.0
    assert row.one == row.wins
    assert row.worth.value == pytest.approx(1.0)
    assert max(row.wins.wrong) <= 0.2
    assert "two candidates at a table" in capsys.readouterr().out
