"""A board that keeps what it said first in a round: the words hang on which view came first, so on the process."""

from __future__ import annotations

from referee.kernel.board import Board, Section
from tests.conformance import toy_board
from tests.conformance.toy import Toy, View


class FirstWords(Toy):
    """The toy by another name."""

    name = "first_words"


_said: dict[int, tuple[Section, ...]] = {}


def describe(view: View) -> tuple[Section, ...]:
    """The description that was made first in this round, for whichever viewer."""
    return _said.setdefault(view.round, toy_board.describe(view))


GAME = FirstWords()
BOARD: Board[View] = toy_board.but(describe=describe)
