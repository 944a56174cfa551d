"""The cards, provinces, cubes and constants of Honshu, read from `components.toml` once and checked against its counts.

Rules code works with small numbers: a **kind** is what one cell of a card shows (1..20; 0 is no card), a **colour** is
0..3 in the order of the cube list, and a **face** is one printed side: 1..60 the map cards by their number, 61..66 the
A sides and 67..72 the B sides of the provinces. The tables of this module say what the numbers stand for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.kernel.components import read
from referee.kernel.errors import RulesBug


class CellKind(NamedTuple):
    """What one cell shows (H-1.5)."""

    code: str
    """The short text of the data file: F, T, L, W, pB, B2..."""
    what: str
    """forest, town, lake, field, production or factory."""
    colour: int
    """Of a production or factory cell; -1 otherwise."""
    value: int
    """Of a factory; 0 otherwise."""


class Constants(NamedTuple):
    """The constants of play."""

    rounds: int
    hand_size: int
    cube_bonus: int
    override_cubes: int
    reveal: int
    pass_left_after: int
    deal_after: int
    pass_right_after: int


class Points(NamedTuple):
    """The constants of scoring (H-8.6)."""

    forest: int
    town: int
    lake_after_first: int
    factory_capacity: int


class ScoringCard(NamedTuple):
    """One alternative scoring card (section 9)."""

    number: int
    key: str
    """The name of its effect."""
    points: int
    factory_capacity: int
    colours: tuple[int, ...]
    """The colours that it names."""


Face = tuple[int, ...]
"""The kinds of one printed side by cell index (H-2.2)."""

_FILE = read("referee.games.honshu")
_TABLES = _FILE.tables
DIGEST = _FILE.digest


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise RulesBug(f"components.toml of honshu: {what}")


def _colours() -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Names, letters and cube counts of the four colours (H-1.3)."""
    cubes = _TABLES["cubes"]
    names = tuple(str(cube["colour"]) for cube in cubes)
    _check(len(set(names)) == 4, "there are four colours of cubes")
    return names, tuple(str(cube["letter"]) for cube in cubes), tuple(int(cube["count"]) for cube in cubes)


COLOURS, COLOUR_LETTERS, CUBES = _colours()
"""Names and letters of the colours, and how many cubes there are of each."""


def _kinds() -> tuple[CellKind, ...]:
    kinds = [CellKind(".", "none", -1, 0)]
    for code, row in _TABLES["cells"].items():
        colour = COLOURS.index(row["colour"]) if "colour" in row else -1
        kinds.append(CellKind(code, row["kind"], colour, row.get("value", 0)))
    _check(len(kinds) == 21, "there are 20 kinds of cells")
    return tuple(kinds)


KINDS = _kinds()
"""By kind number; 0 is no cell."""
KIND_OF = {kind.code: number for number, kind in enumerate(KINDS)}
"""Kind numbers by code."""
FOREST, TOWN, LAKE, FIELD = (KIND_OF[code] for code in ("F", "T", "L", "W"))
COLOUR_OF = tuple(kind.colour for kind in KINDS)
"""The colour of each kind."""
PRODUCTION = tuple(
    next(n for n, kind in enumerate(KINDS) if kind.what == "production" and kind.colour == colour)
    for colour in range(len(COLOURS))
)
"""The production kind of each colour."""
FACTORIES = tuple(
    tuple(
        sorted(
            (n for n, kind in enumerate(KINDS) if kind.what == "factory" and kind.colour == colour),
            key=lambda n: -KINDS[n].value,
        )
    )
    for colour in range(len(COLOURS))
)
"""The factory kinds of each colour, most valuable first."""


def _face(rows: list[list[str]]) -> Face:
    _check([len(row) for row in rows] == [2, 2, 2], "a card has three rows of two cells (H-1.1)")
    return tuple(KIND_OF[code] for row in rows for code in row)


def _check_totals(sort: str, faces: list[Face]) -> None:
    """Compare the cells of one sort of cards with the totals that the file itself states (H-1.6)."""
    totals: Mapping[str, Any] = _TABLES["checks"][sort]
    _check(len(faces) == totals["count"], f"there are {totals['count']} {sort}")
    cells = Counter(KINDS[kind].code for face in faces for kind in face)
    _check(cells == Counter(totals["cells"]), f"the cells of the {sort} add up to other totals")


