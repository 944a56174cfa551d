"""Every answer a player can give, built once at import (W-17).

A `Choice` carries its canonical text and the numbers the rules work with. Equal choices are one object, so an option
list is a tuple of references, and most lists are looked up whole: tables below map the few bits that decide a list
(which resources are below their cap, which bridge slots are taken) to the finished tuple in canonical order (W-17.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
    MEMBERS,
    PEARL,
    POSITIONS,
    RESOURCE_MAX,
    ROOMS,
    SEAL,
    SLOTS,
    SPACE_NAMES,
    STARTING_ACTIONS,
    STEWARD_ROOMS,
    YARDS,
)

SEATS = 4
"""The most seats a table has."""


class Choice(NamedTuple):
    """One answer. `text` alone tells it from every other answer to the same question."""

    text: str
    """Canonical form of W-17: `die:coral:left`, `climb:gate:1:steward_2`, `x:iron`."""
    verb: str
    """The first part of the text, or the whole where there is only one."""
    a: int = 0
    b: int = 0
    c: int = 0
    """What the verb is about, as numbers of `components`; see the tables below."""


Choices = tuple[Choice, ...]

# ---- single words
SKIP = Choice("skip", "skip")
PAY = Choice("pay", "pay")
STOP = Choice("stop", "stop")
DONE = Choice("done", "done")
CONTINUE = Choice("continue", "continue")
AUDIENCE = Choice("audience", "audience")
SEALS_FIRST = Choice("seals", "seals")
INFLUENCE_FIRST = Choice("influence", "influence")
PAY_OR_SKIP: Choices = (PAY, SKIP)
PAY_OR_STOP: Choices = (PAY, STOP)
SEAL_ORDER: Choices = (SEALS_FIRST, INFLUENCE_FIRST)

# ---- exchanges, a = the good received (W-6.4)
EXCHANGE = "x"
EXCHANGE_FOR: Choices = tuple(Choice(f"x:{GOODS[good]}", EXCHANGE, good) for good in range(COIN + 1))
RESOURCES: Choices = tuple(Choice(GOODS[good], "resource", good) for good in range(PEARL + 1))
"""Free choice of a resource, a = the resource."""


def _by_mask(choices: Sequence[Choice]) -> tuple[Choices, ...]:
    """For every set of bits the choices whose bits are set, in their order."""
    return tuple(
        tuple(choice for bit, choice in enumerate(choices) if mask >> bit & 1) for mask in range(1 << len(choices))
    )


RESOURCE_LISTS = _by_mask(RESOURCES)
"""By the mask of resources below their cap."""
RESOURCE_EXCHANGES = _by_mask(EXCHANGE_FOR[FOOD : PEARL + 1])
_ALL_EXCHANGES = tuple((EXCHANGE_FOR[COIN], *listed) for listed in RESOURCE_EXCHANGES)
_COIN_ONLY: Choices = (EXCHANGE_FOR[COIN],)


def below_cap(goods: Sequence[int]) -> int:
    """The mask of resources that can still grow (W-3.2)."""
    return (goods[0] < RESOURCE_MAX) | (goods[1] < RESOURCE_MAX) << 1 | (goods[2] < RESOURCE_MAX) << 2


def exchanges(goods: Sequence[int]) -> Choices:
    """The seal exchanges a clan can make now (W-6.4)."""
    seals = goods[SEAL]
    if seals >= 2:
        return _ALL_EXCHANGES[below_cap(goods)]
    return _COIN_ONLY if seals else ()


# ---- the start and the dice
PAIRS: Choices = tuple(Choice(f"pair:{k}", "pair", k) for k in range(SEATS + 1))
DICE: Choices = tuple(
    Choice(f"die:{colour}:{POSITIONS[position]}", "die", number, position)
    for number, colour in enumerate(COLOURS)
    for position in (0, 2)
)
"""a = colour, b = LEFT or RIGHT."""
DICE_LISTS = _by_mask(DICE)
"""By the mask of occupied bridge ends, coral left being the lowest bit."""
SPACES: Choices = tuple(Choice(f"space:{name}", "space", number) for number, name in enumerate(SPACE_NAMES))

# ---- pending effects
_ACTS: Choices = tuple(Choice(f"act:{k}", "act", k) for k in range(5))
ACT_LISTS: tuple[Choices, ...] = tuple(_ACTS[:count] for count in range(len(_ACTS) + 1))
"""By the number of pending effects."""
OUTSIDE: tuple[Choices, ...] = tuple(
    (*(Choice(MEMBERS[member], "main", member) for member in space.choices), SKIP) for space in DIE_SPACES
)
"""By die space; a = the member."""

# ---- main actions
PLANTING: Choices = tuple(Choice(f"garden:{garden.name}", "garden", k) for k, garden in enumerate(GARDENS))
TRAINING: tuple[Choices, ...] = tuple(
    (*(Choice(f"yard:{yard.name}", "yard", k) for k, yard in enumerate(YARDS) if yard.iron <= iron), SKIP)
    for iron in range(RESOURCE_MAX + 1)
)
"""By iron held."""


def _climbs(origin: int, floors: int) -> Choices:
    rooms = {FLOOR_1: list(STEWARD_ROOMS), FLOOR_2: list(DIPLOMAT_ROOMS), FLOOR_3: [FAVOUR]}[origin + floors]
    names = (*SPACE_NAMES[:FAVOUR], "favour")
    return tuple(
        Choice(f"climb:{FLOORS[origin]}:{floors}:{names[room]}", "climb", origin, floors, room) for room in rooms
    )


_ONE_FLOOR = tuple(_climbs(origin, 1) for origin in (GATE, FLOOR_1, FLOOR_2))
_TWO_FLOORS = (_climbs(GATE, 2), _climbs(FLOOR_1, 2), ())
_CLIMB_LISTS = tuple(
    tuple(
        choice
        for origin in (GATE, FLOOR_1, FLOOR_2)
        if mask >> origin & 1
        for choice in (_ONE_FLOOR[origin] + _TWO_FLOORS[origin] if far else _ONE_FLOOR[origin])
    )
    for far in (False, True)
    for mask in range(8)
)


def climbs(origins: int, two_floors: bool) -> Choices:
    """The climbs from the floors in the mask `origins` (gate, floor 1, floor 2); a = origin, b = floors, c = room."""
    return _CLIMB_LISTS[8 + origins if two_floors else origins]


LIGHT_ROWS: tuple[Choices, ...] = tuple(
    tuple(Choice(f"row:{k}", "light", k) for k in card.light) for card in CARDS[: STARTING_ACTIONS.start]
)
"""By castle card; a = the row."""
FAVOURS = _by_mask([Choice(f"slot:{k}", "slot", k) for k in SLOTS])
"""By the mask of free slots."""
ROWS: tuple[Choices, ...] = tuple(
    tuple(Choice(f"row:{SPACE_NAMES[room]}:{k}", "row", room, k) for k in range(DIE_SPACES[room].rows))
    for room in ROOMS
)
"""By room and row; a = room, b = row."""
ALL_ROWS: Choices = (*(choice for room in ROWS for choice in room), SKIP)
LIGHT_IN_ROOM: tuple[tuple[Choices, ...], ...] = tuple(
    tuple(tuple(choice for choice in room if card.light and choice.b in card.light) for card in CARDS) for room in ROWS
)
"""The light rows a card has in a room, by room and card."""
DOMAIN_ROWS: Choices = (*(Choice(f"domain:{colour}", "domain", k) for k, colour in enumerate(COLOURS)), SKIP)

# ---- solo
RIVAL_ROOMS: tuple[Choices, ...] = (
    (),
    tuple(Choice(f"room:{SPACE_NAMES[room]}", "room", room) for room in STEWARD_ROOMS),
    tuple(Choice(f"room:{SPACE_NAMES[room]}", "room", room) for room in DIPLOMAT_ROOMS),
)
"""By floor."""
MOST_OPTIONS = len(ALL_ROWS) + len(EXCHANGE_FOR)
"""The longest list: any castle row, skip, and all exchanges (W-18.4)."""

EVERY_CHOICE: dict[str, dict[str, Choice]] = {}
"""For each question, its possible answers by text."""


def _register(kind: str, *groups: Sequence[Choice], exchange: bool = True) -> None:
    known = EVERY_CHOICE.setdefault(kind, {})
    for choice in (*(choice for group in groups for choice in group), *(EXCHANGE_FOR if exchange else ())):
        known[choice.text] = choice


_register("choose_start_pair", PAIRS, exchange=False)
_register("take_die", DICE)
_register("place_die", SPACES)
_register("next_action", _ACTS)
_register("outside_action", *OUTSIDE)
_register("pay_optional", PAY_OR_SKIP)
_register("place_gardener", PLANTING, (SKIP,))
_register("place_warrior", TRAINING[-1])
_register("courtier", (AUDIENCE,), _CLIMB_LISTS[-1], (DONE,))
_register("choose_light", sorted({choice for listed in LIGHT_ROWS for choice in listed}))
_register("daimyo_slot", FAVOURS[-1])
_register("choose_castle_action", ALL_ROWS)
_register("choose_domain_row", DOMAIN_ROWS)
_register("choose_resource", RESOURCES)
_register("pay_gate", PAY_OR_STOP)
_register("seal_order", SEAL_ORDER)
_register("seal_window", (CONTINUE,))
_register("final_exchange", EXCHANGE_FOR[FOOD : PEARL + 1], (DONE,), exchange=False)
_register("rival_room", *RIVAL_ROOMS, exchange=False)
_register("rival_garden", PLANTING, exchange=False)
