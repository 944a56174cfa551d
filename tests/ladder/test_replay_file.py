"""The replay file of a match: what it holds is what every seat saw, and a match that is not over shows no seat."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from ladder.cli import run
from ladder.viewer.replay_file import as_json, as_script, drawn, heard, replay_file, sight, words_file
from ladder.viewer.track import sights
from referee.kernel.chance import Fast
from referee.kernel.game import settle_variant
from referee.kernel.registry import game as game_named
from referee.match import files as record_files
from referee.match.inprocess import play
from referee.match.plan import MatchPlan
from referee.match.record import Record
from referee.match.replay import named, replay
from tests.ladder.json_schema import findings
from tests.ladder.viewer_records import FEWEST_AND_MOST, Wanderer, match

SCHEMA: dict[str, Any] = json.loads(files("ladder.viewer").joinpath("replay.schema.json").read_text(encoding="utf-8"))


def cut(record: Record, steps: int) -> Record:
    """A record as it was while its match ran."""
    return replace(record, steps=record.steps[:steps], final=None, hashes=())


def plain(value: object) -> Any:
    """A value as a program reads it from the file."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize(("game", "seats"), FEWEST_AND_MOST)
def test_the_patches_give_exactly_what_every_seat_saw(game: str, seats: int) -> None:
    """Views, facts and words of the public and of each seat, at every step, from the file as it is written."""
    record = match(game, seats)
    rules = named(record.header)
    read = json.loads(as_json(replay_file(record)))
    words = json.loads(as_json(words_file(record)))
    shown = list(sights(read["steps"], seats))
    told = list(sights(words["steps"], seats))
    count = 0
    for position, (public, own), (text, own_text) in zip(replay(record, rules), shown, told, strict=True):
        for seat, found, said in zip((None, *range(seats)), (public, *own), (text, *own_text), strict=True):
            events = heard(position.events, seat)
            view = rules.view(position.state, seat)
            assert found == plain(drawn(rules, view, events))
            assert {**found, **said} == plain(sight(rules, view, events))
            count += 1

    assert count == len(record.steps) * (seats + 1)


@pytest.mark.parametrize(("game", "seats"), FEWEST_AND_MOST)
def test_the_file_is_as_its_schema_says(game: str, seats: int) -> None:
    """A finished match and one that runs; and the schema refuses what it does not name."""
    record = match(game, seats)
    for found in (record, cut(record, 5)):
        assert list(findings(plain(replay_file(found)), SCHEMA)) == []
    wrong = plain(replay_file(record))
    wrong["steps"][1]["secret"] = 1
    del wrong["header"]["game"]
    assert sorted(findings(wrong, SCHEMA)) == ["$.header: lacks game", "$.steps[1]: may not have secret"]


@pytest.mark.parametrize(("game", "seats"), FEWEST_AND_MOST)
def test_answers_are_told_in_words_with_their_number_and_time(game: str, seats: int) -> None:
    """Every answer of the record stands in the file at its step, with what the record says of it."""
    record = match(game, seats)
    for step, shown in zip(record.steps, plain(replay_file(record))["steps"], strict=True):
        answers = shown.get("answers", [])
        assert {answer["seat"]: answer["option"] for answer in answers} == step.answers
        for answer in answers:
            assert answer["words"]
            assert 0 <= answer["option"] < answer["of"]
            assert answer["spent_us"] == step.spent[answer["seat"]]
            assert answer["note"] == "wandering"


@pytest.mark.parametrize(("game", "seats"), FEWEST_AND_MOST)
def test_a_match_that_is_not_over_shows_what_spectators_see(game: str, seats: int) -> None:
    """No seat's view, no answer, no note, no event for some seats alone, in the file and in the board in words."""
    record = cut(match(game, seats), 12)
    read, words = plain(replay_file(record)), plain(words_file(record))

    assert read["end"] is None
    assert read["header"]["finished"] is False
    for step in (*read["steps"], *words["steps"]):
        assert not {"seats", "answers", "faults"} & step.keys()
        assert all("audience" not in event for event in step.get("events", ()))
    views = [public["view"] for public, _ in sights(read["steps"], 0)]
    assert len(views) == 12
    assert all(isinstance(view, dict) and "seat" not in view for view in views)


