"""The wheel, not the checkout: it holds all data files, and the command works from it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The distribution, built from the checkout with the tools that are installed; `make wheel` installs its own."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
        timeout=300,
    )
    (path,) = folder.glob("kumite-*.whl")
    return path


def test_it_holds_every_module_and_data_file_and_nothing_else(wheel: Path) -> None:
    """All Python files of the packages, the games' data and rules; no tests, no bots of other languages."""
    expected = set()
    for package in ("kumite", "referee", "ladder", "bots"):
        for path in (ROOT / package).rglob("*"):
            inside = path.relative_to(ROOT)
            python = len(inside.parts) < 2 or inside.parts[:2] not in _other_languages()
            if (
                python
                and path.suffix in (".py", ".toml", ".json", ".typed", ".pyi")
                and "__pycache__" not in inside.parts
            ):
                expected.add(inside.as_posix())
            if path.name == "RULES.md":
                expected.add(inside.as_posix())
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert expected - found == set()
    assert {name for name in found if name.split("/")[0] not in ("kumite", "referee", "ladder", "bots")} == set()


def _other_languages() -> set[tuple[str, ...]]:
    return {("bots", path.name) for path in (ROOT / "bots").iterdir() if (path / "bot.toml").exists()}


def test_the_command_works_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Unpacked elsewhere, without the checkout: a match is played, recorded and verified."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    work = tmp_path / "work"
    work.mkdir()
    for words in (
        ["match", "edo_yashiki", "greedy", "random", "--seed", "w", "--record", "m.jsonl"],
        ["verify", "m.jsonl"],
        ["games", "--json"],
    ):
        code = "import sys, ladder.cli as cli; assert 'site' in cli.__file__; sys.exit(cli.run(sys.argv[1:]))"
        subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=work,
            env=environment,
            check=True,
            capture_output=True,
            timeout=120,
        )
