"""Multisets as tuples of counts by kind: immutable, so that states, clones and views share them.

`(0, 2, 0, 1, 0)` is a hand of two 2s and a 4, or two scrolls and a jade: the field that holds the tuple says what its
indices stand for. Components of one kind are interchangeable, so their number is all there is to know (N-2.2).
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
    """The same with one more of a kind."""
    listed = list(counts)
    listed[kind] += 1
    return tuple(listed)


def fewer(counts: Counts, kind: int) -> Counts:
    """The same with one fewer of a kind, which must be there."""
    listed = list(counts)
    listed[kind] -= 1
    return tuple(listed)


def plus(counts: Counts, others: Counts) -> Counts:
    """Both heaps together."""
    return tuple(map(add, counts, others))


def minus(counts: Counts, others: Counts) -> Counts:
    """The rest of `counts` without `others`, which must be part of it."""
    return tuple(map(sub, counts, others))


def total(heaps: Iterable[Counts], nothing: Counts) -> Counts:
    """All heaps together; `nothing` is the empty heap of their sort."""
    for heap in heaps:
        nothing = plus(nothing, heap)
    return nothing


def spread(counts: Counts) -> list[int]:
    """The kind of every single item: (2, 0, 1) gives 0, 0, 2."""
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


def gather(items: Iterable[int], heap: Counts) -> Counts:
    """A heap, usually the empty one of its sort, with single items added, each given by its kind."""
    listed = list(heap)
    for kind in items:
        listed[kind] += 1
    return tuple(listed)
