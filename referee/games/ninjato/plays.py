"""Which plays beat a guard (N-7.6 to N-7.8): the hot spot of the game, so every list is worked out once.

A play is a base with an optional set tile, supports and modifier tiles. In force all of them push the value up, in
stealth down; with `sign` 1 or -1 both modes are the same arithmetic, and a value wins iff it is on the far side of the
guard's (N-1.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product

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
    """Whether a value beats a guard's in a mode (N-1.2); equality never does."""
    return value > guard if mode == FORCE else value < guard


@lru_cache(maxsize=1 << 16)
def plays(hand: Counts, ready: Counts, mode: int, guard: int, part: int = 0) -> tuple[Play, ...]:
    """All legal plays against one guard value, by base (Boryaku, then 1 to 5), set tile, supports, modifier tiles."""
    sign = 1 if mode == FORCE else -1
    setter, set_value = SETTER[mode]
    supports = hand[SUPPORT - 1]
    bases = [(0, BORYAKU_VALUE[mode], supports)] if ready[BORYAKU] else []
    bases += [
        (value, value, supports - (value == SUPPORT)) for value, count in zip(DOJO_VALUES, hand, strict=True) if count
    ]
    found: list[Play] = []
    for base, own, most in bases:
        spent = (BORYAKU,) if base == 0 else ()
        # How far each way to begin is from winning: at most 0 means that it is beaten already.
        starts = [(sign * (guard - own) + 1, sign * (guard - own) + 1, own, spent)]
        if ready[setter]:
            starts.append((sign * (guard - set_value) + 1, sign * (guard - own) + 1, set_value, (*spent, setter)))
        for lack, lack_without, value, tiles in starts:
            is_set = len(tiles) > len(spent)
            for count in range(most + 1):
                for added, more_tiles, smallest in _modifiers(ready, mode):
                    reach = count + added
                    if reach < lack or (smallest and reach - smallest >= lack):
                        continue
                    if is_set and reach >= lack_without:
                        continue
                    used = tuple(sorted((*tiles, *more_tiles)))
                    found.append(play("play", part, base, count, used, value + sign * reach))
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def _modifiers(ready: Counts, mode: int) -> tuple[tuple[int, tuple[int, ...], int], ...]:
    """Every choice of modifier tiles: what it adds, the tiles, and the smallest one's size (0 without tiles).

    A play without an idle tile (N-7.8) is one that no longer wins without its smallest modifier: then no other
    modifier can be spared either.
    """
    return tuple(_choices(ready, mode))


def _choices(ready: Counts, mode: int) -> Iterator[tuple[int, tuple[int, ...], int]]:
    adders = ADDERS[mode]
    for taken in product(*(range(ready[tile] + 1) for tile, _ in adders)):
        tiles = [(tile, size) for (tile, size), count in zip(adders, taken, strict=True) for _ in range(count)]
        sizes = [size for _, size in tiles]
        yield sum(sizes), tuple(tile for tile, _ in tiles), min(sizes, default=0)


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
    """What must be beaten: (part, value) of every part that stands (N-7.2, N-7.10, N-7.11)."""
    if opponent == ELITE:
        parts = ELITES[card].parts
        return tuple((part, values[mode]) for part, values in enumerate(parts) if standing >> part & 1)
    return ((0, GUARDS[card].value),)
