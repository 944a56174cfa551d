"""The state of a game: what lies on the board, what each clan has, and the stack of open decisions.

What set-up lays out once and play never touches (die tiles, gardens, yard tiles, the daimyo card) is a frozen `Board`
that clones share, together with tables that follow from it. What moves is in `State` and `Clan`, small mutable
objects copied field by field. In a solo game the rival is the second clan; it has no seat and never decides.

The time track is kept as one list, `track`: all clans by the order they would play in, highest space first and within a
space from the top of the stack down. That list and each clan's space say everything W-11 and W-12.1 need to know.
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
    NOTHING,
    ROOMS,
    SEAL,
    TILE_SPACES,
    WELL,
    WELL_SEALS,
    YARD_TILES,
    YARDS,
)
from referee.games.white_castle.options import ALL_ROWS, ROWS, SKIP, SPACES, Choice, Choices
from referee.kernel.frames import Frame
from referee.kernel.game import Seat

Bridge: TypeAlias = tuple[int, tuple[int, ...], int]
"""Left die, centre dice in ascending order, right die; 0 is an empty end (W-8.1)."""

Die: TypeAlias = tuple[int, int]
"""A placed die: colour and value."""

RIVAL = 1
"""The rival's place among the clans of a solo game."""


_CLAN = ("action", "court", "dice", "gardens", "goods", "home", "lantern", "space", "yards")
"""The fields of a clan."""


class Clan:
    """One clan: a seat's, or the rival's (W-3.1)."""

    __slots__ = _CLAN

    def __init__(self) -> None:
        self.goods = [0] * len(GOODS)
        """Food, iron, pearls, coins, VP, seals."""
        self.home = [MEMBERS_PER_TYPE] * len(MEMBERS)
        """Courtiers, gardeners, warriors still on the domain."""
        self.court = [0] * COURT
        """Courtiers at the gate, in each room, on floor 3. Which room of a floor is for display only (W-3.5)."""
        self.yards = [0] * len(YARDS)
        """Warriors in each yard."""
        self.dice = [0] * len(COLOURS)
        """Value of the die on each domain row; 0: none."""
        self.gardens = 0
        """Bit k: a gardener stands on garden card k."""
        self.space = 0
        """Time-track space."""
        self.action = NOTHING
        """The card on the domain."""
        self.lantern: tuple[int, ...] = ()
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clan) and all(getattr(self, name) == getattr(other, name) for name in _CLAN)

    __hash__ = None  # type: ignore[assignment]

    def on_floor(self, floor: int) -> int:
        """Courtiers on the gate (0) or a floor (1-3)."""
        court = self.court
        if floor == 1:
            return court[1] + court[2] + court[3]
        if floor == 2:
            return court[4] + court[5]
        return court[COURT - 1 if floor == FLOOR_3 else 0]


_CASTLE_PLACES = tuple(place for place, space in enumerate(TILE_SPACES) if space.room in ROOMS)
"""The tile spaces of the castle; those of the well come last."""
_ROOM_PLACES = tuple(
    tuple(
        sorted((place for place in _CASTLE_PLACES if TILE_SPACES[place].room == room), key=lambda p: TILE_SPACES[p].row)
    )
    for room in ROOMS
)
"""The tile spaces of each room, by row."""


class _Room(NamedTuple):
    """What follows from the colours of a room's die tiles."""

    facing: tuple[tuple[int, ...], ...]
    """The rows facing each colour."""
    doors: tuple[int, ...]
    """By colour the room's bit in a mask of rooms, if a row faces the colour."""
    rows: tuple[Choices, ...]
    """The options of those rows."""

    @classmethod
    def showing(cls, room: int, colours: tuple[int, ...]) -> _Room:
        """A room with tiles of these colours, row by row."""
        facing = tuple(tuple(row for row, its in enumerate(colours) if its == colour) for colour in range(len(COLOURS)))
        doors = tuple(bool(rows) << room for rows in facing)
        return cls(facing, doors, tuple(tuple(ROWS[room][row] for row in rows) for rows in facing))


