"""Edo Yashiki by Hisashi Hayashi, 2 to 5 seats: grab a card, lay it over your house, score the lines it makes.

The rules, with their numbers, are in RULES.md beside this file. `GAME` is the game; the other names are what a bot
meets in its views and options, and `placement_points` returns what each placement would score.
"""

from referee.games.edo_yashiki.census import census
from referee.games.edo_yashiki.game import GAME
from referee.games.edo_yashiki.house import House, HouseLine, PlacedCard, lines_made
from referee.games.edo_yashiki.options import STOP, PickCard, PlaceCard, Placements, RankCards, ScoreLine
from referee.games.edo_yashiki.placement_points import placement_points
from referee.games.edo_yashiki.state import Draft, ScoringChain, State
from referee.games.edo_yashiki.view import View

__all__ = [
    "GAME",
    "STOP",
    "Draft",
    "House",
    "HouseLine",
    "PickCard",
    "PlaceCard",
    "PlacedCard",
    "Placements",
    "RankCards",
    "ScoreLine",
    "ScoringChain",
    "State",
    "View",
    "census",
    "lines_made",
    "placement_points",
]
