"""The plays that beat a guard (N-7.6 to N-7.8).

A play is a base with an optional set tile, supports and modifier tiles. In force all of them push the value up, in
stealth down; with `sign` 1 or -1 both modes are the same arithmetic. Listing plays takes the most time of all rules,
so the plays of each base are kept by the few numbers that they depend on.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import TypeAlias

from referee.games.ninjato.components import (
    ADDERS,
    BORYAKU,
    BORYAKU_VALUE,
    DOJO_VALUES,
    ELITES,
    FORCE,
    GUARDS,
    SETTER,
    SUPPORT,
    Counts,
)
from referee.games.ninjato.counts import NO_CARDS, NO_SKILLS, gather, more
from referee.games.ninjato.options import Play, play
from referee.games.ninjato.state import ELITE


def beats(value: int, guard: int, mode: int) -> bool:
    """Whether a value beats a guard's in a mode; an equal value never does (N-1.2)."""
    return value > guard if mode == FORCE else value < guard


Helpers: TypeAlias = tuple[bool, Counts]
"""The face-up tiles that help in a mode: whether there is a set tile, and how many there are of each modifier."""


def plays(hand: Counts, ready: Counts, mode: int, guard: int, part: int = 0) -> tuple[Play, ...]:
    """All legal plays against one guard value, by base: Boryaku, then 1 to 5 (N-7.6)."""
    helpers = _helpers(ready, mode)
    supports = hand[SUPPORT - 1]
    found: list[Play] = []
    if ready[BORYAKU]:
        found += _with_base(mode, guard, part, 0, supports, helpers)
    for base, count in zip(DOJO_VALUES, hand, strict=True):
        if count:
            # A base 3 is an ordinary card; only the other 3s can support it (N-7.7).
            found += _with_base(mode, guard, part, base, supports - (base == SUPPORT), helpers)
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _helpers(ready: Counts, mode: int) -> Helpers:
    """The face-up tiles that help in a mode (N-7.6)."""
    setter, _ = SETTER[mode]
    return ready[setter] > 0, tuple(ready[tile] for tile, _ in ADDERS[mode])


@lru_cache(maxsize=1 << 16)
def _with_base(mode: int, guard: int, part: int, base: int, most: int, helpers: Helpers) -> tuple[Play, ...]:
    """The legal plays of one base with up to `most` supports: by set tile, supports, modifier tiles (N-7.6, N-7.7).

    Spare supports are legal, idle tiles are not (N-7.8, N-R10): a play must not win without its smallest modifier tile,
    so that it does not win without any other one either, nor without its set tile, at the base's own value. A set tile
    applies before the modifiers (N-R8); Boryaku counts like a card (N-R9).
    """
    sign = 1 if mode == FORCE else -1
    own = base or BORYAKU_VALUE[mode]
    spent = () if base else (BORYAKU,)
    setter, set_value = SETTER[mode]
    may_set, adders = helpers
    lack = sign * (guard - own) + 1
    found = []
    for value, tiles in [(own, spent), (set_value, (*spent, setter))][: 1 + may_set]:
        due = sign * (guard - value) + 1
        for supports in range(most + 1):
            for added, more_tiles, smallest in _modifiers(mode, adders):
                reach = supports + added
                if reach < due or (smallest and reach - smallest >= due):
                    continue
                if tiles != spent and reach >= lack:
                    continue
                used = tuple(sorted((*tiles, *more_tiles)))
                found.append(play("play", part, base, supports, used, value + sign * reach))
    return tuple(found)


@cache
def _modifiers(mode: int, counts: Counts) -> tuple[tuple[int, tuple[int, ...], int], ...]:
    """Every choice of modifier tiles: the sum of their sizes, the tiles, and the smallest size (0 without tiles)."""
    found = []
    for taken in product(*(range(count + 1) for count in counts)):
        tiles = [tile for tile, count in zip(ADDERS[mode], taken, strict=True) for _ in range(count)]
        sizes = [size for _, size in tiles]
        found.append((sum(sizes), tuple(number for number, _ in tiles), min(sizes, default=0)))
    return tuple(found)


@cache
def cards_of(option: Play) -> Counts:
    """The Dojo cards that a play spends (N-7.9)."""
    cards = gather([SUPPORT - 1] * option.supports, NO_CARDS)
    return more(cards, option.base - 1) if option.base else cards


@cache
def tiles_of(option: Play) -> Counts:
    """The skill tiles that a play turns face down (N-7.9)."""
    return gather(option.tiles, NO_SKILLS)


def targets(opponent: int, card: int, standing: int, mode: int) -> tuple[tuple[int, int], ...]:
    """The (part, value) of every part of an opponent that stands (N-7.2, N-7.10, N-7.11)."""
    if opponent == ELITE:
        parts = ELITES[card].parts
        return tuple((part, values[mode]) for part, values in enumerate(parts) if standing >> part & 1)
    return ((0, GUARDS[card].value),)
