"""Streams between bots and the referee: ordered and delayed, until they break and lose what is under way.

As with gRPC, messages of one stream arrive in order or not at all; those of two streams of one bot can overtake each
other. Each side notices a break by itself, at a moment of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.v1 import play_pb2 as pb
from tests.simulation.referee_process import RefereeProcess
from tests.simulation.world import SECOND

if TYPE_CHECKING:
    from referee.transport.stream import BotStream
    from tests.simulation.machine import Machine
    from tests.simulation.play import Simulation

DELAY = 20_000
"""Longest way of an ordinary message, in microseconds."""
SLOW = 3 * SECOND
"""Longest way of a slow one."""
QUEUED = 20_000
"""Longest time that a message waits inside the referee before it is looked at."""
LINGER = SECOND // 5
"""How long a closed stream stays open for what the bot is just sending."""


class Stream:
    """One call of `Play`."""

    def __init__(self, simulation: Simulation, machine: Machine, referee: RefereeProcess, token: str) -> None:
        self.machine = machine
        self.referee = referee
        self.stream: BotStream | None = None
        self.at_bot = True
        """Whether the bot holds its end."""
        self.at_referee = True
        """Whether the referee holds its end."""
        self.proves = False
        """Whether its hello shows the resume token of a session that the referee has."""
        self._simulation = simulation
        self._world = simulation.world
        self._token = token
        self._up_free = self._down_free = self._world.now()
        self._up_lost = self._down_lost = False
        self._broken = False
        self._pumping = False
        self._world.at(self._arrival_up(), self._open)

    def send(self, data: bytes) -> None:
        """The bot sends a message."""
        if self.at_bot and not self._broken:
            self._world.at(self._arrival_up(), lambda: self._arrive(data))

    def abandon(self) -> None:
        """The bot's end is gone, with its process or because the bot gave up; the referee notices at some time."""
        if not self.at_bot:
            return
        self.at_bot = False
        world = self._world
        silent = world.rng.random() < 0.2
        world.at(self._arrival_up() + (world.rng.randint(0, 10 * SECOND) if silent else 0), self._left)

    def cut(self) -> None:
        """The network between both ends breaks."""
        world, rng = self._world, self._world.rng
        self._broken = True
        self._up_lost = rng.random() < 0.5
        self._down_lost = rng.random() < 0.5
        world.at(max(self._down_free, world.now()) + rng.randint(0, 2 * SECOND), self._end_at_bot)
        world.at(max(self._up_free, world.now()) + rng.randint(0, 5 * SECOND), self._left)

    def referee_died(self) -> None:
        """The referee's end is gone with its process; what was under way may or may not arrive."""
        world = self._world
        self.at_referee = False
        self._broken = True
        self._down_lost = world.rng.random() < 0.5
        world.at(max(self._down_free, world.now()) + world.rng.randint(0, SECOND // 5), self._end_at_bot)

    def wake(self) -> None:
        """The referee has something to send, or wants to close the stream."""
        if not self._pumping:
            self._pumping = True
            self._world.later(self._world.rng.randint(0, 300), self._pump)

    def _arrival_up(self) -> int:
        self._up_free = max(self._up_free, self._world.now() + self._delay())
        return self._up_free

    def _delay(self) -> int:
        if self._world.fails(self._simulation.odds.slow, "message delayed"):
            return self._world.rng.randint(DELAY, SLOW)
        return self._world.rng.randint(100, DELAY)

    def _open(self) -> None:
        if self.referee.dead:
            self._end_at_bot()
        elif not self._up_lost:
            self.stream = self.referee.open(self._token, self)

    def _arrive(self, data: bytes) -> None:
        """A message of the bot reaches the referee."""
        if self._up_lost or not self.at_referee or self.stream is None or self.referee.dead:
            return
        fault = self._simulation.message_fault(self)
        if fault is not None and self._world.rng.random() < 0.5:
            fault()
            return
        queued = self._world.rng.randint(0, QUEUED) if self._world.rng.random() < 0.1 else 0
        self._simulation.checks.arrived(self, data, queued)
        self._simulation.at_referee(lambda: self._receive(data, queued))
        self._simulation.checks.handled(self)
        if fault is not None:
            fault()

    def _receive(self, data: bytes, queued: int) -> None:
        if self.stream is not None:
            self.referee.receive(self.stream, data, queued)

    def _pump(self) -> None:
        """Hand over what the referee wants to send, as its stream's writer does."""
        self._pumping = False
        stream, world = self.stream, self._world
        if self.referee.dead or not self.at_referee or stream is None or stream.writing:
            return
        while (data := self.referee.take(stream)) is not None:
            message = self._simulation.checks.handed_over(self, data)
            if not self._broken:
                self._down_free = max(self._down_free, world.now() + self._delay())
                world.at(self._down_free, lambda message=message: self._deliver(message))  # type: ignore[misc]
            if world.fails(self._simulation.odds.unread, "bot does not read"):
                world.later(world.rng.randint(0, 2 * SECOND), self._written)
                return
            stream.writing = False
        if stream.closing is not None:
            world.at(self._down_free + 1, self._end_at_bot)
            world.later(LINGER, self._left)

    def _written(self) -> None:
        if self.stream is not None:
            self.stream.writing = False
            self._pump()

    def _deliver(self, message: pb.PlayResponse) -> None:
        """A message of the referee reaches the bot."""
        if self._down_lost or not self.at_bot:
            return
        fault = self._simulation.message_fault(self)
        if fault is not None and self._world.rng.random() < 0.5:
            fault()
            return
        self.machine.receive(self, message)
        if fault is not None:
            fault()

    def _end_at_bot(self) -> None:
        """The bot learns that the stream has ended."""
        if self.at_bot:
            self.at_bot = False
            self.machine.ended(self)

    def _left(self) -> None:
        """The referee learns that the stream has ended."""
        stream = self.stream
        if stream is not None and self.at_referee and not self.referee.dead:
            self.at_referee = False
            self._simulation.at_referee(lambda: self.referee.left(stream))
