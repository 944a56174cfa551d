"""The report of a gate as a page: an answer in words for every case, one file, and no foreign text as markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ladder.arena.fault_lines import SeenFault
from ladder.arena.gate.faults import GateFault
from ladder.arena.gate.looks import MOST_LOOKS, Look, Looks
from ladder.arena.gate.question import GateQuestion, ask
from ladder.arena.gate.report import as_json, conclusion
from ladder.arena.gate.sequential_test import Answer, GateReport, ShownSet
from ladder.arena.gate.set_scores import ScoreKind
from ladder.arena.gate.sets import gate_command
from ladder.cli import run
from ladder.ratings.score_test import Moments
from ladder.ratings.sprt import Model, SequentialDesign, SprtVerdict, cells
from ladder.ratings.stopping import Forecast, Stop, bounds, verdict
from ladder.web.drawing import gate_plots, gate_sentences
from ladder.web.drawing.sentences import plain
from ladder.web.gate_page import gate_page
from referee.match.policy import FaultKind, Owner

WRITTEN = "2026-11-18T17:00:00+00:00"
HOSTILE = "</script><script>alert('&')</script>\u202e"


def question(elo0: float = 0.0, elo1: float = 30.0, **options: Any) -> GateQuestion:
    """Greedy against random at Edo Yashiki, by wins."""
    return ask("greedy", "random", "edo_yashiki", SequentialDesign(elo0, elo1), seed="autumn", **options)


def report(answer: Answer, asked: GateQuestion | None = None, counts: tuple[int, ...] = (4, 4, 16, 8, 8)) -> GateReport:
    """A test that ended so, with three looks."""
    asked = asked or question()
    found = GateReport(asked, np.array(counts, dtype=np.float64), sets=sum(counts), answer=answer, seconds=12.0)
    found.llr = {Answer.ACCEPTED: 3.1, Answer.REJECTED: -3.0}.get(answer, 0.5)
    found.verdict = {Answer.ACCEPTED: SprtVerdict.H1, Answer.REJECTED: SprtVerdict.H0}.get(answer, SprtVerdict.CONTINUE)
    found.moments = Moments.of(found.counts)
    found.forecast, found.seconds_a_set = Forecast(80.4, 120.2, 80.4, 300), 0.3
    for sets, llr in ((0, 0.0), (8, 0.2), (sum(counts), found.llr)):
        found.looks.see(Look(sets, llr, *bounds(asked.stop, asked.tested, 0.02 * sets), None))
    return found


def guarded(answer: Answer, tested: SprtVerdict, guard: SprtVerdict) -> GateReport:
    """A test of soft scores with these verdicts."""
    found = report(answer, question(score=ScoreKind.SOFT))
    found.scale, found.guard_llr, found.verdict, found.guarded = 7.5, -3.2, tested, guard
    found.looks.see(Look(41, 1.0, -2.94, 2.94, -3.2))
    return found


def lede(found: GateReport) -> str:
    """The sentence that answers first, without markup."""
    return plain(gate_sentences.lede(as_json(found)))


def page(found: GateReport) -> str:
    """The page of a report."""
    return gate_page(as_json(found), written=WRITTEN)


def twin(text: str) -> dict[str, Any]:
    """The data of a page."""
    block = re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.DOTALL)
    assert block is not None
    data: dict[str, Any] = json.loads(block[1])
    return data


@pytest.mark.parametrize(
    ("bounds_asked", "answer", "sentence"),
    [
        ((0, 30), Answer.ACCEPTED, "greedy is better than random: about "),
        ((-30, 0), Answer.ACCEPTED, "greedy is not 30 normalised Elo weaker than random: about "),
        ((10, 30), Answer.ACCEPTED, "greedy is more than 10 normalised Elo stronger than random: about "),
        ((0, 30), Answer.REJECTED, "greedy is not 30 normalised Elo stronger than random: about "),
        ((-30, 0), Answer.REJECTED, "greedy is not as strong as random: about "),
        ((-30, -7.5), Answer.REJECTED, "greedy is more than 7.5 normalised Elo weaker than random: about "),
        ((0, 30), Answer.INCONCLUSIVE, "greedy and random could not be told apart: about "),
        ((0, 30), Answer.IDENTICAL, "greedy and random gave the same answers in all 80 games. A bot that answers"),
        ((-30, 0), Answer.IDENTICAL, "greedy and random gave the same answers in all 80 games. H0 is below zero"),
        ((0, 30), Answer.FAULTED, "greedy failed: 0 faults, none tolerated. The test ended after 40 sets"),
    ],
)
def test_every_answer_has_a_sentence(bounds_asked: tuple[float, float], answer: Answer, sentence: str) -> None:
    """The sentence claims what the bounds of the test allow, and no more."""
    found = report(answer, question(*bounds_asked))

    assert lede(found)[: len(sentence)] == sentence
    assert gate_sentences.TITLES[answer] in page(found)


@pytest.mark.parametrize(
    ("tested", "sentence"),
    [
        (SprtVerdict.H1, "greedy gains points and loses games against random: the guard on wins rejects it."),
        (SprtVerdict.CONTINUE, "greedy wins too few games against random: the guard on wins rejects it."),
        (SprtVerdict.H0, "greedy is not 30 normalised Elo stronger than random"),
    ],
)
def test_the_guard_is_named_where_it_decides(tested: SprtVerdict, sentence: str) -> None:
    """A bot that the guard rejects is told so, and the guard has a path of its own."""
    found = guarded(Answer.REJECTED, tested, SprtVerdict.H0)

    assert lede(found)[: len(sentence)] == sentence
    assert "The guard on wins" in page(found)
    assert "The guard on wins" not in page(report(Answer.REJECTED))


def test_a_test_that_used_up_its_time_says_so() -> None:
    """The budget, not the sets, ended the test; without one set there is nothing to estimate."""
    timed = report(Answer.INCONCLUSIVE, question(budget=10.0))
    empty = report(Answer.INCONCLUSIVE, counts=(0, 0, 0, 0, 0))

    assert lede(timed).endswith("the test used up its time (40 sets).")
    assert lede(report(Answer.INCONCLUSIVE)).endswith("the test used up its sets (40 sets).")
    assert lede(empty) == "The test of greedy against random ended before a single set was counted."
    assert "The test ended before its first look." in page(empty)


def test_the_corrected_estimate_comes_first() -> None:
    """Median-unbiased above naive, in the unit of the bounds."""
    text = page(report(Answer.ACCEPTED))
    data = twin(text)

    assert 0 < text.index("median-unbiased</th>") < text.index("naive</th>")
    assert data["unit"] == "normalised Elo"
    assert all(ends[1] < ends[0] < ends[2] for ends in (data["interval"], data["interval_unbiased"]))


def test_an_estimate_without_an_end_is_one_sided() -> None:
    """A candidate that lost every set is at most so strong; a nonsense of millions of Elo is not shown."""
    assert gate_sentences.strength((-420.0, None, -240.0), "Elo") == "at most \u2212240 Elo"
    assert gate_sentences.strength((420.0, 240.0, None), "Elo") == "at least +240 Elo"
    assert gate_sentences.told((-420.0, None, -240.0))
    assert not gate_sentences.told((-2.2e7, -3.4e7, -9.5e6))
    assert not gate_sentences.told((420.0, None, None))


@pytest.mark.parametrize(
    ("seats", "score"), [(2, ScoreKind.SOFT), (5, ScoreKind.SOFT), (5, ScoreKind.WINS), (2, ScoreKind.WINS)]
)
def test_a_candidate_that_wins_every_set_has_an_estimate_that_means_something(seats: int, score: ScoreKind) -> None:
    """Sets that are all but the same have no spread of their own: what is known beforehand keeps the number finite."""
    design = SequentialDesign(0.0, 30.0, seats=seats, games=seats)
    cells_of = cells(seats, seats)
    found = report(
        Answer.ACCEPTED, replace(question(score=score), seats=seats, design=design), (*[0] * (cells_of - 1), 24)
    )
    if score is ScoreKind.SOFT:
        found.scale = 7.5
        found.moments = Moments()
        for number in range(24):
            found.moments = found.moments.plus(1.0 - 1e-9 * number)
    naive, unbiased = as_json(found)["interval"], as_json(found)["interval_unbiased"]

    assert isinstance(unbiased, tuple)
    assert 100.0 < unbiased[1] < 2000.0
    assert f"at least {unbiased[1]:+.1f}" in "\n".join(conclusion(found))
    if (seats, score) == (2, ScoreKind.WINS):
        assert naive is None
    else:
        assert isinstance(naive, tuple)
        assert 100.0 < naive[1] < naive[0] < naive[2] < 2000.0


def test_the_page_is_one_file_that_allows_its_own_style_and_script_alone() -> None:
    """The policy has the digests of what stands in the file; nothing is fetched and no style attribute is used."""
    text = page(report(Answer.ACCEPTED))
    allowed = re.findall(r"sha256-([A-Za-z0-9+/=]+)", text.replace("&#43;", "+"))
    inside = [re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL) for tag in ("style", "script")]
    digests = [base64.b64encode(hashlib.sha256(part[1].encode()).digest()).decode() for part in inside if part]

    assert digests == allowed
    assert "default-src &#39;none&#39;" in text
    assert re.findall(r'<(?:link|img|iframe|object)\b|\b(?:src|style|href)="(?!#)', text) == []


def test_foreign_text_is_never_markup() -> None:
    """A hostile spec, message, trace and command stay text, in the page and in its data."""
    found = report(Answer.FAULTED, replace(question(), new=HOSTILE))
    fault = SeenFault("m", HOSTILE, 0, 3, FaultKind.CRASHED, Owner.BOT, HOSTILE, f"trace {HOSTILE}")
    found.faults.kept.append(GateFault(2, fault, f"kumite match {HOSTILE}"))
    found.faults.count = 1
    found.worst.append(ShownSet(2, 0.25, f"kumite match {HOSTILE}", (HOSTILE, "random"), ""))
    text = page(found)

    assert text.count("<script") == text.count("</script>") == 2
    assert "alert('" not in text.partition('<script type="application/json"')[0]
    assert twin(text)["faults"][0]["message"] == HOSTILE
    assert twin(text)["worst"][0]["specs"] == [HOSTILE, "random"]


def test_a_record_that_cannot_be_read_is_said_not_raised() -> None:
    """The report of a long test is written whatever one record holds."""
    found = report(Answer.REJECTED)
    found.worst.append(ShownSet(2, 0.25, "kumite match", ("greedy", "random"), "{}\n"))
    data = twin(gate_page(as_json(found), ["{}\n"], written=WRITTEN))

    assert data["worst"][0]["points"] is None
    assert "line 1" in data["worst"][0]["unreadable"]


def test_a_long_path_is_thinned_and_keeps_its_ends() -> None:
    """At most 400 looks and the latest, whatever the length of the test."""
    looks = Looks()
    for sets in range(5001):
        looks.see(Look(sets, 0.001 * sets, -3.0, 3.0, None))
    kept = [look.sets for look in looks.kept]

    assert (kept[0], kept[-1]) == (0, 5000)
    assert MOST_LOOKS / 2 <= len(kept) <= MOST_LOOKS + 1
    assert kept == sorted(set(kept))
    assert len({after - before for before, after in pairwise(kept[:-1])}) == 1


@pytest.mark.parametrize("stop", list(Stop))
@pytest.mark.parametrize("information", [0.0, 3.0, 12.0])
def test_a_verdict_is_given_at_the_bounds_that_are_drawn(stop: Stop, information: float) -> None:
    """What a page draws as the bounds is what stops the test."""
    design = SequentialDesign(0, 30, alpha=0.05, beta=0.1)
    lower, upper = bounds(stop, design, information)

    assert verdict(stop, design, upper, information) is SprtVerdict.H1
    assert verdict(stop, design, lower, information) is SprtVerdict.H0
    assert verdict(stop, design, (lower + upper) / 2, information) is SprtVerdict.CONTINUE


def test_a_triangle_ends_where_its_sides_meet() -> None:
    """Beyond the apex both bounds are one level line, and the path's end is told."""
    points = [gate_plots.Point(sets, 0.1, -4.0 + sets / 10, 4.0 - sets / 10) for sets in range(0, 48, 4)]
    drawn = str(gate_plots.walk(points, "Ratio"))
    upper, lower = re.findall(r'class="bound" d="([^"]+)"', drawn)

    assert upper.split("L")[-2:] == lower.split("L")[-2:]
    assert 'aria-label="Ratio over the sets: +0.10 after 44 sets' in drawn
    assert gate_plots.walk(points[:1], "Ratio") == ""


