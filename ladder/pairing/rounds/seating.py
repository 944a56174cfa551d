"""Who sits in which seat: of all orders of a table the one that balances best what its bots had before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations


class Seating:
    """How often each bot sat in each seat, and in which orders each table was played."""

    def __init__(self, played: Iterable[Sequence[str]] = ()) -> None:
        """`played`: the games so far, each as its bots by seat."""
        self._sat: Counter[tuple[str, int]] = Counter()
        self._orders: Counter[tuple[str, ...]] = Counter()
        for order in played:
            self.add(order)

    def add(self, order: Sequence[str]) -> None:
        """Count one game, its bots by seat."""
        self._orders[tuple(order)] += 1
        self._sat.update((name, seat) for seat, name in enumerate(order))

    def order(self, table: Sequence[str]) -> tuple[str, ...]:
        """The bots of a table by seat.

        First the order in which these bots sat least often, then the one with the least sum of squares of how often
        each bot sat in its seat beyond the seat it had least often; of equals the first by the order of `table`.
        """
        return min(permutations(table), key=self._price)

    def _price(self, order: tuple[str, ...]) -> tuple[int, int]:
        total = 0
        for seat, name in enumerate(order):
            least = min(self._sat[name, other] for other in range(len(order)))
            total += (self._sat[name, seat] - least) ** 2
        return self._orders[order], total
