"""Ninjato, 2 to 4 players: raids on five houses with a secret hand of Dojo cards, envoys, rumors, seven rounds.

RULES.md beside this file has the numbered rules that code and tests cite, and says where each chapter lives. `GAME` is
the game; the other names are what a bot meets in its views and options.
"""

from referee.games.ninjato.census import census
from referee.games.ninjato.game import GAME
from referee.games.ninjato.options import (
    Act,
    Discard,
    Disguise,
    Keep,
    Learn,
    Pay,
    Pick,
    Place,
    Play,
    PutToken,
    Refresh,
    Reward,
    Spend,
    Swap,
    TakeEnvoy,
    TakeRumor,
)
from referee.games.ninjato.state import Raid, Scoring, State
from referee.games.ninjato.view import View

__all__ = [
    "GAME",
    "Act",
    "Discard",
    "Disguise",
    "Keep",
    "Learn",
    "Pay",
    "Pick",
    "Place",
    "Play",
    "PutToken",
    "Raid",
    "Refresh",
    "Reward",
    "Scoring",
    "Spend",
    "State",
    "Swap",
    "TakeEnvoy",
    "TakeRumor",
    "View",
    "census",
]
