"""The time of a seat, and the advised time for one decision.

    deadline = time.monotonic() + (ask.clock.advice() or 1.0)

A referee gives every seat a bank of time for the whole match, and may add an increment for every decision and a cap on
each. `AskClock.advice` divides the bank equally between the decisions that are probably still to come, adds the
increment, and leaves a reserve for the way of the answer to the referee.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

RESERVE = 0.15
"""Share of a decision's budget that `advice` keeps back, because the answer has to travel to the referee."""
TRAVEL = 0.01
"""Seconds that `advice` keeps back at least."""
UNKNOWN_PACE = 50
"""Assumed number of decisions of a seat in a game that `PACE` does not list."""
TAIL = 5
"""Least number of decisions that are assumed to lie ahead, because a match may last longer than most."""

PACE: Mapping[str, Mapping[int, int]] = {
    "edo_yashiki": {2: 15, 3: 14, 4: 13, 5: 12},
    "honshu": {2: 46, 3: 33, 4: 33, 5: 33},
    "ninjato": {2: 86, 3: 86, 4: 86},
    "white_castle": {1: 64, 2: 64, 3: 64, 4: 64},
}
"""Decisions of one seat in a whole match, by game and number of seats, measured with the `greedy` bots."""


class ClockSettings(NamedTuple):
    """The time control of a match, in seconds."""

    bank: float
    """Seconds for the whole match."""
    increment: float = 0.0
    """Seconds added to the bank at every decision."""
    cap: float | None = None
    """Most seconds for one decision; None: as many as the bank holds."""


class AskClock(NamedTuple):
    """The time of a seat at one ask, in seconds."""

    left: float | None = None
    """Time left in the bank, the increment for this decision included; None: no limit."""
    budget: float | None = None
    """Most time for this decision; None: no limit."""
    received: float = 0.0
    """The `time.monotonic()` at which the ask arrived."""
    charged: float = 0.0
    """Time that the previous answer cost."""
    network: float = 0.0
    """Time of the previous answer that was not charged, because the network had taken it."""
    queued: float = 0.0
    """Time that the previous answer waited inside the referee, which is never charged."""
    increment: float = 0.0
    """Time that the bank gains at every decision; 0 if the bot does not know the time control."""
    ahead: int = UNKNOWN_PACE
    """Number of decisions that are probably still to come, this one included."""

    @property
    def deadline(self) -> float | None:
        """The `time.monotonic()` by which the answer has to arrive; None: no limit."""
        return None if self.budget is None else self.received + self.budget

    @property
    def remaining(self) -> float | None:
        """The seconds from now to the deadline, at least 0; None: no limit."""
        return None if self.budget is None else max(0.0, self.received + self.budget - time.monotonic())

    def advice(self) -> float | None:
        """Advised number of seconds to think from now on, at least 0; None: the clock has no limit.

        The advice depends on the time left alone: a bot that took longer than advised gets less for its next decision.
        """
        if self.left is None:
            return None
        share = (self.left - self.increment) / self.ahead + self.increment
        most = self.left if self.budget is None else min(self.left, self.budget)
        safe = min(share, most * (1 - RESERVE), most - TRAVEL)
        return max(0.0, self.received + safe - time.monotonic())


UNLIMITED = AskClock()
"""The clock of a match without time limits."""


def ahead(game: str, seats: int, number: int) -> int:
    """Number of decisions that a seat probably has from its decision `number` on, that decision included."""
    whole = PACE.get(game, {}).get(seats, UNKNOWN_PACE)
    return max(whole - number + 1, TAIL)
