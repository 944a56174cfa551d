"""One name means one thing: no two classes of the tree share a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("kumite", "referee", "ladder", "bots")
GENERATED = "referee/v1/"
GAMES = "each game"
"""The vocabulary of the games' rooms: `State`, `View`, `Encoder`, `Guide` and options mean the same in every game."""
ROOMS = ("referee/games/", "referee/codec/", "bots/bundled/")


def classes(sources: dict[str, str]) -> dict[str, list[str]]:
    """The files that define each public class name, by name; rooms of games count as one file.

    `sources` are the texts of files by path.
    """
    found: dict[str, list[str]] = {}
    for path, text in sources.items():
        place = GAMES if path.startswith(ROOMS) else path
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places = found.setdefault(node.name, [])
                if place == path or place not in places:
                    places.append(place)
    return found


def shared(sources: dict[str, str]) -> dict[str, list[str]]:
    """The class names with more than one meaning, and their places."""
    return {name: places for name, places in classes(sources).items() if len(places) > 1}


def sources() -> Iterator[tuple[str, str]]:
    """Every Python file of the packages that is not generated, as path and text."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(GENERATED):
                yield name, path.read_text(encoding="utf-8")


def test_no_two_classes_share_a_name() -> None:
    """A search for the name of a class finds one class; games have the same rooms, whose names stand for one role."""
    assert shared(dict(sources())) == {}


@pytest.mark.parametrize("second", ["ladder/seats.py", "referee/games/honshu/seats.py"])
def test_a_name_that_is_given_twice_is_found(second: str) -> None:
    """A second class of a name is found in another package, and in a game."""
    text = "class Seating:\n    pass\n"
    assert shared({"bots/seats.py": text, second: text}).keys() == {"Seating"}


def test_games_may_share_the_names_of_their_rooms() -> None:
    """Two games have a `State` each."""
    text = "class State:\n    pass\n"
    assert shared({"referee/games/honshu/state.py": text, "referee/games/ninjato/state.py": text}) == {}
