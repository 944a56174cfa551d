"""What the tests of the walls share: bots in folders, and when walls may be missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from referee.hosting import walls
from referee.hosting.manifest import Manifest, read


@cache
def bubblewrap_works() -> bool:
    """Whether this machine lets bubblewrap make namespaces at all."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    tried = subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True)
    return tried.returncode == 0


def needed() -> None:
    """Skip a test where there can be no walls; fail it where bubblewrap works and the walls do not."""
    missing = walls.missing() if sys.platform == "linux" else "no Linux"
    if missing and bubblewrap_works():
        pytest.fail(f"bubblewrap works here, and the walls do not: {missing}", pytrace=False)
    if missing:
        pytest.skip(missing)


def bot(folder: Path, script: str, limits: str = "", name: str = "bot") -> Manifest:
    """A bot in a folder of its own below this one: a program in Python."""
    own = folder / name
    own.mkdir()
    (own / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "bot.py"]\n[limits]\n{limits}\n')
    (own / "bot.py").write_text(script)
    return read(own)


def shell(folder: Path, script: str, limits: str = "") -> Manifest:
    """A bot in a folder of its own below this one: a script for the shell."""
    own = folder / "bot"
    own.mkdir()
    (own / "bot.toml").write_text(f'command = ["sh", "bot.sh"]\n[limits]\n{limits}\n')
    (own / "bot.sh").write_text(script)
    return read(own)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def running(word: str) -> list[int]:
    """The processes with a word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes() and alive(int(path.parent.name)):
                found.append(int(path.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found
