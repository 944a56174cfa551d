"""The White Castle, 1 to 4 players, with the solo rival at three levels. `RULES.md` has the numbered rules.

`rules` joins the areas of the board into one table of decisions; `state` is what they change, `components` what they
read. `GAME` is the whole of it behind the kernel's contract.
"""

from referee.games.white_castle.census import census
from referee.games.white_castle.game import GAME

__all__ = ["GAME", "census"]