_ROOMS = tuple(
    {shown: _Room.showing(room, shown) for shown in product(range(len(COLOURS)), repeat=len(_ROOM_PLACES[room]))}
    for room in ROOMS
)
"""Each room by the colours that it shows."""
_SHOWN = tuple(itemgetter(*places) for places in _ROOM_PLACES)
"""For each room the colours it shows, taken from those of all tiles."""
_OPEN_TO = tuple(
    tuple(
        tuple(
            (number, space.value, space.capacity[seats], SPACES[number])
            for number, space in enumerate(DIE_SPACES)
            if number != WELL and (number not in ROOMS or doors >> number & 1)
        )
        for doors in range(1 << len(ROOMS))
    )
    for seats in range(5)
)
"""Entries of `Board.open_to` by seat count and the mask of rooms that show the colour."""


class BoardView(NamedTuple):
    """What everybody sees of the board's layout."""

    seats: int
    colours: tuple[int, ...]
    """Colours of the castle's die tiles, by tile space (`components.TILE_SPACES`)."""
    well_tiles: tuple[int, ...]
    """The two die tiles at the well, reward side up."""
    daimyo: int
    gardens: tuple[int, ...]
    """Plant and stone card under the coral, black and white bridge."""
    yard_tiles: tuple[int, ...]
    """Tiles of `yard_5` (action side, reward side), `yard_3` (action), `yard_1` (reward)."""


@dataclass(frozen=True, slots=True)
class Board:
    """What set-up lays out for the whole game. Use `Board.lay`."""

    seats: int
    tiles: tuple[int, ...]
    """Die tile on each tile space. In the castle only its colour is ever known (W-15)."""
    daimyo: int
    """The daimyo card of floor 3."""
    gardens: tuple[int, ...]
    """Plant and stone card under the coral, black and white bridge: six cards."""
    yard_tiles: tuple[int, ...]
    """The tiles of `yard_5` (action, reward), `yard_3`, `yard_1`."""

    facing: tuple[tuple[tuple[int, ...], ...], ...] = field(compare=False)
    """Rows of a room that face a die tile of a colour, by room and colour."""
    open_to: tuple[tuple[tuple[int, int, int, Choice], ...], ...] = field(compare=False)
    """Stackable spaces a die of a colour may go to (W-9.1): space, printed value, capacity, choice."""
    rows_of: tuple[Choices, ...] = field(compare=False)
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
    """The same without the backs of the castle's die tiles."""

    @classmethod
    def lay(
        cls, seats: int, tiles: Sequence[int], daimyo: int, gardens: Sequence[int], yard_tiles: Sequence[int]
    ) -> Board:
        """A board with the tables that follow from its layout."""
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
        """Whether the rival plays."""
        return self.seats == 1


class Move(NamedTuple):
    """An answer that was given."""

    seat: Seat
    kind: str
    text: str


@dataclass(slots=True)
class State:
    """A game in progress. Everything but deck orders and the backs of castle die tiles is public (W-15)."""

    board: Board
    clans: list[Clan]
    """By seat; in a solo game the rival follows."""
    order: tuple[int, ...]
    """Turn order of this round."""
    track: list[int]
    """All clans by time space, highest and topmost first (see the module's text)."""
    bridges: list[Bridge]
    """By colour."""
    spaces: list[tuple[Die, ...]]
    """Dice on each die space, in the order they were placed."""
    castle: list[int]
    """Card in each room; NOTHING while it is being replaced."""
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
    """How many cards behind the top of the solo deck are in an order nobody knows; those behind them have cycled."""
    round: int
    stack: list[Frame]
    """Open decisions and, under them, what follows when they are done."""
    last: Move | None = None
    """The latest answer. Two answers may come to the same in the end; everybody still knows which was given."""

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
