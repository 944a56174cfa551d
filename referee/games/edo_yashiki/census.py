"""Counting the cards of a state, wherever they are: each of them exists once, always."""

from __future__ import annotations

from referee.games.edo_yashiki.components import NAMES
from referee.games.edo_yashiki.state import PICK_CARD, PLACE_CARD, RANK_CARDS, State


def census(state: State) -> dict[str, int]:
    """How often each construction card is in the deck, in a house, or in a row that nobody has placed yet."""
    counts = dict.fromkeys(NAMES, 0)
    cards = [*state.deck, *(placed.card for house in state.houses for placed in house.cards)]
    if state.stack and state.stack[-1] in (RANK_CARDS, PICK_CARD, PLACE_CARD):
        cards += state.row
    for card in cards:
        counts[NAMES[card]] += 1
    return counts
