"""What people are shown of Lanterns: `BOARD` holds the functions of `facts.py`, `words.py` and `choices.py`."""

from __future__ import annotations

from referee.games._template.choices import choices
from referee.games._template.facts import facts
from referee.games._template.view import View
from referee.games._template.words import answer, describe, event, question
from referee.kernel.board import Board

BOARD: Board[View] = Board(
    facts=facts, describe=describe, question=question, choices=choices, answer=answer, event=event
)
