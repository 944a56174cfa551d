"""The cards whose turn has not come."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.white_castle.components import SOLO_CARDS
from referee.games.white_castle.names import card_name
from referee.games.white_castle.view import View


def unseen(view: View) -> Mapping[str, int]:
    """By name: the cards of both castle decks, and the solo cards whose order is hidden (W-15)."""
    found = {card_name(card): 1 for card in (*view.stewards, *view.diplomats)}
    if view.solo is not None:
        found |= {f"solo card {SOLO_CARDS[card].name}": 1 for card in view.solo.unknown}
    return found
