"""A round robin in rounds: every table that can be made of the bots once, all tables of a round at the same time.

Two seats: the circle method behind the Berger tables. The first bot stays, the others turn by one place each round; of
an odd number one bot rests in each round. More seats: rounds are filled one after the other with tables of different
bots, those first that have most tables left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

MOST_TABLES = 5_000
"""Tables that a round robin may have."""


def tables_of(bots: int, seats: int) -> int:
    """How many tables one cycle of a round robin has."""
    return comb(bots, seats)


def rounds_of(names: Sequence[str], seats: int) -> list[list[tuple[str, ...]]]:
    """The rounds of one cycle, each as its tables; names in the order of seeds."""
    return _circle(names) if seats == 2 else _filled(names, seats)


def _circle(names: Sequence[str]) -> list[list[tuple[str, ...]]]:
    circle: list[str | None] = [*names, *([None] if len(names) % 2 else [])]
    rounds = []
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append([(one, other) for one, other in pairs if one is not None and other is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds  # type: ignore[return-value]


def _filled(names: Sequence[str], seats: int) -> list[list[tuple[str, ...]]]:
    waiting = list(combinations(names, seats))
    left = Counter(name for table in waiting for name in table)
    rounds = []
    while waiting:
        waiting.sort(key=lambda table: -sum(left[name] for name in table))  # stable: seeds decide between equals
        busy: set[str] = set()
        chosen = []
        for table in waiting:
            if busy.isdisjoint(table):
                busy.update(table)
                chosen.append(table)
                if len(names) - len(busy) < seats:
                    break
        taken = set(chosen)
        waiting = [table for table in waiting if table not in taken]
        left.subtract(name for table in chosen for name in table)
        rounds.append(chosen)
    return rounds
