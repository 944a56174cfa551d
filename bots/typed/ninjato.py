"""The asks of Ninjato, kind by kind, and the base class of bots that play nothing else."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bots.ask import Ask
from bots.bot import Bot
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
from referee.games.ninjato.state import State
from referee.games.ninjato.view import View

PlaceAsk: TypeAlias = Ask[State, View, Literal["place"], Place]
DojoPickAsk: TypeAlias = Ask[State, View, Literal["dojo_pick"], Pick]
DojoDiscardAsk: TypeAlias = Ask[State, View, Literal["dojo_discard"], Discard]
SenseiTakeAsk: TypeAlias = Ask[State, View, Literal["sensei_take"], Learn]
SenseiPayAsk: TypeAlias = Ask[State, View, Literal["sensei_pay"], Spend]
EnvoyTakeAsk: TypeAlias = Ask[State, View, Literal["envoy_take"], TakeEnvoy]
RumorTakeAsk: TypeAlias = Ask[State, View, Literal["rumor_take"], TakeRumor]
PayAsk: TypeAlias = Ask[State, View, Literal["pay"], Pay]
FightAsk: TypeAlias = Ask[State, View, Literal["fight"], Play | Act | Swap | Refresh]
BanzaiAsk: TypeAlias = Ask[State, View, Literal["banzai"], Act | Swap | Refresh]
KeepAsk: TypeAlias = Ask[State, View, Literal["keep"], Keep | Swap | Refresh]
ClanTokenAsk: TypeAlias = Ask[State, View, Literal["clan_token"], PutToken]
DisguiseAsk: TypeAlias = Ask[State, View, Literal["disguise"], Disguise]
ClanRewardAsk: TypeAlias = Ask[State, View, Literal["clan_reward"], Reward]
RumorFreeAsk: TypeAlias = Ask[State, View, Literal["rumor_free"], TakeRumor]

NinjatoAsk: TypeAlias = (
    PlaceAsk
    | DojoPickAsk
    | DojoDiscardAsk
    | SenseiTakeAsk
    | SenseiPayAsk
    | EnvoyTakeAsk
    | RumorTakeAsk
    | PayAsk
    | FightAsk
    | BanzaiAsk
    | KeepAsk
    | ClanTokenAsk
    | DisguiseAsk
    | ClanRewardAsk
    | RumorFreeAsk
)
"""One decision; `match ask.kind` tells which."""
NinjatoOption: TypeAlias = (
    Place
    | Pick
    | Discard
    | Learn
    | Spend
    | TakeEnvoy
    | TakeRumor
    | Pay
    | Play
    | Act
    | Swap
    | Refresh
    | Keep
    | PutToken
    | Disguise
    | Reward
)
"""Any answer."""


class NinjatoBot(Bot):
    """The base class of bots for Ninjato alone; a bot overrides `decide`."""

    games = ("ninjato",)

    def decide(self, ask: NinjatoAsk) -> NinjatoOption | int:
        """The answer: one of `ask.options`, or its index."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, ask)")
