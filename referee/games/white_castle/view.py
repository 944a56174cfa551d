"""What a seat sees, and a random full state behind it (W-15).

The White Castle has no secret between players: every seat and the public see the same table. Hidden from all are the
order of the two castle decks, the backs of the die tiles in the castle, the dice to come and, in a solo game, the order
of the solo cards that have not cycled yet. None of these has a field here; decks appear as the sorted set of cards they
must contain. All numbers are those of `components`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.games.white_castle.components import (
    CARD_NAMES,
    COLOURS,
    DAIMYO_NAMES,
    DIE_SPACES,
    DIE_TILE_COLOUR,
    DIE_TILE_NAMES,
    EFFECTS,
    GARDENS,
    ROOMS,
    SOLO_CARDS,
    TILE_SPACES,
    YARD_TILE_NAMES,
    YARDS,
)
from referee.games.white_castle.state import Board, BoardView, Bridge, Clan, Die, Move, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Seat

__all__ = ["NAMES", "BoardView", "ClanView", "Names", "SoloView", "View", "determinise", "view"]


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
    """Value of the die on the coral, black and white domain row; 0: none."""
    gardens: tuple[int, ...]
    """Garden cards with a gardener."""
    space: int
    """Time-track space."""
    action: int
    """The card on the domain; -1 before the draft, and always for the rival."""
    lantern: tuple[int, ...]
    """Cards of the lantern area, oldest first."""


class SoloView(NamedTuple):
    """The rival's cards (W-16.4 to W-16.7)."""

    top: int
    unknown: tuple[int, ...]
    """Cards somewhere behind the top one, sorted; nobody knows their order."""
    cycled: tuple[int, ...]
    """Cards below those, in their order, which everybody saw."""
    row: tuple[int, ...]
    """Cards flipped in the rival's current turn, left to right."""
    turns: tuple[tuple[int, ...], ...]
    """Cards of each of its turns so far: the row, then the card that named its die."""


class View(NamedTuple):
    """The table as a seat sees it; `seat` is None for the public."""

    seat: Seat | None
    board: BoardView
    round: int
    order: tuple[int, ...]
    """Turn order of this round, as clan numbers; in a solo game the rival is clan 1."""
    track: tuple[int, ...]
    """Clans by time space, highest first, and from the top of a stack down."""
    bridges: tuple[Bridge, ...]
    """(left, centre, right) of the coral, black and white bridge; 0: no die."""
    spaces: tuple[tuple[Die, ...], ...]
    """Dice (colour, value) on each die space, lowest first."""
    castle: tuple[int, ...]
    """Card in each room; -1 while it is being replaced."""
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
    """Open decisions and what follows them, the current question last (see `flow`)."""
    last: Move | None
    """The latest answer of any seat."""


class Names(NamedTuple):
    """What the numbers of a view stand for, by number."""

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


NAMES = Names(
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


@lru_cache(maxsize=1024)
def _sorted(deck: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of a deck without their order; a deck stays the same for many looks."""
    return tuple(sorted(deck))


def _solo_view(state: State) -> SoloView | None:
    if not state.solo_deck:
        return None
    known = 1 + state.solo_unknown
    deck = state.solo_deck
    return SoloView(deck[0], _sorted(deck[1:known]), deck[known:], state.solo_row, state.solo_turns)


def view(state: State, seat: Seat | None) -> View:
    """The table as everybody sees it (W-15)."""
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


def _clan(seen: ClanView) -> Clan:
    clan = Clan()
    clan.goods = [seen.food, seen.iron, seen.pearl, seen.coins, seen.vp, seen.seals]
    clan.home = list(seen.home)
    clan.court = list(seen.court)
    clan.yards = list(seen.yards)
    clan.dice = list(seen.dice)
    clan.gardens = sum(1 << garden for garden in seen.gardens)
    clan.space = seen.space
    clan.action = seen.action
    clan.lantern = seen.lantern
    return clan


def _tiles(seen: BoardView, chance: Chance) -> list[int]:
    """Die tiles that show the seen colours, their unknown backs dealt at random."""
    hidden = [
        chance.shuffled(
            f"determinise/die-tiles/{name}",
            [tile for tile, its in enumerate(DIE_TILE_COLOUR) if its == colour and tile not in seen.well_tiles],
        )
        for colour, name in enumerate(COLOURS)
    ]
    return [*(hidden[colour].pop() for colour in seen.colours), *seen.well_tiles]


def determinise(seen: View, chance: Chance) -> State:
    """A random state that looks like the view: decks, tile backs and unseen solo cards in random order."""
    board = seen.board
    solo = seen.solo
    solo_deck: tuple[int, ...] = ()
    if solo is not None:
        solo_deck = (solo.top, *chance.shuffled("determinise/solo-deck", solo.unknown), *solo.cycled)
    return State(
        Board.lay(board.seats, _tiles(board, chance), board.daimyo, board.gardens, board.yard_tiles),
        [_clan(clan) for clan in seen.clans],
        seen.order,
        list(seen.track),
        list(seen.bridges),
        list(seen.spaces),
        list(seen.castle),
        tuple(chance.shuffled("determinise/steward-deck", seen.stewards)),
        tuple(chance.shuffled("determinise/diplomat-deck", seen.diplomats)),
        list(seen.favours),
        seen.offer,
        seen.gone,
        solo_deck,
        solo.row if solo is not None else (),
        solo.turns if solo is not None else (),
        len(solo.unknown) if solo is not None else 0,
        seen.round,
        list(seen.stack),
        seen.last,
    )
