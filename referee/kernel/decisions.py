"""The kinds of decisions of each game: what a seat is asked, the types of its options, and the rules of both.

A game's package has a module `decisions` whose `DECISIONS` lists every kind. `kumite games GAME --decisions` and the
pages `docs/decisions-<game>.md` show them; `bots.typed` has the same as types for a type checker.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import NamedTuple

from referee.kernel.errors import UnknownName
from referee.kernel.registry import GAMES


class DecisionKind(NamedTuple):
    """One kind of decision."""

    kind: str
    """The kind as an ask names it: "place_card"."""
    meaning: str
    """What the seat decides, as one sentence for authors of bots."""
    options: tuple[type, ...]
    """The types that options of this kind can have, each defined in the game's `options.py`."""
    rules: tuple[str, ...]
    """The numbers of the rules, as in the game's RULES.md."""


@cache
def decisions(game: str) -> tuple[DecisionKind, ...]:
    """The kinds of decisions of a game, in the order of its rules; the game's module is imported on first use."""
    if game not in GAMES:
        raise UnknownName.of("game", game, GAMES)
    found: tuple[DecisionKind, ...] = import_module(f"{GAMES[game]}.decisions").DECISIONS
    return found
