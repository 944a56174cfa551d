"""A small ladder in a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ladder.cli import run
from tests.ladder import exchanging

LADDER = """
season = "test"

[[bots]]
spec = "greedy"

[[bots]]
name = "first"
spec = "random:seed=1"

[[bots]]
name = "second"
spec = "random:seed=2"

[[pools]]
game = "edo_yashiki"
rounds = 4

[[pools]]
game = "edo_yashiki"
seats = 3
pairing = "matchmaking"
sets = 6
floor = 2
"""


@pytest.fixture
def ladder_file(tmp_path: Path) -> Path:
    """A ladder of three bots in two pools: 24 + 18 matches."""
    path = tmp_path / "ladder.toml"
    path.write_text(LADDER)
    return path


@pytest.fixture(scope="session")
def two_referees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the databases of two referees and what was exported from them."""
    folder = tmp_path_factory.mktemp("referees")
    for name in ("north", "south"):
        (folder / f"{name}.toml").write_text(exchanging.LADDER.format(name=name))
        assert run(["ladder", "run", str(folder / f"{name}.toml"), "--workers", "0"]) == 0
        assert run(["export", str(folder / f"{name}.sqlite"), "--out", str(folder / f"{name}.jsonl")]) == 0
    return folder


@pytest.fixture
def at_referees(
    two_referees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> exchanging.Kumite:
    """Runs a command line in a copy of that folder; returns exit code, output and errors."""
    shutil.copytree(two_referees, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    capsys.readouterr()

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command
