"""The kinds of decisions of Ninjato, as authors of bots read them."""

from __future__ import annotations

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
from referee.kernel.decisions import DecisionKind

DECISIONS = (
    DecisionKind("place", "Put a shuriken on a space, whose action follows at once.", (Place,), ("N-4.2", "N-4.4")),
    DecisionKind(
        "dojo_pick", "Take a face-up Dojo card by its value, or the top card of the deck.", (Pick,), ("N-5.3",)
    ),
    DecisionKind("dojo_discard", "Put away a Dojo card above the limit of the hand.", (Discard,), ("N-5.4",)),
    DecisionKind("sensei_take", "Learn a displayed skill tile.", (Learn,), ("N-6.1",)),
    DecisionKind("sensei_pay", "Choose the Dojo card that pays for a tile printed `?`.", (Spend,), ("N-6.2",)),
    DecisionKind("envoy_take", "Take a displayed envoy, which is paid next.", (TakeEnvoy,), ("N-8.1",)),
    DecisionKind("rumor_take", "Take a displayed rumor, which is paid next.", (TakeRumor,), ("N-9.1",)),
    DecisionKind("pay", "Choose the treasures that pay for the envoy or rumor.", (Pay,), ("N-8.1", "N-8.5", "N-9.1")),
    DecisionKind(
        "fight",
        "Beat the guard with a play of a Dojo card and skill tiles, or give up; after `switch`, `swap` or `refresh` "
        "the seat is asked again.",
        (Play, Act, Swap, Refresh),
        ("N-7.5", "N-7.6", "N-7.13", "N-7.14", "N-7.15"),
    ),
    DecisionKind(
        "banzai",
        "After a guard was beaten: leave with the loot, or raid on (`banzai`); after a swap or refresh the seat is "
        "asked again.",
        (Act, Swap, Refresh),
        ("N-7.3", "N-7.13", "N-7.15"),
    ),
    DecisionKind(
        "keep",
        "After a failure: the one treasure of the loot that is kept; after a swap or refresh the seat is asked again.",
        (Keep, Swap, Refresh),
        ("N-7.17", "N-7.13", "N-7.15"),
    ),
    DecisionKind("clan_token", "Choose the token that is put on an emptied house.", (PutToken,), ("N-7.18",)),
    DecisionKind(
        "disguise",
        "The owner of Hensojutsu: the masked envoy that counts once more, or none.",
        (Disguise,),
        ("N-11.2",),
    ),
    DecisionKind("clan_reward", "The first of a clan: take honor or a rumor.", (Reward,), ("N-11.5",)),
    DecisionKind(
        "rumor_free", "The first or second of a clan: take a displayed rumor.", (TakeRumor,), ("N-11.5", "N-11.6")
    ),
)
