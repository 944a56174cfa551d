"""A game whose option order hangs on the hash of strings, which differs from process to process."""

from __future__ import annotations

from collections.abc import Sequence

from referee.kernel.game import Option, Seat
from tests.conformance.toy import State, Toy


class HashOrder(Toy):
    """Hands are offered in the order of a set of names; within one process nothing is wrong with it."""

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        names = {repr(option): option for option in super().options(state, seat)}
        return tuple(names[name] for name in set(names))


GAME = HashOrder()
