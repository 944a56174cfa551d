"""The components of The White Castle: cards, tiles and board spaces, read from `components.toml` and checked.

Colours, goods, die spaces, cards, gardens and tiles are numbers, in the order of the TOML file. All cards that can lie
in a lantern area share one numbering (`CARDS`). Every icon row of every component is compiled once into an `Effect`,
which frames on the stack name by its number; `effects` has the table of what each `op` does. The counts of the data
are checked at import (W-2); a wrong count raises RulesBug.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.kernel.components import read
from referee.kernel.errors import RulesBug

_TABLES, DIGEST = read("referee.games.white_castle")

COLOURS: tuple[str, ...] = tuple(_TABLES["meta"]["colours"])
FOOD, IRON, PEARL, COIN, VP, SEAL, INFLUENCE, ANY = range(8)
GOODS = ("food", "iron", "pearl", "coin", "vp", "seal")
"""What a clan holds, by number; INFLUENCE and ANY occur in effects only."""
COURTIER, GARDENER, WARRIOR = range(3)
MEMBERS = ("courtier", "gardener", "warrior")

MOST_SEATS = 4
ROUNDS: int = _TABLES["meta"]["rounds"]
TURNS_PER_ROUND: int = _TABLES["meta"]["turns_per_round"]
RESOURCE_MAX: int = _TABLES["limits"]["resource_max"]
SEAL_MAX: int = _TABLES["limits"]["seal_max"]
MEMBERS_PER_TYPE: int = _TABLES["limits"]["members_per_type"]
AUDIENCE_COINS: int = _TABLES["costs"]["audience_coins"]
CLIMB_PEARLS: tuple[int, ...] = (0, _TABLES["costs"]["climb_pearls"]["1"], _TABLES["costs"]["climb_pearls"]["2"])
"""Pearls for a climb, by number of floors."""
SEALS_PER_COIN: int = _TABLES["costs"]["exchange_seals_per_coin"]
SEALS_PER_RESOURCE: int = _TABLES["costs"]["exchange_seals_per_resource"]
DICE_PER_COLOUR: tuple[int, ...] = (0, *(_TABLES["dice_per_colour"][str(seats)] for seats in range(1, MOST_SEATS + 1)))
"""Dice on each bridge, by seat count."""

NOTHING = -1
"""The number of a card, clan or effect that is absent."""


class Effect(NamedTuple):
    """One compiled row of icons (W-5.1)."""

    op: str
    """A key of `effects.OPS`; all instant icons of a row together are one `batch`."""
    source: str
    """Component and row of the icons, for the wire and for tests: `S02:0`, `Y6:action`, `GP3`."""
    gains: tuple[tuple[int, int], ...] = ()
    """(good, amount) of a batch; INFLUENCE and ANY count as goods."""
    lanterns: int = 0
    """Number of `lantern` icons."""
    wells: int = 0
    """Number of `well` icons."""
    good: int = 0
    """The good that `pay` costs."""
    amount: int = 0
    then: int = NOTHING
    """The effect that `pay` buys."""
    scope: int = 0
    """The castle rows that may be chosen: a colour, ANY_ROW or LIGHT_ROW."""


ANY_ROW, LIGHT_ROW = 3, 4

_INSTANT = {"gain", "gain_any", "influence", "lantern", "well"}
_effects: list[Effect] = []


def _add(effect: Effect) -> int:
    _effects.append(effect)
    return len(_effects) - 1


def _good(name: str) -> int:
    return GOODS.index(name)


def _item(icon: dict[str, Any]) -> tuple[int, int]:
    """An instant icon as (good, amount)."""
    match icon["op"]:
        case "gain":
            return _good(icon["res"]), icon["n"]
        case "gain_any":
            return ANY, icon["n"]
        case "influence":
            return INFLUENCE, icon["n"]
    raise RulesBug(f"{icon['op']} is no instant icon")


def _compile(icons: list[dict[str, Any]], source: str) -> int:
    """Add the effect of a row of icons, all instant or one action (W-5.2); returns its number."""
    ops = [icon["op"] for icon in icons]
    if all(op in _INSTANT for op in ops):
        gains = tuple(_item(icon) for icon in icons if icon["op"] not in ("lantern", "well"))
        return _add(Effect("batch", source, gains, ops.count("lantern"), ops.count("well")))
    if len(icons) != 1:
        raise RulesBug(f"{source} mixes instant icons and actions")
    icon = icons[0]
    match icon["op"]:
        case "courtier" | "gardener" | "warrior" | "domain":
            return _add(Effect(icon["op"], source))
        case "castle_light":
            return _add(Effect("castle", source, scope=LIGHT_ROW))
        case "castle_row":
            return _add(
                Effect("castle", source, scope=ANY_ROW if icon["colour"] == "any" else COLOURS.index(icon["colour"]))
            )
        case "pay":
            then = _compile(icon["then"], source + ":then")
            return _add(Effect("pay", source, good=_good(icon["res"]), amount=icon["n"], then=then))
    raise RulesBug(f"{source} has the unknown icon {icon['op']}")


# ---- cards that may come to lie in a lantern area


class LanternCard(NamedTuple):
    """A steward, diplomat, starting action, starting resource or decree card."""

    name: str
    rows: tuple[int, ...]
    """Effects of its rows or blocks, top to bottom."""
    light: tuple[int, ...]
    """Numbers of the light rows (W-4.2); empty for cards that never lie in the castle."""
    dark: str
    """The main action of the dark row; empty for cards that never lie in the castle."""
    domain: tuple[int, ...]
    """Effects that serve the coral, black and white row of a domain (W-5.6)."""
    lantern: tuple[int, int]
    """(good, amount) of the back."""
    min_players: int
    """Fewest players with whom the card is used (W-4.1)."""


def _dark(rows: list[dict[str, Any]]) -> str:
    icons = [row["effect"][0] for row in rows if row["kind"] == "dark"]
    if len(icons) != 1:
        raise RulesBug("a castle card has exactly one dark row")
    icon = icons[0]
    main: str = icon["then"][0]["op"] if icon["op"] == "pay" else icon["op"]
    return main


def _action_cards(table: str) -> list[LanternCard]:
    cards = []
    for entry in _TABLES[table]:
        name, rows = entry["id"], entry["rows"]
        effects = tuple(_compile(row["effect"], f"{name}:{k}") for k, row in enumerate(rows))
        blocks = entry.get("domain_block", [0, 1, 2])
        castle = table != "starting_action"
        light = tuple(k for k, row in enumerate(rows) if row["kind"] == "light") if castle else ()
        cards.append(
            LanternCard(
                name,
                effects,
                light,
                _dark(rows) if castle else "",
                tuple(effects[block] for block in blocks),
                _item(entry["lantern"]),
                entry.get("min_players", 1),
            )
        )
    return cards


def _other_cards(table: str) -> list[LanternCard]:
    return [LanternCard(entry["id"], (), (), "", (), _item(entry["lantern"]), 1) for entry in _TABLES[table]]


_groups = [
    _action_cards("steward"),
    _action_cards("diplomat"),
    _action_cards("starting_action"),
    _other_cards("starting_resource"),
    _other_cards("decree"),
]
CARDS: tuple[LanternCard, ...] = tuple(card for group in _groups for card in group)
_ends = [sum(map(len, _groups[: k + 1])) for k in range(len(_groups))]
STEWARDS = range(_ends[0])
DIPLOMATS = range(_ends[0], _ends[1])
STARTING_ACTIONS = range(_ends[1], _ends[2])
STARTING_RESOURCES = range(_ends[2], _ends[3])
DECREES = range(_ends[3], _ends[4])
CARD_NAMES: tuple[str, ...] = tuple(card.name for card in CARDS)
CARD_NUMBERS: dict[str, int] = {name: number for number, name in enumerate(CARD_NAMES)}
LANTERN: tuple[tuple[int, int], ...] = tuple(card.lantern for card in CARDS)

START_GAIN: dict[int, int] = {
    CARD_NUMBERS[entry["id"]]: _compile(entry["gain"], entry["id"]) for entry in _TABLES["starting_resource"]
}
"""The effect of drafting each starting resource card (W-4.13)."""
DECREE_OF: dict[int, int] = {
    CARD_NUMBERS[entry["id"]]: CARD_NUMBERS[entry["decree"]] if entry["decree"] else NOTHING
    for entry in _TABLES["starting_resource"]
}
"""The decree that each starting resource card names, or NOTHING."""

# ---- the board


class DieSpace(NamedTuple):
    """A place for dice on the main board (W-9.1)."""

    name: str
    value: int
    rows: int
    """Rows of the room; 0 outside the castle."""
    capacity: tuple[int, ...]
    """Most dice per round, by seat count; 0: no limit."""
    members: tuple[int, ...]
    """Members whose main actions an outside space offers (W-9.3)."""


DIE_SPACES: tuple[DieSpace, ...] = tuple(
    DieSpace(
        entry["id"],
        entry["value"],
        entry.get("rows", 0),
        (0, *(entry["capacity"][str(seats)] for seats in range(1, MOST_SEATS + 1))),
        tuple(MEMBERS.index(member) for member in entry.get("choose_one", ())),
    )
    for entry in _TABLES["die_space"]
)
ROOMS = range(sum(space.rows > 0 for space in DIE_SPACES))
"""The castle rooms, which are the first die spaces."""
STEWARD_ROOMS = range(sum(entry["kind"] == "steward" for entry in _TABLES["die_space"]))
DIPLOMAT_ROOMS = range(STEWARD_ROOMS.stop, ROOMS.stop)
WELL = next(number for number, space in enumerate(DIE_SPACES) if space.name == "well")
DOMAIN = len(DIE_SPACES)
"""The first of the three space numbers that stand for the rows of the own domain."""
SPACE_NAMES: tuple[str, ...] = (*(space.name for space in DIE_SPACES), *(row["id"] for row in _TABLES["domain_row"]))
DOMAIN_VALUE: tuple[int, ...] = tuple(row["value"] for row in _TABLES["domain_row"])
DOMAIN_MEMBER: tuple[int, ...] = tuple(MEMBERS.index(row["member"]) for row in _TABLES["domain_row"])
DOMAIN_ROW: tuple[tuple[int, ...], ...] = tuple(
    tuple(_compile([row["base"], *row["slots"][:away]], f"{row['id']}:{away}") for away in range(MEMBERS_PER_TYPE + 1))
    for row in _TABLES["domain_row"]
)
"""The effect of a domain row's visible icons, by colour and number of members away (W-9.5)."""

