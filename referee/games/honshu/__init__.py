"""Honshu, for 2 to 5 players: RULES.md has the rules, `game.py` the way into the code."""

from referee.games.honshu.game import GAME
from referee.games.honshu.state import census

__all__ = ["GAME", "census"]
