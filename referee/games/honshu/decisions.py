"""The kinds of decisions of Honshu, as authors of bots read them."""

from __future__ import annotations

from referee.games.honshu.options import Keep, Override, Pair, Pick, Placement, Play
from referee.games.honshu.state import KEEP, OVERRIDE, PAIR, PICK, PLACE, PLAY, PLAY2
from referee.kernel.decisions import DecisionKind

DECISIONS = (
    DecisionKind(
        PLAY,
        "Three to five players, in turn: play a hand card to the trick, alone or with a cube of the own domain.",
        (Play,),
        ("H-5.1",),
    ),
    DecisionKind(
        PICK,
        "Three to five players, in the order that the trick gave: take one of the cards that still lie in the trick.",
        (Pick,),
        ("H-5.6",),
    ),
    DecisionKind(PLAY2, "Two players, both at once: play a hand card.", (Play,), ("H-6.2",)),
    DecisionKind(
        OVERRIDE,
        "Two players, the seat with the lower card: discard two cubes to become the chooser, or decline.",
        (Override,),
        ("H-6.4",),
    ),
    DecisionKind(
        PAIR, "Two players, the chooser: take the pair from the deck or the pair of played cards.", (Pair,), ("H-6.5",)
    ),
    DecisionKind(
        KEEP, "Two players, both at once: keep one card of the own pair; the other is discarded.", (Keep,), ("H-6.6",)
    ),
    DecisionKind(
        PLACE,
        "All seats at once: lay the card of this round over or under the own domain. The list is lazy: its length and "
        "any one option are cheap, a walk over hundreds of options is not.",
        (Placement,),
        ("H-7.1", "H-7.2", "H-2.7"),
    ),
)
