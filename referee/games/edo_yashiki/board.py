"""What people are shown of Edo Yashiki: `BOARD` holds the functions of `facts.py`, `words.py` and `choices.py`."""

from __future__ import annotations

from referee.games.edo_yashiki.choices import choices
from referee.games.edo_yashiki.facts import facts
from referee.games.edo_yashiki.view import View
from referee.games.edo_yashiki.words import answer, describe, event, question
from referee.kernel.board import Board

BOARD: Board[View] = Board(
    facts=facts, describe=describe, question=question, choices=choices, answer=answer, event=event
)
