"""Every option of every kind of decision, built once at import (W-17).

Each kind of decision has an option type of its own: a named tuple whose numbers are those of `components`. The first
field is the canonical text of W-17. The text tells an option from every other option of the same decision; by their
numbers alone a garden and an exchange could be equal. Equal options are one object, so an option list is a tuple of
references. Most lists are looked up whole: the tables below map the few bits that decide a list (which resources are
below their cap, which bridge ends are occupied) to the finished tuple in canonical order (W-17.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from referee.games.white_castle.components import (
    CARDS,
    COIN,
    COLOURS,
    DIE_SPACES,
    DIPLOMAT_ROOMS,
    FAVOUR,
    FLOOR_1,
    FLOOR_2,
    FLOOR_3,
    FLOORS,
    FOOD,
    GARDENS,
    GATE,
    GOODS,
    LEFT,
    MEMBERS,
    MOST_SEATS,
    PEARL,
    POSITIONS,
    RESOURCE_MAX,
    RIGHT,
    ROOMS,
    SEAL,
    SEALS_PER_RESOURCE,
    SLOTS,
    SPACE_NAMES,
    STARTING_ACTIONS,
    STEWARD_ROOMS,
    YARDS,
)


class Word(NamedTuple):
    """An answer without numbers: `skip`, `pay`, `stop`, `done`, `continue`, `audience`, `seals`, `influence`."""

    text: str


class Exchange(NamedTuple):
    """Any kind but `choose_start_pair`, `rival_room` and `rival_garden`: seals for a coin or a resource (W-6.4)."""

    text: str
    good: int


class ChoosePair(NamedTuple):
    """`choose_start_pair`: a starting pair of the offer (W-4.13)."""

    text: str
    pair: int


class TakeDie(NamedTuple):
    """`take_die`: the die at an end of a bridge (W-8.3)."""

    text: str
    bridge: int
    """Colour of the bridge."""
    end: int
    """LEFT or RIGHT."""


class PlaceDie(NamedTuple):
    """`place_die`: a die space, or a row of the own domain behind the die spaces (W-9.1)."""

    text: str
    space: int


class NextAction(NamedTuple):
    """`next_action`: the pending effect that comes next (W-17.6)."""

    text: str
    entry: int
    """Index in the list of pending effects."""


class OutsideAction(NamedTuple):
    """`outside_action`: the main action of a member (W-9.3)."""

    text: str
    member: int


class PlaceGardener(NamedTuple):
    """`place_gardener`: a garden card (W-10.1)."""

    text: str
    garden: int


class PlaceWarrior(NamedTuple):
    """`place_warrior`: a training yard (W-10.2)."""

    text: str
    yard: int


class Climb(NamedTuple):
    """`courtier`: a climb (W-10.3); an audience and the end of the action are words."""

    text: str
    origin: int
    """Floor that the courtier leaves; 0 is the gate."""
    floors: int
    destination: int
    """A room, or FAVOUR for floor 3."""


class LightRow(NamedTuple):
    """`choose_light`: a light row of the card just taken (W-10.4)."""

    text: str
    row: int


class FavourSlot(NamedTuple):
    """`daimyo_slot`: a slot of the daimyo card (W-10.6)."""

    text: str
    slot: int


class CastleRow(NamedTuple):
    """`choose_castle_action`: a row of the card in a room (W-5.7)."""

    text: str
    room: int
    row: int


class DomainRow(NamedTuple):
    """`choose_domain_row`: a row of the own domain (W-9.5)."""

    text: str
    colour: int


class ChooseResource(NamedTuple):
    """`choose_resource`: one unit of a resource (W-6.3)."""

    text: str
    good: int


class RivalRoom(NamedTuple):
    """`rival_room`: the room that the rival's courtier enters (W-16.8)."""

    text: str
    room: int


class RivalGarden(NamedTuple):
    """`rival_garden`: the garden card that the rival's gardener takes (W-16.8)."""

    text: str
    garden: int


