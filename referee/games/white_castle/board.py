"""What people are shown of The White Castle: `BOARD`, made of the functions of `facts`, `words` and `choices`."""

from __future__ import annotations

from referee.games.white_castle.choices import choices
from referee.games.white_castle.facts import facts
from referee.games.white_castle.view import View
from referee.games.white_castle.words import answer, describe, event, question
from referee.kernel.board import Board

BOARD: Board[View] = Board(
    facts=facts, describe=describe, question=question, choices=choices, answer=answer, event=event
)
