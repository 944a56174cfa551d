"""The kinds of decisions of Edo Yashiki, as authors of bots read them."""

from __future__ import annotations

from referee.games.edo_yashiki.options import PickCard, PlaceCard, RankCards, ScoreLine
from referee.games.edo_yashiki.state import PICK_CARD, PLACE_CARD, RANK_CARDS, SCORE_LINE
from referee.kernel.decisions import DecisionKind

DECISIONS = (
    DecisionKind(
        RANK_CARDS,
        "All seats at once, in the drafts `sealed` and `reflex`: rank the cards of the row from most to least wanted.",
        (RankCards,),
        ("E-6.1",),
    ),
    DecisionKind(
        PICK_CARD, "In turn, in the draft `turn_order`: take a card that is still in the row.", (PickCard,), ("E-6.2",)
    ),
    DecisionKind(
        PLACE_CARD,
        "All seats at once: lay the card of this round over the own house. The list is lazy.",
        (PlaceCard,),
        ("E-7.1", "E-7.2", "E-7.5"),
    ),
    DecisionKind(
        SCORE_LINE,
        "Each seat by itself, under the rules `specialists`: score one more of the lines just made, or stop.",
        (ScoreLine,),
        ("E-9.3",),
    ),
)
