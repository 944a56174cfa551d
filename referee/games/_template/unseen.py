"""The cards that a seat has not seen."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games._template.components import CARDS
from referee.games._template.view import View


def unseen(view: View) -> Mapping[str, int]:
    """By name: the cards in the deck and in other hands."""
    seen = {*view.hand, *view.played}
    return {f"card {card}": 1 for card in CARDS if card not in seen}
