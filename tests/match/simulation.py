"""Plays matches on virtual time: a queue of moments, seats that behave or do not, and no waiting.

A seat is told what a player would be told, and acts by scheduling calls of the match's methods at later moments. The
simulation ticks the match at its deadlines, exactly as a driver would, and keeps everything that came out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from referee.kernel.game import Event
from referee.match.delivery import deliver
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Faulted, Output, Verdict
from referee.match.policy import Fault
from referee.match.record import Final, Record, Step

LIMIT = 20_000
"""Moments that no simulated match needs."""


class SeatLike(Protocol):
    """How a simulated seat behaves."""

    def take(self, output: Output, hand: Hand) -> None:
        """Something arrives at the seat."""


class Hand:
    """What one seat can do to the match: everything at a delay, and nothing for another seat."""

    def __init__(self, simulation: Simulation, seat: int) -> None:
        self._simulation = simulation
        self._match = simulation.match
        self.seat = seat

    def ready(self, delay: int) -> None:
        self._later(delay, lambda at: self._match.ready(self.seat, at))

    def answer(self, ask: int, index: int, delay: int, lag: int = 0, note: str = "") -> None:
        def act(at: int) -> None:
            verdict = self._match.answer(self.seat, ask, index, at, lag=lag, note=note)
            self._simulation.verdicts[self.seat].append(verdict)

        self._later(delay, act)

    def malformed(self, delay: int) -> None:
        self._later(delay, lambda at: self._match.malformed(self.seat, at, "that is no message"))

    def crashed(self, delay: int) -> None:
        self._later(delay, lambda at: self._match.crashed(self.seat, at, "the bot raised KeyError: 'x'"))

    def gone(self, delay: int) -> None:
        self._later(delay, lambda at: self._match.gone(self.seat, at))

    def back(self, delay: int) -> None:
        self._later(delay, lambda at: self._match.back(self.seat, at))

    def _later(self, delay: int, act: Callable[[int], None]) -> None:
        self._simulation.schedule(delay, act)


class Simulation:
    """One match on virtual time."""

    def __init__(self, match: Match, seats: Sequence[SeatLike], at: int = 0) -> None:
        self.match = match
        self.now = at
        self.steps: list[Step] = []
        self.final: Final | None = None
        self.faults: list[Fault] = []
        self.received: list[list[Output]] = [[] for _ in seats]
        """Everything that reached each seat."""
        self.public: list[Event] = []
        """Everything that the public was told."""
        self.verdicts: list[list[Verdict]] = [[] for _ in seats]
        self._inboxes = [Inbox(self, seat, behaviour) for seat, behaviour in enumerate(seats)]
        self._queue: list[tuple[int, int, Callable[[int], None]]] = []
        self._serial = count()

    def run(self) -> Simulation:
        """Play to the end. A restored match is played on with all its players back at once."""
        if self.match.begun:
            for seat in range(len(self._inboxes)):
                self.match.back(seat, self.now)
        else:
            self.match.begin(self.now)
        self._deliver()
        for _ in range(LIMIT):
            if self.match.over:
                return self
            self._advance()
        raise AssertionError(f"the match does not end: {self.now} us")

    def schedule(self, delay: int, act: Callable[[int], None]) -> None:
        """Do something later."""
        heappush(self._queue, (self.now + delay, next(self._serial), act))

    @property
    def record(self) -> Record:
        """What was recorded."""
        return Record(self.match.terms, tuple(self.steps), self.final)

    def asked(self, seat: int) -> list[Asked]:
        """The asks that reached a seat."""
        return [output for output in self.received[seat] if isinstance(output, Asked)]

    def _advance(self) -> None:
        deadline = self.match.deadline
        if self._queue and (deadline is None or self._queue[0][0] <= deadline):
            self.now, _, act = heappop(self._queue)
            act(self.now)
        elif deadline is not None:
            self.now = max(self.now, deadline)
            self.match.tick(self.now)
        else:
            raise AssertionError("the match waits for something that will never happen")
        self._deliver()

    def _deliver(self) -> None:
        deliver(self.match, self._inboxes, stepped=self.steps.append, public=self.public.extend)


class Inbox:
    """Where the messages of one simulated seat arrive."""

    def __init__(self, simulation: Simulation, seat: int, behaviour: SeatLike) -> None:
        self._simulation = simulation
        self._seat = seat
        self._behaviour = behaviour
        self._hand = Hand(simulation, seat)

    def send(self, output: Output) -> None:
        """Remember what arrives, and let the seat act on it."""
        simulation = self._simulation
        if isinstance(output, Ended):
            simulation.final = output.final
        elif isinstance(output, Faulted):
            simulation.faults.append(output.fault)
        simulation.received[self._seat].append(output)
        self._behaviour.take(output, self._hand)
