"""The drawing of Edo Yashiki in Chromium: what can be clicked is on the board, and fixed positions look as they did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from referee.games.edo_yashiki.game import HANDLERS
from tests.web.browser.edo_yashiki_positions import FRAMES, PATH, Position, Run, digests, load, positions, scenes

pytestmark = pytest.mark.processes

MOST_SHAPES = 1500
OF_EACH_SORT = 2
GAMES = ((2, "specialists", "sealed"), (3, "standard", "turn_order"), (5, "specialists", "reflex"))


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
    """The first and the last moments of some games with each kind of ask and of things that can be clicked."""
    found = []
    for game in GAMES:
        moments = list(positions(*game))
        for ordered in (moments, moments[::-1]):
            seen: Counter[tuple[object, ...]] = Counter()
            for moment in ordered:
                sort = (moment.kind, *sorted({target["key"].split(":")[0] for target in moment.given["targets"]}))
                seen[sort] += 1
                if seen[sort] <= OF_EACH_SORT:
                    found.append(moment)
    return found


def test_what_can_be_clicked_is_on_the_board(run: Run) -> None:
    """Every part that can be clicked has one thing that chooses it, with words, on screens and on phones.

    Keys are unique, no thing lies where a number is missing, and no scene has more shapes than the stage draws in a
    frame.
    """
    moments = telling()
    for frame in FRAMES:
        drawn = scenes(run, [{**moment.given, "frame": frame} for moment in moments])
        for moment, scene in zip(moments, drawn, strict=True):
            nodes = scene["nodes"]
            chosen = [node["target"] for node in nodes if "target" in node]

            assert sorted(chosen) == sorted(target["key"] for target in moment.given["targets"])
            assert all(node["label"] for node in nodes if "target" in node)
            assert [key for key, count in Counter(node["key"] for node in nodes).items() if count > 1] == []
            assert [node["key"] for node in nodes if None in (node.get("x"), node.get("y"))] == []
            assert sum(shapes(node["parts"]) for node in nodes) < MOST_SHAPES

    assert {moment.kind for moment in moments} == {*HANDLERS, "over"}


def test_a_card_keeps_its_key_from_the_row_into_the_house(run: Run) -> None:
    """A card is one thing wherever it lies, so it glides; a card of the deck has the key of its place."""
    moments = [moment for moment in positions(2, "standard", "sealed") if moment.given["seat"] in (0, None)]
    drawn = scenes(run, [{**moment.given, "frame": "wide"} for moment in moments])
    for moment, scene in zip(moments, drawn, strict=True):
        view = moment.given["view"]
        laid = set(view["house_cards"])
        keys = {node["key"] for node in scene["nodes"]}
        gone = {f"row:{index}" for index, card in enumerate(view["row"]) if card in laid and not moment.given["ended"]}

        assert {key for key in keys if key.startswith("card:")} >= {f"card:{card}" for card in laid}
        assert {key for key in keys if key.startswith("row:")} == gone
        assert {key for key in keys if key.startswith("deck:")} == {"deck:0", "deck:1", "deck:2", "deck:count"} or (
            moment.given["ended"] or not view.get("deck_count")
        )


def test_fixed_positions_are_drawn_as_they_were(run: Run) -> None:
    """The digests of `edo_yashiki_scenes.txt`, for screens and phones."""
    assert PATH.read_text(encoding="utf-8") == digests(run)
