"""The example of a value model: its commands run as its page shows them, and the bot that comes out beats `random`."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from ladder.cli import run
from ladder.exchange.tables import views_of
from referee.match.files import read

pytestmark = pytest.mark.processes

EXAMPLE = Path(__file__).parents[2] / "examples" / "value_model"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example, with a smaller season."""
    shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("*.sqlite*", "__pycache__"))
    monkeypatch.chdir(tmp_path / "example")
    monkeypatch.syspath_prepend(tmp_path / "example")
    ladder = Path("ladder.toml").read_text().replace("rounds = 40", "rounds = 12")
    Path("ladder.toml").write_text(ladder)
    return tmp_path / "example"


def test_the_commands_of_the_page_train_a_bot_that_beats_random(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A season, an export, a fit, and twenty games: the lead counts for the seat, and the bot wins nearly all."""
    block = re.search(r"```sh\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    out = ""
    for words in map(shlex.split, block[1].splitlines()):
        capsys.readouterr()
        if words[0] == "kumite":
            assert run(words[1:]) == 0
        else:
            monkeypatch.setattr(sys, "argv", words[1:])
            runpy.run_path(words[1], run_name="__main__")
        out += capsys.readouterr().out
    weights = json.loads(Path("model.json").read_text())
    told = re.search(r"explains (\d+)% of the variance", out)
    row = re.search(r"^py:value_model:Valued +20 +(\d+)", out, re.MULTILINE)

    assert told is not None
    assert int(told[1]) > 30
    assert weights["ahead"] > 0
    assert row is not None
    assert int(row[1]) >= 16


def test_a_played_view_has_the_inputs_of_its_exported_row(folder: Path) -> None:
    """Training and play compute the same from the same moment."""
    assert run(["match", "edo_yashiki", "greedy", "random", "greedy", "--seed", "1", "--record", "m.jsonl"]) == 0
    program = runpy.run_path(str(folder / "value_model.py"))
    record = read(Path("m.jsonl"))
    written = views_of(record.header)
    bot = program["Valued"].__new__(program["Valued"])
    for number in range(len(program["NAMES"])):
        bot.weights = [float(number == index) for index in range(len(program["NAMES"]))]
        for moment in record.moments():
            row = program["of_row"](json.loads(json.dumps(written(moment.view))), moment.seat)
            assert bot.value(moment.view, moment.seat) == row[number]
