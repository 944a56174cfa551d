"""Rewrites the golden playthroughs: `python -m tests.golden`. Review what changed before committing it."""

from __future__ import annotations

import sys

from tests.golden.playthrough import FOLDER, file_of, tables, written


def main() -> None:
    """Write every playthrough that is due, remove those that are not, and say which files changed."""
    due = {file_of(table): table for table in tables()}
    for path in sorted(FOLDER.glob("*/*.txt")):
        if path not in due:
            path.unlink()
            sys.stdout.write(f"removed {path.relative_to(FOLDER)}\n")
    for path, table in due.items():
        text = written(table)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote {path.relative_to(FOLDER)}\n")


if __name__ == "__main__":
    main()
