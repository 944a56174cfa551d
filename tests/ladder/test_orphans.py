"""No process outlives the season that started it, also if that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
GONE_WITHIN = 5.0
"""Seconds: workers look every second, bots are asked and a second later made to end; the rest is for a busy machine."""

LADDER = """
season = "test"
[[bots]]
name = "first"
spec = "py:sleeper:Sleeper"
[[bots]]
name = "second"
spec = "py:sleeper:Sleeper"
[[pools]]
game = "edo_yashiki"
rounds = 10
"""
SLEEPER = """
import os
import time
from pathlib import Path
from bots import Bot


class Sleeper(Bot):
    def decide(self, ask):
        Path(f"asleep-{os.getpid()}").touch()
        time.sleep(600)
        return 0
"""
OPEN = """
season = "test"
[[bots]]
spec = "greedy"
[[bots]]
name = "folder"
spec = "./folder"
[[pools]]
game = "edo_yashiki"
pairing = "open"
clock = "30s"
"""

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"),
]


def family(process: int) -> dict[int, str]:
    """All that a process has started, and what that has started: process id to command line."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found: dict[int, str] = {}
    new = {process}
    while new:
        new = {child for child, parent in parents.items() if parent in new and child not in found}
        found.update({child: command(child) for child in new})
    return found


def command(process: int) -> str:
    """The command line of a process; empty: it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return ""


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether something comes true within so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Runs `kumite` in a folder; what is left of it is killed at the end."""
    started: list[subprocess.Popen[bytes]] = []

    def run(*words: str) -> subprocess.Popen[bytes]:
        path = f"{tmp_path}{os.pathsep}{ROOT}"
        environment = {**os.environ, "PYTHONPATH": path, "KUMITE_STATE": str(tmp_path)}
        with (tmp_path / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "ladder", *words], cwd=tmp_path, env=environment, stdout=log, stderr=log
            )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait(30)


def killed(process: subprocess.Popen[bytes], enough: Callable[[dict[int, str]], bool], log: Path) -> dict[int, str]:
    """Kill a process when it has started enough others; returns those of them that stay."""
    assert until(lambda: enough(family(process.pid))), log.read_text()
    children = family(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    until(lambda: not any(command(child) == line for child, line in children.items() if line), GONE_WITHIN)
    left = {child: line for child, line in children.items() if line and command(child) == line}
    for child in left:
        os.kill(child, signal.SIGKILL)
    return left


def test_workers_end_with_a_season_that_is_killed(
    start: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    """`kill -9` of `kumite ladder run` leaves no worker behind, also none that is busy with a match."""
    (tmp_path / "ladder.toml").write_text(LADDER)
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    process = start("ladder", "run", "ladder.toml", "--workers", "3")

    def playing(children: dict[int, str]) -> bool:
        return len([*tmp_path.glob("asleep-*")]) == 3

    assert killed(process, playing, tmp_path / "log") == {}


def test_bots_end_with_a_referee_that_is_killed(start: Callable[..., subprocess.Popen[bytes]], tmp_path: Path) -> None:
    """House bots, which would dial for a quarter of an hour, and a folder's bot that does not care about anything."""
    (tmp_path / "ladder.toml").write_text(OPEN)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "stubborn.py").write_text(
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)\n"
    )
    (tmp_path / "folder" / "bot.toml").write_text(f'command = ["{sys.executable}", "stubborn.py"]\n')
    process = start("serve", "ladder.toml", "--bind", f"unix:{tmp_path / 'r'}")

    def running(children: dict[int, str]) -> bool:
        lines = children.values()
        return any("ladder join" in line for line in lines) and any("stubborn.py" in line for line in lines)

    assert killed(process, running, tmp_path / "log") == {}
