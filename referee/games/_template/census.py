"""Counts the components of a state, wherever they are: the counts never change (T-1.1)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games._template.state import State


def census(state: State) -> Mapping[str, int]:
    """The number of cards, and of different cards, in deck, hands and played bids."""
    cards = [*state.deck, *state.played, *(card for hand in state.hands for card in hand)]
    return {"cards": len(cards), "different cards": len(set(cards))}