GATE, FLOOR_1, FLOOR_2, FLOOR_3 = range(4)
FLOORS = ("gate", "floor1", "floor2", "floor3")
COURT = 7
"""Number of places for courtiers: the gate, the five rooms, floor 3."""
FLOOR_OF: tuple[int, ...] = (GATE, *(FLOOR_1 for _ in STEWARD_ROOMS), *(FLOOR_2 for _ in DIPLOMAT_ROOMS), FLOOR_3)
"""The floor of each place in the court."""
FAVOUR = ROOMS.stop
"""The destination of a climb to floor 3; rooms have the numbers before it."""
FLOOR_POINTS: tuple[int, ...] = tuple(_TABLES["castle_points"][floor] for floor in FLOORS)

LAST_SPACE: int = _TABLES["time_track"]["last"]
GATE_COST: tuple[int, ...] = tuple(
    _TABLES["time_track"]["gates"].get(str(space), 0) for space in range(_TABLES["time_track"]["last"] + 1)
)
"""Seals that entering each space of the time track costs (W-11.1)."""
TIME_POINTS: tuple[int, ...] = tuple(_TABLES["time_track"]["points"])
COINS_AND_SEALS_PER_POINT: int = _TABLES["scoring"]["coins_and_seals_per_point"]
RESOURCE_POINTS: tuple[int, ...] = tuple(_TABLES["scoring"]["resource_points"])


