"""The command line as a user meets it: what it prints, what it leaves behind, how it fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ladder.arena import workers
from ladder.arena.entrants import Entrant
from ladder.arena.play import play as really_play
from ladder.bench import ratings, rules, seasons
from ladder.cli import run
from referee.match.plan import MatchPlan
from referee.match.record import Record

Kumite = Callable[..., tuple[int, str, str]]
LADDER = str(Path(__file__).parents[2] / "examples" / "nightly" / "ladder.toml")


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
    assert "--variant draft=[sealed] | reflex | turn_order" in out
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

    for step in json.loads(out)["steps"]:
        assert set(step["answers"]) <= {"1"}
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
        (["ladder", "run", LADDER, "--for", "soon"], "--for 'soon': write a time such as 90s, 30m or 8h"),
        (["ladder", "run", LADDER, "--for", "-5s"], "--for '-5s': write a time such as 90s, 30m or 8h"),
        (["games", "chess"], "edo_yashiki"),
        (["replay", "nothing.jsonl"], "nothing.jsonl"),
        (["rate", "nothing.jsonl"], "nothing.jsonl"),
        (["sprt", "--counts", "1,2,3"], "5 possible mean scores"),
        (["sprt", "--counts", "1,2,x,4,5"], "whole numbers"),
        (["sprt", "--counts", "1,2,3,4,5", "--elo0", "0"], "go together"),
        (["token", "list", "--db", "nothing.sqlite"], "nothing.sqlite"),
        (["token", "revoke", "ann", "--db", "nothing.sqlite"], "nothing.sqlite"),
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
    assert found["b"]["elo"] == 1500.0
    assert found["a"]["elo"] > 1500.0
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
        ('{"players": ["a"', "from character 17 on"),
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


def test_the_bench_prints_its_yardstick_and_ratios(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick bench of one game, without the wire and in small, for a program and for a reader."""
    monkeypatch.setattr(rules, "SLICE", 0.01)
    monkeypatch.setattr(ratings, "SIZES", ((1000, 20),))
    measure = seasons.measure
    monkeypatch.setattr(seasons, "measure", lambda name, *, seconds: measure(name, seconds=seconds / 10))
    code, out, _ = kumite("bench", "edo_yashiki", "--quick", "--no-wire", "--json")
    figures = json.loads(out)
    shown, table, _ = kumite("bench", "edo_yashiki", "--quick", "--no-wire")

    assert (code, shown) == (0, 0)
    assert "yardstick: a fixed loop of a million steps" in table
    assert [line.split()[:2] for line in table.splitlines()].count(["edo_yashiki", "2"]) == 1
    assert {"edo_yashiki"} == {entry["game"] for entry in figures["ladder"]}
    assert all(entry["ratio"] > 0 for entry in figures["ladder"])
    assert figures["yardstick_s"] > 0
    assert [entry["seats"] for entry in figures["rules"]] == [2, 3, 4, 5]
    assert all(entry["decisions"] > 0 and entry["match"] > 0 for entry in figures["rules"])


TROUBLE = """
import sys

from bots import Bot


class First(Bot):
    def decide(self, ask):
        return 0


class Unmade(First):
    def __init__(self):
        sys.exit(0)


class Unseated(First):
    def seated(self, table):
        raise RuntimeError("no chair")


class Sulks(First):
    def over(self, result):
        raise RuntimeError("not fair")
"""


