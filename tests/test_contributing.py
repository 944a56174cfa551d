"""CONTRIBUTING's way to a new game passes every table of the code that has one line for each game."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import referee.games
from bots.bundled.greedy import POLICIES
from bots.bundled.ismcts.guide import GUIDES
from bots.clock import PACE
from referee.codec.decoding import DECODERS
from referee.codec.encoding import ENCODERS
from referee.kernel import registry
from referee.v1 import play_pb2 as pb
from tests.conformance.journey import Plan, travel
from tests.conformance.laws import LAWS
from tests.conformance.tables import tables_in

ROOT = Path(__file__).parent.parent
STEPS = (
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Add a game in eleven steps")[1].split("\n## ")[0]
)
TABLES: dict[str, Mapping[str, object]] = {
    "POLICIES": POLICIES,
    "GUIDES": GUIDES,
    "PACE": PACE,
    "DECODERS": DECODERS,
    "ENCODERS": ENCODERS,
}


def test_every_slow_test_is_listed_with_its_reason() -> None:
    """The section names the modules that have slow tests, or their folder, and no others."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## What the quick suite leaves to make soak")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    listed = {name for row in rows for name in re.findall(r"`(tests/[\w/.]+)`", row)}
    slow = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__) and "pytest.mark.slow" in path.read_text(encoding="utf-8")
    }
    folders = {"tests/languages"}

    assert listed - folders == {path for path in slow if path.rpartition("/")[0] not in folders}


@pytest.mark.parametrize("name", TABLES)
def test_the_steps_name_every_table_of_games(name: str) -> None:
    """The table has a line for each game, and the steps say so."""
    assert set(registry.names()) == set(TABLES[name])
    assert f"`{name}`" in STEPS


@pytest.mark.parametrize(("message", "oneof"), [(pb.Ask, "game"), (pb.GameInfo, "components")])
def test_the_steps_name_every_field_of_games(message: type[pb.Ask] | type[pb.GameInfo], oneof: str) -> None:
    """The message has a field for each game, and the steps say where."""
    fields = {field.name for field in message.DESCRIPTOR.oneofs_by_name[oneof].fields}

    assert fields == set(registry.names())
    assert f"`oneof {oneof}` of `{message.DESCRIPTOR.name}`" in STEPS


def test_the_eleven_steps_are_eleven() -> None:
    """They are numbered through."""
    assert [f"{number}." for number in range(1, 12)] == [
        line.split()[0] for line in STEPS.splitlines() if line[:1].isdigit()
    ]


def test_a_copy_of_the_template_is_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Step 1 as it is written gives a game of its own name that keeps every law."""
    shutil.copytree(ROOT / "referee" / "games" / "_template", tmp_path / "new_game")
    for path in tmp_path.glob("new_game/*.*"):
        text = path.read_text(encoding="utf-8").replace("_template", "new_game")
        path.write_text(text.replace('name="template"', 'name="new_game"'), encoding="utf-8")
    monkeypatch.setattr(referee.games, "__path__", [*referee.games.__path__, str(tmp_path)])
    try:
        tables = tables_in("referee.games.new_game")
        for law in LAWS.values():
            law(travel(tables[0], Plan(seed=1)))
    finally:
        for module in [name for name in sys.modules if name.startswith("referee.games.new_game")]:
            del sys.modules[module]

    assert {table.game.name for table in tables} == {"new_game"}
    assert "Copy `referee/games/_template` to" in STEPS
