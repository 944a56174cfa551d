"""The command line as a user meets it: what it prints, what it leaves behind, how it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ladder.cli import run

Kumite = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kumite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in an empty folder; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def test_games_lists_every_game(kumite: Kumite) -> None:
    """The list names each registered game once, for people and for programs."""
    code, out, _ = kumite("games")
    _, listed, _ = kumite("games", "--json")

    assert code == 0
    assert all(entry["name"] in out for entry in json.loads(listed))
    assert "edo_yashiki" in out


def test_a_game_says_what_is_hidden(kumite: Kumite) -> None:
    """The detail of a game has its settings and its hidden information."""
    code, out, _ = kumite("games", "edo_yashiki")

    assert code == 0
    assert "--variant draft=[sealed] | turn_order" in out
    assert "deck" in out.split("Hidden:")[1]


def test_a_match_is_reproducible_from_its_seed(kumite: Kumite) -> None:
    """The same seed gives the same luck, the same dice of the bots and the same match id."""
    first = kumite("match", "edo_yashiki", "random", "random", "--seed", "s", "--json")
    second = kumite("match", "edo_yashiki", "random", "random", "--seed", "s", "--json")
    other = kumite("match", "edo_yashiki", "random", "random", "--seed", "t", "--json")

    assert first == second
    assert json.loads(first[1])["match"] != json.loads(other[1])["match"]


def test_a_match_without_a_seed_is_not_repeated(kumite: Kumite) -> None:
    """Without a seed luck and id are fresh."""
    first = json.loads(kumite("match", "edo_yashiki", "random", "random", "--json")[1])
    second = json.loads(kumite("match", "edo_yashiki", "random", "random", "--json")[1])

    assert first["match"] != second["match"]
    assert first["commitment"] != second["commitment"]


def test_several_games_turn_the_seats(kumite: Kumite) -> None:
    """With --games every bot sits in every seat equally often."""
    _, out, _ = kumite("match", "edo_yashiki", "greedy", "random", "--games", "4", "--seed", "s", "--json")

    assert [entry["players"] for entry in json.loads(out)] == [["greedy", "random"], ["random", "greedy"]] * 2


def test_a_record_can_be_replayed_and_verified(kumite: Kumite) -> None:
    """What match writes, replay tells and verify accepts."""
    kumite("match", "edo_yashiki", "random", "random", "--seed", "s", "--record", "m.jsonl")
    told, verified = kumite("replay", "m.jsonl"), kumite("verify", "m.jsonl")

    assert told[0] == 0
    assert "result: 1. " in told[1]
    assert verified[0] == 0
    assert "holds" in verified[1]


def test_a_replay_by_seat_tells_only_what_the_seat_was_told(kumite: Kumite) -> None:
    """No event with another audience, no answers of others."""
    kumite("match", "edo_yashiki", "random", "random", "--seed", "s", "--record", "m.jsonl")
    _, out, _ = kumite("replay", "m.jsonl", "--seat", "1", "--json")

    for step in json.loads(out):
        assert step["answers"] == {}
        assert all(event["audience"] is None or 1 in event["audience"] for event in step["events"])


def test_notes_of_a_bot_are_in_the_replay(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a bot notes beside an answer stands in the replay of the match, and another seat's replay is without it."""
    method = "    def decide(self, ask):\n        ask.note('hm, ' + ask.kind)\n        return 0\n"
    Path("noter.py").write_text("from bots import Bot\n\nclass Noter(Bot):\n" + method)
    monkeypatch.syspath_prepend(str(Path.cwd()))
    kumite("match", "edo_yashiki", "py:noter:Noter", "random", "--seed", "s", "--record", "m.jsonl")

    assert "hm, place_card" in kumite("replay", "m.jsonl")[1]
    assert "hm, place_card" not in kumite("replay", "m.jsonl", "--seat", "1")[1]
    assert kumite("verify", "m.jsonl")[0] == 0


