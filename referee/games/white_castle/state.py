"""The state of a game: what lies on the board, what each clan has, and the stack of open decisions (W-3.1).

What set-up lays out once and play never changes (die tiles, gardens, yard tiles, the daimyo card) is a frozen `Layout`
that clones share, together with tables that follow from it. What changes is in `State` and `Clan`, small mutable
objects that are copied field by field. In a solo game the rival is the second clan, without a seat and without
decisions.

The time track is one list, `track`: all clans by the turn order they would have now, highest space first and within a
space from the top of the stack down. W-11 and W-12.1 need no more than this list and the space of each clan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from referee.games.white_castle.components import (
    COLOURS,
    COURT,
    DIE_SPACES,
    DIE_TILE_COLOUR,
    DIE_TILE_REWARD,
    FLOOR_3,
    GOODS,
    MEMBERS,
    MEMBERS_PER_TYPE,
    MOST_SEATS,
    NOTHING,
    ROOMS,
    SEAL,
    TILE_SPACES,
    WELL,
    WELL_SEALS,
    YARD_TILES,
    YARDS,
)
from referee.games.white_castle.options import ALL_ROWS, BY_TEXT, ROWS, SKIP, SPACES, CastleRow, PlaceDie, Word
from referee.kernel.frames import Frame
from referee.kernel.game import Seat

BridgeDice: TypeAlias = tuple[int, tuple[int, ...], int]
"""Values of the left die, the centre dice in ascending order, the right die; 0 is an empty end (W-8.1)."""

Die: TypeAlias = tuple[int, int]
"""A placed die: colour and value."""

RIVAL = 1
"""Number of the rival's clan in a solo game."""

DECISIONS = tuple(BY_TEXT)
"""Kinds of frames that a seat answers; the second item of such a frame is the seat (W-17)."""
CONTINUATIONS = (
    "draft", "turns", "gardens", "final", "lay_by", "last_seals", "do", "rest", "seals", "units", "influence",
    "more_courtier", "refill", "favour", "domain_row", "rival_acts",
)  # fmt: skip
"""Kinds of frames that are carried out without an answer (W-17.2); one of the first four is at the bottom (W-17.1)."""


@dataclass(slots=True)
class Clan:
    """One clan: a seat's, or the rival's (W-3.1)."""

    goods: list[int] = field(default_factory=lambda: [0] * len(GOODS))
    """Food, iron, pearls, coins (W-3.4, W-R1: no limit), VP (W-3.3: one number), seals."""
    home: list[int] = field(default_factory=lambda: [MEMBERS_PER_TYPE] * len(MEMBERS))
    """Courtiers, gardeners, warriors on the domain."""
    court: list[int] = field(default_factory=lambda: [0] * COURT)
    """Courtiers at the gate, in each room, on floor 3. The room within a floor is for display only (W-3.5)."""
    yards: list[int] = field(default_factory=lambda: [0] * len(YARDS))
    """Warriors in each yard."""
    dice: list[int] = field(default_factory=lambda: [0] * len(COLOURS))
    """Value of the die on each domain row; 0: no die."""
    gardens: int = 0
    """Bit k: a gardener stands on garden card k."""
    space: int = 0
    """Time-track space."""
    action: int = NOTHING
    """The card on the domain."""
    lantern: tuple[int, ...] = ()
    """Cards of the lantern area, oldest first."""

    def clone(self) -> Clan:
        """An independent copy."""
        copy = Clan.__new__(Clan)
        copy.goods = self.goods[:]
        copy.home = self.home[:]
        copy.court = self.court[:]
        copy.yards = self.yards[:]
        copy.dice = self.dice[:]
        copy.gardens = self.gardens
        copy.space = self.space
        copy.action = self.action
        copy.lantern = self.lantern
        return copy

    def on_floor(self, floor: int) -> int:
        """Number of courtiers at the gate (0) or on a floor (1-3)."""
        court = self.court
        if floor == 1:
            return court[1] + court[2] + court[3]
        if floor == 2:
            return court[4] + court[5]
        return court[COURT - 1 if floor == FLOOR_3 else 0]


