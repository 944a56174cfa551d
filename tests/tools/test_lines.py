"""The count of lines of code: what counts, and where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import lines

ROOT = Path(__file__).parents[2]
SOURCE = '''"""A module.

Of two lines.
"""

import os  # a comment behind code

# a comment alone
TEXT = """a string
of two lines"""
LIMIT = 3
"""What an attribute means."""


def f(
    a: int,
) -> str:
    """What f returns."""
    return os.sep * a
'''


def test_blank_lines_comments_and_docstrings_do_not_count() -> None:
    """The import, a string of two lines, the limit, a signature of three lines and a return."""
    assert lines.code_lines(SOURCE) == 8


@pytest.mark.parametrize("source", ["", "\n\n", '"""A docstring alone."""\n', "# a comment\n"])
def test_a_file_without_code_has_no_lines(source: str) -> None:
    """Nothing is counted that is not code."""
    assert lines.code_lines(source) == 0


def test_tests_tools_and_generated_files_are_left_out() -> None:
    """Only the packages count, and of them only what people write."""
    found = {path.relative_to(ROOT).as_posix() for path in lines.files(ROOT)}

    assert "referee/match/match.py" in found
    assert not [name for name in found if name.startswith(("referee/v1/", "tests/", "tools/", "build/"))]


def test_the_parts_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each folder of a package has a row, and the last row is the sum."""
    for name in ("kumite/__init__.py", "referee/match/match.py", "referee/v1/play_pb2.py", "tests/test_x.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SOURCE)
    lines.main(str(tmp_path))

    assert re.findall(r"\| (.*) \| (\d+) \|", capsys.readouterr().out) == [
        ("`kumite`", "8"),
        ("`referee.match`", "8"),
        ("all", "16"),
    ]
