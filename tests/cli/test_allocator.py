"""A referee runs on the C library's allocator; what it starts, and every other command, on Python's own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ladder.cli import allocator

pytestmark = pytest.mark.processes

PATIENCE = 60.0
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and is for glibc")


def environment(process: int) -> dict[str, str]:
    """The environment with which a process was started."""
    pairs = Path(f"/proc/{process}/environ").read_bytes().decode().split("\0")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


@LINUX
def test_serve_starts_once_more_in_the_same_process(tmp_path: Path) -> None:
    """With the same arguments, and it can be ended as before; the mark is for the second start alone."""
    clean = {name: value for name, value in os.environ.items() if name != allocator.VARIABLE}
    clean["PYTHONPATH"] = str(Path(__file__).parents[2])
    command = [sys.executable, "-m", "ladder", "serve", "--bind", f"unix:{tmp_path / 'r.sock'}"]
    with subprocess.Popen(command, cwd=tmp_path, env=clean, stderr=subprocess.PIPE, text=True) as referee:
        assert referee.stderr is not None
        while "referee at" not in (line := referee.stderr.readline()):
            assert line, "it ended"
        started = environment(referee.pid)
        referee.terminate()
        deadline = time.monotonic() + PATIENCE
        while referee.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)

    assert (started[allocator.VARIABLE], started[allocator.MARK]) == ("malloc", "1")
    assert referee.returncode == 0


@pytest.mark.parametrize("words", [["match", "honshu"], [], ["--version"], ["ladder", "run", "serve"]])
def test_no_other_command_starts_again(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """They go on as they are."""
    monkeypatch.delenv(allocator.VARIABLE, raising=False)
    monkeypatch.setattr(os, "execve", lambda *call: pytest.fail(f"started {call}"))
    allocator.choose(words)


def test_a_choice_of_the_user_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """PYTHONMALLOC is left as it is."""
    monkeypatch.setenv(allocator.VARIABLE, "pymalloc")
    monkeypatch.setattr(os, "execve", lambda *call: pytest.fail(f"started {call}"))
    allocator.choose(["serve"])

    assert os.environ[allocator.VARIABLE] == "pymalloc"


def test_the_second_start_leaves_nothing_to_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the mark nor the allocator."""
    monkeypatch.setenv(allocator.VARIABLE, "malloc")
    monkeypatch.setenv(allocator.MARK, "1")
    allocator.choose(["serve"])

    assert allocator.VARIABLE not in os.environ
    assert allocator.MARK not in os.environ
