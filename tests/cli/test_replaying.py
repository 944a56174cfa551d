"""Replaying and verifying from the command line: what is told, what is refused, and how a terminal fares with it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ladder.cli import run
from referee.match.record import NOTE_LIMIT
from tests.match.tampering import Lines, parsed, rehashed, written

Kumite = Callable[..., tuple[int, str, str]]
Change = Callable[[Lines], object]

RECORD = "m.jsonl"
BOTS = """
from bots import Bot


class Crasher(Bot):
    def decide(self, ask):
        raise RuntimeError("[/INST] no [red]idea")


class Shaky(Bot):
    def decide(self, ask):
        if ask.ask == 2:
            raise RuntimeError("slipped")
        ask.note("one\\ntwo")
        return 0
"""


@pytest.fixture
def kumite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in a folder with two bad bots; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "badly.py").write_text(BOTS)
    monkeypatch.syspath_prepend(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def record(kumite: Kumite) -> Lines:
    """The lines of a record that lies in the folder."""
    return play(kumite, "edo_yashiki", "random", "greedy")


def play(kumite: Kumite, game: str, *bots: str) -> Lines:
    """Play a match, and return the lines of its record."""
    code, _, err = kumite("match", game, *bots, "--seed", "s", "--clock", "10s+100ms", "--record", RECORD)
    assert code == 0, err
    return parsed(Path(RECORD).read_bytes().splitlines())


def rewrite(lines: Lines, *, mended: bool) -> None:
    """Put the record down again; `mended`: with the hashes made anew."""
    Path(RECORD).write_bytes(b"".join(rehashed(lines) if mended else written(lines)))


def swap_names(lines: Lines) -> None:
    """Give each seat the name of the other."""
    lines[0]["players"] = ["greedy", "random"]


def swap_places(lines: Lines) -> None:
    """Let the other seat win."""
    lines[-1]["result"]["places"].reverse()  # type: ignore[index,call-overload,union-attr]


def change_answer(lines: Lines) -> None:
    """Let a seat have answered something else."""
    lines[2]["answers"]["0"] = 1 - lines[2]["answers"]["0"]  # type: ignore[index,call-overload,operator]


def change_commitment(lines: Lines) -> None:
    """Pretend that another secret was committed to."""
    lines[0]["commitment"] = "0" * 64


def drop_step(lines: Lines) -> None:
    """Leave the last step out."""
    del lines[-2]


def refused(kumite: Kumite, *words: str) -> None:
    """Check that replay and verify both refuse the record with one line that names the file."""
    for command, code in (("replay", 2), ("verify", 1)):
        for form in ((), ("--json",)) if command == "replay" else ((),):
            found, out, err = kumite(command, RECORD, *form)

            assert (found, out) == (code, ""), err
            assert err.removeprefix("kumite: ").startswith(f"{RECORD}: ")
            assert err.count("\n") == 1
            assert all(word in err for word in words), err


@pytest.mark.parametrize("change", [swap_names, swap_places, change_answer, change_commitment, drop_step])
def test_a_tampered_record_is_not_told_as_if_it_were_true(kumite: Kumite, record: Lines, change: Change) -> None:
    """The chain of hashes is followed before a word is told."""
    change(record)
    rewrite(record, mended=False)

    refused(kumite)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (swap_places, "the result must be places 2 1, points "),
        (drop_step, "there is a result, and the game is not over"),
        (change_commitment, "not the one that the header is committed to"),
    ],
)
def test_who_mends_the_hashes_is_refused_by_the_rules(
    kumite: Kumite, record: Lines, change: Change, words: str
) -> None:
    """A result is told only if it is that of the game."""
    change(record)
    rewrite(record, mended=True)

    refused(kumite, words)


@pytest.mark.parametrize("mended", [False, True])
@pytest.mark.parametrize(
    ("number", "values", "words"),
    [
        (-1, {"result": {"automata": [], "places": [1], "points": [1, 2], "reason": "target"}}, "'places' must have 2"),
        (-1, {"result": None, "endings": []}, "'endings' must have 2"),
        (2, {"notes": {"9": "hi"}}, "'notes' names seat 9"),
        (2, {"at": 10**400}, "'at' must be a number of at most 64 bits"),
        (-1, {"at": 10**400}, "'at' must be a number of at most 64 bits"),
    ],
)
def test_what_no_record_can_hold_is_one_clear_line(
    kumite: Kumite, record: Lines, mended: bool, number: int, values: dict[str, Any], words: str
) -> None:
    """Lengths of lists, seats and times are checked where the record is read."""
    record[number].update(values)
    rewrite(record, mended=mended)

    refused(kumite, words)


def test_what_no_referee_writes_does_not_hold(kumite: Kumite, record: Lines) -> None:
    """Control characters in a name, an endless note, a missing line feed: also with mended hashes."""
    lines = json.dumps(record)
    for number, values, words in (
        (0, {"players": ["random", "\x1b[31mgreedy"]}, "the name of seat 1"),
        (2, {"notes": {"0": "x" * (NOTE_LIMIT + 1)}}, "the note of seat 0"),
    ):
        copy: Lines = json.loads(lines)
        copy[number].update(values)  # type: ignore[arg-type]
        rewrite(copy, mended=True)
        refused(kumite, words)

    rewrite(record, mended=True)
    Path(RECORD).write_bytes(Path(RECORD).read_bytes().rstrip())
    refused(kumite, "the line feed at the end of the final line is missing")


def test_a_broken_step_of_an_unfinished_record_is_named_with_the_file(kumite: Kumite, record: Lines) -> None:
    """There is no secret to verify it with, but the rules have their say."""
    record[2]["answers"] = {"0": 99, "1": 0}
    rewrite(record[:-1], mended=True)
    code, out, err = kumite("replay", RECORD)

    assert (code, out) == (2, "")
    assert err == f"kumite: {RECORD}: step 1: seat 0 answered 99 where 0 to 1 were possible\n"


def test_an_unfinished_record_is_told_as_far_as_it_goes(kumite: Kumite, record: Lines) -> None:
    """Its chain must hold, and it says that it ends."""
    rewrite(record[:4], mended=False)
    code, out, _ = kumite("replay", RECORD)
    _, told, _ = kumite("replay", RECORD, "--json")

    assert code == 0
    assert out.splitlines()[-1] == "unfinished: the record ends here"
    assert json.loads(told)["final"] is None
    assert json.loads(told)["hash"] == record[3]["hash"]


def test_verify_goes_on_after_a_file_that_may_not_be_read(
    kumite: Kumite, record: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are checked all the same, and the exit code is that of a record that does not hold."""
    secret = Path("secret.jsonl")
    secret.write_bytes(Path(RECORD).read_bytes())
    real, may = Path.open, os.access

    def opened(path: Path, *rest: Any, **more: Any) -> Any:
        if path.name == secret.name:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *rest, **more)

    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(os, "access", lambda path, *rest, **more: str(path) != secret.name and may(path, *rest, **more))
    code, out, err = kumite("verify", str(secret), RECORD)

    assert (code, err) == (1, f"{secret}: cannot be read: Permission denied\n")
    assert out.startswith(f"{RECORD}: holds")
    assert kumite("replay", str(secret)) == (2, "", f"kumite: {secret}: cannot be read: Permission denied\n")


