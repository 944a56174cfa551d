"""The asks of The White Castle, kind by kind, and the base class of bots that play nothing else."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bots.ask import Ask
from bots.bot import Bot
from referee.games.white_castle.options import (
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
from referee.games.white_castle.view import View

ChooseStartPairAsk: TypeAlias = Ask[State, View, Literal["choose_start_pair"], ChoosePair]
TakeDieAsk: TypeAlias = Ask[State, View, Literal["take_die"], TakeDie | Exchange]
PlaceDieAsk: TypeAlias = Ask[State, View, Literal["place_die"], PlaceDie | Exchange]
NextActionAsk: TypeAlias = Ask[State, View, Literal["next_action"], NextAction | Exchange]
OutsideActionAsk: TypeAlias = Ask[State, View, Literal["outside_action"], OutsideAction | Word | Exchange]
PayOptionalAsk: TypeAlias = Ask[State, View, Literal["pay_optional"], Word | Exchange]
PlaceGardenerAsk: TypeAlias = Ask[State, View, Literal["place_gardener"], PlaceGardener | Word | Exchange]
PlaceWarriorAsk: TypeAlias = Ask[State, View, Literal["place_warrior"], PlaceWarrior | Word | Exchange]
CourtierAsk: TypeAlias = Ask[State, View, Literal["courtier"], Word | Climb | Exchange]
ChooseLightAsk: TypeAlias = Ask[State, View, Literal["choose_light"], LightRow | Exchange]
DaimyoSlotAsk: TypeAlias = Ask[State, View, Literal["daimyo_slot"], FavourSlot | Exchange]
ChooseCastleActionAsk: TypeAlias = Ask[State, View, Literal["choose_castle_action"], CastleRow | Word | Exchange]
ChooseDomainRowAsk: TypeAlias = Ask[State, View, Literal["choose_domain_row"], DomainRow | Word | Exchange]
ChooseResourceAsk: TypeAlias = Ask[State, View, Literal["choose_resource"], ChooseResource | Exchange]
PayGateAsk: TypeAlias = Ask[State, View, Literal["pay_gate"], Word | Exchange]
SealOrderAsk: TypeAlias = Ask[State, View, Literal["seal_order"], Word | Exchange]
SealWindowAsk: TypeAlias = Ask[State, View, Literal["seal_window"], Exchange | Word]
FinalExchangeAsk: TypeAlias = Ask[State, View, Literal["final_exchange"], Exchange | Word]
RivalRoomAsk: TypeAlias = Ask[State, View, Literal["rival_room"], RivalRoom]
RivalGardenAsk: TypeAlias = Ask[State, View, Literal["rival_garden"], RivalGarden]

WhiteCastleAsk: TypeAlias = (
    ChooseStartPairAsk
    | TakeDieAsk
    | PlaceDieAsk
    | NextActionAsk
    | OutsideActionAsk
    | PayOptionalAsk
    | PlaceGardenerAsk
    | PlaceWarriorAsk
    | CourtierAsk
    | ChooseLightAsk
    | DaimyoSlotAsk
    | ChooseCastleActionAsk
    | ChooseDomainRowAsk
    | ChooseResourceAsk
    | PayGateAsk
    | SealOrderAsk
    | SealWindowAsk
    | FinalExchangeAsk
    | RivalRoomAsk
    | RivalGardenAsk
)
"""One decision; `match ask.kind` tells which."""
WhiteCastleOption: TypeAlias = (
    ChoosePair
    | TakeDie
    | Exchange
    | PlaceDie
    | NextAction
    | OutsideAction
    | Word
    | PlaceGardener
    | PlaceWarrior
    | Climb
    | LightRow
    | FavourSlot
    | CastleRow
    | DomainRow
    | ChooseResource
    | RivalRoom
    | RivalGarden
)
"""Any answer."""


class WhiteCastleBot(Bot):
    """The base class of bots for The White Castle alone; a bot overrides `decide`."""

    games = ("white_castle",)

    def decide(self, ask: WhiteCastleAsk) -> WhiteCastleOption | int:
        """The answer: one of `ask.options`, or its index."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, ask)")
