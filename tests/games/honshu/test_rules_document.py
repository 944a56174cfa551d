"""RULES.md and the code belong together: every rule is cited, every vector is a test, every file has its chapter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

RULES = files("referee.games.honshu").joinpath("RULES.md").read_text(encoding="utf-8")
CODE = Path(str(files("referee.games.honshu")))
TESTS = Path(__file__).parent

NUMBERED = re.findall(r"^- (H-\d+\.\d+) ", RULES, re.MULTILINE)
RULINGS = re.findall(r"^- (R-\d+) ", RULES, re.MULTILINE)
VECTORS = [int(number) for number in re.findall(r"^- TV-(\d+) ", RULES, re.MULTILINE)]


def cited(paths: Iterable[Path]) -> set[str]:
    """The rules that Python files name; `H-7.2 to H-7.6` names those between as well."""
    found = set()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r"\b(?:H-\d+\.\d+|R-\d+)\b", text))
        for letter, first, last in re.findall(r"\b(H-\d+\.|R-)(\d+) to \1(\d+)", text):
            found |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return found


def test_the_document_has_its_rules_and_vectors() -> None:
    """The patterns of this file find what they look for."""
    assert len(NUMBERED) == len(set(NUMBERED)) == 65
    assert [f"R-{number}" for number in range(1, 15)] == RULINGS
    assert list(range(1, 35)) == VECTORS


def test_every_rule_is_cited_by_a_test() -> None:
    """No rule or ruling stands in RULES.md without a test that names it."""
    tests = cited(TESTS.glob("*.py"))

    assert [number for number in NUMBERED + RULINGS if number not in tests] == []


def test_every_rule_that_is_cited_exists() -> None:
    """Code and tests cite no rule that RULES.md does not have."""
    assert set() == cited([*CODE.glob("*.py"), *TESTS.glob("*.py")]) - set(NUMBERED) - set(RULINGS)


def test_every_vector_is_a_test() -> None:
    """Each numbered vector has a test of its number."""
    tests = "".join(path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py"))

    assert [number for number in VECTORS if f"def test_tv_{number}_" not in tests] == []


def test_every_file_has_its_chapter() -> None:
    """RULES.md says of every module what it is for."""
    introduction = RULES.partition("## 1. ")[0]

    assert [path.name for path in sorted(CODE.glob("*.py")) if path.name not in introduction] == ["__init__.py"]