def test_verify_shows_the_hash_that_stands_for_the_match(kumite: Kumite, record: Lines) -> None:
    """The beginning for people, all of it for programs."""
    last = str(record[-1]["hash"])
    _, out, _ = kumite("verify", RECORD)
    _, told, _ = kumite("verify", RECORD, "nothing.jsonl", "--json")

    assert f"the last hash begins with {last[:16]}\n" in out
    assert [(verdict["holds"], verdict["hash"]) for verdict in json.loads(told)] == [(True, last), (False, None)]


def test_a_replay_tells_faults_stand_ins_clocks_and_forfeits(kumite: Kumite) -> None:
    """Who did not answer, who answered instead, and why the seat is last."""
    play(kumite, "edo_yashiki", "py:badly:Crasher", "random")
    code, out, _ = kumite("replay", RECORD)

    assert code == 0
    assert out.count("  fault of seat 1 (py:badly:Crasher): crashed at ask ") == 4
    assert "owned by the bot: RuntimeError: [/INST] no [red]idea (badly.py:7)\n" in out
    assert "  seat 1 (py:badly:Crasher) answered option " in out
    assert " (stand-in)" in out
    assert "2. py:badly:Crasher (" in out
    assert "  seat 1 (py:badly:Crasher): forfeited, so ranked last, 4 faults, owned by the bot: RuntimeError" in out
    assert "  seat 2 (random): finished\n" in out
    assert out.endswith("  rated\n")
    assert " s left\n" in out


def test_a_match_with_a_fault_in_brackets_is_shown(kumite: Kumite) -> None:
    """The table of a match has the words of a bot's error, and does not take them for markup."""
    code, out, _ = kumite("match", "edo_yashiki", "py:badly:Crasher", "random")

    assert code == 0
    assert "[/INST] no [red]idea" in out


