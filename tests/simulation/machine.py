"""A bot's computer: its process dies and starts again, dials the referee, and keeps its resume token on disk, or not.

Two sorts of minds run on it: a lean one written here, which can misbehave in every way, and the kit's own session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol
from zlib import crc32

from referee.v1 import play_pb2 as pb
from tests.simulation.network import Stream
from tests.simulation.world import SECOND

if TYPE_CHECKING:
    from tests.simulation.play import Simulation
    from tests.simulation.scenario import Manners

HOPELESS = frozenset((pb.FAULT_CODE_REVOKED, pb.FAULT_CODE_UNAUTHENTICATED))
"""Faults after which a bot never comes back."""


def policy(match: str, seat: int, ask: int, count: int) -> int:
    """The answer that every well-behaved bot gives, whatever happened before."""
    return crc32(f"{match}/{seat}/{ask}".encode()) % count


class Mind(Protocol):
    """What runs in the bot's process."""

    @property
    def resume_token(self) -> str:
        """The token with which a new stream of the bot goes on; empty: none."""

    def hello(self) -> pb.PlayRequest:
        """The first message of a new stream."""

    def receive(self, message: pb.PlayResponse) -> None:
        """Something came."""

    def closed(self) -> bool:
        """The stream has ended; returns whether the process ends too."""


class Machine:
    """One bot, for as long as it wants to play."""

    def __init__(self, simulation: Simulation, name: str, manners: Manners, token: str) -> None:
        self.name = name
        self.manners = manners
        self.hopeless = False
        """Whether the referee has sent the bot away for good."""
        self.unproven = False
        """Whether the bot has come without a bearer token and without the resume token that was last sent to it.

        It lost the token with its process, or the welcome that brought it broke off. A referee without bearer tokens
        cannot know such a bot from a stranger, and keeps it from its own tables.
        """
        self.welcomed: int | None = None
        """When a process of the bot first read a welcome."""
        self._simulation = simulation
        self.world = simulation.world
        self._bearer = token
        self._disk = ""
        self._life = 0
        self._mind: Mind | None = None
        self._stream: Stream | None = None
        self._closing = 0
        self._pauses = 0

    def start(self) -> None:
        """Start the bot's process."""
        if self._mind is None and not self.hopeless:
            self._life += 1
            self._mind = self._simulation.mind(self, self._disk)
            self._dial()

    def die(self) -> None:
        """The process is gone, and starts again after a while."""
        if self._mind is None:
            return
        if not self.manners.keeps_token:
            self._disk = ""
        self._end()
        self.world.later(self.world.rng.randint(SECOND // 20, 5 * SECOND), self.start)

    def later(self, delay: int, action: Callable[[], None]) -> None:
        """Let the present process do something after a delay, if it lives so long."""
        life = self._life

        def act() -> None:
            if life == self._life and self._mind is not None:
                action()

        self.world.later(delay, act)

    def send(self, message: pb.PlayRequest | bytes) -> None:
        """Send on the present stream; without one the message is lost."""
        if self._stream is not None:
            data = message if isinstance(message, bytes) else message.SerializeToString()
            self._stream.send(data)

    def receive(self, stream: Stream, message: pb.PlayResponse) -> None:
        """A message has arrived."""
        mind = self._mind
        if stream is not self._stream or mind is None:
            return
        if self.world.tracing:
            self.world.say(f"{self.name} reads {_brief(message)}")
        self._simulation.checks.received(self, message)
        if message.HasField("welcome"):
            self._pauses = 0
            if self.welcomed is None:
                self.welcomed = self.world.now()
                self._simulation.machine_welcomed()
        for fault in message.faults:
            if fault.closes_stream:
                self._closing = fault.code
                self.hopeless |= fault.code in HOPELESS
        mind.receive(message)
        self._disk = mind.resume_token

    def ended(self, stream: Stream) -> None:
        """A stream has ended."""
        if stream is not self._stream or self._mind is None:
            return
        self._stream = None
        over = self._mind.closed()
        self._disk = self._mind.resume_token
        process_ends = self.hopeless or over
        if process_ends:
            self._end()
        self._pauses = min(self._pauses + 1, 6)
        pause = self.world.rng.randint(SECOND // 50, SECOND // 10 * 2**self._pauses)
        if self._closing == pb.FAULT_CODE_RATE:
            pause += 5 * SECOND
        if process_ends:
            self.world.later(pause, self.start)
        else:
            self.later(pause, self._dial)

    def _dial(self) -> None:
        if self._mind is None or self._stream is not None:
            return
        self._closing = 0
        self._stream = Stream(self._simulation, self, self._simulation.referee, self._bearer)
        self.send(self._mind.hello())

    def _end(self) -> None:
        self._mind = None
        self._life += 1
        if self._stream is not None:
            self._stream.abandon()
            self._stream = None


def _brief(message: pb.PlayResponse) -> str:
    """A message in one line of the trace."""
    parts = ["welcome"] if message.HasField("welcome") else []
    parts += [f"seated {seated.match_id}/{seated.seat}" for seated in message.seated]
    parts += [f"told {told.match_id}/{told.seat}" for told in message.told]
    parts += [f"ask {ask.match_id}/{ask.seat}/{ask.ask} bank {ask.bank_us}" for ask in message.asks]
    parts += [f"over {over.match_id}/{over.seat}" for over in message.over]
    parts += [f"fault {pb.FaultCode.Name(fault.code)} {fault.match_id} {fault.message}" for fault in message.faults]
    parts += ["ping"] if message.HasField("ping") else []
    return ", ".join(parts)
