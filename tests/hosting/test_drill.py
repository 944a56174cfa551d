"""The drill bot, hosted for real: whatever it tries it is denied, its match goes on, and nothing of it is left."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bots.drill
from bots.drill.attempts import ATTEMPTS
from ladder.arena.sandbox_drill import run_drill
from tests.hosting import walled

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def drilled() -> dict[str, tuple[bool, str]]:
    """What became of each attempt, in one match."""
    walled.needed()
    return {name: (denied, how) for name, denied, how in run_drill()}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_to_break_out_is_denied(drilled: dict[str, tuple[bool, str]], name: str) -> None:
    """The bot tried it, got nothing, and played its match to the end without a fault."""
    denied, how = drilled[name]

    assert denied, how


def test_a_child_that_left_its_session_ends_with_the_match(drilled: dict[str, tuple[bool, str]]) -> None:
    """The drill leaves one behind; the match is over."""
    assert "child_that_stays" in drilled
    assert walled.running("kumite-drill-child") == []


def test_the_drill_is_hosted_by_kumite_match(tmp_path: Path) -> None:
    """As any folder: the command line gives it the walls, and the record is that of a good match."""
    walled.needed()
    folder = tmp_path / "drill"
    shutil.copytree(Path(bots.drill.__path__[0]), folder)
    (folder / "targets.json").write_text(json.dumps({"files": [str(tmp_path / "other")], "host": os.getpid()}))
    (tmp_path / "other").write_text("another bot's")
    command = [sys.executable, "-m", "ladder", "match", "honshu", str(folder), "random", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)

    assert done.returncode == 0, done.stderr
    assert "forfeited" not in done.stdout
    assert walled.running("kumite-drill-child") == []
