"""What the table is told: the wording of every event of Ninjato, in the vocabulary all games share.

Events that recur are built once and shared. Only one sentence is for a single seat: the value of a Dojo card that it
drew unseen. Whatever the referee does unasked (N-2.4) is told in the same words as a choice.
"""

from __future__ import annotations

from functools import cache, lru_cache

from referee.games.ninjato.components import (
    BORYAKU,
    CLANS,
    ELITES,
    ENVOYS,
    GUARDS,
    MODES,
    RUMORS,
    SKILLS,
    TOKENS,
    TREASURES,
    Counts,
)
from referee.games.ninjato.counts import spread
from referee.games.ninjato.options import PLACES, Place, Play, Swap
from referee.kernel.game import TABLE, Event, Seat, Verb

told = lru_cache(maxsize=1 << 14)(Event)
"""An event with small contents, built once."""

SIDES = ("light", "red")

SHUFFLED = tuple(
    Event(Verb.PHASE, TABLE, subject)
    for subject in ("dojo deck shuffled", "guard deck shuffled", "elite deck shuffled", "treasure bag refilled")
)


def _space(option: Place) -> tuple[int | str, ...]:
    return ("house", option.house, MODES[option.mode]) if option.space == "house" else (option.space,)


_SPACES = tuple(_space(option) for option in PLACES)


@cache
def placed(seat: Seat, space: int) -> Event:
    """A shuriken was put on a space."""
    return Event(Verb.CHOSE, seat, "place", _SPACES[space])


@cache
def acted(seat: Seat, act: str) -> Event:
    """A choice that needs no more words: leave, banzai, give_up."""
    return Event(Verb.CHOSE, seat, act)


@cache
def drew_unseen(seat: Seat) -> Event:
    """A card was taken from the Dojo deck."""
    return Event(Verb.DREW, seat, "dojo card", (), 1)


@cache
def saw(seat: Seat, card: int) -> Event:
    """What the card from the deck is, to its owner alone (N-14)."""
    return Event(Verb.REVEALED, seat, "dojo card", (card + 1,), 0, (seat,))


@cache
def took_face_up(seat: Seat, card: int) -> Event:
    """A face-up card was taken."""
    return Event(Verb.GAINED, seat, "dojo card", (card + 1,), 1)


@cache
def paid_card(seat: Seat, card: int) -> Event:
    """A Dojo card was discarded or paid."""
    return Event(Verb.PAID, seat, "dojo card", (card + 1,), 1)


def turned_up(cards: tuple[int, ...]) -> Event:
    """Cards were turned face up beside the Dojo deck; they have no order there."""
    return told(Verb.REVEALED, TABLE, "dojo card", tuple(card + 1 for card in cards), len(cards))


@lru_cache(maxsize=1 << 14)
def played(seat: Seat, play: Play) -> Event:
    """A winning play: base, supports and tiles, and what it came to (N-7.6)."""
    base: int | str = play.base or SKILLS[BORYAKU].id
    tiles = list(play.tiles)
    if not play.base:
        tiles.remove(BORYAKU)
    second = ("second part",) if play.part else ()
    items = (base, *["support"] * play.supports, *(SKILLS[tile].id for tile in tiles), *second)
    return Event(Verb.CHOSE, seat, "play", items, play.value)


@cache
def switched(seat: Seat, mode: int) -> Event:
    """Seishin-teki: the raid goes on in the other mode."""
    return Event(Verb.CHOSE, seat, "switch", (MODES[mode],))


@cache
def swapped(seat: Seat, option: Swap) -> Event:
    """Chocho: a loot treasure for one in the house."""
    items = (
        TREASURES[option.loot].id,
        SIDES[option.loot_red],
        TREASURES[option.house].id,
        SIDES[option.house_red],
    )
    return Event(Verb.CHOSE, seat, "swap", items)


@cache
def refreshed(seat: Seat, skill: int) -> Event:
    """Kuji-kiri: a tile is face up again."""
    return Event(Verb.CHOSE, seat, "refresh", (SKILLS[skill].id,))


