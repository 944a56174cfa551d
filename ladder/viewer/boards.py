"""The boards of games as the replay file uses them.

A game whose package has no module `board` yet is shown with bare facts, so that its drawing can be tried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from ladder.event_words import deed
from referee.kernel.board import Board, Choice, Part, Section, board
from referee.kernel.game import Event, Option
from referee.kernel.plain import Plain
from referee.kernel.registry import GAMES


def board_of(game: str) -> Board[Any]:
    """The board of a game."""
    return board(game) if find_spec(f"{GAMES[game]}.board") else BARE


def _facts(view: Any, events: Sequence[Event]) -> dict[str, Plain]:
    return {}


def _describe(view: Any) -> tuple[Section, ...]:
    return ()


def _question(view: Any, kind: str) -> str:
    return kind.replace("_", " ")


def _choices(view: Any, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
    return [Choice(f"option {n}", (Part(f"option:{n}", f"option {n}"),)) for n in range(len(options))]


def _answer(view: Any, kind: str, option: Option) -> str:
    return str(option)


BARE: Board[Any] = Board(_facts, _describe, _question, _choices, _answer, deed)
