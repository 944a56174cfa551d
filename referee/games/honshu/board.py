"""What people are shown of Honshu: `BOARD`, made of the functions of `facts`, `words` and `choices`."""

from __future__ import annotations

from referee.games.honshu.choices import choices
from referee.games.honshu.facts import facts
from referee.games.honshu.view import View
from referee.games.honshu.words import answer, describe, event, question
from referee.kernel.board import Board

BOARD: Board[View] = Board(
    facts=facts, describe=describe, question=question, choices=choices, answer=answer, event=event
)