CastleOption: TypeAlias = (
    Word
    | Exchange
    | ChoosePair
    | TakeDie
    | PlaceDie
    | NextAction
    | OutsideAction
    | PlaceGardener
    | PlaceWarrior
    | Climb
    | LightRow
    | FavourSlot
    | CastleRow
    | DomainRow
    | ChooseResource
    | RivalRoom
    | RivalGarden
)
T = TypeVar("T")


def _by_mask(options: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """For every mask the options whose bits are set, in their order."""
    return tuple(
        tuple(option for bit, option in enumerate(options) if mask >> bit & 1) for mask in range(1 << len(options))
    )


# ---- words
SKIP, PAY, STOP, DONE = Word("skip"), Word("pay"), Word("stop"), Word("done")
CONTINUE, AUDIENCE = Word("continue"), Word("audience")
SEALS_FIRST, INFLUENCE_FIRST = Word("seals"), Word("influence")

# ---- goods
RESOURCES = tuple(ChooseResource(GOODS[good], good) for good in range(PEARL + 1))
RESOURCE_LISTS = _by_mask(RESOURCES)
"""By the mask of resources below their cap."""
EXCHANGES = tuple(Exchange(f"x:{GOODS[good]}", good) for good in (COIN, *range(FOOD, PEARL + 1)))
_FOR_COIN = EXCHANGES[:1]
RESOURCE_EXCHANGES = _by_mask(EXCHANGES[1:])
"""By the mask of resources below their cap."""
_ALL_EXCHANGES = tuple(_FOR_COIN + listed for listed in RESOURCE_EXCHANGES)


def below_cap(goods: Sequence[int]) -> int:
    """The mask of resources that can still grow (W-3.2)."""
    return (goods[0] < RESOURCE_MAX) | (goods[1] < RESOURCE_MAX) << 1 | (goods[2] < RESOURCE_MAX) << 2


def exchanges(goods: Sequence[int]) -> tuple[Exchange, ...]:
    """The seal exchanges that a clan with these goods can make (W-6.4)."""
    seals = goods[SEAL]
    if seals >= SEALS_PER_RESOURCE:
        return _ALL_EXCHANGES[below_cap(goods)]
    return _FOR_COIN if seals else ()


# ---- the draft and the dice
PAIRS = tuple(ChoosePair(f"pair:{pair}", pair) for pair in range(MOST_SEATS + 1))
DICE = tuple(
    TakeDie(f"die:{colour}:{POSITIONS[end]}", bridge, end)
    for bridge, colour in enumerate(COLOURS)
    for end in (LEFT, RIGHT)
)
DICE_LISTS = _by_mask(DICE)
"""By the mask of occupied bridge ends; the lowest bit is the left end of the coral bridge."""
SPACES = tuple(PlaceDie(f"space:{name}", space) for space, name in enumerate(SPACE_NAMES))
NEXT_ACTIONS = tuple(NextAction(f"act:{entry}", entry) for entry in range(5))
_MAIN = tuple(OutsideAction(name, member) for member, name in enumerate(MEMBERS))
OUTSIDE: tuple[tuple[OutsideAction | Word, ...], ...] = tuple(
    (*(_MAIN[member] for member in space.members), SKIP) for space in DIE_SPACES
)
"""By die space."""

# ---- main actions
PLANTING = tuple(PlaceGardener(f"garden:{garden.name}", k) for k, garden in enumerate(GARDENS))
_TRAINING = tuple(PlaceWarrior(f"yard:{yard.name}", k) for k, yard in enumerate(YARDS))
TRAINING: tuple[tuple[PlaceWarrior | Word, ...], ...] = tuple(
    (*(option for option in _TRAINING if YARDS[option.yard].iron <= iron), SKIP) for iron in range(RESOURCE_MAX + 1)
)
"""By iron held."""


def _climbs(origin: int, floors: int) -> tuple[Climb, ...]:
    """The climbs of so many floors from a floor, by destination."""
    rooms = {FLOOR_1: STEWARD_ROOMS, FLOOR_2: DIPLOMAT_ROOMS, FLOOR_3: (FAVOUR,)}.get(origin + floors, ())
    names = (*SPACE_NAMES[:FAVOUR], "favour")
    return tuple(Climb(f"climb:{FLOORS[origin]}:{floors}:{names[room]}", origin, floors, room) for room in rooms)


_CLIMBS = tuple(tuple(_climbs(origin, floors) for floors in (1, 2)) for origin in (GATE, FLOOR_1, FLOOR_2))
"""By origin and number of floors."""
CLIMB_LISTS = tuple(
    tuple(
        tuple(
            climb
            for origin, by_floors in enumerate(_CLIMBS)
            if mask >> origin & 1
            for climbs in by_floors[:most]
            for climb in climbs
        )
        for mask in range(1 << len(_CLIMBS))
    )
    for most in (0, 1, 2)
)
"""By the most floors that can be paid and the mask of floors (gate, 1, 2) with a courtier."""
_LIGHT = tuple(LightRow(f"row:{row}", row) for row in range(3))
LIGHT_ROWS = tuple(tuple(_LIGHT[row] for row in card.light) for card in CARDS[: STARTING_ACTIONS.start])
"""By castle card."""
FAVOURS = _by_mask([FavourSlot(f"slot:{slot}", slot) for slot in SLOTS])
"""By the mask of free slots."""
ROWS = tuple(
    tuple(CastleRow(f"row:{SPACE_NAMES[room]}:{row}", room, row) for row in range(DIE_SPACES[room].rows))
    for room in ROOMS
)
"""By room and row."""
ALL_ROWS: tuple[CastleRow | Word, ...] = (*(option for room in ROWS for option in room), SKIP)
LIGHT_IN_ROOM = tuple(tuple(tuple(row for row in room if row.row in card.light) for card in CARDS) for room in ROWS)
"""The light rows of a card that lies in a room, by room and card."""
DOMAIN_ROWS: tuple[DomainRow | Word, ...] = (
    *(DomainRow(f"domain:{colour}", k) for k, colour in enumerate(COLOURS)),
    SKIP,
)

# ---- solo
RIVAL_ROOMS = tuple(
    tuple(RivalRoom(f"room:{SPACE_NAMES[room]}", room) for room in rooms)
    for rooms in (range(0), STEWARD_ROOMS, DIPLOMAT_ROOMS)
)
"""By floor."""
RIVAL_GARDENS = tuple(RivalGarden(*garden) for garden in PLANTING)
MOST_OPTIONS = len(ALL_ROWS) + len(EXCHANGES)
"""Length of the longest list: any castle row, skip, and all exchanges (W-18.4)."""

_OPTIONS: dict[str, tuple[CastleOption, ...]] = {
    "choose_start_pair": PAIRS,
    "take_die": (*DICE, *EXCHANGES),
    "place_die": (*SPACES, *EXCHANGES),
    "next_action": (*NEXT_ACTIONS, *EXCHANGES),
    "outside_action": (*(option for listed in OUTSIDE for option in listed), *EXCHANGES),
    "pay_optional": (PAY, SKIP, *EXCHANGES),
    "place_gardener": (*PLANTING, SKIP, *EXCHANGES),
    "place_warrior": (*TRAINING[-1], *EXCHANGES),
    "courtier": (AUDIENCE, *CLIMB_LISTS[-1][-1], DONE, *EXCHANGES),
    "choose_light": (*_LIGHT, *EXCHANGES),
    "daimyo_slot": (*FAVOURS[-1], *EXCHANGES),
    "choose_castle_action": (*ALL_ROWS, *EXCHANGES),
    "choose_domain_row": (*DOMAIN_ROWS, *EXCHANGES),
    "choose_resource": (*RESOURCES, *EXCHANGES),
    "pay_gate": (PAY, STOP, *EXCHANGES),
    "seal_order": (SEALS_FIRST, INFLUENCE_FIRST, *EXCHANGES),
    "seal_window": (*EXCHANGES, CONTINUE),
    "final_exchange": (*EXCHANGES[1:], DONE),
    "rival_room": (*RIVAL_ROOMS[FLOOR_1], *RIVAL_ROOMS[FLOOR_2]),
    "rival_garden": RIVAL_GARDENS,
}
BY_TEXT = {kind: {option.text: option for option in listed} for kind, listed in _OPTIONS.items()}
"""For each kind of decision its options by text."""
