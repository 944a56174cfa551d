"""The games there are: a dict from name to where the game lives, loaded on first use.

Adding a game is adding a line here; nothing else in the kernel or the match knows one game from another.
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
