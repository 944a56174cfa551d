"""Set-up: the layout of the board and the deal of the start, each with its own chance streams (W-4, W-14, W-16.1)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.white_castle import solo
from referee.games.white_castle.bridges import roll
from referee.games.white_castle.components import (
    CARDS,
    COLOURS,
    DAIMYO,
    DIE_TILE_COLOUR,
    DIPLOMAT_ROOMS,
    DIPLOMATS,
    FIRST_GAME,
    GARDENS,
    LEVELS,
    MOST_SEATS,
    NOTHING,
    PLANT,
    ROOMS,
    SLOTS,
    STARTING_ACTIONS,
    STARTING_RESOURCES,
    STEWARD_ROOMS,
    STEWARDS,
    STONE,
    TILE_SPACES,
    VP,
    YARD_TILES,
    YARDS,
)
from referee.games.white_castle.flow import run
from referee.games.white_castle.rounds import CONTINUATIONS
from referee.games.white_castle.state import RIVAL, Clan, Layout, State
from referee.kernel.chance import Chance
from referee.kernel.game import Event, Variant

_MARKED = tuple(place for place, space in enumerate(TILE_SPACES) if space.order == 0)
_NUMBERED = tuple(place for place, space in enumerate(TILE_SPACES) if space.order > 0)
_MATES = tuple(
    tuple(mate for mate, other in enumerate(TILE_SPACES) if other.room == space.room and mate != place)
    if space.room in ROOMS and space.order == max(other.order for other in TILE_SPACES if other.room == space.room)
    else ()
    for place, space in enumerate(TILE_SPACES)
)
"""For the last space of each room the other spaces of the room, which are filled before; empty for other spaces."""
_NEVER_LAST = tuple(place for place in _NUMBERED if TILE_SPACES[place].room in ROOMS and not _MATES[place])
"""The numbered spaces that complete no room: they accept every tile and are filled first."""
_TILES_OF = tuple(
    tuple(tile for tile, its in enumerate(DIE_TILE_COLOUR) if its == colour) for colour in range(len(COLOURS))
)
_PLANTS = tuple(k for k, garden in enumerate(GARDENS) if garden.kind == PLANT)
_STONES = tuple(k for k, garden in enumerate(GARDENS) if garden.kind == STONE)


def start(seats: int, variant: Variant, chance: Chance) -> State:
    """A new game, set up and run to its first decision (W-4, W-17.1)."""
    state = lay_out(seats, variant, chance)
    events: list[Event] = []
    roll(state, chance, events)
    run(CONTINUATIONS, state, chance, events)
    return state


def lay_out(seats: int, variant: Variant, chance: Chance) -> State:
    """A game before its first roll: board, cards, clans, and the draft on the stack (W-4.1 to W-4.12)."""
    castle, stewards, diplomats = deal_castle(seats, chance, variant["first_cards"] == "on")
    daimyo = chance.pick("daimyo", len(DAIMYO))
    tiles = FIRST_GAME.tiles if variant["first_tiles"] == "on" else lay_tiles(chance)
    gardens = draw_gardens(chance)
    yard_tiles = chance.order("yard-tiles", len(YARD_TILES))[: sum(len(yard.sides) for yard in YARDS)]
    board = Layout.lay(seats, tiles, daimyo, gardens, yard_tiles)
    clans = [Clan() for _ in range(2 if board.solo else seats)]
    order = _solo_order(clans, variant["rival"]) if board.solo else chance.order("turn-order", seats)
    solo_deck = solo.shuffled(1, chance) if board.solo else ()
    return State(
        board,
        clans,
        tuple(order),
        list(order),
        [(0, (), 0)] * len(COLOURS),
        [],
        list(castle),
        stewards,
        diplomats,
        [NOTHING] * len(SLOTS),
        starting_pairs(seats, chance),
        (),
        solo_deck,
        (),
        (),
        max(0, len(solo_deck) - 1),
        1,
        [("draft", len(order) - 1)],
    )


# ---- castle cards


DECKS = tuple(
    tuple(tuple(card for card in deck if CARDS[card].min_players <= max(2, seats)) for deck in (STEWARDS, DIPLOMATS))
    for seats in range(MOST_SEATS + 1)
)
"""The steward and diplomat cards in use, by seat count (W-4.1; solo as for two, W-16.1)."""


def deal_castle(
    seats: int, chance: Chance, first_cards: bool
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The cards of the five rooms, the steward deck and the diplomat deck (W-4.1, W-4.2, W-4.14)."""
    stewards, diplomats = DECKS[seats]
    if first_cards:
        laid = FIRST_GAME.castle
        rest = [[card for card in deck if card not in laid] for deck in (stewards, diplomats)]
        return (
            laid,
            tuple(chance.shuffled("steward-deck", rest[0])),
            tuple(chance.shuffled("diplomat-deck", rest[1])),
        )
    while True:
        top = chance.shuffled("steward-deck", stewards)
        low = chance.shuffled("diplomat-deck", diplomats)
        rooms = (*top[: len(STEWARD_ROOMS)], *low[: len(DIPLOMAT_ROOMS)])
        if varied(rooms):
            return rooms, tuple(top[len(STEWARD_ROOMS) :]), tuple(low[len(DIPLOMAT_ROOMS) :])


