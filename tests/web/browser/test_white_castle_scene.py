"""The drawing of The White Castle in Chromium: what can be clicked is on it, and fixed positions look as they did."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser

from referee.games.white_castle.game import HANDLERS
from tests.web.browser.white_castle_positions import FRAMES, PATH, Position, Run, digests, load, positions, scenes

pytestmark = pytest.mark.processes

MOST_SHAPES = 1500
OF_EACH_SORT = 2
GAMES = ((2, 8), (1, 1), (3, 17), (4, 5))
"""Seats and seeds of the games whose moments are drawn."""


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
    """The first moments of some games with each kind of ask and of things that can be clicked."""
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for seats, seed in GAMES:
        for moment in positions(seats, seed):
            sort = (moment.kind, *sorted({target["place"].get("on", "") for target in moment.given["targets"]}))
            seen[sort] += 1
            if seen[sort] <= OF_EACH_SORT:
                found.append(moment)
    return found


def test_what_can_be_clicked_is_on_the_board(run: Run) -> None:
    """Every part that can be clicked has a thing that chooses it, on screens and phones, at every kind of ask.

    Keys are unique, no number is broken, and no scene has more shapes than the stage draws in a frame.
    """
    moments = telling()
    for frame in FRAMES:
        drawn = scenes(run, [{**moment.given, "frame": frame} for moment in moments])
        for moment, scene in zip(moments, drawn, strict=True):
            nodes = scene["nodes"]
            chosen = {node["target"] for node in nodes if "target" in node}

            assert chosen == {target["key"] for target in moment.given["targets"]}
            assert [key for key, count in Counter(node["key"] for node in nodes).items() if count > 1] == []
            assert [word for word in ("NaN", "undefined", "null") if word in json.dumps(nodes)] == []
            assert sum(shapes(node["parts"]) for node in nodes) < MOST_SHAPES

    assert {moment.kind for moment in moments} == {*HANDLERS, "over"}


def test_what_lies_below_the_strip_stays_in_its_place(run: Run) -> None:
    """A question that opens moves no region, on screens and phones, and everything drawn lies on the board."""
    moments = list(positions(2, 8))
    for frame in FRAMES:
        drawn = scenes(run, [{**moment.given, "frame": frame, "seat": 0, "targets": []} for moment in moments])
        regions = [node["key"] for node in drawn[0]["nodes"] if node["key"].startswith(("room:", "clan:", "season:"))]
        places = [
            {node["key"]: (node["x"], node["y"]) for node in scene["nodes"] if node["key"] in regions}
            for scene in drawn
        ]

        assert len(regions) == 11
        assert [place for place in places if place != places[0]] == []
        assert all(
            0 <= node.get("x", 0) <= scene["width"] and 0 <= node.get("y", 0) <= scene["height"]
            for scene in drawn
            for node in scene["nodes"]
        )


def test_a_courtier_that_climbs_is_one_thing_that_moved(run: Run) -> None:
    """Where one member leaves and one arrives, the two share their group, so that the stage lets one glide."""
    moments = [moment.given for moment in positions(2, 8)]
    steps = 0
    drawn = scenes(run, [{**given, "frame": "wide", "seat": 0, "targets": []} for given in moments])
    for before, after in pairwise(drawn):
        keys = [{node["key"] for node in scene["nodes"]} for scene in (before, after)]
        gone = [node for node in before["nodes"] if node["key"] not in keys[1]]
        new = [node for node in after["nodes"] if node["key"] not in keys[0]]
        left, came = (
            sorted(node["group"] for node in side if node.get("group", "").startswith("courtier"))
            for side in (gone, new)
        )

        assert left == came
        steps += bool(left)

    assert steps > 3


def test_fixed_positions_are_drawn_as_they_were(run: Run) -> None:
    """The digests of `white_castle_scenes.txt`, for screens and phones."""
    assert PATH.read_text(encoding="utf-8") == digests(run)
