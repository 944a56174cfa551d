"""`kumite doctor`: what it says of this machine, and its exit code."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from ladder.cli import run
from referee.hosting import doctor, walls
from tests.hosting import walled

pytestmark = pytest.mark.processes


def test_the_doctor_tries_every_wall(capsys: pytest.CaptureFixture[str]) -> None:
    """Everything that is required stands here, and each line says what was seen."""
    walled.needed()
    code = run(["doctor", "--json"])
    told = json.loads(capsys.readouterr().out)

    assert code == 0
    assert told["sound"] is True
    assert {"bubblewrap", "namespaces", "seccomp", "files", "user", "cost"} <= {wall["name"] for wall in told["walls"]}
    assert all(wall["works"] for wall in told["walls"] if wall["required"])


def test_without_bubblewrap_the_doctor_says_what_installs_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, the remedy, and exit code 1."""
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None if name == "bwrap" else f"/usr/bin/{name}")
    walls.tools.cache_clear()
    walls.version.cache_clear()
    try:
        code = run(["doctor"])
    finally:
        walls.tools.cache_clear()
        walls.version.cache_clear()
    told = capsys.readouterr().out

    assert code == 1
    assert "bwrap is not installed" in told
    assert "install -y bubblewrap" in told
    assert "--trust" in told


def test_on_another_system_hosting_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Referee and ladder run there; bots of folders are hosted on Linux."""
    monkeypatch.setattr(sys, "platform", "darwin")
    (wall,) = doctor.examine()

    assert not wall.works
    assert "needs Linux" in wall.found
