"""Fifty misbehaving bots: every fault is in the record, owned by its bot, and no gate accepts one of them."""

from __future__ import annotations

import itertools
import json
import logging
from pathlib import Path

import pytest

from bots.ask import AnyAsk
from bots.specs import BotSpec, resolve
from ladder.arena.fault_lines import faults_seen, log_faults
from ladder.arena.gate.faults import BaselineFaulted
from ladder.arena.gate.question import ask
from ladder.arena.gate.report import as_json, conclusion
from ladder.arena.gate.sequential_test import Answer, decide
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.arena.workers import in_process
from ladder.cli import run
from ladder.ratings.sprt import SequentialDesign
from ladder.store.records import Played
from referee.kernel import registry
from referee.match.plan import MatchPlan
from referee.match.policy import FaultKind, Owner
from referee.match.supervision import Trouble
from referee.match.verify import verify
from tests.ladder import misbehaving
from tests.ladder.misbehaving import BOTS, LIMIT, SULKS

GAME = registry.game("edo_yashiki")
LATE = {
    "answers_when_interrupted",
    "loops",
    "loops_in_spite",
    "sleeps",
    "sums_for_ever",
    "waits",
}
NUMBERS = itertools.count()


def played(kind: type) -> Played:
    """A match of such a bot, in seat 1."""
    seats = [resolve("random"), BotSpec("bad", None, kind)]
    troubles: list[Trouble] = []
    record = play_match(
        MatchPlan(GAME.name, tuple(spec.name for spec in seats), fresh_id("m"), fresh_secret("m")),
        seats,
        limit=LIMIT,
        troubles=troubles,
    )
    verify(record)
    return Played.of(record, troubles)


def test_there_are_fifty_of_them() -> None:
    """As many as the run that was asked for."""
    assert len(BOTS) + 1 >= 50