@pytest.fixture
def trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of bots that fail outside their decisions."""
    (tmp_path / "trouble.py").write_text(TROUBLE)
    (tmp_path / "leaving.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("trouble")
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("py:trouble:Unmade", "SystemExit: 0"),
        ("py:leaving:Any", "importing leaving failed: SystemExit"),
    ],
)
def test_a_bot_that_cannot_begin_is_one_clear_line(kumite: Kumite, spec: str, words: str) -> None:
    """To a match it is a bad setting, and the gate neither accepts it nor takes its exit code."""
    code, _, err = kumite("match", "edo_yashiki", spec, "random")
    gate, _, _ = kumite("gate", spec, "random", "--game", "edo_yashiki", "--workers", "0", "--max-sets", "2")

    assert (code, gate) == (2, 3)
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("trouble")
def test_a_bot_that_fails_when_it_is_seated_is_at_fault(kumite: Kumite) -> None:
    """The match is played, the fault stands in its table, and the gate fails the bot."""
    code, out, _ = kumite("match", "edo_yashiki", "py:trouble:Unseated", "random")
    gate, _, _ = kumite("gate", "py:trouble:Unseated", "random", "--game", "edo_yashiki", "--workers", "0")

    assert (code, gate) == (0, 1)
    assert "no chair (trouble.py:" in out


def test_a_ladder_that_could_not_play_all_its_matches_says_so(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches that can be played are, those that break their worker are named, and the exit code tells."""

    def play(plan: MatchPlan, entrants: Sequence[Entrant], **rest: Any) -> Record:
        if "cursed" in plan.players:
            raise MemoryError("no room for this one")
        return really_play(plan, entrants, **rest)

    monkeypatch.setattr(workers, "play", play)
    bots = "".join(f'[[bots]]\nname = "{name}"\nspec = "random"\n' for name in ("cursed", "ann", "bob"))
    Path("ladder.toml").write_text(bots + '[[pools]]\ngame = "edo_yashiki"\nrounds = 1\n')
    code, out, err = kumite("ladder", "run", "ladder.toml", "--workers", "0", "--json")

    assert (code, out[:1]) == (2, "{"), err
    assert err.count("MemoryError: no room for this one") == len(json.loads(out)["given_up"]) == 4
    assert {entry["player"] for entry in json.loads(out)["pools"][0]["players"]} == {"ann", "bob"}


@pytest.mark.usefixtures("trouble")
def test_a_bot_that_fails_at_the_end_does_not_undo_the_match(kumite: Kumite) -> None:
    """The result stands whatever a bot does when it hears of it."""
    code, out, _ = kumite("match", "edo_yashiki", "py:trouble:Sulks", "greedy", "--json")

    assert code == 0
    assert json.loads(out)["places"] is not None


def test_a_wrong_command_line_of_the_gate_is_an_error_and_not_inconclusive(kumite: Kumite) -> None:
    """The gate's code 2 is an answer, so its usage errors have code 3."""
    codes = [
        kumite("gate", "greedy", "random")[0],
        kumite("gate", "greedy", "random", "--game", "honshu", "--max-sets", "0")[0],
        kumite("gate", "greedy", "random", "--game", "honshu", "--elo1", "inf")[0],
        kumite("gate", "greedy", "random", "--game", "honshu", "--junit", "no/such/folder.xml")[0],
    ]

    assert codes == [3, 3, 3, 3]


def test_a_seed_that_is_no_text_is_one_clear_line(kumite: Kumite) -> None:
    """Bytes of a command line that are not UTF-8 reach the program as halves of characters."""
    code, _, err = kumite("match", "edo_yashiki", "random", "random", "--seed", "\udcff")

    assert code == 2
    assert "is no text" in err


@pytest.mark.parametrize("line", [b"\xff\xfe", b'{"players": ["\\ud800", "b"], "places": [1, 2]}'])
def test_results_that_are_no_text_are_one_clear_line(kumite: Kumite, tmp_path: Path, line: bytes) -> None:
    """A binary file, or a name that could not be printed, is named with its line."""
    (tmp_path / "results.jsonl").write_bytes(line)
    code, _, err = kumite("rate", "results.jsonl")

    assert code == 2
    assert "results.jsonl, line 1" in err


@pytest.mark.parametrize("arguments", [("--name", "\udcff"), ("--name", "two words"), ("--tables", "99999999999")])
def test_what_no_referee_could_take_is_refused_before_joining(kumite: Kumite, arguments: tuple[str, ...]) -> None:
    """A name or a number that does not fit into a hello is one clear line."""
    code, _, err = kumite("join", "random", "--address", "unix:nowhere", *arguments)

    assert code == 2
    assert err.startswith("kumite: ")
    assert err.count("\n") == 1
