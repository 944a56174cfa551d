"""The asks of Honshu, kind by kind, and the base class of bots that play nothing else."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bots.ask import Ask
from bots.bot import Bot
from referee.games.honshu.options import Keep, Override, Pair, Pick, Placement, Play
from referee.games.honshu.state import State
from referee.games.honshu.view import View

PlayAsk: TypeAlias = Ask[State, View, Literal["play"], Play]
PickAsk: TypeAlias = Ask[State, View, Literal["pick"], Pick]
Play2Ask: TypeAlias = Ask[State, View, Literal["play2"], Play]
OverrideAsk: TypeAlias = Ask[State, View, Literal["override"], Override]
PairAsk: TypeAlias = Ask[State, View, Literal["pair"], Pair]
KeepAsk: TypeAlias = Ask[State, View, Literal["keep"], Keep]
PlaceAsk: TypeAlias = Ask[State, View, Literal["place"], Placement]

HonshuAsk: TypeAlias = PlayAsk | PickAsk | Play2Ask | OverrideAsk | PairAsk | KeepAsk | PlaceAsk
"""One decision; `match ask.kind` tells which."""
HonshuOption: TypeAlias = Play | Pick | Override | Pair | Keep | Placement
"""Any answer."""


class HonshuBot(Bot):
    """The base class of bots for Honshu alone; a bot overrides `decide`."""

    games = ("honshu",)

    def decide(self, ask: HonshuAsk) -> HonshuOption | int:
        """The answer: one of `ask.options`, or its index."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, ask)")
