"""The list of games: a dict from a game's name to its package, which is imported on first use.

A new game is one line in this dict; no other module of the kernel or the match names a game.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from referee.kernel.errors import UnknownName
from referee.kernel.game import AnyGame

GAMES = {
    "edo_yashiki": "referee.games.edo_yashiki",
    "honshu": "referee.games.honshu",
    "ninjato": "referee.games.ninjato",
    "white_castle": "referee.games.white_castle",
}
"""Name of each game and the package whose `GAME` it is."""


@cache
def game(name: str) -> AnyGame:
    """The game of that name."""
    if name not in GAMES:
        raise UnknownName.of("game", name, GAMES)
    loaded: AnyGame = import_module(GAMES[name]).GAME
    return loaded


def names() -> tuple[str, ...]:
    """All games, by name."""
    return tuple(sorted(GAMES))
