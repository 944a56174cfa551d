"""The names of cards, tiles, treasures and spaces in words for people.

Seats and houses count from 1 in all words, although options and events number them from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from referee.games.ninjato.components import (
    BORYAKU,
    CLANS,
    ELITES,
    ENVOYS,
    FOES_HONOR,
    FORCE,
    GUARDS,
    MODES,
    PLAIN_TREASURES,
    RUMOR_COUNTS_WHAT,
    RUMOR_SET,
    RUMOR_TITLES,
    RUMORS,
    SKILLS,
    TOKENS,
    TREASURES,
    WAYS,
    WILD,
    Counts,
    Demand,
)
from referee.games.ninjato.options import Place
from referee.games.ninjato.scoring import multiplier
from referee.kernel.game import Seat

_SAME_IN_PLURAL = ("jade", "gold")
_SPACES = {"dojo": "the Dojo", "sensei": "the Sensei", "palace": "the Palace", "pavilion": "the Pavilion"}

CLAN_NAMES = tuple("-".join(part.capitalize() for part in clan.split("_")) for clan in CLANS)


def listed(words: Iterable[str], nothing: str = "nothing", last: str = "and") -> str:
    """Words as people list them: "a fan, a vase and 2 jade"."""
    *most, end = [*words] or [nothing]
    return f"{', '.join(most)} {last} {end}" if most else end


def seat_name(seat: Seat) -> str:
    """A seat, counted from 1."""
    return f"seat {seat + 1}"


def house_name(house: int) -> str:
    """A house, counted from 1."""
    return f"house {house + 1}"


def space_name(option: Place) -> str:
    """A space for shuriken: "the Dojo", "house 4 by stealth"."""
    if option.space != "house":
        return _SPACES[option.space]
    return f"{house_name(option.house)} by {MODES[option.mode]}"


def treasure_name(kind: int, count: int = 1) -> str:
    """A number of treasures of one type: "a fan", "2 scrolls", "3 jade"."""
    name = TREASURES[kind].id
    if count == 1:
        return f"a {name}"
    return f"{count} {name}" if name in _SAME_IN_PLURAL else f"{count} {name}s"


def treasure_names(counts: Counts, nothing: str = "no treasure") -> str:
    """A heap of treasures: "2 fans and a gold"."""
    return listed((treasure_name(kind, count) for kind, count in enumerate(counts) if count), nothing)


def sided_name(kind: int, red: int) -> str:
    """One treasure with its side (N-1.4): "a red jade"."""
    return f"a {'red' if red else 'light'} {TREASURES[kind].id}"


def sided_names(light: Counts, red: Counts, nothing: str = "no treasure") -> str:
    """A heap of treasures by side: "2 fans, and on the red side a gold"."""
    if not any(red):
        return treasure_names(light, nothing)
    reds = f"on the red side {treasure_names(red)}"
    return f"{treasure_names(light)}, {reds}" if any(light) else reds


def guard_name(kind: int) -> str:
    """An ordinary guard: "guard 4 with an alarm"."""
    guard = GUARDS[kind]
    return f"guard {guard.value} with an alarm" if guard.alarm else f"guard {guard.value}"


@cache
def elite_name(kind: int) -> str:
    """An elite guard with its values (N-7.10, N-7.11): "elite guard 4 in force, 2 in stealth"."""
    elite = ELITES[kind]
    values = listed(
        str(force) if force == stealth else f"{force} in force, {stealth} in stealth" for force, stealth in elite.parts
    )
    return f"elite guard {elite.name}, {values}" if elite.name else f"elite guard {values}"


def beaten_by(value: int, mode: int) -> str:
    """What beats a guard's value in a mode (N-1.2): "more than 4"."""
    return f"{'more' if mode == FORCE else 'less'} than {value}"


def skill_name(skill: int) -> str:
    """A skill by its name; the three Hensojutsu tiles by their Way too."""
    row = SKILLS[skill]
    return f"{row.name} ({WAYS[row.way]})" if row.hensojutsu else row.name


def _added(amounts: Sequence[int]) -> str:
    parts = [f"adds {amount}" if amount > 0 else f"takes away {-amount}" for amount in sorted(amounts, reverse=True)]
    return f"{listed(parts, last='or')} at a Dojo card"


