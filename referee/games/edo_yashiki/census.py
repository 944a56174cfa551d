"""Counts the cards of a state, wherever they are: each card exists once, always."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.edo_yashiki.components import NAMES
from referee.games.edo_yashiki.state import OVER, SCORE_LINE, State, phase


def census(state: State) -> Mapping[str, int]:
    """By name of a construction card: how often it is in the deck, in a house, or in a row not yet placed."""
    counts = dict.fromkeys(NAMES, 0)
    cards = [*state.deck, *(placed.card for house in state.houses for placed in house.cards)]
    if phase(state) not in (SCORE_LINE, OVER):
        cards += state.row
    for card in cards:
        counts[NAMES[card]] += 1
    return counts
