"""The gate: right answers, reproducible, few games."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ladder.arena import entrants
from ladder.arena.entrants import find
from ladder.arena.gate.question import GateQuestion, ask
from ladder.arena.gate.report import conclusion
from ladder.arena.gate.sequential_test import Answer, GateReport, decide
from ladder.arena.jobs import Job
from ladder.arena.play import fresh_id, fresh_secret
from ladder.arena.play_processes import play_hosted
from ladder.arena.workers import GivenUp, InProcess, Workers, in_process, local_processes
from ladder.cli import run
from ladder.ratings.sprt import SequentialDesign, SprtVerdict
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import EndingKind

pytestmark = pytest.mark.processes


def gate(
    new: str,
    old: str,
    *,
    seats: int = 2,
    elo0: float = 0.0,
    elo1: float = 60.0,
    seed: str = "g",
    sets: int = 400,
    duplicate: bool = True,
) -> GateReport:
    """Ask and decide in this process."""
    question = ask(
        new, old, "edo_yashiki", SequentialDesign(elo0, elo1, seats=seats, games=seats), seed=seed, max_sets=sets
    )
    with in_process() as workers:
        return decide(replace(question, duplicate=duplicate), workers)


def jobs(question: GateQuestion) -> list[Job]:
    """Everything that a test hands in, played by bots of this process."""
    seen: list[Job] = []

    def prepare(job: Job) -> Job:
        seen.append(job)
        return replace(job, specs=("random",) * len(job.specs))

    with Workers(InProcess, 1, prepare) as workers:
        decide(question, workers)
    return seen


def folder_of(tmp_path: Path, spec: str = "random") -> str:
    """A bot that is a process of its own."""
    folder = tmp_path / "mine"
    folder.mkdir()
    command = json.dumps([sys.executable, "-m", "ladder", "join", "--quiet", spec])
    (folder / "bot.toml").write_text(f"command = {command}\n")
    return str(folder)


def test_copies_of_a_bot_that_is_a_process_do_not_share_one(tmp_path: Path) -> None:
    """One process at two seats would see two hands: each seat has its own, under a name of its own."""
    folder = folder_of(tmp_path)
    record = play_hosted(
        MatchPlan("edo_yashiki", ("new", "old", "old"), "m", bytes(32), clock=TimeControl.parse("60s")),
        [find(spec) for spec in ("random", folder, folder)],
    )

    assert record.header.players == ("new", "old", "old+2")
    assert record.final is not None
    assert [ending.kind for ending in record.final.endings] == [EndingKind.FINISHED] * 3


@pytest.mark.parametrize("duplicate", [True, False])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_stronger_bot_is_accepted_and_a_weaker_one_rejected(seats: int, duplicate: bool) -> None:
    """Greedy against random, both ways round, at two and three seats, on shared and on independent deals."""
    assert gate("greedy", "random", seats=seats, duplicate=duplicate).answer is Answer.ACCEPTED
    assert gate("random", "greedy", seats=seats, duplicate=duplicate).answer is Answer.REJECTED


def test_identical_bots_are_recognised() -> None:
    """A bot against itself gives the same answers in every game; the gate says so when its test has a verdict."""
    report = gate("greedy", "greedy")

    assert report.answer is Answer.IDENTICAL
    assert report.same
    assert report.verdict is SprtVerdict.H0


def test_level_results_alone_do_not_make_bots_identical() -> None:
    """Two bots that answer differently are never called identical, whatever the results."""
    report = gate("random:seed=1", "random:seed=2", sets=2)

    assert report.answer is Answer.INCONCLUSIVE
    assert not report.same


def test_bots_on_independent_deals_are_never_called_identical() -> None:
    """Their games are no repetitions of one another, so that equal answers cannot be seen."""
    assert gate("greedy", "greedy", duplicate=False, sets=4).answer is Answer.INCONCLUSIVE


RARELY = """
from bots import Bot
from bots.bundled.greedy import policy

class Rarely(Bot):
    def decide(self, ask):
        if not hasattr(self, "odd"):
            self.odd = ask.rng.random() < 0.03
        return int(ask.rng.random() * ask.count) if self.odd else policy(ask.game_name)(ask)
"""


@pytest.mark.parametrize("seed", ["r0", pytest.param("r1", marks=pytest.mark.slow)])
def test_a_bot_that_plays_some_games_at_random_is_not_identical(
    seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three of a hundred games at random are no less than 30 normalised Elo weaker, and no seed lets that pass."""
    (tmp_path / "rarely.py").write_text(RARELY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    answer = gate("py:rarely:Rarely", "greedy", elo0=-30, elo1=0, seed=seed).answer

    assert answer not in (Answer.IDENTICAL, Answer.ACCEPTED)


def test_names_at_the_table_do_not_tell_the_candidate() -> None:
    """Every game of a set has the same names by seat, wherever the candidate sits."""
    found = jobs(
        ask("random", "greedy", "edo_yashiki", SequentialDesign(0, 60, seats=3, games=3), seed="s", max_sets=2)
    )

    assert {job.plan.players for job in found} == {("seat1", "seat2", "seat3")}


def test_too_few_sets_are_inconclusive() -> None:
    """Two random bots with other dice are not told apart within a handful of sets."""
    assert gate("random:seed=1", "random:seed=2", sets=10).answer is Answer.INCONCLUSIVE


def test_the_answer_follows_from_the_seed() -> None:
    """Same seed, same counts; in one process and in two."""
    question = ask("random:seed=1", "random:seed=2", "edo_yashiki", SequentialDesign(0, 20), seed="s", max_sets=24)
    with in_process() as workers:
        first = decide(question, workers)
    with local_processes(2) as workers:
        second = decide(question, workers)

    assert list(first.counts) == list(second.counts)
    assert first.worst == second.worst


@pytest.mark.parametrize("duplicate", [True, False])
def test_a_loss_can_be_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, duplicate: bool) -> None:
    """The command in the report plays the game that was lost."""
    monkeypatch.chdir(tmp_path)
    report = gate("random", "greedy", duplicate=duplicate)
    command = report.worst[0].command.split()

    assert command[0] == "kumite"
    assert run(command[1:]) == 0
    final = json.loads((tmp_path / "loss.jsonl").read_text().splitlines()[-1])
    assert final["result"]["places"][command[3:5].index("random")] == 2


