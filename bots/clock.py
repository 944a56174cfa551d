"""The time of a seat, and how much of it to spend on the decision at hand.

    deadline = time.monotonic() + (ask.clock.advice() or 1.0)

A referee gives every seat a bank for the whole match, perhaps an increment for every decision and a cap on each. What
a bot makes of it is its own business; `advice` is the plain answer for one that does not care: an equal share of the
bank for each decision that is still to come, the increment on top, and a little left over for the way back.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

RESERVE = 0.15
"""Share of a decision's budget that is never thought away: the answer has to travel."""
TRAVEL = 0.01
"""Seconds that an answer may need in any case."""
UNKNOWN_PACE = 50
"""Decisions of a seat in a game of which nothing is known."""
TAIL = 5
"""A match that lasts longer than most goes on for some time: so many decisions are always reckoned with."""

PACE: Mapping[str, Mapping[int, int]] = {
    "edo_yashiki": {2: 15, 3: 14, 4: 13, 5: 12},
    "honshu": {2: 46, 3: 33, 4: 33, 5: 33},
    "ninjato": {2: 86, 3: 86, 4: 86},
    "white_castle": {1: 64, 2: 64, 3: 64, 4: 64},
}
"""Decisions of one seat in a whole match, by game and number of seats, as the `greedy` bots come to them."""


class Control(NamedTuple):
    """The time control of a match, in seconds."""

    bank: float
    """For the whole match."""
    increment: float = 0.0
    """Added to the bank at every decision."""
    cap: float | None = None
    """The most that one decision may take; None: as much as the bank holds."""


class Clock(NamedTuple):
    """The time of a seat, in seconds; None means without limit."""

    left: float | None = None
    """What is left in the bank, the increment for this decision included."""
    budget: float | None = None
    """The most that this decision may take."""
    received: float = 0.0
    """When the ask arrived here, by `time.monotonic()`."""
    charged: float = 0.0
    """What the previous answer cost."""
    network: float = 0.0
    """How much of the previous answer's time was forgiven as the network's."""
    queued: float = 0.0
    """How long the previous answer waited inside the referee; never charged."""
    increment: float = 0.0
    """What the bank gains at every decision, as far as it is known."""
    ahead: int = UNKNOWN_PACE
    """How many decisions are probably still to come, this one included."""

    @property
    def deadline(self) -> float | None:
        """The `time.monotonic()` by which the answer has to be there."""
        return None if self.budget is None else self.received + self.budget

    @property
    def remaining(self) -> float | None:
        """The seconds from now to the deadline, at least 0."""
        return None if self.budget is None else max(0.0, self.received + self.budget - time.monotonic())

    def advice(self) -> float | None:
        """How many seconds to think from now on, at least 0; None: the clock does not care.

        It depends on what is left, not on what was advised before: a bot that took longer gets less the next time.
        """
        if self.left is None:
            return None
        share = (self.left - self.increment) / self.ahead + self.increment
        most = self.left if self.budget is None else min(self.left, self.budget)
        safe = min(share, most * (1 - RESERVE), most - TRAVEL)
        return max(0.0, self.received + safe - time.monotonic())


UNLIMITED = Clock()
"""The clock of a match without one."""


def ahead(game: str, seats: int, number: int) -> int:
    """How many decisions a seat probably has from its decision `number` on, that one included."""
    whole = PACE.get(game, {}).get(seats, UNKNOWN_PACE)
    return max(whole - number + 1, TAIL)
