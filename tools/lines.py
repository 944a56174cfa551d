"""Counts the lines of code of Kumite: `python -m tools.lines`.

A line of code holds at least one token that is neither a comment nor part of a docstring. Blank lines, comments,
docstrings (also those of attributes: any statement that is a string alone), tests, tools and generated files do not
count. Lines are those that `ruff format` makes at the length that `pyproject.toml` names, so the counts of two commits
can be compared if both name the same length.

Another tree is counted with its path: `python -m tools.lines ../other`.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("kumite", "referee", "ladder", "bots")
GENERATED = "referee/v1"
IGNORED = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    }
)
"""Tokens that make no line a line of code."""


def code_lines(source: str) -> int:
    """The number of lines of code of a Python file."""
    docstrings = set(_docstring_lines(ast.parse(source)))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in IGNORED:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def _docstring_lines(tree: ast.Module) -> Iterator[int]:
    """The lines of every statement that is a string alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def files(root: Path) -> Iterator[Path]:
    """Every Python file of the packages that is not generated."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if not path.relative_to(root).as_posix().startswith(f"{GENERATED}/"):
                yield path


def count(root: Path) -> dict[str, int]:
    """Lines of code by package and the folder in it."""
    found: dict[str, int] = {}
    for path in files(root):
        parts = path.relative_to(root).parts[:-1]
        part = ".".join(parts[:2])
        found[part] = found.get(part, 0) + code_lines(path.read_text(encoding="utf-8"))
    return found


def main(*roots: str) -> None:
    """Print the lines of code of each part and of the whole."""
    counts = count(Path(roots[0]) if roots else ROOT)
    print("| part | lines of code |\n|---|---|")
    for part, lines in sorted(counts.items()):
        print(f"| `{part}` | {lines:,} |")
    print(f"| all | {sum(counts.values()):,} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
