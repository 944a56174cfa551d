"""The toy game under its name in the registry, for the tests that ask for it."""

from __future__ import annotations

import pytest

from referee.kernel import registry
from tests.bots import toys


@pytest.fixture
def tricks(monkeypatch: pytest.MonkeyPatch) -> str:
    """Registers the toy game for the time of a test; returns its name."""
    monkeypatch.setitem(registry.GAMES, toys.NAME, "tests.bots.toys")
    return toys.NAME
