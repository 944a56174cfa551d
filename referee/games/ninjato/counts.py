"""Multisets as tuples of counts by kind: immutable, so that states, clones and views share them.

`(0, 2, 0, 1, 0)` is a hand of two 2s and a 4, or two scrolls and a jade: what index means what is said where the
tuple is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add, sub

from referee.games.ninjato.components import DOJO_COUNTS, ELITES, GUARDS, SKILLS, TREASURES, Counts

NO_CARDS: Counts = (0,) * len(DOJO_COUNTS)
NO_TREASURES: Counts = (0,) * len(TREASURES)
NO_SKILLS: Counts = (0,) * len(SKILLS)
NO_GUARDS: Counts = (0,) * len(GUARDS)
NO_ELITES: Counts = (0,) * len(ELITES)


def more(counts: Counts, kind: int) -> Counts:
    """One more of a kind."""
    listed = list(counts)
    listed[kind] += 1
    return tuple(listed)


def fewer(counts: Counts, kind: int) -> Counts:
    """One fewer of a kind; it must be there."""
    listed = list(counts)
    listed[kind] -= 1
    return tuple(listed)


def plus(counts: Counts, others: Counts) -> Counts:
    """Both together."""
    return tuple(map(add, counts, others))


def minus(counts: Counts, others: Counts) -> Counts:
    """What is left; `others` must be part of `counts`."""
    return tuple(map(sub, counts, others))


def total(heaps: Iterable[Counts], nothing: Counts) -> Counts:
    """All heaps together; `nothing` is the empty heap of their sort."""
    for heap in heaps:
        nothing = plus(nothing, heap)
    return nothing


def spread(counts: Counts) -> list[int]:
    """Every single item, by kind: (2, 0, 1) gives 0, 0, 2."""
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


def gather(items: Iterable[int], nothing: Counts) -> Counts:
    """The multiset of single items; `nothing` is the empty heap of their sort."""
    listed = list(nothing)
    for kind in items:
        listed[kind] += 1
    return tuple(listed)
