"""The construction cards that no seat has seen."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.edo_yashiki.components import NAMES
from referee.games.edo_yashiki.view import View


def unseen(view: View) -> Mapping[str, int]:
    """By name: the cards of the deck (section 11)."""
    return {NAMES[card]: 1 for card in view.unseen}