def test_the_command_asks_the_same_question() -> None:
    """Every setting that changes the answer stands in the command, quoted where a shell needs it."""
    asked = question(
        -10,
        15,
        stop=Stop.TRIANGULAR,
        max_sets=50,
        budget=90.0,
        allow_faults=2,
        limit=None,
        variant={"draft": "turn_order"},
    )
    other = replace(asked, design=replace(asked.design, model=Model.LOGISTIC, alpha=0.01), seed="two words")

    assert gate_command(other) == (
        "kumite gate greedy random --game edo_yashiki -v rules=standard -v draft=turn_order "
        "-v covering=seen --elo0 -10 --elo1 15 "
        "--model logistic --alpha 0.01 --score wins --stop triangular --max-sets 50 --budget 90s --allow-faults 2 "
        "--limit none --seed 'two words'"
    )


@pytest.mark.processes
def test_the_command_line_writes_a_page_of_a_real_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real test of a few sets: path, deals with steps in words, the line as typed, and the same numbers as --json."""
    file = tmp_path / "gate.html"
    line = ["gate", "greedy", "random", "--game", "edo_yashiki", "--elo1", "60", "--workers", "0", "--seed", "s"]
    code = run([*line, "--html", str(file), "--json"])
    text, answer = file.read_text(encoding="utf-8"), json.loads(capsys.readouterr().out)
    data = twin(text)

    assert code == 0
    assert {key: value for key, value in data.items() if key in answer and key not in ("worst", "best")} == {
        key: value for key, value in answer.items() if key not in ("worst", "best")
    }
    assert data["looks"][-1]["sets"] == data["sets"]
    assert data["typed"] == f"kumite {' '.join(line)} --html {file} --json"
    assert data["best"][0]["places"][data["best"][0]["specs"].index("greedy")] == 1
    assert "seat 1 scored" in text
    assert data["best"][0]["command"].endswith("--record win.jsonl")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--html", "no/such/gate.html"], "there is no folder"),
        (["--html", "."], "that is a folder; name a file"),
        (["--html", "one", "--junit", "one"], "--junit names the same file; name another"),
    ],
)
def test_a_bad_path_is_one_line_before_any_game(
    options: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A file that cannot be written is found out before the test, and nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    code = run(["gate", "greedy", "random", "--game", "edo_yashiki", *options])
    out, err = capfd.readouterr()

    assert (code, out) == (3, "")
    assert len(err.splitlines()) == 1
    assert complaint in err
    assert list(tmp_path.iterdir()) == []
