"""What people are shown of a game: words and figures that are computed from a view alone.

A game's package has a module `board` whose `BOARD` holds these functions. Pages, the terminal, screen readers and
language models use them, so that no rule is written a second time in a page. Every function takes a view, which holds
what one seat may know, so nothing here can tell a seat more than its view does; the conformance tests permute what a
seat may not know and demand the same words and figures to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

from referee.kernel.errors import UnknownName
from referee.kernel.game import Event, Option
from referee.kernel.plain import Plain
from referee.kernel.registry import GAMES

V = TypeVar("V")


class Section(NamedTuple):
    """One part of a board in words: a title and a small table, for screen readers, terminals and language models."""

    title: str
    columns: tuple[str, ...]
    """Headings, one for each cell of a row; empty where rows are sentences of one cell."""
    rows: tuple[tuple[str, ...], ...]


class Part(NamedTuple):
    """One click of a choice: a button, and a target on the board where the part has a place there."""

    key: str
    """Names the part among the parts that can follow the same earlier clicks: "card:16", "turn:1", "at:9:-2"."""
    words: str
    """The text of its button: "card 16", "turned", "row 9, column -2"."""
    place: Mapping[str, Plain] = {}
    """What a drawing of the board needs to draw the target; empty: the part is a button alone."""


class Choice(NamedTuple):
    """One option as people choose it."""

    words: str
    """The whole option: "card 16 at row 9, column -2, turned"."""
    path: tuple[Part, ...]
    """The clicks that lead to the option, in order; options that begin alike share the keys of their first clicks.
    No two options have the same keys throughout, and the keys of no option are the beginning of another's."""
    brings: str = ""
    """What the option would bring at once, where the view tells: "6 points: a lake of 4"."""


@dataclass(frozen=True, slots=True)
class Board(Generic[V]):
    """What people are shown of one game."""

    facts: Callable[[V, Sequence[Event]], dict[str, Plain]]
    """What a drawing needs beyond the view, from the view and from the events that the same seat was told of the last
    step. The key `points` stands in every game: by category, in the order of the rules, what each seat has now, or
    would have if the game ended now: `[{"category": "lakes", "points": [4, 0]}, ...]`."""
    describe: Callable[[V], tuple[Section, ...]]
    """The board in words, the most important part first."""
    question: Callable[[V, str], str]
    """What a seat is asked, from its view and the kind of the ask: "Which card do you lay?"."""
    choices: Callable[[V, str, Sequence[Option]], Sequence[Choice]]
    """The options of an ask as people choose them, in the same order; from the view of the asked seat, the kind of the
    ask and the options."""
    answer: Callable[[V, str, Option], str]
    """One option in the words of `choices`, without computing the others."""
    event: Callable[[Event], str]
    """What happened, in the words of the game, without the seat: "laid card 16 at row 9, column -2"."""


@cache
def board(game: str) -> Board[Any]:
    """The board of a game; its module is imported on first use."""
    if game not in GAMES:
        raise UnknownName.of("game", game, GAMES)
    found: Board[Any] = import_module(f"{GAMES[game]}.board").BOARD
    return found
