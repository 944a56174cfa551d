"""A played season for the tests of pages, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.cli import run
from ladder.web.reading.library import Library
from ladder.web.site import Site

LADDER = """
season = "autumn"

[[bots]]
spec = "greedy"

[[bots]]
name = "first"
spec = "random:seed=1"

[[bots]]
name = "second"
spec = "random:seed=2"

[[bots]]
name = "third"
spec = "random:seed=3"

[[pools]]
game = "edo_yashiki"
rounds = 4

[[pools]]
game = "edo_yashiki"
seats = 3
rounds = 1
"""


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a small season that is complete."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "ladder.toml").write_text(LADDER)
    assert run(["ladder", "run", str(folder / "ladder.toml"), "--workers", "0", "--seed", "pages"]) == 0
    return folder / "ladder.sqlite"


@pytest.fixture(scope="session")
def site(played: Path) -> Site:
    """The pages of that season."""
    return Site(Library(played, address="127.0.0.1:7400"))