@cache
def guard_came(kind: int) -> Event:
    """An ordinary guard was revealed in a raid."""
    guard = GUARDS[kind]
    return Event(Verb.REVEALED, TABLE, "guard", (guard.value, "alarm") if guard.alarm else (guard.value,))


@cache
def elite_came(kind: int) -> Event:
    """An elite guard was revealed in a raid."""
    return Event(Verb.REVEALED, TABLE, "elite guard", (ELITES[kind].id,))


@cache
def sentinel_came(house: int, kind: int) -> Event:
    """A house got a new Sentinel."""
    return Event(Verb.REVEALED, TABLE, "sentinel", (house, GUARDS[kind].value))


@cache
def looted(seat: Seat, treasure: int, red: int) -> Event:
    """A treasure of the house became loot."""
    return Event(Verb.MOVED, seat, "loot", (TREASURES[treasure].id, SIDES[red]), 1)


@cache
def housed(house: int, treasures: tuple[int, ...]) -> Event:
    """Treasures came from the bag to a house, light side up."""
    names = [TREASURES[treasure].id for treasure in treasures]
    return Event(Verb.REVEALED, TABLE, "house treasure", (house, *names), len(names))


@cache
def turned_red(house: int, treasure: int) -> Event:
    """A treasure of a house was turned to its red side."""
    return Event(Verb.MOVED, TABLE, "red side", (house, TREASURES[treasure].id), 1)


@cache
def trophy(seat: Seat, kind: int) -> Event:
    """A beaten elite guard became a trophy."""
    return Event(Verb.GAINED, seat, "trophy", (ELITES[kind].id,), 1)


def gained_treasures(seat: Seat, treasures: Counts) -> Event:
    """Treasures became a player's own."""
    return told(Verb.GAINED, seat, "treasure", tuple(TREASURES[kind].id for kind in spread(treasures)), sum(treasures))


def paid_treasures(seat: Seat, treasures: Counts) -> Event:
    """Treasures were spent."""
    items = tuple(TREASURES[kind].id for kind in spread(treasures))
    return told(Verb.PAID, seat, "treasure", items, len(items))


def scored(seat: Seat, why: str, honor: int) -> Event:
    """Honor was won."""
    return told(Verb.SCORED, seat, why, (), honor)


_NAMES = {
    "skill": tuple(skill.id for skill in SKILLS),
    "envoy": tuple(envoy.id for envoy in ENVOYS),
    "rumor": tuple(rumor.id for rumor in RUMORS),
}


@cache
def chose_card(seat: Seat, sort: str, card: int) -> Event:
    """A displayed skill tile, envoy or rumor was chosen and is being paid for."""
    return Event(Verb.CHOSE, seat, sort, (_NAMES[sort][card],))


@cache
def gained_card(seat: Seat, sort: str, card: int) -> Event:
    """A skill tile, envoy or rumor became a player's own."""
    return Event(Verb.GAINED, seat, sort, (_NAMES[sort][card],), 1)


def displayed(sort: str, cards: tuple[int, ...]) -> Event:
    """Skill tiles, envoys or rumors were put on display."""
    names = _NAMES[sort]
    return told(Verb.REVEALED, TABLE, sort, tuple(names[card] for card in cards), len(cards))


@cache
def token_put(seat: Seat, house: int, token: int) -> Event:
    """A house changed its clan."""
    clan, value = TOKENS[token]
    return Event(Verb.MOVED, seat, "clan token", (house, CLANS[clan], value))


@cache
def disguised(seat: Seat, envoy: int) -> Event:
    """A masked envoy counts once more in this scoring phase, or none does."""
    return Event(Verb.CHOSE, seat, "disguise", (ENVOYS[envoy].id if envoy >= 0 else "none",))


@cache
def rewarded(seat: Seat, clan: int, what: str) -> Event:
    """The first of a clan chose its reward."""
    return Event(Verb.CHOSE, seat, "clan reward", (CLANS[clan], what))


def revealed_rumors(seat: Seat, rumors: tuple[int, ...]) -> Event:
    """A player's rumors are turned face up at the end of the game."""
    return told(Verb.REVEALED, seat, "rumor", tuple(RUMORS[rumor].id for rumor in rumors), len(rumors))
