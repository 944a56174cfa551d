"""The asks of Edo Yashiki, kind by kind, and the base class of bots that play nothing else."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bots.ask import Ask
from bots.bot import Bot
from referee.games.edo_yashiki.options import PickCard, PlaceCard, RankCards, ScoreLine
from referee.games.edo_yashiki.state import State
from referee.games.edo_yashiki.view import View

RankCardsAsk: TypeAlias = Ask[State, View, Literal["rank_cards"], RankCards]
PickCardAsk: TypeAlias = Ask[State, View, Literal["pick_card"], PickCard]
PlaceCardAsk: TypeAlias = Ask[State, View, Literal["place_card"], PlaceCard]
ScoreLineAsk: TypeAlias = Ask[State, View, Literal["score_line"], ScoreLine]

EdoYashikiAsk: TypeAlias = RankCardsAsk | PickCardAsk | PlaceCardAsk | ScoreLineAsk
"""One decision; `match ask.kind` tells which."""
EdoYashikiOption: TypeAlias = RankCards | PickCard | PlaceCard | ScoreLine
"""Any answer."""


class EdoYashikiBot(Bot):
    """The base class of bots for Edo Yashiki alone; a bot overrides `decide`."""

    games = ("edo_yashiki",)

    def decide(self, ask: EdoYashikiAsk) -> EdoYashikiOption | int:
        """The answer: one of `ask.options`, or its index."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, ask)")
