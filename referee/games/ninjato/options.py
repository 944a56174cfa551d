"""The answers that a seat can give, and the tables from which option lists take them (N-16).

Every option is a small tuple that begins with `do`, its verb, so that options of different sorts are never equal. There
is one option for each distinguishable choice (N-2.2), built once and shared: an option list is a list of references.
The canonical order of each list stands in RULES.md, chapter N-16, "Options".
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from referee.games.ninjato.components import (
    DOJO_VALUES,
    ENVOYS,
    FORCE,
    HOUSES,
    RUMORS,
    SKILLS,
    STEALTH,
    TOKENS,
    TREASURES,
    Counts,
)


class Place(NamedTuple):
    """`place`: the space on which the shuriken is put (N-4.2)."""

    do: str
    space: str
    """dojo, sensei, palace, pavilion or house."""
    house: int
    """The house, or -1."""
    mode: int
    """FORCE or STEALTH in a house, else -1."""


class Pick(NamedTuple):
    """`dojo_pick`: a face-up card by value, or the deck's top card (N-5.3)."""

    do: str
    value: int
    """1 to 5, or 0 for the deck."""


class Discard(NamedTuple):
    """`dojo_discard`: a card to put away above the hand limit (N-5.4)."""

    do: str
    value: int


class Learn(NamedTuple):
    """`sensei_take`: a displayed tile to learn (N-6.1)."""

    do: str
    skill: int


class Spend(NamedTuple):
    """`sensei_pay`: the Dojo card that pays for a tile printed `?` (N-6.2)."""

    do: str
    value: int


class TakeEnvoy(NamedTuple):
    """`envoy_take`: a displayed envoy to pay for (N-8.1)."""

    do: str
    envoy: int


class TakeRumor(NamedTuple):
    """`rumor_take` and `rumor_free`: a displayed rumor (N-9.1, N-11.5)."""

    do: str
    rumor: int


class Pay(NamedTuple):
    """`pay`: the treasures spent (N-8.1, N-9.1)."""

    do: str
    treasures: Counts
    """How many of each type, fan to gold."""
    honor: int
    """Honor that they score, gold at its best (N-8.5)."""


class Play(NamedTuple):
    """`fight`: a winning play (N-7.6)."""

    do: str
    part: int
    """Which part of the opponent it beats: 0, or 1 for the second part of a double elite (N-7.11)."""
    base: int
    """Value of the Dojo card, or 0 for Boryaku."""
    supports: int
    """Number of Dojo cards of value 3 that support it (N-1.8)."""
    tiles: tuple[int, ...]
    """The skill tiles that are turned down, by number, Boryaku as a base included."""
    value: int
    """Base or set value with all modifiers."""


class Act(NamedTuple):
    """`switch` (N-7.14) and `give_up` (N-7.5) in `fight`; `leave` and `banzai` in `banzai` (N-7.3)."""

    do: str


class Swap(NamedTuple):
    """`swap`: Chocho, a loot treasure for one in the house (N-7.13)."""

    do: str
    loot: int
    loot_red: int
    """1 if the loot token lies on its red side."""
    house: int
    house_red: int


class Refresh(NamedTuple):
    """`refresh`: Kuji-kiri turns this tile up again (N-7.15)."""

    do: str
    skill: int


class Keep(NamedTuple):
    """`keep`: the one loot treasure kept after a failure (N-7.17)."""

    do: str
    treasure: int


class PutToken(NamedTuple):
    """`clan_token`: the token put on a house that was emptied (N-7.18)."""

    do: str
    clan: int
    value: int


class Disguise(NamedTuple):
    """`disguise`: the masked envoy that counts once more, or none (N-11.2)."""

    do: str
    envoy: int
    """The envoy, or -1."""


class Reward(NamedTuple):
    """`clan_reward`: honor or a rumor for the first of a clan (N-11.5)."""

    do: str
    what: str
    """honor or rumor."""


PLACES = (
    *(Place("place", space, -1, -1) for space in ("dojo", "sensei", "palace", "pavilion")),
    *(Place("place", "house", house, mode) for house in range(HOUSES) for mode in (FORCE, STEALTH)),
)
"""All spaces, by their number."""
SPACE = {option: number for number, option in enumerate(PLACES)}
DOJO, SENSEI, PALACE, PAVILION, FIRST_HOUSE = range(5)


def _places(mask: int) -> tuple[Place, ...]:
    closed = {1 + bit for bit in range(3) if not mask >> bit & 1}
    houses = [house for house in range(HOUSES) if mask >> 3 + house & 1]
    return tuple(
        option
        for number, option in enumerate(PLACES)
        if (option.house in houses if option.space == "house" else number not in closed)
    )


PLACE_LISTS = tuple(_places(mask) for mask in range(1 << 3 + HOUSES))
"""The lists of open spaces by bit mask: 1 sensei, 2 palace, 4 pavilion, 8 << h house h; the Dojo is always open."""

DECK = Pick("pick", 0)
PICKS = (DECK, *(Pick("pick", value) for value in DOJO_VALUES))
DISCARDS = tuple(Discard("discard", value) for value in DOJO_VALUES)
SPENDS = tuple(Spend("spend", value) for value in DOJO_VALUES)
LEARNS = tuple(Learn("learn", skill) for skill in range(len(SKILLS)))
ENVOY_TAKES = tuple(TakeEnvoy("take_envoy", envoy) for envoy in range(len(ENVOYS)))
RUMOR_TAKES = tuple(TakeRumor("take_rumor", rumor) for rumor in range(len(RUMORS)))
SWITCH = Act("switch")
GIVE_UP = Act("give_up")
LEAVE = Act("leave")
BANZAI = Act("banzai")
REFRESHES = tuple(Refresh("refresh", skill) for skill in range(len(SKILLS)))
KEEPS = tuple(Keep("keep", treasure) for treasure in range(len(TREASURES)))
TOKEN_PUTS = tuple(PutToken("put_token", token.clan, token.value) for token in TOKENS)
DISGUISES = tuple(Disguise("disguise", envoy) for envoy in range(len(ENVOYS)))
NO_DISGUISE = Disguise("disguise", -1)
HONOR = Reward("reward", "honor")
RUMOR = Reward("reward", "rumor")
REWARDS = (HONOR, RUMOR)

play = cache(Play)
"""The one shared play of its contents."""
swap = cache(Swap)
"""The one shared swap of its contents."""
payment = cache(Pay)
"""The one shared payment of its contents."""


@cache
def picks(face_up: Counts) -> tuple[Pick, ...]:
    """Distinct face-up values rising, then the deck (N-5.3)."""
    return (*(PICKS[value] for value, count in zip(DOJO_VALUES, face_up, strict=True) if count), DECK)


@cache
def keeps(loot: Counts) -> tuple[Keep, ...]:
    """Distinct loot types by rising rank (N-7.17)."""
    return tuple(option for option, count in zip(KEEPS, loot, strict=True) if count)


@cache
def token_puts(supply: tuple[int, ...], clan: int) -> tuple[PutToken, ...]:
    """Supply tokens of the other clans, by clan and value (N-7.18)."""
    return tuple(TOKEN_PUTS[token] for token in supply if TOKENS[token].clan != clan)