_CASTLE_PLACES = tuple(place for place, space in enumerate(TILE_SPACES) if space.room in ROOMS)
"""The tile spaces of the castle, which precede those of the well."""
_ROOM_PLACES = tuple(
    tuple(
        sorted((place for place in _CASTLE_PLACES if TILE_SPACES[place].room == room), key=lambda p: TILE_SPACES[p].row)
    )
    for room in ROOMS
)
"""The tile spaces of each room, by row."""


class _RoomTiles(NamedTuple):
    """What follows from the colours of a room's die tiles."""

    facing: tuple[tuple[int, ...], ...]
    """The rows that face each colour."""
    doors: tuple[int, ...]
    """By colour the room's bit in a mask of rooms, if a row faces the colour; otherwise 0."""
    rows: tuple[tuple[CastleRow, ...], ...]
    """The options of the rows that face each colour."""

    @classmethod
    def showing(cls, room: int, colours: tuple[int, ...]) -> _RoomTiles:
        """The tables of a room with tiles of these colours, row by row."""
        facing = tuple(tuple(row for row, its in enumerate(colours) if its == colour) for colour in range(len(COLOURS)))
        doors = tuple(bool(rows) << room for rows in facing)
        return cls(facing, doors, tuple(tuple(ROWS[room][row] for row in rows) for rows in facing))


_ROOMS = tuple(
    {shown: _RoomTiles.showing(room, shown) for shown in product(range(len(COLOURS)), repeat=len(_ROOM_PLACES[room]))}
    for room in ROOMS
)
"""For each room its tables by the colours of its tiles."""
_SHOWN = tuple(itemgetter(*places) for places in _ROOM_PLACES)
"""For each room the function that picks the colours of its tiles from those of all tiles."""
_OPEN_TO = tuple(
    tuple(
        tuple(
            (number, space.value, space.capacity[seats], SPACES[number])
            for number, space in enumerate(DIE_SPACES)
            if number != WELL and (number not in ROOMS or doors >> number & 1)
        )
        for doors in range(1 << len(ROOMS))
    )
    for seats in range(MOST_SEATS + 1)
)
"""Entries of `Layout.open_to` by seat count and the mask of rooms that show the colour."""


