"""RULES.md, code and tests of every game lead to each other.

Three sorts of numbers are marked in one format, where L is the letter of the game: a rule is a list item that begins
with `**L-2.1**`, a ruling a list item or table row that begins with `**L-R3**`, a test vector one that begins with
other capitals and a number (`**L-TV8**`). `(not offered)` behind a number says that no code carries it out yet. Code
and tests cite the numbers without the stars, one by one or as `L-2.1 to L-2.4`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from referee.kernel import registry
from tests.games.letters import LETTERS

ROOT = Path(__file__).parents[2]
FEWEST_RULES = 10


class Document:
    """The rules of one game, with the code and the tests that cite them; every file is read once."""

    def __init__(self, name: str) -> None:
        self.letter = LETTERS[name]
        self.folder = ROOT / "referee" / "games" / name
        self.tests_folder = ROOT / "tests" / "games" / name
        self.text = _read(self.folder / "RULES.md")
        marked = re.findall(
            rf"^(?:- |\| |\d+\. )\*\*{self.letter}-(\d+\.\d+|[A-Z]+\d+)\*\*( \(not offered\))?", self.text, re.MULTILINE
        )
        self.numbers = [number for number, _ in marked]
        self.not_offered = {number for number, flag in marked if flag}
        self.code = [_read(path) for path in sorted(self.folder.glob("*.py"))]
        self.tests = [_without_docstring(path) for path in sorted(self.tests_folder.glob("*.py"))]

    def offered(self, wanted: Callable[[str], bool]) -> list[str]:
        """The numbers of one sort that something must carry out."""
        return [number for number in self.numbers if wanted(number) and number not in self.not_offered]

    def cited(self, texts: Iterable[str]) -> set[str]:
        """The numbers that texts name; a range names those between as well."""
        stem = rf"\b{self.letter}-(\d+\.|[A-Z]+)(\d+)\b"
        found: set[str] = set()
        for text in texts:
            for begin, start, stop in re.findall(rf"{stem}(?: to {self.letter}-\1(\d+)\b)?", text):
                found.update(f"{begin}{number}" for number in range(int(start), int(stop or start) + 1))
        return found

    def table(self) -> str:
        """The rows of "Where each chapter lives", which stands before section 1; empty: there is none."""
        before = re.split(rf"^## (?:{self.letter}-)?1\b", self.text, maxsplit=1, flags=re.MULTILINE)[0]
        found = re.search(r"^\| chapter \| code \| tests\b[^|]*\|\n\|[-| ]+\|\n((?:\|.*\|\n)+)", before, re.MULTILINE)
        return found[1] if found else ""


def rule(number: str) -> bool:
    """Whether a number is that of a rule."""
    return number[0].isdigit()


def ruling(number: str) -> bool:
    """Whether a number is that of a ruling."""
    return re.fullmatch(r"R\d+", number) is not None


def vector(number: str) -> bool:
    """Whether a number is that of a test vector."""
    return not rule(number) and not ruling(number)


@cache
def document(name: str) -> Document:
    """The document of a game."""
    return Document(name)


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _without_docstring(path: Path) -> str:
    """A file of tests without the docstring of the whole file: a number there proves nothing."""
    text = _read(path)
    return text.replace(ast.get_docstring(ast.parse(text), clean=False) or " ", " ", 1)


games = pytest.mark.parametrize("game", [document(name) for name in LETTERS], ids=list(LETTERS))


def test_every_registered_game_is_looked_at() -> None:
    """Every registered game has its letter, and so its tests here."""
    assert set(registry.names()) == set(LETTERS) - {"_template"}


@games
def test_numbers_are_given_once(game: Document) -> None:
    """No two rules, rulings or vectors share a number, and the patterns of this file find what they look for."""
    assert len(game.numbers) == len(set(game.numbers))
    assert len(game.offered(rule)) >= FEWEST_RULES
    assert game.offered(vector)


@games
def test_numbers_have_one_format(game: Document) -> None:
    """A list item that begins with a number has it between stars and nothing else there; none lacks its letter."""
    begun = re.findall(rf"^- (\**{game.letter}-\d+\.\d+\S*)", game.text, re.MULTILINE)

    assert [number for number in begun if not re.fullmatch(rf"\*\*{game.letter}-\d+\.\d+\*\*", number)] == []
    for text in (game.text, *game.code, *game.tests):
        assert re.findall(r"(?<![\w-])(?:R|TV)-\d+", text) == []


@games
def test_every_rule_is_cited_by_code(game: Document) -> None:
    """Code names every rule that it carries out."""
    cited = game.cited(game.code)

    assert [number for number in game.offered(rule) if number not in cited] == []


@games
@pytest.mark.parametrize("sort", [rule, ruling, vector])
def test_every_number_is_cited_by_a_test(game: Document, sort: Callable[[str], bool]) -> None:
    """A test, not only the head of its file, names every rule, ruling and vector that it proves."""
    cited = game.cited(game.tests)

    assert [number for number in game.offered(sort) if number not in cited] == []


@games
def test_every_cited_number_exists(game: Document) -> None:
    """No text names a number that RULES.md does not have, and no code one that is not offered."""
    assert game.cited([game.text, *game.code, *game.tests]) - set(game.numbers) == set()
    assert game.cited(game.code) & game.not_offered == set()


@games
def test_every_module_has_its_chapter(game: Document) -> None:
    """The table names every module of the game, and no file of code or tests that does not exist."""
    named = set(re.findall(r"`(\w+\.py)`", game.table()))
    code = {path.name for path in game.folder.glob("*.py")}
    tests = {path.name for path in game.tests_folder.glob("*.py")}

    assert code - named == {"__init__.py"}
    assert named - code - tests == set()
