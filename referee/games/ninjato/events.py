"""The wording of every event of Ninjato, in the vocabulary that all games share.

Events that recur are built once and shared. Only one event is for a single seat: the value of a Dojo card that the seat
drew unseen (N-14). An answer that is applied unasked is told in the same words as a choice (N-2.4, N-14.2).
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
"""An event, built once for equal contents."""

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
    """A seat puts a shuriken on a space (N-4.2)."""
    return Event(Verb.CHOSE, seat, "place", _SPACES[space])


@cache
def acted(seat: Seat, act: str) -> Event:
    """A raider leaves, goes on (banzai) or gives up (N-7.3, N-7.5)."""
    return Event(Verb.CHOSE, seat, act)


@cache
def drew_unseen(seat: Seat) -> Event:
    """A seat takes a card from the Dojo deck (N-5.3)."""
    return Event(Verb.DREW, seat, "dojo card", (), 1)


@cache
def saw(seat: Seat, card: int) -> Event:
    """The value of the card from the deck, told to its owner alone (N-14)."""
    return Event(Verb.REVEALED, seat, "dojo card", (card + 1,), 0, (seat,))


@cache
def took_face_up(seat: Seat, card: int) -> Event:
    """A seat takes a face-up Dojo card (N-5.3)."""
    return Event(Verb.GAINED, seat, "dojo card", (card + 1,), 1)


@cache
def paid_card(seat: Seat, card: int) -> Event:
    """A seat discards a Dojo card or pays with it (N-5.4, N-6.2)."""
    return Event(Verb.PAID, seat, "dojo card", (card + 1,), 1)


def turned_up(cards: tuple[int, ...]) -> Event:
    """Cards are turned face up beside the Dojo deck, where they have no order (N-5.5)."""
    return told(Verb.REVEALED, TABLE, "dojo card", tuple(card + 1 for card in cards), len(cards))


@lru_cache(maxsize=1 << 14)
def played(seat: Seat, play: Play) -> Event:
    """A raider makes a play: base, supports, tiles and value (N-7.6)."""
    base: int | str = play.base or SKILLS[BORYAKU].id
    tiles = list(play.tiles)
    if not play.base:
        tiles.remove(BORYAKU)
    second = ("second part",) if play.part else ()
    items = (base, *["support"] * play.supports, *(SKILLS[tile].id for tile in tiles), *second)
    return Event(Verb.CHOSE, seat, "play", items, play.value)


@cache
def switched(seat: Seat, mode: int) -> Event:
    """A raider uses Seishin-teki: the raid goes on in the other mode (N-7.14)."""
    return Event(Verb.CHOSE, seat, "switch", (MODES[mode],))


@cache
def swapped(seat: Seat, option: Swap) -> Event:
    """A raider uses Chocho: a loot treasure for one in the house (N-7.13)."""
    items = (
        TREASURES[option.loot].id,
        SIDES[option.loot_red],
        TREASURES[option.house].id,
        SIDES[option.house_red],
    )
    return Event(Verb.CHOSE, seat, "swap", items)


@cache
def refreshed(seat: Seat, skill: int) -> Event:
    """A raider uses Kuji-kiri: a tile is face up again (N-7.15)."""
    return Event(Verb.CHOSE, seat, "refresh", (SKILLS[skill].id,))


@cache
def guard_came(kind: int) -> Event:
    """An ordinary guard is revealed in a raid (N-7.4)."""
    guard = GUARDS[kind]
    return Event(Verb.REVEALED, TABLE, "guard", (guard.value, "alarm") if guard.alarm else (guard.value,))


@cache
def elite_came(kind: int) -> Event:
    """An elite guard is revealed in a raid (N-7.4)."""
    return Event(Verb.REVEALED, TABLE, "elite guard", (ELITES[kind].id,))


@cache
def sentinel_came(house: int, kind: int) -> Event:
    """A house gets a new Sentinel (N-10.5)."""
    return Event(Verb.REVEALED, TABLE, "sentinel", (house, GUARDS[kind].value))


@cache
def looted(seat: Seat, treasure: int, red: int) -> Event:
    """A treasure of the house becomes loot (N-7.3)."""
    return Event(Verb.MOVED, seat, "loot", (TREASURES[treasure].id, SIDES[red]), 1)


@cache
def housed(house: int, treasures: tuple[int, ...]) -> Event:
    """Treasures come from the bag to a house, light side up (N-7.4, N-7.16, N-7.17, N-10.5)."""
    names = [TREASURES[treasure].id for treasure in treasures]
    return Event(Verb.REVEALED, TABLE, "house treasure", (house, *names), len(names))


@cache
def turned_red(house: int, treasure: int) -> Event:
    """A treasure of a house is turned to its red side (N-7.4, N-7.13)."""
    return Event(Verb.MOVED, TABLE, "red side", (house, TREASURES[treasure].id), 1)


@cache
def trophy(seat: Seat, kind: int) -> Event:
    """A beaten elite guard becomes a trophy (N-7.3)."""
    return Event(Verb.GAINED, seat, "trophy", (ELITES[kind].id,), 1)


def gained_treasures(seat: Seat, treasures: Counts) -> Event:
    """Treasures become a seat's own (N-7.16 to N-7.18)."""
    return told(Verb.GAINED, seat, "treasure", tuple(TREASURES[kind].id for kind in spread(treasures)), sum(treasures))