def test_games_of_bots_in_this_process_share_the_deal_of_their_set() -> None:
    """One secret and one throw of the bots' dice for a set, an id for every match."""
    found = jobs(
        ask("random", "greedy", "edo_yashiki", SequentialDesign(0, 60, seats=3, games=3), seed="s", max_sets=2)
    )

    assert len({job.plan.match for job in found}) == len(found) == 6
    assert [job.plan.secret for job in found] == [fresh_secret("s/0")] * 3 + [fresh_secret("s/1")] * 3
    assert [job.dice for job in found] == [fresh_id(f"s/{number}", "edo_yashiki") for number in (0, 0, 0, 1, 1, 1)]


@pytest.mark.parametrize("candidate", [True, False])
def test_a_bot_without_walls_gets_independent_deals(
    tmp_path: Path, candidate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told the secret of a game that is over, which must not be that of the next; on either side of the test."""
    monkeypatch.setattr(entrants, "walled", lambda: False)
    bots = (folder_of(tmp_path), "greedy") if candidate else ("greedy", folder_of(tmp_path))
    question = ask(*bots, "edo_yashiki", SequentialDesign(0, 60, seats=3, games=3), seed="s", max_sets=2)
    found = jobs(question)

    assert not question.duplicate
    assert len({job.plan.match for job in found}) == len({job.plan.secret for job in found}) == len(found) == 6


@pytest.mark.parametrize("candidate", [True, False])
def test_a_bot_behind_walls_plays_one_deal_in_every_seat(
    tmp_path: Path, candidate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each game of a set is played by another process of the bot, so none can know the deal."""
    monkeypatch.setattr(entrants, "walled", lambda: True)
    bots = (folder_of(tmp_path), "greedy") if candidate else ("greedy", folder_of(tmp_path))
    question = ask(*bots, "edo_yashiki", SequentialDesign(0, 60, seats=3, games=3), seed="s", max_sets=2)

    assert [job.plan.secret for job in jobs(question)] == [fresh_secret("s/0")] * 3 + [fresh_secret("s/1")] * 3


def test_a_bot_as_a_process_passes_through_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A set between real processes is played and counted, and the answer says that its deals were independent."""
    monkeypatch.setattr(entrants, "walled", lambda: False)
    question = ask(folder_of(tmp_path), "greedy", "edo_yashiki", SequentialDesign(0, 60), seed="s", max_sets=1)
    assert find(question.new).manifest is not None
    with in_process() as workers:
        report = decide(question, workers)

    assert (report.sets, report.faults.count, report.problems) == (1, 0, [])
    assert any("a deal of its own" in line for line in conclusion(report))


def test_a_seed_that_nobody_named_cannot_be_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    """It has 128 random bits: bots are told the ids that follow from it, and could try all shorter ones."""
    seeds = set()
    for _ in range(2):
        run(["gate", "random", "random", "--game", "edo_yashiki", "--workers", "0", "--max-sets", "1", "--json"])
        seeds.add(json.loads(capsys.readouterr().out)["seed"].removeprefix("gate-"))

    assert len(seeds) == 2
    assert all(len(bytes.fromhex(seed)) >= 16 for seed in seeds)


def test_an_id_is_not_part_of_any_seeds_secret() -> None:
    """Ids and secrets of seeds are derived apart: no seed has the secret that begins with another one's id."""
    assert not fresh_secret("match-id/s").hex().startswith(fresh_id("s"))
    assert not fresh_secret("s").hex().startswith(fresh_id("s"))


@pytest.mark.parametrize(
    ("new", "old", "bounds", "code"),
    [
        ("greedy", "random", ("0", "60"), 0),
        ("random", "greedy", ("0", "60"), 1),
        ("greedy", "greedy", ("0", "60"), 2),
        ("greedy", "greedy", ("-60", "0"), 0),
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


def test_a_bot_that_crashes_fails_and_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate stops at a broken candidate, and the report says why."""
    code = (
        "from bots import Bot\n\nclass Broken(Bot):\n    def decide(self, ask):\n        raise RuntimeError('oh no')\n"
    )
    (tmp_path / "broken.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    report = gate("py:broken:Broken", "random")

    assert report.answer is Answer.FAULTED
    assert report.faults.count > 0
    assert any("oh no" in problem for problem in report.problems)


def test_a_game_that_cannot_be_played_ends_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passing over games that kill their worker would let a bot take back those that it is about to lose."""
    code = "import os\n\nfrom bots import Bot\n\nclass Killer(Bot):\n    def decide(self, ask):\n        os._exit(0)\n"
    (tmp_path / "quitter.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}")
    question = ask("py:quitter:Killer", "random", "edo_yashiki", SequentialDesign(0, 50), seed="quit", max_sets=2)

    with local_processes(1) as workers, pytest.raises(GivenUp, match="after 3 attempts"):
        decide(question, workers)
