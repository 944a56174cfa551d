"""The player with three matches of every game and number of seats; in `make soak` with twenty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ladder.viewer_records import TABLES
from tests.web.browser.conftest import Opening
from tests.web.browser.viewer_checks import same_pictures

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.processes]


@pytest.mark.parametrize("number", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 20))])
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_match_steps_every_way_to_the_same_pictures(
    opened: Opening, tmp_path: Path, game: str, seats: int, number: int
) -> None:
    """Forwards, backwards, by jumps, with motion; keys are unique, and the console stays empty."""
    same_pictures(opened, tmp_path, game, seats, number)
