"""Ninjato, 2 to 4 players: raids on five houses with a secret hand of Dojo cards, envoys, rumors, seven rounds.

RULES.md beside this file has the numbered rules that code and tests cite, and says where each chapter lives.
"""

from referee.games.ninjato.census import census
from referee.games.ninjato.game import GAME

__all__ = ["GAME", "census"]
