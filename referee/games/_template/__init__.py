"""Lanterns, a tiny complete game to copy: see "Add a game in eleven steps" in CONTRIBUTING.

The template is not in the registry, so no command or match offers it; the conformance kit plays it like every game. The
rules, with their numbers, are in RULES.md beside this file.
"""

from referee.games._template.census import census
from referee.games._template.game import GAME
from referee.games._template.options import Bid, Reward
from referee.games._template.view import View

__all__ = ["GAME", "Bid", "Reward", "View", "census"]
