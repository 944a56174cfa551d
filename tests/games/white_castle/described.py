"""One position of The White Castle in words, as a text file; `python -m tests.games.white_castle.described` writes it
anew."""

from __future__ import annotations

from pathlib import Path

from referee.games.white_castle import GAME
from referee.games.white_castle.board import BOARD
from tests.games.white_castle.journeys import moments

PATH = Path(__file__).with_name("described.txt")
STEP = 42


def described() -> tuple[str, int]:
    """The text that a seat gets in the middle of a game of two, and its number of rows."""
    state = next(state for at, (state, _) in enumerate(moments(2, 4)) if at == STEP)
    sections = BOARD.describe(GAME.view(state, GAME.pending(state)[0].seat))
    lines = []
    for section in sections:
        lines.append(f"{section.title}: {' | '.join(section.columns)}".rstrip(": "))
        lines += [f"  {' | '.join(row)}".rstrip() for row in section.rows]
    return "\n".join(lines) + "\n", sum(len(section.rows) for section in sections)


if __name__ == "__main__":
    PATH.write_text(described()[0], encoding="utf-8")
