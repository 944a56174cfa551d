"""The answers a seat can give, one type for each kind of decision, each built once and shared.

Lists have one canonical order, the same in every process.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.games._template.components import CARDS


class Bid(NamedTuple):
    """Bid this hand card (T-3.2)."""

    card: int


class Reward(NamedTuple):
    """Take the points of the prize, or the top card of the deck (T-3.4)."""

    what: str


BIDS = {card: Bid(card) for card in CARDS}
"""By card."""
POINTS, CARD = Reward("points"), Reward("card")
