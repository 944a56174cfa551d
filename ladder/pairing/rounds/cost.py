"""How good a round is: the prices of putting two bots at one table, and of giving one a bye.

Prices are tuples that are compared from the left, and summed over all tables and byes of a round:

1. repeats: pairs that have met before, and byes for bots that had one;
2. further repeats: how often they met, or had a bye, beyond the first time;
3. byes high in the ranking: the lowest bot has the bye;
4. squared differences in points between bots of one table;
5. distance in the ranking: bots of equal points meet half a score group apart (with more seats: spread over tables).

For matching and exchanges each tuple is packed into one integer, with room for the sum of each part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, TypeAlias

Met: TypeAlias = Mapping[frozenset[str], int]
"""How often each pair of bots has met; pairs that have not are left out."""
Price: TypeAlias = tuple[int, int, int, int, int]
PARTS = 5
"""Parts of a price."""

UNIT = 24
"""Points are counted in units of 1/24: whole numbers for tables of up to five seats."""


class RoundEntrant(NamedTuple):
    """A bot that is to be paired."""

    name: str
    points: Fraction = Fraction(0)
    byes: int = 0
    """Byes that the bot had so far."""


class PairedRound(NamedTuple):
    """Who meets whom."""

    tables: tuple[tuple[str, ...], ...]
    """The bots of each table, best ranked first."""
    byes: tuple[str, ...] = ()


class Costs:
    """The price of every pair and of every bye, packed; bots are numbered by rank, best first."""

    def __init__(self, contenders: Sequence[RoundEntrant], met: Met, seats: int) -> None:
        """`contenders` in the order of their ranking."""
        self.count = len(contenders)
        self._contenders = contenders
        self._met = met
        self._seats = seats
        sizes: dict[Fraction, int] = {}
        for entry in contenders:
            sizes[entry.points] = sizes.get(entry.points, 0) + 1
        self._step = [max(1, sizes[entry.points] // seats) for entry in contenders]
        """By rank: the distance at which bots of that score group meet."""
        numbers = range(self.count)
        pairs = {(one, other): self._pair(one, other) for other in numbers for one in range(other)}
        byes = [self._bye(number) for number in numbers]
        self._factors = _factors([*pairs.values(), *byes], most=self.count * seats)
        self.pair = [[0] * self.count for _ in numbers]
        """By two ranks, in either order."""
        for (one, other), price in pairs.items():
            self.pair[one][other] = self.pair[other][one] = self.packed(price)
        self.bye = [self.packed(price) for price in byes]

    def packed(self, price: Price) -> int:
        """A price as one number; sums of packed prices compare like sums of prices."""
        return sum(part * factor for part, factor in zip(price, self._factors, strict=True))

    @property
    def repeat(self) -> int:
        """The packed price of one repeat, without anything else."""
        return self._factors[0]

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """Every pair of ranks, the better one first, and its packed price."""
        for one, other in combinations(range(self.count), 2):
            yield one, other, self.pair[one][other]

    def of(self, tables: Iterable[Sequence[int]], byes: Iterable[int]) -> int:
        """The packed price of a whole round."""
        seated = sum(self.pair[one][other] for table in tables for one, other in combinations(table, 2))
        return seated + sum(self.bye[number] for number in byes)

    def _pair(self, one: int, other: int) -> Price:
        first, second = self._contenders[one], self._contenders[other]
        met = self._met.get(frozenset((first.name, second.name)), 0)
        apart = round((first.points - second.points) * UNIT)
        distance = other - one - self._step[one]
        if self._seats > 2:
            distance = min(0, distance) if not apart else 0
        return (int(met > 0), max(0, met - 1), 0, apart * apart, distance * distance)

    def _bye(self, number: int) -> Price:
        had = self._contenders[number].byes
        return (int(had > 0), max(0, had - 1), self.count - 1 - number, 0, 0)


def _factors(prices: Sequence[Price], most: int) -> Price:
    """What each part is multiplied by, so that `most` prices of all parts behind it stay below one of it."""
    factors = [1]
    for part in range(PARTS - 1, 0, -1):
        largest = max((price[part] for price in prices), default=0)
        factors.append(factors[-1] * (1 + most * largest))
    return tuple(reversed(factors))  # type: ignore[return-value]