class Yard(NamedTuple):
    """A training yard."""

    name: str
    iron: int
    value: int
    sides: tuple[int, ...]
    """Upper side of each tile: 0 action, 1 reward (W-4.9)."""


SIDES = ("action", "reward")
YARDS: tuple[Yard, ...] = tuple(
    Yard(entry["id"], entry["iron"], entry["value"], tuple(SIDES.index(side) for side in entry["tile_sides"]))
    for entry in _TABLES["yard"]
)
YARD_TILE_NAMES: tuple[str, ...] = tuple(entry["id"] for entry in _TABLES["yard_tile"])
YARD_TILES: tuple[tuple[int, ...], ...] = tuple(
    tuple(_compile(entry[side], f"{entry['id']}:{side}") for side in SIDES) for entry in _TABLES["yard_tile"]
)
"""Effects of each yard tile, by side."""

DIE_TILE_NAMES: tuple[str, ...] = tuple(entry["id"] for entry in _TABLES["die_tile"])
DIE_TILE_COLOUR: tuple[int, ...] = tuple(COLOURS.index(entry["colour"]) for entry in _TABLES["die_tile"])
DIE_TILE_REWARD: tuple[tuple[int, int], ...] = tuple(_item(entry["reward"]) for entry in _TABLES["die_tile"])


