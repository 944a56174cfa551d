"""What each game asks, as pages and as a command: read from the code, whole, and up to date."""

from __future__ import annotations

import json
import re
from importlib import import_module

import pytest

from ladder.cli import run
from ladder.cli.decision_text import game_text, type_text
from referee.games.edo_yashiki.options import PlaceCard
from referee.kernel import registry
from referee.kernel.game import Event
from tools import decision_pages

games = pytest.mark.parametrize("name", registry.names())


def test_the_pages_are_up_to_date() -> None:
    """`make docs` would change nothing, and there is a page for each game."""
    found = decision_pages.pages()

    assert len(found) == len(registry.names())
    for path, text in found.items():
        assert path.read_text(encoding="utf-8") == text, "run `make docs`"


def test_a_type_is_described_by_its_source() -> None:
    """Its docstring, and each field with its type and its own docstring."""
    found = type_text(PlaceCard)

    assert found.name == "PlaceCard"
    assert found.meaning == "Where the card's top-left cell goes and which way up it lies (E-7.1)."
    assert [tuple(field) for field in found.fields] == [
        ("x", "int", ""),
        ("y", "int", ""),
        ("rot", "int", "0 as printed, 180 after a half-turn."),
    ]
    assert [field.name for field in type_text(Event).fields] == list(Event._fields)


@games
def test_every_field_of_a_view_is_told(name: str) -> None:
    """The first type is the view with all fields of its class; the others are those that its fields name."""
    text = game_text(name)
    told = {field.name for field in text.view[0].fields}

    assert set(import_module(f"referee.games.{name}.view").View._fields) <= told
    assert [part.name for part in text.view if not part.meaning] == []
    for part in text.view[1:]:
        used = " ".join(field.type for other in text.view for field in other.fields)
        assert re.search(rf"\b{part.name}\b", used), part.name


@games
def test_the_command_prints_what_the_page_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In lines of at most 80 columns; as JSON with the same kinds and fields; with the place of the rules."""
    code = run(["games", name, "--decisions"])
    out = capsys.readouterr().out
    run(["games", name, "--decisions", "--json"])
    found = json.loads(capsys.readouterr().out)
    text = game_text(name)
    words = " ".join(out.split())

    assert code == 0
    assert max(len(line) for line in out.splitlines() if "RULES.md" not in line) <= 80
    assert [kind["kind"] for kind in found["decisions"]] == [kind.kind for kind in text.kinds]
    assert all(kind.meaning in words for kind in text.kinds)
    assert all(f"{field.name}: {field.type}" in words for part in text.view for field in part.fields)
    assert found["options"].keys() == {kind.name for kind in text.options}
    assert found["view"]["View"]["fields"] == [field._asdict() for field in text.view[0].fields]
    assert text.rules.is_file()
    assert str(text.rules) in out


def test_without_a_game_the_command_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """One line with an example."""
    code = run(["games", "--decisions"])

    assert (code, capsys.readouterr().err) == (
        2,
        "kumite: --decisions is for one game: kumite games edo_yashiki --decisions\n",
    )
