"""What a seat and the public see (W-15).

The White Castle has no secret between players: all seats and the public see the same (W-1.2). Hidden from all are the
order of the two castle decks, the backs of the die tiles in the castle, the dice of later rounds and, in a solo game,
the order of the solo cards that have not cycled yet. A view has no field for any of these; a deck is the sorted set of
its cards. All numbers are those of `components`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.games.white_castle.components import (
    CARD_NAMES,
    DAIMYO_NAMES,
    DIE_SPACES,
    DIE_TILE_NAMES,
    EFFECTS,
    GARDENS,
    ROOMS,
    SOLO_CARDS,
    TILE_SPACES,
    YARD_TILE_NAMES,
    YARDS,
)
from referee.games.white_castle.state import BoardView, BridgeDice, Clan, Die, Move, State
from referee.kernel.frames import Frame
from referee.kernel.game import Seat

__all__ = ["NAMES", "BoardView", "ClanView", "ComponentNames", "SoloView", "View", "clan_of", "view"]


class ClanView(NamedTuple):
    """One clan, the rival's included."""

    food: int
    iron: int
    pearl: int
    coins: int
    vp: int
    seals: int
    home: tuple[int, ...]
    """Courtiers, gardeners, warriors on the domain."""
    court: tuple[int, ...]
    """Courtiers at the gate, in each of the five rooms, on floor 3."""
    yards: tuple[int, ...]
    """Warriors in `yard_5`, `yard_3`, `yard_1`."""
    dice: tuple[int, ...]
    """Value of the die on the coral, black and white domain row; 0: no die."""
    gardens: tuple[int, ...]
    """Garden cards with a gardener."""
    space: int
    """Time-track space."""
    action: int
    """The card on the domain; -1 before the draft, and for the rival."""
    lantern: tuple[int, ...]
    """Cards of the lantern area, oldest first."""


class SoloView(NamedTuple):
    """The rival's cards (W-16.4 to W-16.7)."""

    top: int
    unknown: tuple[int, ...]
    """Cards behind the top one whose order is hidden from all, sorted."""
    cycled: tuple[int, ...]
    """Cards below the unknown ones, in their order, which is public."""
    row: tuple[int, ...]
    """Cards flipped in the rival's current turn, left to right."""
    turns: tuple[tuple[int, ...], ...]
    """Cards of each turn of the rival so far: the row, then the card that named the die."""


class View(NamedTuple):
    """The game as a seat sees it; `seat` is None for the public (W-15)."""

    seat: Seat | None
    board: BoardView
    round: int
    order: tuple[int, ...]
    """Turn order of this round, as clan numbers; in a solo game the rival is clan 1."""
    track: tuple[int, ...]
    """Clans by time space, highest first, and from the top of a stack down."""
    bridges: tuple[BridgeDice, ...]
    """(left, centre, right) of the coral, black and white bridge; 0: no die."""
    spaces: tuple[tuple[Die, ...], ...]
    """Dice (colour, value) on each die space, lowest first."""
    castle: tuple[int, ...]
    """Card in each room; -1 between a climb and the refill (W-10.4)."""
    stewards: tuple[int, ...]
    """Cards left in the steward deck, sorted."""
    diplomats: tuple[int, ...]
    """Cards left in the diplomat deck, sorted."""
    clans: tuple[ClanView, ...]
    favours: tuple[int, ...]
    """Clan in each favour slot; -1: free."""
    offer: tuple[tuple[int, int], ...]
    """Starting pairs (resource card, action card); (-1, -1) once taken; empty after the draft."""
    gone: tuple[int, ...]
    """Cards that left the game in public."""
    solo: SoloView | None
    stack: tuple[Frame, ...]
    """Decision and continuation frames, the open decision last (see `flow`)."""
    last: Move | None
    """The latest answer of any seat."""


class ComponentNames(NamedTuple):
    """Names of the components, by their numbers in a view."""

    cards: tuple[str, ...]
    gardens: tuple[str, ...]
    yard_tiles: tuple[str, ...]
    die_tiles: tuple[str, ...]
    daimyos: tuple[str, ...]
    solo_cards: tuple[str, ...]
    die_spaces: tuple[str, ...]
    yards: tuple[str, ...]
    effects: tuple[str, ...]
    """Component and row of each effect that a frame can name."""
    tile_places: tuple[tuple[int, int], ...]
    """Room and row of each tile space in the castle."""


NAMES = ComponentNames(
    CARD_NAMES,
    tuple(garden.name for garden in GARDENS),
    YARD_TILE_NAMES,
    DIE_TILE_NAMES,
    DAIMYO_NAMES,
    tuple(card.name for card in SOLO_CARDS),
    tuple(space.name for space in DIE_SPACES),
    tuple(yard.name for yard in YARDS),
    tuple(effect.source for effect in EFFECTS),
    tuple((space.room, space.row) for space in TILE_SPACES if space.room in ROOMS),
)

_GARDEN_SETS = tuple(
    tuple(garden for garden in range(len(GARDENS)) if mask >> garden & 1) for mask in range(1 << len(GARDENS))
)


def _clan_view(clan: Clan) -> ClanView:
    food, iron, pearl, coins, vp, seals = clan.goods
    return ClanView(
        food,
        iron,
        pearl,
        coins,
        vp,
        seals,
        tuple(clan.home),
        tuple(clan.court),
        tuple(clan.yards),
        tuple(clan.dice),
        _GARDEN_SETS[clan.gardens],
        clan.space,
        clan.action,
        clan.lantern,
    )


def clan_of(seen: ClanView) -> Clan:
    """The clan that a view shows, as the rules know it; every part of a clan is public (W-15)."""
    return Clan(
        [seen.food, seen.iron, seen.pearl, seen.coins, seen.vp, seen.seals],
        list(seen.home),
        list(seen.court),
        list(seen.yards),
        list(seen.dice),
        sum([1 << garden for garden in seen.gardens]),
        seen.space,
        seen.action,
        seen.lantern,
    )


@lru_cache(maxsize=1024)
def _sorted(deck: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of a deck without their order. Kept, because a view takes 1.2 times as long without."""
    return tuple(sorted(deck))


def _solo_view(state: State) -> SoloView | None:
    if not state.solo_deck:
        return None
    known = 1 + state.solo_unknown
    deck = state.solo_deck
    return SoloView(deck[0], _sorted(deck[1:known]), deck[known:], state.solo_row, state.solo_turns)


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat, or of the public for None (W-15)."""
    return View(
        seat,
        state.board.public,
        state.round,
        state.order,
        tuple(state.track),
        tuple(state.bridges),
        tuple(state.spaces),
        tuple(state.castle),
        _sorted(state.stewards),
        _sorted(state.diplomats),
        tuple([_clan_view(clan) for clan in state.clans]),
        tuple(state.favours),
        state.offer,
        state.gone,
        _solo_view(state),
        tuple(state.stack),
        state.last,
    )