class TileSpace(NamedTuple):
    """A place for a die tile, with its number in the filling order (W-4.4, W-R4)."""

    room: int
    row: int
    order: int


TILE_SPACES: tuple[TileSpace, ...] = tuple(
    TileSpace(SPACE_NAMES.index(entry["room"]), entry["row"], entry["order"]) for entry in _TABLES["tile_space"]
)

DAIMYO_NAMES: tuple[str, ...] = tuple(entry["id"] for entry in _TABLES["daimyo"])
DAIMYO: tuple[tuple[int, ...], ...] = tuple(
    tuple(_compile([slot], f"{entry['id']}:{k}") for k, slot in enumerate(entry["slots"]))
    for entry in _TABLES["daimyo"]
)
"""Effects of the favour slots of each daimyo card."""
SLOTS = range(3)


class Garden(NamedTuple):
    """A garden card."""

    name: str
    kind: int
    """PLANT or STONE."""
    food: int
    points: int
    effect: int


PLANT, STONE, EITHER = range(3)
_GARDEN_KINDS = ("plant", "stone", "either")
GARDENS: tuple[Garden, ...] = tuple(
    Garden(
        entry["id"],
        _GARDEN_KINDS.index(entry["type"]),
        entry["food"],
        entry["points"],
        _compile(entry["effect"], entry["id"]),
    )
    for entry in _TABLES["garden"]
)

MAIN_ACTION: tuple[int, ...] = tuple(_compile([{"op": member}], member) for member in MEMBERS)
"""The bare main actions of the outside spaces."""
LANTERN_EFFECT: int = _compile([{"op": "lantern"}], "lantern")
WELL_EFFECT: int = _compile([{"op": "well"}], "well")
"""The batch of a die on the well (W-9.4)."""
WELL_SEALS = 1
"""Seals at the well besides its two tiles (W-5.5)."""

# ---- solo mode


class RivalAction(NamedTuple):
    """One action of the rival (W-16.8)."""

    op: str
    amount: int
    """Steps, floors, coins or points; the yard of a warrior; the type of a garden."""


class SoloCard(NamedTuple):
    """A solo card: a die and a space on the bridge side, two actions on the other (W-16.4 to W-16.6)."""

    name: str
    colour: int
    position: int
    space: int
    actions: tuple[RivalAction, ...]


LEFT, CENTRE, RIGHT = range(3)
POSITIONS = ("left", "centre", "right")


def _rival_action(icon: dict[str, Any]) -> RivalAction:
    match icon["op"]:
        case "garden":
            amount = _GARDEN_KINDS.index(icon["type"])
        case "warrior":
            amount = next(number for number, yard in enumerate(YARDS) if yard.iron == icon["iron"])
        case "up":
            amount = icon["floors"]
        case _:
            amount = icon.get("n", 1)
    return RivalAction(icon["op"], amount)


