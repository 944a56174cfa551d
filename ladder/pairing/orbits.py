"""All tables of a large pool, one by one, in an order in which every bot has played about equally often.

The bots stand in a circle. A table is a choice of gaps between its bots around the circle; turned by one place at a
time it makes an orbit, in which every bot sits equally often. All tables are all orbits, so a schedule of many
thousand tables needs no search: the first hundred cost as much as a hundred steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def orbits(bots: int, seats: int) -> Iterator[tuple[int, ...]]:
    """The gaps of each orbit around the circle, of all turns of the same gaps the least one."""
    for first in range(1, bots // seats + 1):
        for rest in _divided(bots - first, seats - 1, first):
            gaps = (first, *rest)
            if gaps == min(gaps[turn:] + gaps[:turn] for turn in range(seats)):
                yield gaps


def _divided(left: int, parts: int, least: int) -> Iterator[tuple[int, ...]]:
    """All ways to divide a length into so many gaps, none below the least."""
    if parts == 1:
        yield (left,)
        return
    for gap in range(least, left - (parts - 1) * least + 1):
        yield from ((gap, *rest) for rest in _divided(left - gap, parts - 1, least))


def tables(names: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Every set of so many bots exactly once, orbit by orbit."""
    count = len(names)
    if seats == count:
        yield tuple(names)
        return
    for gaps in orbits(count, seats):
        period = next(turn for turn in range(1, seats + 1) if gaps[turn:] + gaps[:turn] == gaps)
        for start in range(sum(gaps[:period])):
            places, at = [], start
            for gap in gaps:
                places.append(at % count)
                at += gap
            yield tuple(names[place] for place in places)
