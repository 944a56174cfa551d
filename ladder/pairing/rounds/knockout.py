"""Knockout rounds: single elimination with seeds for two seats, groups from which the best advance for more.

Two seats: the bracket has the next power of two as many slots. Seeds are placed so that 1 and 2 can meet in the final
only, 1 to 4 not before the semi-finals, and so on; free slots are byes of the best seeds in the first round.

More seats: the bots of a round are dealt to tables in serpentine order of their seeds (tables 1, 2, 3, then 3, 2, 1).
Bots that do not fill a table have a bye, the best seeds first. Of each table the best advance; if too few were left for
another table, more of each advance. The last table is the final.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Tie: TypeAlias = tuple[str, ...]
"""The bots of one slot of a round: two that meet, or one that has a bye."""


class Stage(NamedTuple):
    """A round of groups."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    advance: int
    """How many bots of each table go on; 1 in the final."""


def slots(size: int) -> list[int]:
    """The seeds (from 0) in the order of the slots of a bracket; `size` is a power of two."""
    order = [0]
    while len(order) < size:
        top = 2 * len(order) - 1
        order = [seed for one in order for seed in (one, top - one)]
    return order


def first_ties(names: Sequence[str]) -> list[Tie]:
    """The first round of a bracket, names in the order of seeds; raises ValueError for fewer than two."""
    if len(names) < 2:
        raise ValueError(f"a knockout needs at least two bots; {len(names)} is there")
    size = 1 << (len(names) - 1).bit_length()
    order = slots(size)
    pairs = [order[at : at + 2] for at in range(0, size, 2)]
    return [tuple(names[seed] for seed in pair if seed < len(names)) for pair in pairs]


def next_ties(winners: Sequence[str]) -> list[Tie]:
    """The next round: winners of neighbouring slots meet."""
    return [tuple(winners[at : at + 2]) for at in range(0, len(winners), 2)]


def stage(names: Sequence[str], seats: int, advance: int) -> Stage:
    """A round of groups, names in the order of seeds; raises ValueError if they do not fill a table."""
    if len(names) < seats:
        raise ValueError(f"a table of {seats} seats needs {seats} bots; {len(names)} are there")
    count, rest = divmod(len(names), seats)
    byes, playing = tuple(names[:rest]), names[rest:]
    tables: list[list[str]] = [[] for _ in range(count)]
    for number, name in enumerate(playing):
        row, place = divmod(number, count)
        tables[place if row % 2 == 0 else count - 1 - place].append(name)
    if len(names) == seats:
        advance = 1
    else:
        advance = max(advance, -(-(seats - rest) // count))
    return Stage(tuple(tuple(table) for table in tables), byes, advance)
