"""A small ladder in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

LADDER = """
season = "test"

[[bots]]
spec = "greedy"

[[bots]]
name = "first"
spec = "random:seed=1"

[[bots]]
name = "second"
spec = "random:seed=2"

[[pools]]
game = "edo_yashiki"
rounds = 4

[[pools]]
game = "edo_yashiki"
seats = 3
pairing = "matchmaking"
sets = 6
floor = 2
"""


@pytest.fixture
def ladder_file(tmp_path: Path) -> Path:
    """A ladder of three bots in two pools: 24 + 18 matches."""
    path = tmp_path / "ladder.toml"
    path.write_text(LADDER)
    return path
