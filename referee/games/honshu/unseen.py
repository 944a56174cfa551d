"""The map cards that a seat has not seen."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.honshu.view import View, unseen_cards


def unseen(view: View) -> Mapping[str, int]:
    """By name: the map cards in the pile and in the hands that the seat does not know (section 10)."""
    return {f"card {card}": 1 for card in unseen_cards(view)}
