"""Counts of all components in a state, which no answer changes (W-2)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.white_castle.components import (
    DECREES,
    DIPLOMATS,
    MEMBERS,
    NOTHING,
    STARTING_ACTIONS,
    STARTING_RESOURCES,
    STEWARDS,
)
from referee.games.white_castle.state import State


def census(state: State) -> Mapping[str, int]:
    """Number of components of each sort in the state: all but coins and goods, which are gained and spent (W-2)."""
    cards = _cards(state)
    counts = {
        "steward cards": sum(card in STEWARDS for card in cards),
        "diplomat cards": sum(card in DIPLOMATS for card in cards),
        "starting action cards": sum(card in STARTING_ACTIONS for card in cards),
        "starting resource cards": sum(card in STARTING_RESOURCES for card in cards),
        "different cards": len({card for card in cards if card not in DECREES}),
        "dice": _dice(state),
        "influence markers": len(set(state.track)),
        "die tiles": len(set(state.board.tiles)),
        "garden cards": len(set(state.board.gardens)),
        "yard tiles": len(set(state.board.yard_tiles)),
    }
    if state.board.solo:
        counts["solo cards"] = len({*state.solo_deck, *state.solo_row})
    for member, name in enumerate(MEMBERS):
        away = (
            sum(sum(clan.court) for clan in state.clans),
            sum(clan.gardens.bit_count() for clan in state.clans),
            sum(sum(clan.yards) for clan in state.clans),
        )
        counts[f"{name}s"] = sum(clan.home[member] for clan in state.clans) + away[member]
    return counts


def _cards(state: State) -> list[int]:
    """Every card in play, with those that a `lay_by` frame moves from the offer to a lantern area."""
    cards = [*state.stewards, *state.diplomats, *state.castle, *state.gone]
    cards += [card for pair in state.offer for card in pair]
    cards += [int(frame[2]) for frame in state.stack if frame[0] == "lay_by"]
    for clan in state.clans:
        cards += [clan.action, *clan.lantern]
    return [card for card in cards if card != NOTHING]


def _dice(state: State) -> int:
    bridges = sum((left > 0) + len(centre) + (right > 0) for left, centre, right in state.bridges)
    placed = sum(len(dice) for dice in state.spaces) + sum(die > 0 for clan in state.clans for die in clan.dice)
    return bridges + placed + [frame[0] for frame in state.stack].count("place_die")
