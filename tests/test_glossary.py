"""The glossary names each term once, in order, and points at modules that exist."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

TEXT = (Path(__file__).parents[1] / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")][
    1:
]


def test_every_term_stands_once_with_a_meaning_and_a_place() -> None:
    """Three cells a row, no term twice."""
    terms = [term for row in ROWS for term in row[0].replace("`", "").split(", ")]

    assert len(ROWS) > 40
    assert all(len(row) == 3 and all(row) for row in ROWS)
    assert len(set(terms)) == len(terms)


def test_every_module_that_the_glossary_names_exists() -> None:
    """`<game>` stands for each game."""
    named = [name.replace("<game>", "honshu") for row in ROWS for name in re.findall(r"`([\w.<>]+)`", row[2])]

    assert [name for name in named if find_spec(name) is None] == []
    assert len(named) >= len(ROWS)
