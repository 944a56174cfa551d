"""One position of Ninjato in words, as a text file; `python -m tests.games.ninjato.described` writes it anew."""

from __future__ import annotations

from pathlib import Path

from referee.games.ninjato import GAME
from referee.games.ninjato.board import BOARD
from tests.games.ninjato.journeys import Eager, states

PATH = Path(__file__).with_name("described.txt")
STEP = 90


def described() -> tuple[str, int]:
    """The text that a seat gets in the middle of a game of two, and its number of rows."""
    state = next(state for at, state in enumerate(states(2, Eager(4), 4)) if at == STEP)
    sections = BOARD.describe(GAME.view(state, GAME.pending(state)[0].seat))
    lines = []
    for section in sections:
        lines.append(f"{section.title}: {' | '.join(section.columns)}".rstrip(": "))
        lines += [f"  {' | '.join(row)}" for row in section.rows]
    return "\n".join(lines) + "\n", sum(len(section.rows) for section in sections)


if __name__ == "__main__":
    PATH.write_text(described()[0], encoding="utf-8")
