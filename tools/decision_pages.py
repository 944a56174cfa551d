"""Writes `docs/decisions-<game>.md`, what each game asks: `python -m tools.decision_pages`.

`make docs` calls this script; a test compares the pages with what the script would write.
"""

from __future__ import annotations

from pathlib import Path

from ladder.cli.decision_text import as_page, game_text
from referee.kernel import registry

DOCS = Path(__file__).parents[1] / "docs"


def pages() -> dict[Path, str]:
    """By file: the page of each game."""
    return {DOCS / f"decisions-{name}.md": as_page(game_text(name)) for name in registry.names()}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
