"""The cards, tiles and tokens of Ninjato, typed and counted, read once from `components.toml`.

Everywhere else a component is a small number, the index of its kind in one of the tables below (treasure 0 is a fan,
skill 7 is Kenjutsu), and a heap of components is a tuple of counts by kind (`counts.py`). This module is the only
reader of the file: costs, demands, values and counts are looked up here and stand nowhere else in the code. The totals
of the rules (N-2.1) are checked at import.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from referee.kernel.components import read
from referee.kernel.errors import RulesBug

Counts = tuple[int, ...]
"""A multiset: the number of components of each kind."""

FORCE, STEALTH = 0, 1
MODES = ("force", "stealth")
"""Names of the two modes (N-1.2), by number."""

_DATA = read(__package__)
DIGEST = _DATA.digest
_TABLES = _DATA.tables
_CONSTANTS: dict[str, Any] = _TABLES["constants"]


def _whole(key: str) -> int:
    value = _CONSTANTS[key]
    if not isinstance(value, int):
        raise RulesBug(f"components: {key} is not a whole number")
    return value


def _wholes(key: str) -> tuple[int, ...]:
    return tuple(int(value) for value in _CONSTANTS[key])


ROUNDS = _whole("rounds")
SHURIKEN = _whole("shuriken_per_player")
"""Shuriken that each seat places in a round (N-1.1)."""
SCORING_ROUNDS = _wholes("scoring_rounds")
"""Rounds with a scoring phase after them (N-10.7)."""
INITIAL_HAND = _whole("initial_hand")
DOJO_FACE_UP = _whole("dojo_face_up")
HAND_LIMIT = _whole("hand_limit")
DOJO_DRAW = _wholes("dojo_draw")
"""Number of cards taken with 0, 1, 2-or-more cards in hand (N-5.2)."""
HOUSE_TREASURES = _whole("house_initial_treasures")
RAID_TREASURES = _whole("house_after_raid_treasures")
"""Treasures added to a house after a raid that did not empty it (N-7.16, N-7.17)."""
PALACE_SIZE = _whole("palace_display")
PAVILION_SIZE = _whole("pavilion_display")
REGULAR_ROUNDS = _wholes("sensei_regular_rounds")
HENSOJUTSU_ROUNDS = _wholes("sensei_hensojutsu_rounds")
UNUSED_TREASURE_HONOR = _whole("unused_treasure_honor")
RUMOR_SET = _whole("rumor_set_size")
RUMOR_MULTIPLIER = _wholes("rumor_multiplier")
FOES_HONOR = _wholes("foes_honor_by_owner_count")
MIN_SEATS = int(_TABLES["players_min"])
MAX_SEATS = int(_TABLES["players_max"])
TITLE = str(_TABLES["title"])


class Treasure(NamedTuple):
    """A type of treasure (N-1.3); the table is in the order of rank, lowest first."""

    id: str
    honor: int
    """Honor when spent (N-1.3); 0 for gold, which has the honor of what it stands for (N-8.5)."""
    copies: int


class Guard(NamedTuple):
    """A kind of ordinary guard."""

    value: int
    """The value to beat in both modes (N-7.2)."""
    alarm: bool
    """Whether a treasure is added and turned when the guard is revealed (N-7.4)."""
    copies: int


class Elite(NamedTuple):
    """A kind of elite guard."""

    id: str
    parts: tuple[tuple[int, int], ...]
    """The value of each part by mode: (force, stealth) (N-7.10, N-7.11)."""
    honor: int
    """Honor at the end of the game for the owner of the trophy (N-12.5)."""
    copies: int
    name: str
    """The name printed on the card; mostly empty."""


class Skill(NamedTuple):
    """A kind of skill tile."""

    id: str
    way: int
    """Number of its Way (N-1.6)."""
    price: int
    """Value of the Dojo card that the tile costs, or 0 for any (N-6.2)."""
    effect: str
    amounts: tuple[int, ...]
    """The numbers of its effect: values that it adds, sets, or counts as (N-7.6)."""
    copies: int
    hensojutsu: bool
    name: str


class Demand(NamedTuple):
    """The price of an envoy or a rumor (N-8.3, N-9.1): one of its forms must be paid.

    A form is a tuple of groups; a group is (size, allowed types); the tokens of a group are of one type.
    """

    forms: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]
    distinct: bool
    """Whether the groups must show different types."""


class Envoy(NamedTuple):
    """An envoy; there is one of each."""

    id: str
    clan: int
    age: int
    """Breaks ties: the older envoy ranks higher (N-11.3, N-12.7)."""
    mask: bool
    """Whether the envoy can be disguised (N-11.2)."""
    demand: Demand


class Rumor(NamedTuple):
    """A rumor card; there is one of each."""

    id: str
    type: int
    demand: Demand


class Token(NamedTuple):
    """A clan token; there is one of each."""

    clan: int
    value: int


def _rows(table: str) -> list[dict[str, Any]]:
    return list(_TABLES[table])


TREASURES = tuple(
    Treasure(row["id"], row.get("honor", 0), row["count"])
    for row in sorted(_rows("treasures"), key=lambda row: int(row["rank"]))
)
TREASURE = {treasure.id: index for index, treasure in enumerate(TREASURES)}
WILD = next(index for index, row in enumerate(TREASURES) if row.honor == 0)
"""Gold (N-1.3)."""
PLAIN_TREASURES = tuple(index for index in range(len(TREASURES)) if index != WILD)
"""The types that a demand can name (N-8.3)."""

DOJO_COUNTS: Counts = tuple(row["count"] for row in sorted(_rows("dojo_cards"), key=lambda row: int(row["value"])))
"""Number of Dojo cards by value; index 0 is value 1."""
DOJO_VALUES = tuple(sorted(int(row["value"]) for row in _rows("dojo_cards")))
SUPPORT = next(int(row["value"]) for row in _rows("dojo_cards") if row.get("support", False))
"""The value whose cards can support others (N-1.8)."""

GUARDS = tuple(Guard(row["value"], row["alarm"], row["count"]) for row in _rows("guards"))

ELITES = tuple(
    Elite(
        row["id"],
        tuple((part["force"], part["stealth"]) for part in row["parts"]),
        row["honor"],
        row["count"],
        row.get("name", ""),
    )
    for row in _rows("elite_guards")
)

WAYS = tuple(dict.fromkeys(str(row["way"]) for row in _rows("skills")))
"""Names of the Ways (N-1.6), by number."""


def _skill(row: dict[str, Any]) -> Skill:
    amounts = row.get("amounts", row.get("values", [row["value"]] if "value" in row else []))
    return Skill(
        id=row["id"],
        way=WAYS.index(row["way"]),
        price=0 if row["cost"] == "?" else int(row["cost"]),
        effect=row["effect"],
        amounts=tuple(amounts),
        copies=row["count"],
        hensojutsu=row.get("special_stack", False),
        name=row["name"],
    )


SKILLS = tuple(_skill(row) for row in _rows("skills"))
SKILL = {skill.id: index for index, skill in enumerate(SKILLS)}


def _only(effect: str) -> int:
    found = [index for index, skill in enumerate(SKILLS) if skill.effect == effect]
    if len(found) != 1:
        raise RulesBug(f"components: {len(found)} skills have the effect {effect}; the rules know one")
    return found[0]


BORYAKU = _only("virtual_card")
CHOCHO = _only("swap")
SEISHIN_TEKI = _only("switch_mode")
KUJI_KIRI = _only("refresh")
HENSOJUTSU = tuple(index for index, skill in enumerate(SKILLS) if skill.hensojutsu)
REFRESHABLE = tuple(index for index in range(len(SKILLS)) if index not in (*HENSOJUTSU, KUJI_KIRI))
"""The tiles that Kuji-kiri can turn up again (N-7.15, N-R13)."""

BORYAKU_VALUE = (max(SKILLS[BORYAKU].amounts), min(SKILLS[BORYAKU].amounts))
"""The value of Boryaku as a base, by mode (N-7.6, N-R9)."""


def _setter(mode: int) -> tuple[int, int]:
    """The set tile of a mode, whose value is better than every card in that mode, and the value (N-7.6)."""
    for index, skill in enumerate(SKILLS):
        if skill.effect == "set":
            value = skill.amounts[0]
            if (value > max(DOJO_VALUES)) if mode == FORCE else (value < min(DOJO_VALUES)):
                return index, value
    raise RulesBug(f"components: no skill sets a value in {MODES[mode]}")


def _adders(mode: int) -> tuple[tuple[int, int], ...]:
    """The modifier tiles that help in a mode, each with the number that it adds or takes away (N-7.6)."""
    sign = 1 if mode == FORCE else -1
    return tuple(
        (index, max(sign * amount for amount in skill.amounts))
        for index, skill in enumerate(SKILLS)
        if skill.effect == "add" and any(sign * amount > 0 for amount in skill.amounts)
    )


SETTER = (_setter(FORCE), _setter(STEALTH))
ADDERS = (_adders(FORCE), _adders(STEALTH))

CLANS = tuple(str(row["id"]) for row in _rows("clans"))
TOKENS = tuple(Token(clan, value) for clan, row in enumerate(_rows("clans")) for value in row["tokens"])
START_TOKENS = tuple(
    TOKENS.index(Token(CLANS.index(row["start_clan"]), row["start_token"]))
    for row in sorted(_rows("houses"), key=lambda row: int(row["id"]))
)
"""The token of each house at the start (N-3.4, N-R2)."""
HOUSES = len(START_TOKENS)
CLAN_ORDER = {
    int(row["round"]): tuple(CLANS.index(clan) for clan in row["order"]) for row in _rows("clan_scoring_order")
}
"""The order in which clans are scored, by round (N-11.4)."""


def _envoy_demand(row: dict[str, Any]) -> Demand:
    kind = row["kind"]
    if kind == "fixed":
        return Demand((tuple((1, (TREASURE[name],)) for name in row["types"]),), distinct=False)
    if kind == "same":
        return Demand(tuple(((size, PLAIN_TREASURES),) for size in range(row["min"], row["max"] + 1)), distinct=False)
    if kind == "groups":
        return Demand((tuple((size, PLAIN_TREASURES) for size in row["sizes"]),), distinct=row["distinct"])
    raise RulesBug(f"components: unknown kind of demand {kind!r}")


def _rumor_demand(cost: Sequence[str]) -> Demand:
    slots = (PLAIN_TREASURES if name == "any" else (TREASURE[name],) for name in cost)
    return Demand((tuple((1, types) for types in slots),), distinct=False)


ENVOYS = tuple(
    Envoy(row["id"], CLANS.index(row["clan"]), row["age"], row["mask"], _envoy_demand(row["demand"]))
    for row in _rows("envoys")
)

RUMOR_TYPES = tuple(str(row["id"]) for row in _rows("rumor_types"))
RUMOR_TITLES = tuple(str(row["name"]) for row in _rows("rumor_types"))
RUMOR_COUNTS_WHAT = tuple(str(row["counts"]) for row in _rows("rumor_types"))
"""What the rumors of each type are multiplied by at the end (N-12.2, N-12.3)."""
RUMORS = tuple(Rumor(row["id"], RUMOR_TYPES.index(row["type"]), _rumor_demand(row["cost"])) for row in _rows("rumors"))

TREASURE_COUNTS: Counts = tuple(treasure.copies for treasure in TREASURES)
GUARD_COUNTS: Counts = tuple(guard.copies for guard in GUARDS)
ELITE_COUNTS: Counts = tuple(elite.copies for elite in ELITES)
SKILL_COUNTS: Counts = tuple(skill.copies for skill in SKILLS)
REGULAR_COUNTS: Counts = tuple(0 if skill.hensojutsu else skill.copies for skill in SKILLS)
HENSOJUTSU_COUNTS: Counts = tuple(skill.copies if skill.hensojutsu else 0 for skill in SKILLS)


def _check(what: str, expected: int, found: int) -> None:
    if expected != found:
        raise RulesBug(f"components: {found} {what} where the rules count {expected}")


def _check_unique(what: str, ids: Iterable[object]) -> None:
    listed = list(ids)
    _check(f"different {what}", len(listed), len(set(listed)))


def _check_counts() -> None:
    """Check the totals of N-2.1, and what the code takes for granted about the kinds."""
    _check("Dojo cards", 52, sum(DOJO_COUNTS))
    _check("guards", 40, sum(GUARD_COUNTS))
    _check("elite guards", 20, sum(ELITE_COUNTS))
    _check("regular skill tiles", 16, sum(REGULAR_COUNTS))
    _check("Hensojutsu tiles", 3, sum(HENSOJUTSU_COUNTS))
    _check("treasures", 90, sum(TREASURE_COUNTS))
    _check("rumors", 30, sum(int(row["count"]) for row in _rows("rumors")))
    _check("rumor types", 5, len(RUMOR_TYPES))
    _check("clan tokens", 15, len(TOKENS))
    _check("houses", 5, HOUSES)
    for clan, name in enumerate(CLANS):
        _check(f"envoys of {name}", 7, sum(envoy.clan == clan for envoy in ENVOYS))
    _check("kinds of Dojo cards", 5, len(DOJO_VALUES))
    if tuple(range(1, 6)) != DOJO_VALUES:
        raise RulesBug("components: Dojo cards have the values 1 to 5")
    _check("rumor cards", 30, len(RUMORS))
    _check_unique("envoys", (envoy.id for envoy in ENVOYS))
    _check_unique("ages", (envoy.age for envoy in ENVOYS))
    _check_unique("rumors", (rumor.id for rumor in RUMORS))
    _check_unique("skills", (skill.id for skill in SKILLS))
    _check_unique("elite guards", (elite.id for elite in ELITES))
    _check_unique("clan tokens", TOKENS)


_check_counts()
