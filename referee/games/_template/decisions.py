"""The kinds of decisions of Lanterns, as authors of bots read them."""

from __future__ import annotations

from referee.games._template.options import Bid, Reward
from referee.games._template.state import BID, REWARD
from referee.kernel.decisions import DecisionKind

DECISIONS = (
    DecisionKind(BID, "All seats bid a card at once; the option is a card of the own hand.", (Bid,), ("T-3.2",)),
    DecisionKind(
        REWARD, "The winner of the bidding takes the points of the prize or draws a card.", (Reward,), ("T-3.4",)
    ),
)