def test_the_json_of_a_replay_is_complete(kumite: Kumite) -> None:
    """Header, players, set-up, who answered in which time, result, endings: all that the record has, but the luck."""
    lines = play(kumite, "edo_yashiki", "py:badly:Shaky", "random")
    _, out, _ = kumite("replay", RECORD, "--json")
    told = json.loads(out)
    header, *steps, final = lines

    assert told["header"] == {key: value for key, value in header.items() if key != "hash"}
    assert told["hash"] == final["hash"]
    for mine, theirs in zip(told["steps"], steps, strict=True):
        assert (mine["step"], mine["at_us"]) == (theirs["n"], theirs["at"])
        for key, field in (("answers",) * 2, ("by",) * 2, ("notes",) * 2, ("spent_us", "spent"), ("left_us", "left")):
            assert mine[key] == theirs.get(field, {})
        assert mine["faults"] == theirs.get("faults", [])
    assert any(step["by"] == {"0": "stand-in"} for step in told["steps"])
    assert told["final"]["at_us"] == final["at"]
    for key in ("result", "endings", "rated", "faults", "secret"):
        assert told["final"][key] == final[key]


def test_a_replay_by_seat_has_nothing_of_the_others(kumite: Kumite) -> None:
    """Their answers, times, faults and notes stay out, in both forms; the end is told to everybody."""
    play(kumite, "edo_yashiki", "py:badly:Shaky", "random")
    _, out, _ = kumite("replay", RECORD, "--json", "--seat", "1")
    _, text, _ = kumite("replay", RECORD, "--seat", "1")
    told = json.loads(out)

    for step in told["steps"]:
        for key in ("answers", "by", "spent_us", "lag_us", "left_us", "notes"):
            assert set(step[key]) <= {"1"}
        assert step["faults"] == []
    assert [step["answers"] for step in told["steps"][1:3]] != [{}, {}]
    assert len(told["final"]["endings"]) == 2
    assert "slipped" not in text
    assert "seat 1 (py:badly:Shaky) answered" not in text


@pytest.mark.parametrize(
    ("game", "shown", "kept"),
    [
        ("edo_yashiki", ["row", "first_player", "house_cards"], []),
        ("honshu", ["provinces", "supply", "order"], ["hand", "passed_cards"]),
        ("ninjato", ["face_up", "sentinels", "palace"], ["hand", "drawn"]),
        ("white_castle", ["castle", "daimyo", "offer_resources"], []),
    ],
)
@pytest.mark.parametrize("arguments", [(), ("--seat", "1")])
def test_a_replay_begins_with_what_lies_open(
    kumite: Kumite, game: str, shown: list[str], kept: list[str], arguments: tuple[str, ...]
) -> None:
    """The set-up as everybody saw it, whoever looks: the open cards are told, no hand is."""
    play(kumite, game, "random", "random")
    _, text, _ = kumite("replay", RECORD, *arguments)
    told = json.loads(kumite("replay", RECORD, "--json", *arguments)[1])
    setup, first = told["setup"], told["steps"][0]
    begin = text.split("step 1,")[0]

    for name in shown:
        assert setup[name] not in (None, [], "")
    for name in kept:
        assert setup[name] == []
    assert first["board"]
    for part in first["board"]:
        assert f"\n  {part['title']}\n" in begin
        assert all(cell in begin for row in part["rows"] for cell in row)
    assert "seat" not in setup


def test_control_characters_are_shown_and_not_obeyed(kumite: Kumite, record: Lines) -> None:
    """A record of another origin cannot move the cursor, whatever its names and notes hold."""
    record[0]["players"] = ["\x1b[2Jann", "bob\x9b\u202e"]
    record[2]["notes"] = {"0": "one\ntwo\x07\x1b]0;title\x07"}
    rewrite(record[:-1], mended=True)
    code, out, _ = kumite("replay", RECORD)
    _, told, _ = kumite("replay", RECORD, "--json")

    assert code == 0
    assert "\\x1b[2Jann, bob\\x9b\\u202e (match " in out
    assert "  note of seat 1 (\\x1b[2Jann): one\\ntwo\\x07\\x1b]0;title\\x07\n" in out
    assert all(sign.isprintable() or sign == "\n" for sign in out + told)
    assert json.loads(told)["header"]["players"] == record[0]["players"]


def test_a_match_that_was_stopped_says_why_once(kumite: Kumite) -> None:
    """Development mode ends with the first fault; the reason stands in one line, and whose it was in the next."""
    kumite("match", "edo_yashiki", "py:badly:Crasher", "random", "--development", "--record", RECORD)
    code, out, _ = kumite("replay", RECORD)

    assert code == 0
    assert out.count("DEVELOPMENT MODE") == out.count("stopped without a result: DEVELOPMENT MODE") == 1
    assert "  seat 1 (py:badly:Crasher): aborted, 1 fault, owned by the bot\n" in out
    assert "  seat 2 (random): aborted, owned by the opponent\n" in out
    assert out.endswith("  not rated\n")
