"""A bot that plays the option of the highest value now, by a measure of value for each game.

A policy is a module with a function `choose(ask) -> int`. The function uses the view and the options alone, and is
deterministic unless the game's module says otherwise. A new game needs one module beside these and one line in
`POLICIES`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from bots.ask import AnyAsk
from bots.bot import Bot
from referee.kernel.errors import UnknownName
from referee.kernel.game import Option

POLICIES = {
    "edo_yashiki": "bots.bundled.greedy.edo_yashiki",
    "honshu": "bots.bundled.greedy.honshu",
    "ninjato": "bots.bundled.greedy.ninjato",
    "white_castle": "bots.bundled.greedy.white_castle",
}
"""Name of each game, and the module with its policy; loaded on first use."""


class Greedy(Bot):
    """Plays the policy of the game at its table."""

    games = tuple(POLICIES)
    events = False

    def decide(self, ask: AnyAsk) -> Option:
        return policy(ask.game_name)(ask)


@cache
def policy(game: str) -> Callable[[AnyAsk], int]:
    """The greedy policy of a game."""
    if game not in POLICIES:
        raise UnknownName.of("game of the greedy bot", game, POLICIES)
    choose: Callable[[AnyAsk], int] = import_module(POLICIES[game]).choose
    return choose