class BoardView(NamedTuple):
    """The public part of the board's layout (W-15)."""

    seats: int
    colours: tuple[int, ...]
    """Colours of the castle's die tiles, by tile space (`components.TILE_SPACES`)."""
    well_tiles: tuple[int, ...]
    """The two die tiles at the well, reward side up."""
    daimyo: int
    gardens: tuple[int, ...]
    """Plant and stone card under the coral, black and white bridge: six cards."""
    yard_tiles: tuple[int, ...]
    """Tiles of `yard_5` (action side, reward side), `yard_3` (action), `yard_1` (reward)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What set-up lays out for the whole game; made by `Layout.lay`."""

    seats: int
    tiles: tuple[int, ...]
    """Die tile on each tile space. In the castle only the colour of a tile is public (W-15)."""
    daimyo: int
    """The daimyo card of floor 3."""
    gardens: tuple[int, ...]
    """Plant and stone card under the coral, black and white bridge: six cards."""
    yard_tiles: tuple[int, ...]
    """Tiles of `yard_5` (action side, reward side), `yard_3` (action), `yard_1` (reward)."""

    facing: tuple[tuple[tuple[int, ...], ...], ...] = field(compare=False)
    """Rows of a room that face a die tile of a colour, by room and colour."""
    open_to: tuple[tuple[tuple[int, int, int, PlaceDie], ...], ...] = field(compare=False)
    """Stackable spaces that accept a die, by its colour (W-9.1): space, printed value, capacity, option."""
    rows_of: tuple[tuple[CastleRow | Word, ...], ...] = field(compare=False)
    """The options of a castle-row effect, by colour and for any colour, `skip` included."""
    planted: tuple[int, ...] = field(compare=False)
    """The six garden cards in TOML order."""
    bridge_of: dict[int, int] = field(compare=False)
    """The bridge of each garden card."""
    well: tuple[tuple[int, int], ...] = field(compare=False)
    """What the well gives (W-5.5)."""
    drills: tuple[tuple[int, ...], ...] = field(compare=False)
    """Effects of each yard's tiles."""
    public: BoardView = field(compare=False)
    """The layout without the backs of the castle's die tiles."""

    @classmethod
    def lay(
        cls, seats: int, tiles: Sequence[int], daimyo: int, gardens: Sequence[int], yard_tiles: Sequence[int]
    ) -> Layout:
        """The board of a layout, with the tables that follow from the layout."""
        colours = [DIE_TILE_COLOUR[tile] for tile in tiles[: len(_CASTLE_PLACES)]]
        facing, doors, rows = zip(*[of[shown(colours)] for of, shown in zip(_ROOMS, _SHOWN, strict=True)], strict=True)
        tile_of = iter(yard_tiles)
        return cls(
            seats,
            tuple(tiles),
            daimyo,
            tuple(gardens),
            tuple(yard_tiles),
            facing=facing,
            open_to=tuple([_OPEN_TO[seats][sum(masks)] for masks in zip(*doors, strict=True)]),
            rows_of=(*[(*chain.from_iterable(each), SKIP) for each in zip(*rows, strict=True)], ALL_ROWS),
            planted=tuple(sorted(gardens)),
            bridge_of={garden: place // 2 for place, garden in enumerate(gardens)},
            well=((SEAL, WELL_SEALS), *[DIE_TILE_REWARD[tile] for tile in tiles[len(_CASTLE_PLACES) :]]),
            drills=tuple([tuple([YARD_TILES[next(tile_of)][side] for side in yard.sides]) for yard in YARDS]),
            public=BoardView(
                seats,
                tuple(colours),
                tuple(tiles[len(_CASTLE_PLACES) :]),
                daimyo,
                tuple(gardens),
                tuple(yard_tiles),
            ),
        )

    @property
    def solo(self) -> bool:
        """Whether the game has one seat and the rival."""
        return self.seats == 1


class Move(NamedTuple):
    """An answer that a seat gave: the kind of decision and the text of the option."""

    seat: Seat
    kind: str
    text: str


@dataclass(slots=True)
class State:
    """A game in progress. Deck orders and the backs of the castle's die tiles are hidden, the rest is public (W-15)."""

    board: Layout
    clans: list[Clan]
    """By seat; in a solo game the rival's clan follows."""
    order: tuple[int, ...]
    """Turn order of this round."""
    track: list[int]
    """All clans by time space, highest and topmost first (W-11.3)."""
    bridges: list[BridgeDice]
    """By colour."""
    spaces: list[tuple[Die, ...]]
    """Dice on each die space, in the order of placing."""
    castle: list[int]
    """Card in each room; NOTHING between a climb and the refill (W-10.4)."""
    stewards: tuple[int, ...]
    """The steward deck, top first."""
    diplomats: tuple[int, ...]
    """The diplomat deck, top first."""
    favours: list[int]
    """Clan in each favour slot, or NOTHING."""
    offer: tuple[tuple[int, int], ...]
    """Starting pairs (resource card, action card); a taken one is (NOTHING, NOTHING). Empty after the draft."""
    gone: tuple[int, ...]
    """Cards that left the game in public: the left-over pair, castle cards the rival removed."""
    solo_deck: tuple[int, ...]
    """Solo cards, top first; empty with two or more seats."""
    solo_row: tuple[int, ...]
    """Solo cards flipped in the rival's current turn."""
    solo_turns: tuple[tuple[int, ...], ...]
    """Solo cards of every turn of the rival so far: its row, then the card that named its die."""
    solo_unknown: int
    """Number of cards behind the top of the solo deck whose order is hidden from all; the others have cycled."""
    round: int
    stack: list[Frame]
    """Decision and continuation frames, innermost last; empty when the game is over (W-17.2)."""
    last: Move | None = None
    """The latest answer. Two answers may lead to equal states otherwise, and all seats know which was given (W-15)."""

    def clone(self) -> State:
        """An independent copy."""
        return State(
            self.board,
            [clan.clone() for clan in self.clans],
            self.order,
            self.track[:],
            self.bridges[:],
            self.spaces[:],
            self.castle[:],
            self.stewards,
            self.diplomats,
            self.favours[:],
            self.offer,
            self.gone,
            self.solo_deck,
            self.solo_row,
            self.solo_turns,
            self.solo_unknown,
            self.round,
            self.stack[:],
            self.last,
        )