def varied(rooms: Sequence[int]) -> bool:
    """Whether the castle shows more than one dark main action (W-4.2, W-R2)."""
    return len({CARDS[card].dark for card in rooms}) > 1


# ---- die tiles


def lay_tiles(chance: Chance) -> tuple[int, ...]:
    """A die tile for every tile space: one of each colour on the marked spaces, the others in filling order (W-4.4)."""
    while True:
        marked = chance.shuffled(
            "die-tiles/marked", [same[chance.pick("die-tiles/marked", len(same))] for same in _TILES_OF]
        )
        others = [tile for tile in range(len(DIE_TILE_COLOUR)) if tile not in marked]
        tiles = fill_tiles(marked, chance.shuffled("die-tiles/rest", others))
        if tiles is not None:
            return tiles


def fill_tiles(marked: Sequence[int], others: Sequence[int]) -> tuple[int, ...] | None:
    """The layout of tiles drawn in this order, or None if a tile finds no space and the deal restarts (W-4.5, W-R3)."""
    laid = [NOTHING] * len(TILE_SPACES)
    for place, tile in zip(_MARKED, marked, strict=True):
        laid[place] = tile
    for place, tile in zip(_NEVER_LAST, others, strict=False):
        laid[place] = tile
    empty = list(_NUMBERED[len(_NEVER_LAST) :])
    for tile in others[len(_NEVER_LAST) :]:
        for at, place in enumerate(empty):
            if not _refuses(laid, place, tile):
                laid[place] = tile
                del empty[at]
                break
        else:
            return None
    return tuple(laid)


def _refuses(laid: list[int], place: int, tile: int) -> bool:
    """Whether the tile would complete the room of a space in a single colour (W-4.4)."""
    colour = DIE_TILE_COLOUR[tile]
    for mate in _MATES[place]:
        if DIE_TILE_COLOUR[laid[mate]] != colour:
            return False
    return bool(_MATES[place])


# ---- gardens, players


def draw_gardens(chance: Chance) -> list[int]:
    """A plant and a stone card for each bridge (W-4.8)."""
    plants = chance.shuffled("gardens/plant", _PLANTS)
    stones = chance.shuffled("gardens/stone", _STONES)
    return [garden for bridge in range(len(COLOURS)) for garden in (plants[bridge], stones[bridge])]


def starting_pairs(seats: int, chance: Chance) -> tuple[tuple[int, int], ...]:
    """One pair more than players (W-4.12); in a solo game the one pair that the player is dealt (W-16.1)."""
    if seats == 1:
        resource = STARTING_RESOURCES[chance.pick("starting-resources", len(STARTING_RESOURCES))]
        return ((resource, STARTING_ACTIONS[chance.pick("starting-actions", len(STARTING_ACTIONS))]),)
    resources = chance.shuffled("starting-resources", STARTING_RESOURCES)[: seats + 1]
    actions = chance.shuffled("starting-actions", STARTING_ACTIONS)[: seats + 1]
    return tuple(zip(resources, actions, strict=True))


def _solo_order(clans: list[Clan], level: str) -> list[int]:
    """Set the rival's start; returns the turn order of round 1 (W-16.2)."""
    points, first, space = LEVELS[level]
    clans[RIVAL].goods[VP] = points
    clans[RIVAL].space = space
    return [RIVAL, 0] if first else [0, RIVAL]