_EFFECTS: dict[str, Callable[[Sequence[int]], str]] = {
    "add": _added,
    "set": lambda amounts: f"a Dojo card counts as {amounts[0]}",
    "virtual_card": lambda amounts: (
        f"acts as a Dojo card of value {listed(map(str, amounts), last='or')}; no card is spent"
    ),
    "swap": lambda amounts: "swaps a loot treasure with a treasure in the house",
    "switch_mode": lambda amounts: "turns force into stealth, or stealth into force, for the rest of the raid",
    "refresh": lambda amounts: "turns one of your face-down tiles face up",
    "mask_influence": lambda amounts: "lets one masked envoy count once more in each scoring phase",
}
"""What a tile does, by the kind of its effect (N-6.5)."""


@cache
def skill_effect(skill: int) -> str:
    """What a tile does (N-6.5)."""
    return _EFFECTS[SKILLS[skill].effect](SKILLS[skill].amounts)


def skill_price(price: int) -> str:
    """The price of a tile (N-6.2): a value, 0 for any card, -1 for nothing."""
    if price < 0:
        return "free"
    return f"costs a Dojo {price}" if price else "costs any Dojo card"


def play_name(base: int, supports: int, tiles: Sequence[int], value: int, part: bool = False) -> str:
    """A play (N-7.6), `tiles` without a Boryaku that is the base: "a 4 with 2 supports and Kenjutsu: 8"."""
    words = f"a {base}" if base else skill_name(BORYAKU)
    extra = ["a support" if supports == 1 else f"{supports} supports"] if supports else []
    extra += [skill_name(tile) for tile in tiles]
    against = " against the second part" if part else ""
    total = f": {value}" if extra or not base else ""
    return f"{words}{f' with {listed(extra)}' if extra else ''}{total}{against}"


def envoy_name(envoy: int) -> str:
    """An envoy: "the Taira envoy of age 33"."""
    return f"the {CLAN_NAMES[ENVOYS[envoy].clan]} envoy of age {ENVOYS[envoy].age}"


def rumor_name(rumor: int) -> str:
    """A rumor by its title and its price, which tells it from the others of its type."""
    return f"{RUMOR_TITLES[RUMORS[rumor].type]} ({price_name(RUMORS[rumor].demand)})"


@cache
def price_name(demand: Demand) -> str:
    """The treasures that an envoy or a rumor demands (N-8.3, N-9.1): "a fan and a jade"."""
    if len(demand.forms) > 1:
        sizes = [form[0][0] for form in demand.forms]
        return f"{min(sizes)} to {max(sizes)} of one type"
    groups = demand.forms[0]
    if all(allowed != PLAIN_TREASURES for _, allowed in groups):
        return listed(treasure_name(allowed[0], size) for size, allowed in groups)
    if all(size == 1 for size, _ in groups):
        if demand.distinct:
            return f"{len(groups)} different treasures"
        return "any treasure" if len(groups) == 1 else f"any {len(groups)} treasures"
    return listed("1 treasure" if size == 1 else f"{size} of one type" for size, _ in groups)


def token_name(token: int) -> str:
    """A clan token: "Taira 6"."""
    return f"{CLAN_NAMES[TOKENS[token].clan]} {TOKENS[token].value}"


def card_names(counts: Counts) -> str:
    """A heap of Dojo cards by value: "1 3 3 5"."""
    return " ".join(str(value) for value, count in enumerate(counts, 1) for _ in range(count)) or "none"


_COUNTED = {
    "elite_guards": "beaten elite guards",
    "rumors": "rumors of any type",
    "envoys": "envoys",
    "skills": "skill tiles",
}
"""What the rumors of a type count, by the word of the components."""


@cache
def rumor_meaning(sort: int) -> str:
    """What the rumors of a type bring at the end (N-12.2, N-12.3)."""
    what = RUMOR_COUNTS_WHAT[sort]
    if what == "owners":
        values = [str(FOES_HONOR[owners]) for owners in (1, 2, 3)]
        return f"each card brings {listed(values, last='or')} honor if 1, 2 or more players own one"
    cards = range(1, 2 * RUMOR_SET + 1)
    factors = listed(str(multiplier(count)) for count in cards)
    return f"the number of your {_COUNTED[what]}, times {factors} for {cards[0]} to {cards[-1]} cards of this type"


def treasure_meaning(kind: int) -> str:
    """What a treasure is worth (N-1.3, N-8.5)."""
    if kind == WILD:
        return "stands for any one treasure and then has its honor"
    return f"{TREASURES[kind].honor} honor when spent"
