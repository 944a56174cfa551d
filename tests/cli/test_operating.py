"""The organiser's page: its commands carried out in their order, as one day."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from pathlib import Path

import pytest

from ladder.store.database import Store
from tests.certificates import certificate
from tests.forked_command import ForkedCommand

PAGE = Path(__file__).parents[2] / "docs" / "operating.md"
PATIENCE = 240.0
PACED = """
import time

from bots import Bot


class Paced(Bot):
    def decide(self, ask):
        time.sleep(0.02)
        return 0
"""
"""A bot that thinks for a while at each decision, so that matches go on all day and leave the machine to the commands.

Bots that answer at once play hundreds of matches beside the commands, and take more CPU than all commands together.
"""


def paced(script: str) -> str:
    """The commands with a bot that takes its time in place of each bundled one."""
    return re.sub(r"kumite join (greedy|random) ", "kumite join py:paced:Paced ", script)


def commands() -> str:
    """All commands of the page."""
    return "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL))


def free_port() -> int:
    """A port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.processes
def test_a_day_in_the_life_of_a_referee(tmp_path: Path) -> None:
    """Start, watch, step in, drain, upgrade, restore: every command succeeds, and what it did is there afterwards."""
    files = certificate(tmp_path)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "KUMITE_STATE": str(tmp_path / "state"),
        "PYTHONPATH": str(PAGE.parents[1]),
    }
    (tmp_path / "paced.py").write_text(PACED)
    script = f"trap 'kill $(jobs -p) 2> /dev/null' EXIT\n{paced(commands()).replace('7400', str(free_port()))}"
    with ForkedCommand(tmp_path / "bin"), (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            ["bash", "-eu", "-o", "pipefail", "-c", script],
            cwd=tmp_path,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
        )
    said = (tmp_path / "out").read_text()
    assert done.returncode == 0, said[-3000:]
    assert files.chain.exists()
    with Store(tmp_path / "cup.sqlite") as store:
        acts = [act.action for act in reversed(store.acts(100))]
        voided = store._connection.execute("select count(*) from matches where ruling = 'again'").fetchone()[0]
    assert acts == [
        *("kick", "ban", "unban", "close", "open", "pause", "resume"),
        *("void", "requeue", "hide", "unhide", "drain", "drain"),
    ]
    assert voided == 1
    assert "phoenix" in said
    with Store(tmp_path / "restored" / "cup.sqlite") as store:
        assert [act.action for act in store.acts(1)] == ["drain"]


def test_the_page_shows_every_command_of_the_organiser() -> None:
    """What `kumite admin` can do stands there, `abort` in words: whether a match is running depends on the moment."""
    from ladder.cli.admin import app

    shown = set(re.findall(r"kumite admin (\w+)", commands())) | {"abort"}

    assert shown == {command.name for command in app.registered_commands}