@pytest.mark.parametrize("name", BOTS)
def test_every_fault_is_in_the_record_with_its_owner(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """At the right seat, of the right kind, with a message of bounded length; the record holds and the match ends."""
    found = played(BOTS[name])
    faults = faults_seen(found)

    assert faults
    assert {(fault.seat, fault.player, fault.owner) for fault in faults} == {(1, "bad", Owner.BOT)}
    assert {fault.kind for fault in faults} == {FaultKind.LATE if name in LATE else FaultKind.CRASHED}
    assert all(fault.message and len(fault.message) <= 1000 for fault in faults)
    assert all(fault.message in f"{found.steps}{found.last}" or not fault.message.isascii() for fault in faults)
    assert found.final.endings[1].faults == len(faults)
    assert found.final.result is not None


def test_what_a_bot_raises_after_the_end_is_seen_and_no_part_of_the_record() -> None:
    """The record is closed when the result is told."""
    found = played(SULKS)
    (fault,) = faults_seen(found)

    assert not found.faults
    assert (fault.seat, fault.kind, fault.owner) == (1, FaultKind.CRASHED, Owner.BOT)
    assert "RuntimeError: not like this (misbehaving.py:" in fault.message
    assert "in fail" in fault.trace


def enter(monkeypatch: pytest.MonkeyPatch, kind: type) -> str:
    """Give a bot a spec for the time of a test, another one each time, since what a spec names is remembered."""
    name = f"Entered{next(NUMBERS)}"
    monkeypatch.setattr(misbehaving, name, kind, raising=False)
    return f"py:{misbehaving.__name__}:{name}"


@pytest.mark.parametrize("name", [*BOTS, "sulks"])
def test_no_gate_accepts_a_bot_that_misbehaves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also against a baseline that every bot beats, by bounds that every bot passes."""
    spec = enter(monkeypatch, SULKS if name == "sulks" else BOTS[name])
    question = ask(spec, "random", "edo_yashiki", SequentialDesign(-900, -800), seed="s", max_sets=2, limit=LIMIT)
    with in_process() as workers:
        report = decide(question, workers)
    described = as_json(report)

    assert report.answer is Answer.FAULTED
    assert described["problems"]
    assert f"kumite match edo_yashiki {spec} random" in "\n".join(conclusion(report))


def test_a_baseline_that_faults_ends_the_gate_without_a_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Code 3 and one line that names it and how to see it, also where faults of the candidate are tolerated."""
    spec = enter(monkeypatch, BOTS["raises_at_ask_2"])
    line = ["gate", "random", spec, "--game", "edo_yashiki", "--seed", "s", "--workers", "0", "--allow-faults", "99"]
    code = run(line)
    shown = capsys.readouterr()
    question = ask("random", spec, "edo_yashiki", SequentialDesign(0, 30), seed="s", max_sets=1, score=None)

    assert (code, shown.out) == (3, "")
    assert "the old bot failed" in shown.err
    assert "ValueError: at 2 (misbehaving.py:" in shown.err
    with in_process() as workers, pytest.raises(BaselineFaulted, match="kumite match edo_yashiki"):
        decide(question, workers)


def test_tolerated_faults_leave_the_verdict_to_the_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With as many allowed the test goes on; the report names them all the same. One less, and the bot fails."""
    spec = enter(monkeypatch, BOTS["raises_at_ask_2"])
    line = [
        "gate",
        spec,
        "random",
        "--game",
        "edo_yashiki",
        "--seed",
        "s",
        "--workers",
        "0",
        "--max-sets",
        "2",
        "--json",
    ]
    allowed = run([*line, "--allow-faults", "4"]), json.loads(capsys.readouterr().out)
    failed = run([*line, "--allow-faults", "3"]), json.loads(capsys.readouterr().out)

    assert (allowed[0], allowed[1]["answer"], allowed[1]["fault_count"]) == (2, "inconclusive", 4)
    assert (failed[0], failed[1]["answer"], failed[1]["fault_count"]) == (1, "faulted", 4)
    assert allowed[1]["problems"]
    assert "trace" in failed[1]["faults"][0]


def test_the_command_of_a_report_shows_the_fault_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same ask of the same deal with the same dice of the bot, and the trace."""

    def decide_by_dice(self: object, given: AnyAsk) -> int:
        if given.rng.random() < 0.1:
            raise ValueError(f"unlucky at {given.number} of {given.view!r:.30}")
        return 0

    spec = enter(monkeypatch, type("Dicing", (BOTS["none"],), {"decide": decide_by_dice}))
    run(["gate", spec, "random", "--game", "edo_yashiki", "--seed", "s", "--workers", "0", "--json"])
    (fault, *_) = json.loads(capsys.readouterr().out)["faults"]
    code = run(fault["command"].split()[1:])
    shown = capsys.readouterr().err

    assert code == 1
    assert fault["message"] in shown
    assert f"at ask {fault['ask']}" in shown
    assert "Traceback" in shown


@pytest.mark.parametrize("options", [["--json"], ["--games", "2", "--json"]])
def test_prints_of_a_bot_never_reach_the_json(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Standard output is JSON alone; what the bot printed is on standard error."""
    spec = enter(monkeypatch, BOTS["prints"])
    run(["match", "edo_yashiki", spec, "random", *options])
    shown = capfd.readouterr()
    answer = json.loads(shown.out)
    games = answer if isinstance(answer, list) else [answer]

    assert all(game["faults"][0]["message"].startswith("ValueError: said enough") for game in games)
    assert "of a bot" in shown.err


def test_a_match_shows_how_often_each_bot_failed_and_its_first_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A column of the table and a line below it, for one game and for several; no column without a fault."""
    spec = enter(monkeypatch, BOTS["raises_at_ask_2"])
    run(["match", "edo_yashiki", spec, "random"])
    one = capsys.readouterr().out
    run(["match", "edo_yashiki", spec, "random", "--games", "3"])
    several = capsys.readouterr().out
    run(["match", "edo_yashiki", "random", "random"])
    clean = capsys.readouterr().out

    assert "faults" in one.splitlines()[0]
    assert f"{spec}: its fault, crashed at ask 2: ValueError: at 2 (misbehaving.py:" in one
    assert "faults" in several.splitlines()[1]
    assert f"{spec}: the first of its 3 faults, crashed at ask 2 in match " in several
    assert "fault" not in clean


def test_a_ladder_logs_each_fault_in_one_escaped_line(caplog: pytest.LogCaptureFixture) -> None:
    """Match, bot, seat, ask, kind and message; signs that a terminal would obey are shown escaped."""
    found = played(BOTS["unicode"])
    with caplog.at_level(logging.WARNING):
        log_faults(found)

    assert len(caplog.messages) == len(found.faults)
    assert caplog.messages[0].startswith(
        f"match {found.header.match}: fault: bad (seat 1) crashed at ask 1: ValueError"
    )
    assert all(message.isprintable() for message in caplog.messages)


@pytest.mark.processes
def test_a_worker_whose_bot_cannot_be_interrupted_is_named_and_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process of the worker ends, and the reason comes back at once."""
    from ladder.arena.workers import GivenUp, local_processes

    (tmp_path / "stuck.py").write_text(
        "import threading, time\n"
        "from bots import Bot\n"
        "from referee.match import supervision\n"
        "supervision.PATIENCE_SECONDS = 1.0\n"
        "class Stuck(Bot):\n"
        "    def decide(self, ask):\n"
        "        while True:\n"
        "            try:\n"
        "                time.sleep(100)\n"
        "            except BaseException:\n"
        "                pass\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(__file__).parents[2]}")
    monkeypatch.syspath_prepend(tmp_path)
    question = ask("py:stuck:Stuck", "random", "edo_yashiki", SequentialDesign(0, 30), seed="s", max_sets=1, limit=0.2)
    with (
        local_processes(1) as workers,
        pytest.raises(GivenUp, match=r"does not return from ask 1 of match [0-9a-f]{32}"),
    ):
        decide(question, workers)
