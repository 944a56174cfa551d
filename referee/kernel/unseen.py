"""What can still come: the components that a seat has not seen, computed from its view alone.

A game's package has a module `unseen` whose function `unseen` counts them: what lies in decks and bags, and in other
hands as far as the seat does not know the hand. Bots reach it as `ask.unseen()`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from referee.kernel.errors import UnknownName
from referee.kernel.registry import GAMES

Unseen: TypeAlias = Callable[[Any], Mapping[str, int]]
"""From a view of the game: by name of a component, how many copies the seat has not seen; none is 0."""


@cache
def unseen(game: str) -> Unseen:
    """The function of a game; its module is imported on first use."""
    if game not in GAMES:
        raise UnknownName.of("game", game, GAMES)
    found: Unseen = import_module(f"{GAMES[game]}.unseen").unseen
    return found
