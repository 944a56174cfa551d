"""The cards and numbers of Edo Yashiki, read from `components.toml` once and turned into tables.

A construction card is known by its index in `CARDS`; the name in the data (`E01`) is for people. Kinds are single
letters (F, T, P, G) and, in a set of tokens, bits in the order of the data. No table relies on which cards the list
holds (E-2.3, E-17.1, E-17.2), only on what the rules say about every card: two cells wide, three high, four kinds.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from referee.kernel.components import read
from referee.kernel.errors import RulesBug
from referee.kernel.game import BUCKET

_tables, DIGEST = read("referee.games.edo_yashiki")

WIDTH = 2
HEIGHT = 3
ROTATIONS = (0, 180)
LINE = 3
"""The least number of equal cells that make a line (E-3.5)."""


Face: TypeAlias = tuple[bytes, ...]
"""What a card shows one way up: its rows, top first, a letter for each cell (E-2.2)."""


class Card(NamedTuple):
    """A construction card."""

    name: str
    faces: tuple[Face, ...]
    """As printed and, unless that looks the same, after a half-turn (E-3.2)."""


class Setup(NamedTuple):
    """What the number of seats decides (table of section 4)."""

    deck: int
    """Cards in the deck after the deal."""
    rounds: int
    """The most rounds the deck allows."""
    house: int
    """The most cards in one house."""


def half_turn(rows: Face) -> Face:
    """The rows after a half-turn: rows in reverse order, each row reversed (E-3.2)."""
    return tuple(row[::-1] for row in reversed(rows))


def _require(holds: bool, fact: str) -> None:
    if not holds:
        raise RulesBug(f"components.toml of edo_yashiki: {fact}")


def _kinds() -> str:
    rows: list[Any] = sorted(_tables["kinds"], key=lambda kind: kind["index"])
    letters = [str(row["id"]) for row in rows]
    _require([row["index"] for row in rows] == list(range(4)), "there are four kinds, numbered from 0")
    _require(len(set(letters)) == 4 and all(len(letter) == 1 for letter in letters), "a kind is one letter of its own")
    return "".join(letters)


def _card(row: Any) -> Card:
    printed = tuple(str(cells).encode("ascii") for cells in row["rows"])
    name = str(row["id"])
    _require(len(printed) == HEIGHT, f"card {name} has {HEIGHT} rows")
    _require(all(len(cells) == WIDTH for cells in printed), f"the rows of card {name} have {WIDTH} cells")
    _require(all(cell in KINDS.encode() for cells in printed for cell in cells), f"card {name} shows known kinds")
    turned = half_turn(printed)
    return Card(name, (printed,) if turned == printed else (printed, turned))


def _cards() -> tuple[Card, ...]:
    cards = tuple(_card(row) for row in _tables["construction_cards"])
    _require(len(cards) == _tables["counts"]["construction_cards"], "the construction cards are as many as counted")
    _require(len({card.name for card in cards}) == len(cards), "no two construction cards have one name")
    return cards


def _setups() -> dict[int, Setup]:
    setups = {}
    for row in _tables["setup"].values():
        seats: int = row["players"]
        dealt: int = row["start_cards_per_player"] * seats
        setup = Setup(len(CARDS) - dealt, (len(CARDS) - dealt) // seats, 1 + (len(CARDS) - dealt) // seats)
        _require((row["start_cards_per_player"], row["row_size"]) == (1, seats), "one start card, one row card a seat")
        stated = Setup(row["deck_after_setup"], row["max_rounds"], row["max_cards_per_house"])
        _require(stated == setup, f"the numbers for {seats} players follow from the card count")
        setups[seats] = setup
    game: Any = _tables["game"]
    _require(
        sorted(setups) == list(range(game["players_min"], game["players_max"] + 1)), "each seat count has a set-up"
    )
    return setups


def _check_geometry() -> None:
    geometry: Any = _tables["card_geometry"]
    _require((geometry["width"], geometry["height"]) == (WIDTH, HEIGHT), "a card is 2 cells wide and 3 high")
    _require(tuple(_tables["card_orientation"]["allowed_degrees"]) == ROTATIONS, "a card stands upright or on its head")


def _check_tokens() -> None:
    rules: Any = _tables["specialists"]
    given = (rules["tokens_per_player_start"], rules["tokens_on_refill"])
    _require(list(KINDS) == rules["sections"], "a specialist card has a section for each kind")
    _require(given == (len(KINDS), len(KINDS)), "a specialist card starts and is refilled with one token of each kind")
    _require(rules["tokens_total"] >= max(SEATS) * len(KINDS), "the tokens suffice for every seat (E-9.10)")


def _check_settings() -> None:
    draft: Any = _tables["draft"]
    _require(draft["reflex"]["bucket_us"] == BUCKET, "a bucket of the reflex draft is a bucket of the match (E-6.9)")
    _require(DRAFTS[0] == draft["default"] and COVERING[0] == _tables["placement"]["default"], "defaults stand first")


def _line_points() -> tuple[int, ...]:
    points = _tables["scoring"]["line_points"]
    return (0, 0, 0, points["length_3"], points["length_4"], points["length_5"], points["length_6_or_more"])


def _bonus() -> tuple[int, ...]:
    bonus = _tables["scoring"]["kind_bonus"]
    return (0, bonus["kinds_1"], bonus["kinds_2"], bonus["kinds_3"], bonus["kinds_4"])


KINDS = _kinds()
"""The letters of the four kinds, in token order (E-2.1)."""
KIND_NAMES: dict[str, str] = {str(row["id"]): str(row["name"]) for row in _tables["kinds"]}
"""By letter of a kind: its name."""
CARDS = _cards()
NAMES = tuple(card.name for card in CARDS)
SETUPS = _setups()
SEATS = range(min(SETUPS), max(SETUPS) + 1)
LINE_POINTS = _line_points()
"""Points by length; the last entry stands for every greater length (E-8.2)."""
BONUS = _bonus()
"""Points by number of kinds scored (E-8.4)."""
TARGET: int = _tables["end"]["target_points"]
"""The points that end the game (E-10.1)."""

DRAFTS: tuple[str, ...] = tuple(_tables["draft"]["modes"])
"""The values of the setting `draft`, the default first (E-1.3)."""
COVERING: tuple[str, ...] = tuple(_tables["placement"]["covering"])
"""The values of the setting `covering`, the default first (E-1.5)."""

TOKEN = {kind: 1 << index for index, kind in enumerate(KINDS)}
"""The token of each kind as a bit (E-9.1)."""
ALL_TOKENS = (1 << len(KINDS)) - 1

_check_geometry()
_check_tokens()
_check_settings()
