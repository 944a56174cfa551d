"""`kumite replay MATCH --ask N --bot SPEC`: a bot is asked again in a recorded situation."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import bots
from ladder.cli import run
from referee.match.files import read

Kumite = Callable[..., tuple[int, str, str]]
RECORD = "m.jsonl"
BOTS = '''
from kumite import Bot


class Told(Bot):
    """Says in its note all that it knows of the ask."""

    def seated(self, table):
        self.heard = 0
        self.players = table.players

    def told(self, events):
        self.heard += len(events)

    def decide(self, ask):
        ask.note(f"{ask.number} {ask.kind} {ask.count} {ask.seat} {self.heard} {ask.clock.left} {self.players}")
        return ask.options[-1]


class Bundle(Bot):
    def decide_many(self, asks):
        return [0 for ask in asks]


class Broken(Bot):
    def decide(self, ask):
        raise RuntimeError("no idea")


class Deaf(Bot):
    def told(self, events):
        raise ValueError("too loud")
'''


@pytest.fixture
def kumite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in a folder with bots and the record of a match; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "again.py").write_text(BOTS)
    assert (
        run(["match", "edo_yashiki", "greedy", "random", "--seed", "s", "--clock", "10s+100ms", "--record", RECORD])
        == 0
    )
    capsys.readouterr()

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    for module in ("again", "mybots"):  # those of other folders are forgotten, and these afterwards
        monkeypatch.setitem(sys.modules, module, ModuleType(module))
        del sys.modules[module]
    return command


def test_a_bot_without_luck_answers_as_it_did(kumite: Kumite) -> None:
    """Every ask of the seat, with the recorded option in the same words."""
    asks = list(read(Path(RECORD)).moments(0))
    for moment in asks[::3]:
        code, out, _ = kumite("replay", RECORD, "--ask", str(moment.number), "--seat", "0", "--bot", "greedy")
        head, _, recorded, answered = out.splitlines()

        assert code == 0
        assert head.startswith(f"ask {moment.number} of seat 1 (greedy), answered in step {moment.step}: {moment.kind}")
        assert answered == f"  greedy: {recorded.removeprefix('  recorded: ')}; the same answer"


def test_the_bot_knows_what_the_seat_knew_and_explains_itself(kumite: Kumite) -> None:
    """Hooks, events, the clock of the record; without --seat every seat's ask of that number is put."""
    record = read(Path(RECORD))
    code, out, _ = kumite("replay", RECORD, "--ask", "4", "--bot", "py:again:Told", "--explain")

    assert code == 0
    notes = re.findall(r"^    note: (.*)$", out, re.MULTILINE)
    for seat, note in enumerate(notes):
        before = [moment for moment in record.moments(seat) if moment.number <= 4]
        last = before[-1]
        heard = sum(len(moment.events) for moment in before)
        assert last.left is not None
        assert last.spent is not None
        left = (last.left + last.spent) * 1e-6
        count = len(last.options)
        assert note == f"4 {last.kind} {count} {seat} {heard} {left} ('greedy', 'random')"
        assert f"py:again:Told: option {count - 1} of {count}: " in out
    assert len(notes) == 2
    assert out.count("    in 0.") == 4


def test_a_bot_that_raises_is_one_line_and_a_trace_for_its_author(kumite: Kumite) -> None:
    """The code is 1, and the line names the place."""
    code, out, err = kumite("replay", RECORD, "--ask", "2", "--seat", "1", "--bot", "py:again:Broken")

    assert code == 1
    assert "  py:again:Broken: RuntimeError: no idea (again.py:27)" in out.splitlines()
    assert 'raise RuntimeError("no idea")' in err


def test_a_bot_that_raises_at_events_does_not_decide(kumite: Kumite) -> None:
    """The same line and code as where it decides."""
    code, out, _ = kumite("replay", RECORD, "--ask", "5", "--seat", "1", "--bot", "py:again:Deaf")

    assert code == 1
    assert out == "  py:again:Deaf: ValueError: too loud (again.py:32)\n"


@pytest.mark.parametrize(("bot", "code"), [("Told", 0), ("Bundle", 0)])
def test_the_debugger_stops_where_the_bot_decides(
    bot: str, code: int, kumite: Kumite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first line of its method, with the ask at hand; then the bot goes on."""
    monkeypatch.setattr("sys.stdin", io.StringIO("p 'in hand', (ask if 'ask' in dir() else asks[0]).number\nc\n"))
    found, out, _ = kumite("replay", RECORD, "--ask", "3", "--seat", "0", "--bot", f"py:again:{bot}", "--breakpoint")

    assert found == code
    assert "again.py" in out
    assert "('in hand', 3)" in out
    assert f"py:again:{bot}: option" in out


def test_who_leaves_the_debugger_gets_one_line(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """No trace, and code 1."""
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    code, out, err = kumite("replay", RECORD, "--ask", "3", "--seat", "0", "--bot", "py:again:Told", "--breakpoint")

    assert (code, err) == (1, "")
    assert out.endswith("no answer: the debugger was left, or the bot returned None\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--ask", "999", "--bot", "greedy"), "--ask 999: asks are counted from 1 for each seat, and this match has: "),
        (("--ask", "3"), "--ask N and --bot SPEC belong together"),
        (("--bot", "greedy"), "--ask N and --bot SPEC belong together"),
        (("--explain",), "--ask N and --bot SPEC belong together"),
        (("--ask", "3", "--bot", "greedy", "--step", "3"), "of the other options only --seat fits"),
        (("--ask", "3", "--bot", "greedy", "--json"), "of the other options only --seat fits"),
        (("--ask", "3", "--bot", "greedy", "--seat", "2"), "--seat 2: the seats of this match are 0 to 1"),
        (("--ask", "3", "--bot", "py:again:Nobody"), "Nobody"),
    ],
)
def test_what_does_not_fit_is_refused_with_one_line(options: tuple[str, ...], words: str, kumite: Kumite) -> None:
    """That says what would fit."""
    code, out, err = kumite("replay", RECORD, *options)

    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err


def test_the_manual_of_the_kit_shows_it(kumite: Kumite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands and the program of its chapter run in a folder with the manual's bot and a record."""
    manual = Path(bots.__file__).with_name("README.md").read_text(encoding="utf-8")
    chapter = manual.partition("\n## After a match\n")[2].partition("\n## ")[0]
    (builder,) = re.findall(r"```python\n(from kumite import Bot\n[^`]*class Builder.*?)```", manual, re.DOTALL)
    (tmp_path / "mybots.py").write_text(builder)
    (shell,) = re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL)
    (program,) = re.findall(r"```python\n(.*?)```", chapter, re.DOTALL)

    lines = shell.splitlines()
    assert [kumite(*shlex.split(line)[1:])[0] for line in lines] == [0] * len(lines)
    exec(program, {})
    told = capsys.readouterr().out.splitlines()
    asked = [moment for moment in read(tmp_path / "m.jsonl").moments(0) if moment.kind == "place_card"]
    assert len(told) == len(asked) > 5
    assert told[0].startswith(f"ask {asked[0].number}, {len(asked[0].options)} options: ")
