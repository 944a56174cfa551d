"""The compiled build: what is compiled exists, and it plays the same matches as the interpreted one."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parent.parent
PLAY = """
import hashlib
from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.match import match
from referee.match.inprocess import play_on
from referee.match.plan import MatchPlan

print(match.__file__.rpartition(".")[2])
for name in registry.names():
    game = registry.game(name)
    for seats in game.seats:
        ticks = iter(range(1_000_000))
        secret = secret_from_seed(f"{name} {seats}")
        plan = MatchPlan(game.name, tuple(f"bot {seat}" for seat in range(seats)), f"{seats:032x}", secret)
        bots = [lambda asked, seat=seat: asked.ask * (7 + seat) % len(asked.options) for seat in range(seats)]
        record = play_on(match.Match(game, plan), bots, now=lambda: next(ticks))
        print(name, seats, len(record.steps), hashlib.sha256(b"".join(record.lines())).hexdigest())
"""


def test_every_module_to_be_compiled_exists() -> None:
    """A module that is renamed is renamed there, too."""
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    (core,) = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and [target.id for target in node.targets if isinstance(target, ast.Name)] == ["CORE"]
    ]

    assert len(core) > 10
    assert [path for path in core if not (ROOT / path).is_file()] == []


def played(site: Path) -> list[str]:
    """What a build prints about a match of each game at each seat count."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", PLAY], cwd=site, env=environment, check=True, capture_output=True, text=True, timeout=300
    )
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_compiled_build_plays_the_same_matches(tmp_path: Path) -> None:
    """Built with a real compiler, unpacked elsewhere: every record has the same bytes."""
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)],
        env={**os.environ, "KUMITE_COMPILE": "1"},
        check=True,
        capture_output=True,
        timeout=1200,
    )
    (wheel,) = tmp_path.glob("kumite-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")

    build, *compiled = played(tmp_path / "site")
    other, *interpreted = played(ROOT)

    assert (build, other) == ("so", "py")
    assert compiled == interpreted
    assert len(interpreted) >= 15