def paid_treasures(seat: Seat, treasures: Counts) -> Event:
    """A seat spends treasures (N-8.1, N-9.1)."""
    items = tuple(TREASURES[kind].id for kind in spread(treasures))
    return told(Verb.PAID, seat, "treasure", items, len(items))


def scored(seat: Seat, why: str, honor: int) -> Event:
    """A seat scores honor (N-8.2, N-9.1, N-11.5, N-12.1)."""
    return told(Verb.SCORED, seat, why, (), honor)


_NAMES = {
    "skill": tuple(skill.id for skill in SKILLS),
    "envoy": tuple(envoy.id for envoy in ENVOYS),
    "rumor": tuple(rumor.id for rumor in RUMORS),
}


@cache
def chose_card(seat: Seat, sort: str, card: int) -> Event:
    """A seat chooses a displayed skill tile, envoy or rumor, to be paid for (N-6.1, N-8.1, N-9.1)."""
    return Event(Verb.CHOSE, seat, sort, (_NAMES[sort][card],))


@cache
def gained_card(seat: Seat, sort: str, card: int) -> Event:
    """A skill tile, envoy or rumor becomes a seat's own (N-6.1, N-8.2, N-9.1, N-11.5)."""
    return Event(Verb.GAINED, seat, sort, (_NAMES[sort][card],), 1)


def displayed(sort: str, cards: tuple[int, ...]) -> Event:
    """Skill tiles, envoys or rumors are put on display (N-10.3, N-10.6, N-11.8)."""
    names = _NAMES[sort]
    return told(Verb.REVEALED, TABLE, sort, tuple(names[card] for card in cards), len(cards))


@cache
def token_put(seat: Seat, house: int, token: int) -> Event:
    """A house changes its clan (N-7.18)."""
    clan, value = TOKENS[token]
    return Event(Verb.MOVED, seat, "clan token", (house, CLANS[clan], value))


@cache
def disguised(seat: Seat, envoy: int) -> Event:
    """A masked envoy counts once more in this scoring phase, or none does (N-11.2)."""
    return Event(Verb.CHOSE, seat, "disguise", (ENVOYS[envoy].id if envoy >= 0 else "none",))


@cache
def rewarded(seat: Seat, clan: int, what: str) -> Event:
    """The first of a clan chooses its reward (N-11.5)."""
    return Event(Verb.CHOSE, seat, "clan reward", (CLANS[clan], what))


def revealed_rumors(seat: Seat, rumors: tuple[int, ...]) -> Event:
    """A seat's rumors are turned face up at the end of the game (N-12.1)."""
    return told(Verb.REVEALED, seat, "rumor", tuple(RUMORS[rumor].id for rumor in rumors), len(rumors))
