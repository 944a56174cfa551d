"""The wheel, not the checkout: it holds all data files, and the command works from it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ladder.cli import new

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
    """All Python files of the packages, the games' data and rules; no tests."""
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


def test_it_holds_the_projects_of_other_languages_and_the_protocol(wheel: Path) -> None:
    """What `kumite new` and `kumite proto` write: every file of the folders that was not built there."""
    expected = {f"referee/v1/proto/{path}" for _, path in new.proto_files()}
    for _, language in _other_languages():
        folder = ROOT / "bots" / language
        built = {line.strip("/") for line in (folder / ".gitignore").read_text(encoding="utf-8").split()}
        expected |= {
            path.relative_to(ROOT).as_posix()
            for path in folder.rglob("*")
            if path.is_file() and path.relative_to(folder).parts[0] not in built
        }
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    folders = ("referee/v1/proto/", *(f"bots/{language}/" for _, language in _other_languages()))

    assert len(_other_languages()) == 5
    assert {name for name in names if name.startswith(folders)} == expected


def _other_languages() -> set[tuple[str, ...]]:
    return {("bots", path.parent.name) for path in (ROOT / "bots").glob("*/.gitignore")}


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
        ["games", "honshu", "--decisions"],
        ["new", "python", "mine"],
        ["new", "go", "gopher"],
        ["proto", "wire"],
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
    assert (work / "gopher" / "proto" / "referee" / "v1" / "play.proto").read_bytes() == (
        work / "wire" / "referee" / "v1" / "play.proto"
    ).read_bytes()
    mine = work / "mine"
    for words in (["pytest", "-q", "-p", "no:cacheprovider"], ["mypy", "mybot.py", "test_mybot.py"]):
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=mine,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_pages_are_served_and_published_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Templates, styles, scripts, the viewer and its scenes are in the wheel: every page draws, and files are whole."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    work = tmp_path / "work"
    work.mkdir()
    games = "".join(f'[[pools]]\ngame = "{name}"\nrounds = 1\n' for name in ("edo_yashiki", "honshu"))
    bots = '[[bots]]\nspec = "greedy"\n[[bots]]\nspec = "random"\n'
    (work / "ladder.toml").write_text(f'season = "wheel"\n{bots}{games}')
    drawn = """
import sys, asyncio
from pathlib import Path
import ladder.web.site as site
assert "site-packages" not in site.__file__ and "/site/" in site.__file__
from starlette.testclient import TestClient
from ladder.web.app import application
from ladder.web.reading.library import Library
client = TestClient(application(site.Site(Library(Path(sys.argv[1])))))
for address in ("/", "/pools", "/matches", "/bots", "/games", "/games/ninjato", "/events", "/status", "/index.json"):
    assert client.get(address).status_code == 200, address
for name in site.static_files():
    assert client.get(f"/static/{name}").status_code == 200, name
print(*sorted(name.partition(".")[0] for name in site.static_files()))
"""
    code = "import sys, ladder.cli as cli; assert '/site/' in cli.__file__; sys.exit(cli.run(sys.argv[1:]))"
    steps = (
        [code, "ladder", "run", "ladder.toml", "--workers", "0", "--seed", "w"],
        [code, "publish", "ladder.sqlite", "files"],
        [drawn, "ladder.sqlite"],
    )
    for step in steps:
        told = subprocess.run(
            [sys.executable, "-c", *step], cwd=work, env=environment, capture_output=True, text=True, timeout=300
        )
        assert told.returncode == 0, told.stderr

    assert {"style", "theme", "live", "viewer", "scene-honshu", "scene-ninjato"} <= set(told.stdout.split())
    assert (work / "files" / "index.html").is_file()
    assert len(list((work / "files" / "matches").glob("*.html"))) >= 4
    for page in (work / "files").rglob("*.html"):
        for asset in re.findall(r'(?:src|href)="([^"]*static/[^"#]+)"', page.read_text(encoding="utf-8")):
            assert (page.parent / asset).is_file(), (page, asset)
