"""Honshu by Kalle Malmioja, 2 to 5 seats: win map cards in tricks, lay them over and under your domain, score the land.

The rules, with their numbers, are in RULES.md beside this file. `GAME` is the game; the other names are what a bot
meets in its views and options.
"""

from referee.games.honshu.census import census
from referee.games.honshu.domain import Laid, Picture
from referee.games.honshu.game import GAME
from referee.games.honshu.geometry import Cell
from referee.games.honshu.options import Keep, Override, Pair, Pick, Placement, Placements, Play
from referee.games.honshu.state import Bid, SeatScore, State, Switches
from referee.games.honshu.view import DomainView, View

__all__ = [
    "GAME",
    "Bid",
    "Cell",
    "DomainView",
    "Keep",
    "Laid",
    "Override",
    "Pair",
    "Pick",
    "Picture",
    "Placement",
    "Placements",
    "Play",
    "SeatScore",
    "State",
    "Switches",
    "View",
    "census",
]