def test_a_tampered_record_does_not_hold(kumite: Kumite) -> None:
    """One changed answer is found, and the exit code says so."""
    kumite("match", "edo_yashiki", "random", "random", "--seed", "s", "--record", "m.jsonl")
    path = Path("m.jsonl")
    lines = path.read_text().splitlines()
    step = json.loads(lines[3])
    step["answers"]["0"] = 1 - step["answers"]["0"]
    lines[3] = json.dumps(step, sort_keys=True, separators=(",", ":"))
    path.write_text("\n".join(lines) + "\n")
    code, _, err = kumite("verify", "m.jsonl")

    assert code == 1
    assert err.startswith("m.jsonl: ")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["match", "edo_yashikki", "random", "random"], "did you mean 'edo_yashiki'"),
        (["match", "edo_yashiki", "greedy", "rando"], "did you mean 'random'"),
        (["match", "edo_yashiki", "random"], "2 to 5 seats, not 1"),
        (["match", "edo_yashiki", *["random"] * 6], "2 to 5 seats, not 6"),
        (["match", "edo_yashiki", "random", "random", "--clock", "soon"], "10s+100ms/5s"),
        (["match", "edo_yashiki", "random", "random", "-v", "rules=fancy"], "specialists, standard"),
        (["match", "edo_yashiki", "random", "random", "-v", "rule=standard"], "did you mean 'rules'"),
        (["match", "edo_yashiki", "random", "random", "-v", "rules"], "key=value"),
        (["match", "edo_yashiki", "random", "random", "--games", "0"], "--games"),
        (["match", "edo_yashiki", "random", "random", "--record", "no/such/place"], "there is no folder"),
        (["match", "edo_yashiki", "py:nowhere:Bot", "random"], "nowhere"),
        (["games", "chess"], "edo_yashiki"),
        (["replay", "nothing.jsonl"], "nothing.jsonl"),
        (["rate", "nothing.jsonl"], "nothing.jsonl"),
        (["sprt", "--counts", "1,2,3"], "5 possible mean scores"),
        (["sprt", "--counts", "1,2,x,4,5"], "whole numbers"),
        (["sprt", "--counts", "1,2,3,4,5", "--elo0", "0"], "go together"),
        (["tournamint"], "tournamint"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_2(kumite: Kumite, line: list[str], words: str) -> None:
    """Unknown names, bad settings and missing files say what would be right and leave nothing behind."""
    code, out, err = kumite(*line)

    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert words in err
    assert list(Path().iterdir()) == []


def test_an_unreadable_record_is_refused_by_verify_with_code_1(kumite: Kumite) -> None:
    """Not a record at all: one line, code 1."""
    Path("junk.jsonl").write_text("this is not a record\n")
    code, _, err = kumite("verify", "junk.jsonl")

    assert code == 1
    assert err.startswith("junk.jsonl: ")


def test_rate_reads_results_of_any_origin(kumite: Kumite) -> None:
    """Two-player and three-player lines in one file, rated with intervals and seat effects."""
    lines = [{"players": ["a", "b"], "places": [1, 2]}] * 6 + [{"players": ["b", "a", "c"], "places": [2, 1, 2]}] * 3
    lines += [{"players": ["a", "b"], "places": [2, 1]}] * 2
    Path("results.jsonl").write_text("\n".join(map(json.dumps, lines)))
    code, out, _ = kumite("rate", "results.jsonl", "--json", "--anchor", "b")
    found = {player["name"]: player for player in json.loads(out)["players"]}

    assert code == 0
    assert found["b"]["elo"] == 0.0
    assert found["a"]["elo"] > 0
    assert found["a"]["low"] < found["a"]["elo"] < found["a"]["high"]
    assert (found["a"]["games"], found["c"]["games"]) == (11, 3)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 2"),
        ('{"players": ["a"], "places": [1]}', "two players"),
        ('{"players": ["a", "b"], "places": [1, 3]}', "1, 2, 2, 4"),
        ('{"players": ["a", "b"], "places": [1, 2], "seed": 4}', "unknown key 'seed'"),
        ('{"players": "ab", "places": [1, 2]}', "list of names"),
        ("[]", "not an object"),
    ],
)
def test_a_broken_results_line_is_named(kumite: Kumite, line: str, words: str) -> None:
    """The message names the file, the line and what is wrong with it."""
    Path("results.jsonl").write_text('{"players": ["a", "b"], "places": [1, 2]}\n' + line + "\n")
    code, _, err = kumite("rate", "results.jsonl")

    assert code == 2
    assert "results.jsonl, line 2" in err
    assert words in err


def test_sprt_gives_the_whole_answer(kumite: Kumite) -> None:
    """Everything that a program needs, in one JSON object."""
    code, out, _ = kumite("sprt", "--counts", "1,20,60,25,2", "--elo0", "0", "--elo1", "10", "--json")
    answer = json.loads(out)

    assert code == 0
    assert answer["verdict"] == "continue"
    assert {"llr", "lower", "upper", "verdict", "elo", "elo_low", "elo_high", "nelo", "los"} <= set(answer)


def test_the_bench_prints_its_yardstick_and_ratios(kumite: Kumite) -> None:
    """The quick bench of one game, without the wire."""
    code, out, _ = kumite("bench", "edo_yashiki", "--quick", "--no-wire", "--json")
    figures = json.loads(out)

    assert code == 0
    assert figures["yardstick_s"] > 0
    assert [entry["seats"] for entry in figures["rules"]] == [2, 3, 4, 5]
    assert all(entry["decisions"] > 0 and entry["match"] > 0 for entry in figures["rules"])
