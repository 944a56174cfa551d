"""A replay in words: the board, options as people choose them, the running score, and some of the steps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ladder.cli import run
from ladder.cli.replay import ABOUT
from referee.kernel.board import board
from referee.match.files import read
from referee.match.replay import named, replay

Kumite = Callable[..., tuple[int, str, str]]
RECORD = "m.jsonl"


@pytest.fixture
def kumite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in an empty folder; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def play(kumite: Kumite, game: str, *bots: str) -> int:
    """Play a match into the record; returns the number of its last step."""
    code, _, err = kumite("match", game, *bots, "--seed", "words", "--record", RECORD)
    assert code == 0, err
    return len(read(Path(RECORD)).steps) - 1


def told(kumite: Kumite, *arguments: str) -> Any:
    """The replay as JSON."""
    code, out, err = kumite("replay", RECORD, "--json", *arguments)
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize("game", ["edo_yashiki", "honshu", "ninjato", "white_castle"])
def test_answers_and_events_are_told_in_the_words_of_the_board(kumite: Kumite, game: str) -> None:
    """Every answer with its number, the number of options and its words; every event as the game's board says it."""
    play(kumite, game, "random", "random")
    _, text, _ = kumite("replay", RECORD)
    record = read(Path(RECORD))
    rules, words = named(record.header), board(game)
    asked: dict[int, tuple[str, Any, Any]] = {}
    for position, shown in zip(replay(record, rules), told(kumite)["steps"], strict=True):
        for seat, option in position.step.answers.items():
            kind, view, options = asked[seat]
            said = words.answer(view, kind, options[option])

            assert (shown["words"][str(seat)], shown["options"][str(seat)]) == (said, len(options))
            assert f" answered option {option} of {len(options)}: {said}; in " in text.replace(" (stand-in)", "")
        assert [event["words"] for event in shown["events"]] == [words.event(event) for event in position.events]
        assert all(words.event(event) in text for event in position.events)
        asked = {
            ask.seat: (ask.kind, rules.view(position.state, ask.seat), list(position.turn.options[ask.seat]))
            for ask in position.turn.asks
        }


def test_the_running_score_ends_in_the_result(kumite: Kumite) -> None:
    """Points stand with every step of the JSON, and in the text where they changed; seats are counted from 1."""
    play(kumite, "edo_yashiki", "greedy", "random")
    _, text, _ = kumite("replay", RECORD)
    match = told(kumite)
    points = [step["points"] for step in match["steps"]]
    changes = sum(one != other for one, other in zip([[], *points], points, strict=False))
    first, second = points[-1]

    assert points[0] == [0, 0]
    assert points[-1] == match["final"]["result"]["points"]
    assert text.count("  points now: ") == changes
    assert f"  points now: seat 1 (greedy) {first}, seat 2 (random) {second}\n" in text


def test_one_step_is_told_with_the_board_after_it(kumite: Kumite) -> None:
    """`--step N`: nothing of the other steps, and the board as the whole replay knows it at that step."""
    play(kumite, "edo_yashiki", "greedy", "random")
    code, text, _ = kumite("replay", RECORD, "--step", "4")
    (step,) = told(kumite, "--step", "4")["steps"]
    whole = told(kumite)["steps"]

    assert code == 0
    assert [line for line in text.splitlines() if line.startswith("step ")] == [text.splitlines()[2]]
    assert text.splitlines()[2].startswith("step 4, ")
    assert {key: value for key, value in step.items() if key != "board"} == whole[4]
    assert "board" not in whole[4]
    assert "\n  House of seat 2\n" in text
    assert "result:" not in text


def test_the_board_stands_at_the_beginning_and_at_the_end(kumite: Kumite) -> None:
    """A whole replay has two boards: what lay open before the first decision, and what the match ended with."""
    last = play(kumite, "edo_yashiki", "greedy", "random")
    _, text, _ = kumite("replay", RECORD)

    assert text.count("\n  House of seat 1\n") == 2
    assert [number for number, step in enumerate(told(kumite)["steps"]) if "board" in step] == [0, last]


def test_the_steps_about_one(kumite: Kumite) -> None:
    """`--around N`: the steps before and after, with the boards that step N was answered on and led to."""
    last = play(kumite, "edo_yashiki", "greedy", "random")
    steps = told(kumite, "--around", "6")["steps"]
    at_the_end = told(kumite, "--around", str(last))["steps"]
    _, text, _ = kumite("replay", RECORD, "--around", "6")

    assert [step["step"] for step in steps] == list(range(6 - ABOUT, 6 + ABOUT + 1))
    assert [step["step"] for step in steps if "board" in step] == [5, 6]
    assert [step["step"] for step in at_the_end] == list(range(last - ABOUT, last + 1))
    assert "seat 1 (greedy) is asked: Where do you lay card " in text


def test_a_seat_is_told_its_own_questions_and_view(kumite: Kumite) -> None:
    """`--seat 1` is the seat that words call seat 2: its hand is told, the other hand and answers are not."""
    play(kumite, "honshu", "random", "random")
    record = read(Path(RECORD))
    rules = named(record.header)
    start = next(replay(record, rules)).state
    code, text, _ = kumite("replay", RECORD, "--seat", "1", "--step", "0")
    (step,) = told(kumite, "--seat", "1", "--step", "0")["steps"]
    own = board("honshu").describe(rules.view(start, 1))

    assert code == 0
    assert own != board("honshu").describe(rules.view(start, 0))
    assert "told as seat 2 (random+2) saw it (--seat 1)\n" in text
    assert step["board"] == [
        {"title": part.title, "columns": list(part.columns), "rows": list(map(list, part.rows))} for part in own
    ]
    assert "seat 1 (random) is asked" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--step", "900"), "--step 900: the steps of this match are 0 to "),
        (("--around", "-1"), "--around -1: the steps of this match are 0 to "),
        (("--step", "1", "--around", "2"), "--step and --around cannot stand together: --around N tells step N too"),
        (("--follow", "--seat", "0"), "--follow tells what spectators see, in words, as it comes"),
        (("--follow",), f"{RECORD}: --follow needs one match of a database: DB:MATCH"),
    ],
)
def test_what_cannot_be_told_is_one_line(kumite: Kumite, arguments: tuple[str, ...], message: str) -> None:
    """A step that the match does not have, and options that exclude each other."""
    play(kumite, "edo_yashiki", "random", "random")
    code, out, err = kumite("replay", RECORD, *arguments)

    assert (code, out) == (2, "")
    assert err.startswith(f"kumite: {message}")
    assert err.count("\n") == 1


def test_a_step_is_named_in_one_match_only(kumite: Kumite) -> None:
    """A folder of records has no step 3 of its own."""
    Path("kept").mkdir()
    play(kumite, "edo_yashiki", "random", "random")
    Path(RECORD).rename(Path("kept") / RECORD)
    code, out, err = kumite("replay", "kept", "--step", "3")

    assert (code, out) == (2, "")
    assert err == "kumite: kept: --step and --around need one match: a record, or DB:MATCH\n"
