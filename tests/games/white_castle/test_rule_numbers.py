"""Every number of the rules is cited by code or tests, and every vector is a test."""

from __future__ import annotations

import re
from pathlib import Path

import referee.games.white_castle as package

CODE = Path(package.__file__).parent
TESTS = Path(__file__).parent
RULES = (CODE / "RULES.md").read_text()


def _expand(text: str) -> set[str]:
    """The rule numbers in a text; "W-8.1 to W-8.3" stands for all between."""
    cited = set(re.findall(r"W-(?:R\d+|\d+(?:\.\d+)?)", text))
    for chapter, first, last in re.findall(r"W-(\d+)\.(\d+) to W-\1\.(\d+)", text):
        cited |= {f"W-{chapter}.{k}" for k in range(int(first), int(last) + 1)}
    return cited


def test_every_rule_number_is_cited() -> None:
    """Each numbered rule and ruling, and each chapter without items, stands in a docstring of code or tests."""
    numbered = set(re.findall(r"^- \*\*(W-\d+\.\d+|W-R\d+)\*\*", RULES, flags=re.MULTILINE))
    chapters = set(re.findall(r"^## (W-\d+) ", RULES, flags=re.MULTILINE)) - {"W-20"}
    sources = [path for folder in (CODE, TESTS) for path in sorted(folder.glob("*.py"))]
    cited = set().union(*(_expand(path.read_text()) for path in sources))
    cited |= {number.split(".")[0] for number in cited}

    assert len(numbered) > 80
    assert set() == (numbered | chapters) - cited


def test_every_citation_is_a_rule() -> None:
    """No code or test cites a number that the rules do not have."""
    known = _expand(RULES)
    sources = [path for folder in (CODE, TESTS) for path in sorted(folder.glob("*.py"))]

    for path in sources:
        assert set() == _expand(path.read_text()) - known, path


def test_every_vector_is_a_test() -> None:
    """W-E1 to W-E12 and W-T1 to W-T34 each name at least one test."""
    vectors = re.findall(r"^- \*\*W-([ET]\d+)\*\* ", RULES, flags=re.MULTILINE)
    names = " ".join(
        name for path in TESTS.glob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text())
    )
    missing = [vector for vector in vectors if not re.search(rf"_{vector.lower()}_", names)]

    assert len(vectors) == 12 + 34
    assert missing == []
