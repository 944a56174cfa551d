"""Honshu, for 2 to 5 players: RULES.md has the rules, `game.py` the way into the code."""

from referee.games.honshu.game import Honshu
from referee.games.honshu.state import census

GAME = Honshu()
"""The game object of the registry."""

__all__ = ["GAME", "census"]
