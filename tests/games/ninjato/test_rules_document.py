"""RULES.md and the code belong together: every rule is cited, every vector is a test, every file has its chapter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

RULES = files("referee.games.ninjato").joinpath("RULES.md").read_text(encoding="utf-8")
CODE = Path(str(files("referee.games.ninjato")))
TESTS = Path(__file__).parent

NUMBERED = re.findall(r"^- \*\*(N-\d+\.\d+)\*\*", RULES, re.MULTILINE)
VECTORS = [int(number) for number in re.findall(r"^- \*\*N-TV(\d+)\*\* ", RULES, re.MULTILINE)]


def cited(paths: Iterable[Path]) -> set[str]:
    """The rule numbers that Python files name; `N-7.6 to N-7.8` names those between as well."""
    found = set()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r"N-\d+\.\d+", text))
        for chapter, first, last in re.findall(r"N-(\d+)\.(\d+) to N-\1\.(\d+)", text):
            found |= {f"N-{chapter}.{number}" for number in range(int(first), int(last) + 1)}
    return found


def test_the_document_has_its_rules_and_vectors() -> None:
    """The patterns of this file find what they look for."""
    assert len(NUMBERED) == len(set(NUMBERED)) == 98
    assert list(range(1, 64)) == VECTORS


def test_every_rule_is_cited_by_a_test() -> None:
    """No rule number stands in RULES.md without a test that names it."""
    tested = cited(TESTS.glob("*.py"))
    missing = [number for number in NUMBERED if number not in tested]

    assert missing == []


def test_every_rule_that_is_cited_exists() -> None:
    """Code and tests cite no rule that RULES.md does not have."""
    unknown = cited([*CODE.glob("*.py"), *TESTS.glob("*.py")]) - set(NUMBERED)

    assert sorted(unknown) == []


def test_every_vector_is_a_test() -> None:
    """Each numbered vector has a test of its number."""
    tests = "".join(path.read_text(encoding="utf-8") for path in TESTS.glob("test_vectors_*.py"))
    missing = [number for number in VECTORS if f"def test_vector_{number:02d}_" not in tests]

    assert missing == []


def test_every_file_has_its_chapter() -> None:
    """RULES.md says of every module what it is for."""
    introduction = RULES.partition("## N-1 ")[0]
    unnamed = [path.name for path in sorted(CODE.glob("*.py")) if path.name not in introduction]

    assert unnamed == ["__init__.py"]