@pytest.mark.parametrize(("game", "seats"), FEWEST_AND_MOST)
def test_what_a_seat_may_not_know_changes_no_byte(game: str, seats: int) -> None:
    """In every world that a seat or the public cannot tell from the true one, what is drawn for it is the same."""
    record = match(game, seats)
    rules = named(record.header)
    for position in replay(record, rules):
        if position.step.n % 7 == 3:
            for seat in (None, *range(seats)):
                view = rules.view(position.state, seat)
                world = rules.determinise(view, Fast(f"{position.step.n}/{seat}"))
                told = heard(position.events, seat)
                assert json.dumps(sight(rules, rules.view(world, seat), told)) == json.dumps(sight(rules, view, told))


def test_names_and_notes_are_shown_as_the_caller_says() -> None:
    """A hidden bot has another name in the header, in notes and in messages."""
    record = match("edo_yashiki", 2)
    file = replay_file(record, players=["heron", "crane"], masked=lambda text: text.replace("wander", "hidden"))

    assert plain(file)["header"]["players"] == ["heron", "crane"]
    assert "wander" not in as_json(file)
    assert "hiddening" in as_json(file)


def test_the_script_holds_the_same_file() -> None:
    """It assigns the file to its match, and no text in it ends the script."""
    file = replay_file(match("edo_yashiki", 2), masked=lambda text: "\u2028</script>")
    text = as_script(file)
    start = f'(window.kumiteReplays = window.kumiteReplays || {{}})["{0:032x}"] = '

    assert text.startswith(start)
    assert json.loads(text.removeprefix(start).removesuffix(";\n")) == plain(file)


def test_the_command_prints_the_file_of_one_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`kumite replay MATCH --format viewer`; options for other forms are refused in one line."""
    monkeypatch.chdir(tmp_path)
    record = match("edo_yashiki", 2)
    record_files.write(record, Path("m.jsonl"))

    assert run(["replay", "m.jsonl", "--format", "viewer"]) == 0
    assert json.loads(capsys.readouterr().out) == plain(replay_file(record))
    for wrong, words in ((["--seat", "0"], "leave the other options out"), (["--json"], "leave the other options out")):
        assert run(["replay", "m.jsonl", "--format", "viewer", *wrong]) == 2
        assert words in capsys.readouterr().err
    assert run(["replay", ".", "--format", "viewer"]) == 2
    assert "takes one match" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["m.jsonl", "out.gif"], "ends with .svg or .png"),
        (["m.jsonl", "out.svg", "--step", "999"], "the steps of this match are 0 to"),
        (["m.jsonl", "out.svg", "--seat", "2"], "the seats of this match are 0 to 1"),
        (["m.jsonl", "out.svg", "--seat", "1", "--all"], "--seat cannot stand beside it"),
        (["cut.jsonl", "out.svg", "--seat", "1"], "the match is not over"),
        ([".", "out.svg"], "name one match"),
        (["m.jsonl", "out.svg"], "no browser: none of chromium"),
    ],
)
def test_a_picture_that_cannot_be_taken_is_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was wrong and what would be right, also on a machine without a browser."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    record = match("edo_yashiki", 2)
    record_files.write(record, Path("m.jsonl"))
    record_files.write(cut(record, 4), Path("cut.jsonl"))

    assert run(["picture", *arguments]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("out.*"))


def test_a_file_of_a_running_match_does_not_tell_whose_chain_has_ended() -> None:
    """While seats of Edo Yashiki score in secret (E-9.9), every seat is awaited; the finished file has the truth."""
    rules = game_named("edo_yashiki")
    plan = MatchPlan(
        "edo_yashiki", ("a", "b", "c"), "0" * 32, bytes(32), settle_variant(rules, 3, {"rules": "specialists"})
    )
    record = play(rules, plan, [Wanderer(seat) for seat in range(3)])
    running = plain(replay_file(cut(record, len(record.steps) - 1)))["steps"]
    kinds = [{kind for _, kind in position.turn.asks} for position in replay(record, rules)][: len(running)]
    chains = [step for step, found in zip(running, kinds, strict=True) if "score_line" in found]
    told = plain(replay_file(record))["steps"]

    assert [step["awaited"] for step in chains] == [[0, 1, 2]] * len(chains)
    assert any(len(told[step["n"]].get("awaited", ())) < 3 for step in chains)
