"""Virtual time: a queue of moments that trio's own deadlines are part of, one source of luck, and a trace.

The referee's tasks run on real trio. Its clock stands still until the queue, or a deadline of a task, is next. Moving
the clock by hand where no task is due costs a twentieth of letting trio sleep, which is what makes 100 matches a second
possible.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from random import Random

import trio
import trio.abc
from trio._core import _run as trio_scheduler

SECOND = 1_000_000
"""Microseconds in a second; every time of the simulation is a whole number of microseconds."""
START = 1_000 * SECOND
"""The moment at which every world begins."""
LONGEST = 6 * 3600 * SECOND
"""Virtual time after which a world that is not at its end counts as stuck."""
MOST_EVENTS = 60_000
"""Moments after which a world that is not at its end counts as stuck."""
MOST_FAULTS = 60
"""Faults of transport, storage and processes in one world; after these it is left in peace, so that it can end."""
MOST_TURNS = 100_000
"""Turns of trio's loop that may pass at one moment; a task that needs more never lets time go on."""
MOST_IDLE = 10_000
"""Times that trio may wait without a deadline, a millisecond each."""


class Wrong(BaseException):
    """Something that must never happen has happened; the message says what. No `except Exception` can hide it."""


class Killed(BaseException):
    """The referee's process dies here. No `except Exception` of the referee can survive it."""


class JumpingClock(trio.abc.Clock):
    """A clock for trio that jumps to the next deadline whenever every task waits."""

    def __init__(self) -> None:
        self.now = START
        self._idle = 0

    def start_clock(self) -> None:
        """Nothing has to be started."""

    def current_time(self) -> float:
        """The virtual time in seconds."""
        return self.now / SECOND

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Jump to the deadline: no time has to be slept away."""
        if math.isinf(deadline):  # trio wakes itself through a socket while it starts and ends
            self._idle += 1
            if self._idle > MOST_IDLE:
                raise Wrong("every task waits for something that will never happen")
            return 0.001
        self._idle = 0
        self.jump(deadline)
        return 0.0

    def jump(self, deadline: float) -> None:
        """Move to a moment of trio's, given in seconds, unless it has passed."""
        self.now = max(self.now, round(deadline * SECOND))
        while self.now / SECOND < deadline:
            self.now += 1


class World:
    """Time, luck and the list of what happens next."""

    def __init__(self, seed: int, clock: JumpingClock, trace: Callable[[str], None] | None = None) -> None:
        self.rng = Random(seed)
        self.injected: Counter[str] = Counter()
        """Faults that were injected, by kind."""
        self.calm = False
        """Whether no further fault is injected: the network has healed and every process stays up."""
        self.shielded = False
        """Whether no fault is injected for now."""
        self.events = 0
        self._faults = 0
        self._clock = clock
        self._clock.now = START
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._serial = 0
        self._trace = trace

    @property
    def tracing(self) -> bool:
        """Whether lines of the trace are wanted."""
        return self._trace is not None

    def say(self, line: str) -> None:
        """Add a line to the trace."""
        if self._trace is not None:
            self._trace(f"{(self._clock.now - START) / SECOND:12.6f}  {line}")

    def now(self) -> int:
        """The moment, in microseconds."""
        return self._clock.now

    def later(self, delay: int, action: Callable[[], None]) -> None:
        """Do something after a delay."""
        self.at(self._clock.now + delay, action)

    def at(self, moment: int, action: Callable[[], None]) -> None:
        """Do something at a moment."""
        self._serial += 1
        heappush(self._queue, (moment, self._serial, action))

    def fails(self, odds: float, kind: str) -> bool:
        """Whether a fault of these odds is injected here; never once the world is calm."""
        if odds <= 0 or self.calm or self.shielded or self._faults >= MOST_FAULTS or self.rng.random() >= odds:
            return False
        self._faults += 1
        self.injected[kind] += 1
        self.say(f"FAULT: {kind}")
        return True

    async def run(self, done: Callable[[], bool]) -> None:
        """Let time pass until `done`; raises Wrong if the world is stuck."""
        clock, queue = self._clock, self._queue
        runner = trio_scheduler.GLOBAL_RUN_CONTEXT.runner  # the public statistics take ten times as long
        turns, stood = 0, clock.now
        while True:
            turns = turns + 1 if clock.now == stood else 0
            stood = clock.now
            if turns > MOST_TURNS:
                raise Wrong(f"stuck: tasks go on running and time stands still at {(stood - START) / SECOND:.6f} s")
            if runner.runq:
                await trio.lowlevel.checkpoint()
                continue
            if done():
                return
            if not queue:
                raise Wrong("stuck: nothing will ever happen again")
            moment = queue[0][0]
            if moment > START + LONGEST or self.events > MOST_EVENTS:
                raise Wrong(f"stuck: no end after {(clock.now - START) // SECOND} s and {self.events} events")
            deadline = runner.deadlines.next_deadline()
            if deadline <= moment / SECOND:
                clock.jump(deadline)
                await trio.lowlevel.checkpoint()
                continue
            clock.now = max(clock.now, moment)
            self.events += 1
            heappop(queue)[2]()
