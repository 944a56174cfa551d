"""The rules and the code lead to each other: every number of RULES.md is cited, and every cited number exists."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest

RULES = files("referee.games.edo_yashiki").joinpath("RULES.md").read_text(encoding="utf-8")
CODE = sorted(Path(str(files("referee.games.edo_yashiki"))).glob("*.py"))
TESTS = sorted(path for path in Path(__file__).parent.glob("*.py") if path != Path(__file__))

DEFINED = re.findall(r"^- \*\*(E-\d+\.\d+)", RULES, re.MULTILINE)
NOT_OFFERED = set(re.findall(r"^- \*\*(E-\d+\.\d+)[^*]*\(not offered\)", RULES, re.MULTILINE))
VECTOR = "(?:RB|PL|SC|SP|DR|EN)-"
VECTORS = re.findall(rf"^\| ({VECTOR}\d+)", RULES, re.MULTILINE)


def named(paths: list[Path], stem: str) -> set[str]:
    """What these files name: a stem with a number, or a range written as `PL-2 to PL-5`.

    What a test file names in the docstring of the whole file does not count: that proves nothing.
    """
    found = set()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if path in TESTS:
            text = text.replace(ast.get_docstring(ast.parse(text), clean=False) or " ", " ", 1)
        for begin, start, _, stop in re.findall(rf"({stem})(\d+)(?: to ({stem})(\d+))?", text):
            found.update(f"{begin}{number}" for number in range(int(start), int(stop or start) + 1))
    return found


def cited(paths: list[Path]) -> set[str]:
    """The rules that these files name."""
    return named(paths, r"E-\d+\.")


def test_the_rules_are_numbered_without_repetition() -> None:
    """Every number is given once, and those not offered are said to be so."""
    assert len(DEFINED) == len(set(DEFINED))
    assert len(DEFINED) > 70
    assert {"E-6.9", "E-6.10", "E-6.11", "E-12.7"} == NOT_OFFERED


@pytest.mark.parametrize("paths", [CODE, TESTS], ids=["code", "tests"])
def test_every_rule_is_cited(paths: list[Path]) -> None:
    """Code names every rule that it carries out, and a test every rule that it proves."""
    known = cited(paths) | NOT_OFFERED
    missing = [rule for rule in DEFINED if rule not in known]

    assert missing == []


def test_every_cited_number_is_a_rule() -> None:
    """No file names a rule that RULES.md does not have, nor one that is not offered."""
    strange = cited([*CODE, *TESTS]) - set(DEFINED)

    assert strange == set()
    assert not NOT_OFFERED & cited(CODE)


def test_every_vector_is_a_test() -> None:
    """Each line of the tables in section 16 that can be tested is named by a test."""
    tested = named(TESTS, VECTOR)
    missing = [vector for vector in VECTORS if vector not in tested]

    assert len(VECTORS) == 6 + 10 + 17 + 8 + 9 + 8
    assert missing == []
