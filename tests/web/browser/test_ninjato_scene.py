"""The drawing of Ninjato in Chromium: what can be clicked is on the board, and fixed positions look as they did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from referee.games.ninjato.game import HANDLERS
from tests.web.browser.ninjato_positions import FRAMES, PATH, Position, Run, digests, load, positions, scenes

pytestmark = pytest.mark.processes

MOST_SHAPES = 1500
OF_EACH_SORT = 2


@pytest.fixture
def run(browser: Browser) -> Iterator[Run]:
    """A page in which the drawing is loaded."""
    page = browser.new_page()
    load(page.evaluate)
    yield page.evaluate
    page.close()


def shapes(parts: Any) -> int:
    """The number of shapes in a part of a scene."""
    return sum(1 + (shapes(inside[0]) if inside and isinstance(inside[0], list) else 0) for _, _, *inside in parts)


def telling() -> list[Position]:
    """The first moments of a game of two and of three with each kind of ask and of things that can be clicked."""
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for moment in (*positions(2, 1), *positions(3, 18)):
        sort = (moment.kind, *sorted({target["place"].get("on", "") for target in moment.given["targets"]}))
        seen[sort] += 1
        if seen[sort] <= OF_EACH_SORT:
            found.append(moment)
    return found


def test_what_can_be_clicked_is_on_the_board(run: Run) -> None:
    """Every part with a place has a thing that chooses it, on screens and on phones, at every kind of ask.

    Keys are unique, and no scene has more shapes than the stage draws in a frame.
    """
    moments = telling()
    for frame in FRAMES:
        drawn = scenes(run, [{**moment.given, "frame": frame} for moment in moments])
        for moment, scene in zip(moments, drawn, strict=True):
            nodes = scene["nodes"]
            chosen = {node["target"] for node in nodes if "target" in node}
            placed = {target["key"] for target in moment.given["targets"] if target["place"]}

            assert placed - chosen == set()
            assert [key for key, count in Counter(node["key"] for node in nodes).items() if count > 1] == []
            assert sum(shapes(node["parts"]) for node in nodes) < MOST_SHAPES

    assert {moment.kind for moment in moments} == {*HANDLERS, "over"}


def test_fixed_positions_are_drawn_as_they_were(run: Run) -> None:
    """The digests of `ninjato_scenes.txt`, for screens and phones."""
    assert PATH.read_text(encoding="utf-8") == digests(run)
