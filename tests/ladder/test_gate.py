"""The gate: right answers, reproducible, few games."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ladder.cli import run
from ladder.gate import Answer, ask, decide
from ladder.ratings.sprt import Design
from ladder.workers import GivenUp, in_process, local_processes


def gate(
    new: str, old: str, *, seats: int = 2, elo0: float = 0.0, elo1: float = 60.0, seed: str = "g", sets: int = 400
):
    """Ask and decide in this process."""
    question = ask(new, old, "edo_yashiki", Design(elo0, elo1, seats=seats, games=seats), seed=seed, max_sets=sets)
    with in_process() as workers:
        return decide(question, workers)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_stronger_bot_is_accepted_and_a_weaker_one_rejected(seats: int) -> None:
    """Greedy against random, both ways round, at two and three seats."""
    assert gate("greedy", "random", seats=seats).answer is Answer.ACCEPTED
    assert gate("random", "greedy", seats=seats).answer is Answer.REJECTED


def test_identical_bots_are_recognised() -> None:
    """A bot against itself plays level in every set, and the gate says so instead of playing on."""
    report = gate("greedy", "greedy")

    assert report.answer is Answer.IDENTICAL
    assert report.sets == 32


def test_too_few_sets_are_inconclusive() -> None:
    """Two random bots with other dice are not told apart within a handful of sets."""
    assert gate("random:seed=1", "random:seed=2", sets=10).answer is Answer.INCONCLUSIVE


def test_the_answer_follows_from_the_seed() -> None:
    """Same seed, same counts; in one process and in two."""
    question = ask("random:seed=1", "random:seed=2", "edo_yashiki", Design(0, 20), seed="s", max_sets=24)
    with in_process() as workers:
        first = decide(question, workers)
    with local_processes(2) as workers:
        second = decide(question, workers)

    assert list(first.counts) == list(second.counts)
    assert first.worst == second.worst


def test_a_loss_can_be_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command in the report plays the game that was lost."""
    monkeypatch.chdir(tmp_path)
    report = gate("random", "greedy")
    command = report.worst[0].command.split()

    assert command[0] == "kumite"
    assert run(command[1:]) == 0
    final = json.loads((tmp_path / "loss.jsonl").read_text().splitlines()[-1])
    assert final["result"]["places"][command[3:5].index("random")] == 2


@pytest.mark.parametrize(
    ("new", "old", "bounds", "code"),
    [
        ("greedy", "random", ("0", "60"), 0),
        ("random", "greedy", ("0", "60"), 1),
        ("greedy", "greedy", ("0", "10"), 2),
        ("greedy", "greedy", ("-10", "0"), 0),
        ("greedy", "gredy", ("0", "10"), 3),
        ("greedy", "random", ("10", "0"), 3),
    ],
)
def test_exit_codes(new: str, old: str, bounds: tuple[str, str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """0 accepted, 1 rejected, 2 inconclusive, 3 error."""
    line = ["gate", new, old, "--game", "edo_yashiki", "--workers", "0", "--seed", "s"]

    assert run([*line, "--elo0", bounds[0], "--elo1", bounds[1]]) == code
    assert "Traceback" not in capsys.readouterr().err


def test_json_and_junit_have_the_whole_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a program and a continuous integration server read."""
    monkeypatch.chdir(tmp_path)
    line = ["gate", "random", "greedy", "--game", "edo_yashiki", "--workers", "0", "--seed", "s", "--elo1", "60"]
    run([*line, "--json", "--junit", "gate.xml"])
    answer = json.loads(capsys.readouterr().out)
    suite = ElementTree.parse("gate.xml").getroot()

    assert answer["answer"] == "rejected"
    assert sum(answer["counts"]) == answer["sets"]
    assert suite.get("failures") == "1"
    assert "worst loss" in (suite.findtext("testcase/failure") or "")


def test_a_bot_that_crashes_loses_and_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate does not stop at a broken candidate: it loses its games, and the report says why."""
    code = (
        "from bots import Bot\n\nclass Broken(Bot):\n    def decide(self, ask):\n        raise RuntimeError('oh no')\n"
    )
    (tmp_path / "broken.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    report = gate("py:broken:Broken", "random")

    assert report.answer is Answer.REJECTED
    assert report.faults > 0
    assert any("oh no" in problem for problem in report.problems)


def test_a_game_that_cannot_be_played_ends_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passing over games that kill their worker would let a bot take back those that it is about to lose."""
    code = "import os\n\nfrom bots import Bot\n\nclass Killer(Bot):\n    def decide(self, ask):\n        os._exit(0)\n"
    (tmp_path / "quitter.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}")
    question = ask("py:quitter:Killer", "random", "edo_yashiki", Design(0, 50), seed="quit", max_sets=2)

    with local_processes(1) as workers, pytest.raises(GivenUp, match="after 3 attempts"):
        decide(question, workers)
