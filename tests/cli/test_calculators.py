"""`kumite rate` and `kumite sprt`: what they read, what they print, and that JSON says all that the text does."""

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


GAMES = [(("a", "b"), (1, 2)), (("b", "a"), (1, 2)), (("a", "c", "b"), (1, 2, 2)), (("c", "a"), (1, 1))] * 5


def as_json_lines() -> str:
    """The games as JSON lines."""
    return "".join(json.dumps({"players": players, "places": places}) + "\n" for players, places in GAMES)


def as_wide_csv() -> str:
    """The games as CSV with a column for each seat's player and place."""
    lines = ["player1,player2,player3,place1,place2,place3,group"]
    for players, places in GAMES:
        cells = [*players, *[""] * (3 - len(players)), *map(str, places), *[""] * (3 - len(places)), ""]
        lines.append(",".join(cells))
    return "\r\n".join(lines)


def as_narrow_csv() -> str:
    """The games as CSV with lists of players and places."""
    return "Places,Players\n" + "\n".join(
        f"{';'.join(map(str, places))},{'|'.join(players)}" for players, places in GAMES
    )


def test_rate_reads_json_lines_and_both_forms_of_csv(kumite: Kumite) -> None:
    """The same games in three files have the same ratings."""
    Path("a.jsonl").write_text(as_json_lines())
    Path("b.csv").write_text(as_wide_csv())
    Path("c.csv").write_text(as_narrow_csv())
    answers = [kumite("rate", name, "--json") for name in ("a.jsonl", "b.csv", "c.csv")]

    assert [code for code, _, _ in answers] == [0, 0, 0]
    assert answers[0][1] == answers[1][1] == answers[2][1]


def test_csv_without_a_name_that_says_so_is_known_by_its_header(kumite: Kumite) -> None:
    """A file without a suffix is read by its first line."""
    Path("results").write_text("\n" + as_narrow_csv())

    assert kumite("rate", "results")[0] == 0


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("player1,player2,place1,place2\na,b,1,2\na,b,1,x\n", 3, "'x' is no whole number"),
        ("player1,player2,place1,place2\na,b,1,2\na,b,1\n", 3, "3 cells where the header has 4"),
        ("player1,player2,place1,place2\na,b,1,3\n", 2, "1, 2, 2, 4"),
        ("player1,player2,place1,place2\na,b,1,2\n\na,,1,2\n", 4, "without a player"),
        ("player1,player2,place1\na,b,1\n", 1, "player1,player2,place1,place2"),
        ("white,black,result\na,b,1-0\n", 1, "unknown column 'white'"),
        ("players,places\na;b,1\n", 2, "as many places"),
        ('player1,player2,place1,place2\na,"b"c,1,2\n', 2, "expected after"),
        ("player1,player2,place1,place2\na,\xff,1,2\n", 2, "UTF-8"),
    ],
)
def test_a_mistake_in_csv_is_named_by_its_line(kumite: Kumite, text: str, line: int, words: str) -> None:
    """One line that names the file, the line and what is wrong or would be right."""
    Path("results.csv").write_bytes(text.encode("latin-1"))
    code, out, err = kumite("rate", "results.csv")

    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert f"results.csv, line {line}: " in err
    assert words in err


def test_an_empty_csv_has_no_games(kumite: Kumite) -> None:
    """A header alone is no result."""
    Path("results.csv").write_text("player1,player2,place1,place2\n")
    code, _, err = kumite("rate", "results.csv")

    assert code == 2
    assert "no games" in err


def test_an_unbeaten_bot_is_rated_at_least(kumite: Kumite) -> None:
    """A perfect record has a lower end and no number; ranks that are not sure are ranges; JSON says the same."""
    even = [("b", "c", 1, 2), ("c", "b", 2, 1), ("b", "c", 2, 1), ("c", "b", 1, 2)]
    games = [{"players": [x, y], "places": [p, q], "group": f"{n}/{p}{x}"} for n in range(15) for x, y, p, q in even]
    games += [{"players": ["a", other], "places": [1, 2], "group": f"a{n}{other}"} for n in range(10) for other in "bc"]
    games += [{"players": [other, "a"], "places": [2, 1], "group": f"a{n}{other}"} for n in range(10) for other in "bc"]
    Path("results.jsonl").write_text("\n".join(map(json.dumps, games)))
    code, out, _ = kumite("rate", "results.jsonl")
    found = {player["name"]: player for player in json.loads(kumite("rate", "results.jsonl", "--json")[1])["players"]}

    assert code == 0
    assert f"at least {found['a']['low']:.0f}" in out
    assert "2-3" in out
    assert (found["a"]["ends"], found["a"]["high"], found["a"]["rank"]) == ("at least", None, 1)
    assert found["a"]["low"] > 1700.0
    assert (found["b"]["ends"], found["b"]["rank"], found["b"]["rank_worst"]) == ("two-sided", 2, 3)


def test_islands_are_printed_apart(kumite: Kumite) -> None:
    """Two pairs that never met have two tables, and no chance of superiority across."""
    games = [
        {"players": [*pair], "places": places} for pair in ("ab", "cd") for places in ((1, 2), (2, 1)) for _ in range(9)
    ]
    Path("results.jsonl").write_text("\n".join(map(json.dumps, games)))
    _, out, _ = kumite("rate", "results.jsonl")
    answer = json.loads(kumite("rate", "results.jsonl", "--json")[1])

    assert "island 1 of 2" in out
    assert "island 2 of 2" in out
    assert "not comparable" in out
    assert answer["islands"] == [["a", "b"], ["c", "d"]]
    assert answer["superiority"]["a"]["c"] is None
    assert answer["superiority"]["a"]["b"] == pytest.approx(0.5)


def test_sprt_prints_the_estimate_after_a_stop_in_both_units(kumite: Kumite) -> None:
    """fishtest's median-unbiased estimate of the example, in text and in JSON."""
    counts = ("sprt", "--counts", "1,4,9,21,13", "--elo0", "0", "--elo1", "30")
    _, out, _ = kumite(*counts)
    answer = json.loads(kumite(*counts, "--json")[1])

    assert "154.27 [84.94, 237.54]" in out
    assert answer["unbiased"] == pytest.approx({"elo": 154.27, "low": 84.94, "high": 237.54}, abs=0.01)
    assert answer["unbiased_nelo"]["nelo"] == pytest.approx(209.3, abs=0.1)
    for key in answer:
        assert key in out


def test_sprt_of_more_seats_tells_what_the_gate_would_say(kumite: Kumite) -> None:
    """Nine sets of five seats, all clearly won: the gate decides, and at two seats the exact ratio is all there is."""
    counts = ["0"] * 41
    counts[30], counts[32], counts[35] = "4", "3", "2"
    line = ["sprt", "--counts", ",".join(counts), "--seats", "5", "--elo0", "0", "--elo1", "60", "--model", "logistic"]
    answer = json.loads(kumite(*line, "--json")[1])
    pairs = json.loads(kumite("sprt", "--counts", "1,4,9,21,13", "--elo0", "0", "--elo1", "30", "--json")[1])

    assert answer["gate_verdict"] == "H1"
    assert answer["gate_llr"] >= answer["upper"]
    assert "gate_llr" not in pairs
    assert "gate_llr" in kumite(*line)[1]
