"""The kinds of decisions of The White Castle, as authors of bots read them."""

from __future__ import annotations

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
from referee.kernel.decisions import DecisionKind

DECISIONS = (
    DecisionKind("choose_start_pair", "Draft a starting pair of the offer.", (ChoosePair,), ("W-4.13",)),
    DecisionKind("take_die", "Take the die at an end of a bridge.", (TakeDie, Exchange), ("W-8.3", "W-6.4")),
    DecisionKind(
        "place_die",
        "Place the die that was taken on a die space or on a row of the own domain.",
        (PlaceDie, Exchange),
        ("W-9.1", "W-6.4"),
    ),
    DecisionKind(
        "next_action",
        "Choose which of two or more pending effects comes first.",
        (NextAction, Exchange),
        ("W-17.6", "W-6.4"),
    ),
    DecisionKind(
        "outside_action",
        "Do one of the two main actions of the space outside the castle, or skip.",
        (OutsideAction, Word, Exchange),
        ("W-9.3", "W-6.4"),
    ),
    DecisionKind("pay_optional", "Pay the price of an effect, or skip it.", (Word, Exchange), ("W-10.7", "W-6.4")),
    DecisionKind(
        "place_gardener", "Send a gardener to a garden, or skip.", (PlaceGardener, Word, Exchange), ("W-10.1", "W-6.4")
    ),
    DecisionKind(
        "place_warrior", "Send a warrior to a yard, or skip.", (PlaceWarrior, Word, Exchange), ("W-10.2", "W-6.4")
    ),
    DecisionKind(
        "courtier",
        "Have an audience, let a courtier climb, or end the action (`done`).",
        (Word, Climb, Exchange),
        ("W-10.3", "W-6.4"),
    ),
    DecisionKind(
        "choose_light", "Do one of two light rows of the card just taken.", (LightRow, Exchange), ("W-10.4", "W-6.4")
    ),
    DecisionKind("daimyo_slot", "Take a free slot of the daimyo card.", (FavourSlot, Exchange), ("W-10.6", "W-6.4")),
    DecisionKind(
        "choose_castle_action",
        "Do a row of a card in a room of the castle, or skip.",
        (CastleRow, Word, Exchange),
        ("W-5.7", "W-6.4"),
    ),
    DecisionKind(
        "choose_domain_row", "Do a row of the own domain, or skip.", (DomainRow, Word, Exchange), ("W-9.5", "W-6.4")
    ),
    DecisionKind(
        "choose_resource", "Take one unit of a resource below its cap.", (ChooseResource, Exchange), ("W-6.3", "W-6.4")
    ),
    DecisionKind(
        "pay_gate",
        "Pay seals to pass a gate of the time track, or stop before it.",
        (Word, Exchange),
        ("W-11.2", "W-6.4"),
    ),
    DecisionKind("seal_order", "Take seals or influence first.", (Word, Exchange), ("W-6.2", "W-6.4")),
    DecisionKind(
        "seal_window",
        "Exchange seals before a gain of more seals than the clan can hold, or continue.",
        (Exchange, Word),
        ("W-6.5",),
    ),
    DecisionKind(
        "final_exchange", "Exchange seals for the last time, or end it (`done`).", (Exchange, Word), ("W-13.2",)
    ),
    DecisionKind("rival_room", "Solo: choose the room that the rival's courtier enters.", (RivalRoom,), ("W-16.8",)),
    DecisionKind(
        "rival_garden", "Solo: choose the garden that the rival's gardener takes.", (RivalGarden,), ("W-16.8",)
    ),
)