SOLO_CARDS: tuple[SoloCard, ...] = tuple(
    SoloCard(
        entry["id"],
        COLOURS.index(entry["die"]["colour"]),
        POSITIONS.index(entry["die"]["position"]),
        SPACE_NAMES.index(entry["space"]),
        tuple(_rival_action(icon) for icon in entry["actions"]),
    )
    for entry in _TABLES["solo_card"]
)


class RivalStart(NamedTuple):
    """The rival's start at one level (W-16.2)."""

    points: int
    first: bool
    """Whether the rival is first in the turn order."""
    space: int
    """Time-track space."""


LEVELS: dict[str, RivalStart] = {
    entry["id"]: RivalStart(entry["rival_points"], entry["rival_turn_position"] == 1, entry["rival_time_space"])
    for entry in _TABLES["solo_level"]
}
RIVAL_COINS_FIRST: int = _TABLES["solo"]["coins_per_batch_if_first"]
RIVAL_COINS_SECOND: int = _TABLES["solo"]["coins_per_batch_if_second"]


class FirstGame(NamedTuple):
    """The layout for a first play (W-4.14)."""

    castle: tuple[int, ...]
    """Cards of the five rooms."""
    tiles: tuple[int, ...]
    """Die tiles by tile space."""


def _first_game() -> FirstGame:
    table = _TABLES["first_game"]
    laid = {**table["room_tiles"], "well": table["well_tiles"]}
    return FirstGame(
        tuple(CARD_NUMBERS[name] for name in (*table["steward_rooms"], *table["diplomat_rooms"])),
        tuple(DIE_TILE_NAMES.index(laid[SPACE_NAMES[space.room]][space.row]) for space in TILE_SPACES),
    )


FIRST_GAME: FirstGame = _first_game()
EFFECTS: tuple[Effect, ...] = tuple(_effects)


def _check() -> None:
    """Raise RulesBug unless the data has every count of W-2 and what W-4 and W-16 rely on."""
    few = [min(card.min_players, 3) == 3 for card in CARDS]
    facts = {
        "15 stewards, 6 of them for 3-4 players": (len(STEWARDS), sum(few[k] for k in STEWARDS)) == (15, 6),
        "12 diplomats, 3 of them for 3-4 players": (len(DIPLOMATS), sum(few[k] for k in DIPLOMATS)) == (12, 3),
        "6 starting actions, 9 starting resources, 3 decrees": (
            len(STARTING_ACTIONS),
            len(STARTING_RESOURCES),
            len(DECREES),
        )
        == (6, 9, 3),
        "9 daimyo cards of 3 slots": [len(slots) for slots in DAIMYO] == [len(SLOTS)] * 9,
        "5 plant and 5 stone gardens": [garden.kind for garden in GARDENS] == [PLANT] * 5 + [STONE] * 5,
        "8 yard tiles, 4 places for them": (len(YARD_TILES), sum(len(yard.sides) for yard in YARDS)) == (8, 4),
        "15 die tiles, 3 colours x 5 rewards": len(set(zip(DIE_TILE_COLOUR, DIE_TILE_REWARD, strict=True))) == 15,
        "15 tile spaces in filling order": [space.order for space in TILE_SPACES] == [0, 0, 0, *range(1, 13)],
        "8 die spaces, rooms first, the well last": (len(DIE_SPACES), len(ROOMS), WELL) == (8, 5, 7),
        "9 solo cards naming 9 different dice": len({(card.colour, card.position) for card in SOLO_CARDS}) == 9,
        "time track 0-20": len(TIME_POINTS) == LAST_SPACE + 1,
        "unique names": len(CARD_NUMBERS) == len(CARDS),
    }
    for fact, holds in facts.items():
        if not holds:
            raise RulesBug(f"components.toml of The White Castle must have {fact}")


_check()
