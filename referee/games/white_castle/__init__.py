"""The White Castle, 1 to 4 players, with the solo rival at three levels.

RULES.md beside this file has the numbered rules that code and tests cite, and says where each chapter lives. `GAME` is
the game; the other names are what a bot meets in views and options.
"""

from referee.games.white_castle.census import census
from referee.games.white_castle.game import GAME
from referee.games.white_castle.options import (
    CastleOption,
    CastleRow,
    ChoosePair,
    ChooseResource,
    Climb,
    DomainRow,
    Exchange,
    FavourSlot,
    LightRow,
    NextAction,
    OutsideAction,
    PlaceDie,
    PlaceGardener,
    PlaceWarrior,
    RivalGarden,
    RivalRoom,
    TakeDie,
    Word,
)
from referee.games.white_castle.state import State
from referee.games.white_castle.view import ClanView, SoloView, View

__all__ = [
    "GAME",
    "CastleOption",
    "CastleRow",
    "ChoosePair",
    "ChooseResource",
    "ClanView",
    "Climb",
    "DomainRow",
    "Exchange",
    "FavourSlot",
    "LightRow",
    "NextAction",
    "OutsideAction",
    "PlaceDie",
    "PlaceGardener",
    "PlaceWarrior",
    "RivalGarden",
    "RivalRoom",
    "SoloView",
    "State",
    "TakeDie",
    "View",
    "Word",
    "census",
]
