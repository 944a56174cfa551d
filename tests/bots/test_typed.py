"""Typed asks: they have the kinds and options of the games, and mypy follows them in an author's own folder."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

import kumite
from bots.specs import resolve
from referee.kernel import registry
from referee.kernel.decisions import decisions
from tests.bots.duel import duel

ROOT = Path(__file__).parents[2]
TITLES = {
    "edo_yashiki": "EdoYashiki",
    "honshu": "Honshu",
    "ninjato": "Ninjato",
    "white_castle": "WhiteCastle",
}
MINE = """
from kumite import HonshuAsk, HonshuBot, HonshuOption


class Mine(HonshuBot):
    def decide(self, ask: HonshuAsk) -> HonshuOption:
        match ask.kind:
            case "place":
                return max(ask.options, key=lambda option: option.mask.bit_count())
            case "play" | "play2":
                return max(ask.options, key=lambda option: option.card)
            case "pick":
                return max(ask.options, key=lambda option: option.card)
            case "keep":
                return max(ask.options, key=lambda option: option.card)
            case "pair":
                return ask.options[0]
            case "override":
                return min(ask.options, key=lambda option: len(option.cubes))
"""


def members(kind: object) -> tuple[object, ...]:
    """The parts of a union, or the type itself."""
    return (kind,) if isinstance(kind, type) or get_origin(kind) in (Literal,) else get_args(kind)


@pytest.mark.parametrize("name", registry.names())
def test_the_types_name_every_kind_with_its_options(name: str) -> None:
    """Kind by kind the same as `DECISIONS`, from which the documents are made, and all options in one union."""
    typed = import_module(f"bots.typed.{name}")
    package = registry.GAMES[name]
    state, view = import_module(f"{package}.state").State, import_module(f"{package}.view").View
    asks = [get_args(ask) for ask in get_args(getattr(typed, f"{TITLES[name]}Ask"))]
    found = [(*get_args(kind), set(members(options))) for _, _, kind, options in asks]

    assert found == [(kind.kind, set(kind.options)) for kind in decisions(name)]
    assert {ask[:2] for ask in asks} == {(state, view)}
    assert set(members(getattr(typed, f"{TITLES[name]}Option"))) == {
        option for kind in decisions(name) for option in kind.options
    }


@pytest.mark.parametrize("name", registry.names())
def test_a_bot_of_one_game_plays_that_game(name: str) -> None:
    """The base class names its game, and says which method is missing."""
    base = getattr(kumite, f"{TITLES[name]}Bot")

    assert base.games == (name,)
    with pytest.raises(NotImplementedError, match=f"{TITLES[name]}Bot has no method decide"):
        base().decide(None)


def mypy(folder: Path, text: str) -> str:
    """What mypy --strict says of a bot outside the tree."""
    (folder / "mine.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache" / "outside"), "mine.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return done.stdout


@pytest.mark.processes
@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("option.mask.bit_count()", "option.card", r'"Placement" has no attribute "card"'),
        ('case "pair":\n                return ask.options[0]\n            ', "", "Missing return statement"),
        ("ask.options[0]", "ask.view.dice", r'"View" has no attribute "dice"'),
        ("ask.options[0]", '"deck"', r"Incompatible return value type"),
        ("", "", ""),
    ],
    ids=["option", "kind", "view", "answer", "right"],
)
def test_mypy_follows_the_kind_of_an_ask(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    """A field of another kind's options, a forgotten kind, another game's view and a wrong answer are found."""
    found = mypy(tmp_path, MINE.replace(right, wrong, 1) if right else MINE)

    wrong_lines = set(re.findall(r"^mine\.py:(\d+): error", found, re.MULTILINE))

    assert re.search(said or "Success", found), found
    assert len(wrong_lines) == (1 if said else 0), found


@pytest.mark.processes
def test_mypy_has_nothing_to_say_about_the_bot_of_the_readme(tmp_path: Path) -> None:
    """The README's own bot is strictly typed, in a folder of its author's."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = mypy(tmp_path, readme.split("# mybot.py\n")[1].split("```")[0])

    assert "Success" in found, found


def test_the_typed_bot_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The asks of a match are those that the types describe."""
    (tmp_path / "typed_mine.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)

    assert duel("honshu", resolve("py:typed_mine:Mine"), "random", 2).games.total == 4
