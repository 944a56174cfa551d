"""Counts the components of a state, wherever they are (H-1.1, H-1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from referee.games.honshu.components import CARDS, COLOURS
from referee.games.honshu.state import NO_CUBE, State, cube_colours


def cards_in_play(state: State) -> Counter[int]:
    """Every map card wherever it is, counted (H-1.1)."""
    cards: Counter[int] = Counter()
    for held in (*state.hands, *state.offers, state.pile, state.faceup, state.revealed, state.discards):
        cards.update(held)
    cards.update(card for card in state.taken if card)
    for domain in state.domains:
        cards.update(laid.card for laid in domain.laid)
    return cards


def census(state: State) -> Mapping[str, int]:
    """How many components of each sort there are in the game; they never change (H-1.1, H-1.3)."""
    cards = cards_in_play(state)
    counts = {"cards": cards.total(), "different cards": sum(card in cards for card in CARDS)}
    counts["provinces"] = len({domain.province for domain in state.domains})
    cubes = list(state.supply)
    for bid in state.trick:
        if bid.colour != NO_CUBE:
            cubes[bid.colour] += 1
    for seat in range(len(state.domains)):
        for colour, count in enumerate(cube_colours(state, seat)):
            cubes[colour] += count
    return counts | {f"{name} cubes": count for name, count in zip(COLOURS, cubes, strict=True)}
