"""The toy game under its name in the registry, and a referee that follows a script, for the tests that ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import bots.client
import bots.redial
import bots.tls
from bots.resume import STATE_VARIABLE
from referee.kernel import registry
from tests.bots import toys
from tests.bots.scripted import ScriptedReferee


@pytest.fixture
def tricks(monkeypatch: pytest.MonkeyPatch) -> str:
    """Registers the toy game for the time of a test; returns its name."""
    monkeypatch.setitem(registry.GAMES, toys.NAME, "tests.bots.toys")
    return toys.NAME


@pytest.fixture
def referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedReferee]:
    """A scripted referee on a unix socket in the test's own folder; no pauses between attempts."""
    monkeypatch.setattr(bots.redial, "FIRST_PAUSE", 0.0)
    for variable in (bots.client.TOKEN_VARIABLE, bots.tls.VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    with ScriptedReferee(f"unix:{tmp_path}/referee.sock") as scripted:
        yield scripted
