"""What people are shown of Ninjato."""

from __future__ import annotations

from referee.games.ninjato.choices import choices
from referee.games.ninjato.facts import facts
from referee.games.ninjato.view import View
from referee.games.ninjato.words import answer, describe, event, question
from referee.kernel.board import Board

BOARD: Board[View] = Board(
    facts=facts,
    describe=describe,
    question=question,
    choices=choices,
    answer=answer,
    event=event,
)
