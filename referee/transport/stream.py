"""One stream of one bot, without its I/O: what waits to be sent, the round trip, and what the bot may still send.

Everything that is due at one moment gathers in one bundle, which the stream's writer takes as soon as gRPC has taken
the bundle before; so many tables share one message, and no message waits for another table. Back-pressure: a bundle has
a limit, and a stream on which more than `Limits.outbox` items wait is closed.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from referee.transport.counters import Counters
from referee.transport.limits import Bucket, Limits
from referee.v1 import play_pb2 as pb

if TYPE_CHECKING:
    from referee.transport.session import BotSession

PINGS_AT_ONCE = 4
"""Round trips that are measured one after the other when a stream opens; later pings come at the ping interval."""
WORDS = 1000
"""Most characters of a fault's message, which is also sent as the call's status, where gRPC allows few bytes."""
UNCONFIRMED = 512
"""Ends of matches that are kept for a bot that is away: twice as many as a bot may have tables."""


class Stamped(Protocol):
    """The sender of a message, which is told when the message was handed to gRPC."""

    def handed(self, at: int) -> None:
        """The message was handed to gRPC at `at`, in microseconds."""


def _unheard(stream: BotStream) -> None:
    """No hook is set."""


class RoundTrip:
    """The shortest of the last round trips: the time of the network when nothing else delays a message."""

    __slots__ = ("_samples", "best")

    def __init__(self, kept: int = 16) -> None:
        self._samples: deque[int] = deque(maxlen=kept)
        self.best = 0
        """The shortest round trip in microseconds; 0: not measured yet."""

    def __len__(self) -> int:
        return len(self._samples)

    def add(self, sample: int) -> None:
        """Add a measurement in microseconds."""
        self._samples.append(max(sample, 1))
        self.best = min(self._samples)


@dataclass(slots=True, eq=False)
class _Bundle:
    """The content of one message to the bot."""

    asks: list[bytes] = field(default_factory=list)
    """Serialised asks."""
    stamped: list[Stamped] = field(default_factory=list)
    """The sender of each ask."""
    items: int = 0
    """Asks and other items in the bundle."""
    rest: pb.PlayResponse | None = None
    """Everything but the asks; None while there are only asks."""

    def message(self) -> pb.PlayResponse:
        """The message that holds everything but the asks."""
        if self.rest is None:
            self.rest = pb.PlayResponse()
        return self.rest


class BotStream:
    """One stream. `Service` reads and writes the stream; `Connections` and `BotSession` decide what is sent."""

    def __init__(
        self,
        limits: Limits,
        token: str,
        at: int,
        wake: Callable[[], None],
        origin: str = "",
        counters: Counters | None = None,
    ) -> None:
        """`wake` is called when a bundle can be taken, or when the stream is to be closed.

        `counters` are those of the referee; None: the stream has its own.
        """
        self.token = token
        """The bearer token of the call."""
        self.origin = origin
        """The address that the call comes from, as `doors.origin` writes it; empty: a unix socket."""
        self.proven = False
        """Whether the token was good when the stream was opened."""
        self.counters = Counters() if counters is None else counters
        self.on_close: Callable[[BotStream], None] = _unheard
        """Called once, when the referee begins to close the stream; `closing` says why."""
        self.said_name: str | None = None
        """The first characters of the name in the hello, neither proven nor checked; None: no hello has come yet."""
        self.session: BotSession | None = None
        """The bot on the stream; None before the welcome."""
        self.opened = at
        self.heard = at
        """When the last message came."""
        self.closed = False
        """Whether the stream is being closed."""
        self.closing: pb.Fault | None = None
        """The fault with which the stream is being closed; None: the stream stays open."""
        self.unreadable = 0
        """Messages that could not be read."""
        self.bucket = Bucket(limits.messages_per_second, limits.message_burst, at)
        self.round_trip = RoundTrip()
        self._limits = limits
        self._wake = wake
        self._full: deque[_Bundle] = deque()
        self._bundle = _Bundle()
        self.waiting = 0
        """Items that wait to be sent."""
        self.writing = False
        """Whether gRPC has been handed a message and has not taken it yet: the bot may not be reading."""
        self.unconfirmed: deque[pb.Over] = deque()
        """Ends of matches that were sent and may not have been read; the pong to a later ping proves the reading.

        A bot that answers and never returns a ping keeps its stream, so only the last `UNCONFIRMED` ends are kept. The
        store still holds the others as unconfirmed, and a later run of the referee tells them again.
        """
        self._before_ping = 0
        """Number of unconfirmed ends that were sent before the open ping."""
        self._pinged = at
        self._pinging: _Bundle | None = None
        self.ping_sent = 0
        """When the last ping was handed to gRPC."""
        self._nonce: int | None = None

    def ask(self, data: bytes, who: Stamped) -> None:
        """Add a serialised ask; `who` is told when the ask is handed to gRPC."""
        if self._one_more():
            bundle = self._bundle
            bundle.asks.append(data)
            bundle.stamped.append(who)
            self.counters.asks += 1

    def bundle(self) -> pb.PlayResponse:
        """The message to which the caller adds one item; a stream that is being closed does not send the message."""
        return self._bundle.message() if self._one_more() else pb.PlayResponse()

    def over(self, over: pb.Over) -> None:
        """Add the end of a match, and keep the end until the bot has certainly read it."""
        self.bundle().over.append(over)
        if len(self.unconfirmed) >= UNCONFIRMED:
            self.unconfirmed.popleft()
            self._before_ping = max(0, self._before_ping - 1)
        self.unconfirmed.append(over)
        if self._nonce is None and not self.closed:
            self._ping(self._pinged)

    def _one_more(self) -> bool:
        """Make room for one more item in the present bundle; False: the stream is closed or too much waits."""
        if self.closed:
            return False
        waiting = self.waiting
        if waiting >= self._limits.outbox:
            self._overflow()
            return False
        if self._bundle.items >= self._limits.bundle:
            self._full.append(self._bundle)
            self._bundle = _Bundle()
        self._bundle.items += 1
        self.waiting = waiting + 1
        if not waiting:
            self._wake()
        return True

    def _overflow(self) -> None:
        """The bot does not read: drop what waits to be sent, and close the stream."""
        self._full.clear()
        self._bundle = _Bundle()
        self.waiting = 0
        self.close(pb.FAULT_CODE_BACKLOG, f"{self._limits.outbox} things wait for you already; read the stream")

    def take(self, at: int) -> bytes | None:
        """The bytes to send next; None: nothing waits. The clocks of the asks in them start at `at`."""
        if self._full:
            bundle = self._full.popleft()
        elif self._bundle.items:
            bundle = self._bundle
            self._bundle = _Bundle()
        else:
            return None
        self.waiting -= bundle.items
        stamped = bundle.stamped
        if stamped:
            for who in stamped:
                who.handed(at)
            self.bucket.give(len(stamped))
        if bundle is self._pinging:
            self.ping_sent = at
            self._pinging = None
        self.writing = True
        asks = bundle.asks
        if bundle.rest is None:
            return asks[0] if len(asks) == 1 else b"".join(asks)
        return b"".join((bundle.rest.SerializeToString(), *asks))

    def fault(
        self, code: pb.FaultCode, message: str, match: str = "", seat: int = 0, ask: int = 0, counted: bool = False
    ) -> None:
        """Send a fault to the bot. `counted`: the fault counts against the seat."""
        if not self.closed:
            message = message[:WORDS]
            self.bundle().faults.add(code=code, message=message, match_id=match, seat=seat, ask=ask, counted=counted)

    def close(self, code: pb.FaultCode, message: str, retry_after: int = 0) -> None:
        """Send what waits and a last fault with the reason, then end the stream.

        `retry_after`: microseconds of back-off before the bot shall dial again.
        """
        if not self.closed:
            self.closed = True
            self.closing = pb.Fault(code=code, message=message[:WORDS], closes_stream=True, retry_after_us=retry_after)
            self._bundle.message().faults.append(self.closing)
            self._bundle.items += 1
            self.waiting += 1
            self.on_close(self)
            self._wake()

    def flooded(self) -> None:
        """Close the stream of a bot that sends more than the limits allow."""
        limits = self._limits
        self.close(
            pb.FAULT_CODE_RATE,
            f"too many messages: besides one for each thing that you are sent there may be "
            f"{limits.messages_per_second} a second, at most {limits.message_burst} at once",
        )

    def ping(self, at: int, *, hurried: bool = False) -> None:
        """Send a ping if one is due and no other is open: the heartbeat of the stream, which measures the round trip.

        `hurried`: many streams wait to be opened, so pings of open streams come at the ping interval only.
        """
        if self._nonce is not None:
            return
        steady = hurried or (len(self.round_trip) >= PINGS_AT_ONCE and not self.unconfirmed)
        if not steady or at - self._pinged >= self._limits.ping_interval:
            self._ping(at)

    def _ping(self, at: int) -> None:
        self._pinged = self.ping_sent = at
        self._nonce = secrets.randbits(64)
        message = self.bundle().ping
        message.nonce = self._nonce
        message.round_trip_us = self.round_trip.best
        self._pinging = self._bundle
        self._before_ping = len(self.unconfirmed)
        self.bucket.give(1)

    def pong(self, nonce: int, at: int, *, measured: bool = True) -> list[pb.Over]:
        """The bot has returned a ping; another nonce is ignored. Returns the ends that the bot has certainly read.

        `measured` False: the referee stood still meanwhile, so the time says nothing about the network.
        """
        if nonce != self._nonce:
            return []
        self._nonce = None
        if measured:
            self.round_trip.add(at - self.ping_sent)
        return [self.unconfirmed.popleft() for _ in range(self._before_ping)]