def _faces() -> tuple[Face, ...]:
    cards = sorted(_TABLES["map_cards"], key=lambda card: int(card["number"]))
    provinces = sorted(_TABLES["provinces"], key=lambda province: int(province["id"]))
    _check([card["number"] for card in cards] == list(range(1, 61)), "map cards are numbered 1..60")
    _check([province["id"] for province in provinces] == list(range(1, 7)), "provinces are numbered 1..6")
    map_cards = [_face(card["cells"]) for card in cards]
    sides = {side: [_face(province[side]) for province in provinces] for side in ("a", "b")}
    _check_totals("map_cards", map_cards)
    _check_totals("provinces_a", sides["a"])
    _check_totals("provinces_b", sides["b"])
    _check(len(set(map_cards) | {face[::-1] for face in map_cards}) == 120, "cards differ, half turns too (H-1.1)")
    _check(max(face.count(LAKE) for face in map_cards) == 1, "a map card has at most one lake (H-1.6)")
    return ((), *map_cards, *sides["a"], *sides["b"])


FACES = _faces()
"""By face number; 0 is unused."""
CARDS = range(1, 61)
"""The map cards."""
PROVINCES = 6
FIRST_PROVINCE: Mapping[str, int] = {"A": 61, "B": 67}
"""The face of province 1 by side; the others follow."""
PRODUCTION_CELLS = tuple(
    tuple((index, COLOUR_OF[kind]) for index, kind in enumerate(face) if KINDS[kind].what == "production")
    for face in FACES
)
"""By face, the cell index and colour of each production cell."""
LAKE_INDEX = tuple(face.index(LAKE) if number in CARDS and LAKE in face else -1 for number, face in enumerate(FACES))
"""The cell index of a map card's lake, or -1."""


def province_face(side: str, number: int) -> int:
    """The face of a province, 1..6, on side A or B."""
    return FIRST_PROVINCE[side] + number - 1


PROVINCE_FACES: Mapping[str, int] = {
    f"{side}{number}": province_face(side, number) for side in FIRST_PROVINCE for number in range(1, PROVINCES + 1)
}
"""The faces of the provinces by name: A1..A6, B1..B6."""
PROVINCE_NAMES: Mapping[int, str] = {face: name for name, face in PROVINCE_FACES.items()}
"""The names by face."""


def _play() -> Constants:
    play = _TABLES["play"]
    return Constants(
        rounds=_TABLES["meta"]["rounds"],
        hand_size=play["hand_size"],
        cube_bonus=play["cube_bonus"],
        override_cubes=play["two_player_override_cubes"],
        reveal=play["two_player_reveal"],
        pass_left_after=play["pass_left_after_round"],
        deal_after=play["deal_after_round"],
        pass_right_after=play["pass_right_after_round"],
    )


PLAY = _play()
_SCORING = _TABLES["scoring"]
POINTS = Points(
    _SCORING["forest"],
    _SCORING["town"],
    _SCORING["lake_after_first"],
    _SCORING["factory_capacity"],
)
FACTORY_VALUES: tuple[int, ...] = tuple(_SCORING["factory_values"])
"""The values that are printed on factories, ascending."""
FACTORY_SCORES: Mapping[str, Mapping[int, int]] = {
    row["id"]: dict(zip(FACTORY_VALUES, row["scores"], strict=True)) for row in _TABLES["factories"]
}
"""By value of the setting `factories`, the default first: what a delivered cube scores, by value of the factory
(H-8.8)."""
_check(
    FACTORY_SCORES[next(iter(FACTORY_SCORES))] == {value: value for value in FACTORY_VALUES},
    "by default a factory scores the value that is printed on it (H-8.8)",
)
_check(
    sorted(_SCORING["factory_values"]) == sorted({kind.value for kind in KINDS if kind.value}),
    "factories are worth the values that the scoring names",
)
SEATS = range(_TABLES["meta"]["players_min"], _TABLES["meta"]["players_max"] + 1)
TITLE: str = _TABLES["meta"]["title"]


def _scoring_cards() -> dict[int, ScoringCard]:
    cards = {
        card["id"]: ScoringCard(
            card["id"],
            card["key"],
            card.get("points", 0),
            card.get("factory_capacity", POINTS.factory_capacity),
            tuple(COLOURS.index(name) for name in card.get("colours", ())),
        )
        for card in _TABLES["scoring_cards"]
    }
    _check(sorted(cards) == list(range(1, 9)), "there are eight scoring cards (H-1.4)")
    return cards


SCORING_CARDS: Mapping[int, ScoringCard] = _scoring_cards()
"""By number."""
