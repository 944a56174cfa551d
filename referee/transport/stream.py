"""One stream of one bot, without its I/O: what waits to be sent, how fast the peer is, what it may still send.

Whatever is due within one moment gathers in one bundle, which the stream's writer takes when it is free; so many tables
share one message without anybody waiting for it. Nothing here grows without bound: a bundle has a limit, and so
has the number of things that wait.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from referee.transport.counters import Counters
from referee.transport.limits import Bucket, Limits
from referee.v1 import play_pb2 as pb

if TYPE_CHECKING:
    from referee.transport.session import Session

PINGS_AT_ONCE = 4
"""Round trips measured one after the other when a stream opens; later ones come at the ping interval."""
WORDS = 1000
"""Characters of a fault's message at most: it is also sent as the call's status, which has little room."""
UNCONFIRMED = 512
"""Ends of matches that are kept for a bot that is away: twice as many as it may have tables."""


class Stamped(Protocol):
    """The sender of a message, which is told when the message was handed to gRPC."""

    def handed(self, at: int) -> None:
        """The message was handed to gRPC at `at`, in microseconds."""


def _unheard(stream: BotStream) -> None:
    """No hook is set."""


class RoundTrip:
    """The shortest of the last round trips: what the network takes when nothing else delays it."""

    __slots__ = ("_samples", "best")

    def __init__(self, kept: int = 16) -> None:
        self._samples: deque[int] = deque(maxlen=kept)
        self.best = 0
        """In microseconds; 0: not measured yet."""

    def __len__(self) -> int:
        return len(self._samples)

    def add(self, sample: int) -> None:
        """A new measurement."""
        self._samples.append(max(sample, 1))
        self.best = min(self._samples)


class _Bundle:
    """What is sent in one message: asks, as bytes, and whatever else there is."""

    __slots__ = ("_message", "asks", "items", "stamped")

    def __init__(self) -> None:
        self._message: pb.PlayResponse | None = None
        self.asks: list[bytes] = []
        self.stamped: list[Stamped] = []
        """Who asked."""
        self.items = 0
        """Things in it."""

    def message(self) -> pb.PlayResponse:
        """Everything but the asks."""
        if self._message is None:
            self._message = pb.PlayResponse()
        return self._message

    def serialised(self) -> bytes:
        """The whole, as it is sent."""
        asks = self.asks
        if self._message is None:
            return asks[0] if len(asks) == 1 else b"".join(asks)
        return b"".join((self._message.SerializeToString(), *asks))


class BotStream:
    """One stream. The service reads and writes it, the connections and the session decide what happens on it."""

    def __init__(
        self,
        limits: Limits,
        token: str,
        at: int,
        wake: Callable[[], None],
        origin: str = "",
        counters: Counters | None = None,
    ) -> None:
        """`wake` is called when there is something to take, or when the stream is to be closed.

        `counters` are those of the referee; None: the stream has its own.
        """
        self.token = token
        """The bearer token of the call."""
        self.origin = origin
        """The address that the call comes from, as `doors.origin` writes it; empty: this machine's own socket."""
        self.proven = False
        """Whether the token was good when the stream was opened."""
        self.counters = Counters() if counters is None else counters
        self.on_close: Callable[[BotStream], None] = _unheard
        """Called once, when the referee begins to close the stream; `closing` says why."""
        self.said_name: str | None = None
        """The beginning of the name in the hello, which nothing proves and which may be no name; None: no hello yet."""
        self.session: Session | None = None
        """The bot on the stream, once it has said hello."""
        self.opened = at
        self.heard = at
        """When the last message came."""
        self.closed = False
        """Whether the stream is being closed."""
        self.closing: pb.Fault | None = None
        """Why the stream is being closed; nothing more is read from it, and nothing added."""
        self.unreadable = 0
        """Messages that could not be read."""
        self.bucket = Bucket(limits.messages_per_second, limits.message_burst, at)
        self.round_trip = RoundTrip()
        self._limits = limits
        self._wake = wake
        self._full: deque[_Bundle] = deque()
        self._bundle = _Bundle()
        self.waiting = 0
        """Things that wait to be sent."""
        self.writing = False
        """Whether gRPC has been handed a message and has not taken it yet: the bot may not be reading."""
        self.unconfirmed: deque[pb.Over] = deque()
        """Ends of matches that were sent and may not have been read. The pong to a later ping proves that they were.

        A bot that answers and never returns a ping keeps its stream, so only the last `UNCONFIRMED` ends are kept. The
        store still holds the others as unconfirmed, and a later run of the referee tells them again.
        """
        self._before_ping = 0
        self._pinged = at
        self._pinging: _Bundle | None = None
        self.ping_sent = 0
        """When the last ping was handed to gRPC."""
        self._nonce: int | None = None

    def ask(self, data: bytes, who: Stamped) -> None:
        """Add a serialised ask; `who` is told the moment when it is taken."""
        if self._one_more():
            bundle = self._bundle
            bundle.asks.append(data)
            bundle.stamped.append(who)
            self.counters.asks += 1

    def bundle(self) -> pb.PlayResponse:
        """The message to which one more thing is added now. Of a stream that is being closed: one that nobody sends."""
        return self._bundle.message() if self._one_more() else pb.PlayResponse()

    def over(self, over: pb.Over) -> None:
        """Add the end of a match, and remember it until it is certain that the bot has read it."""
        self.bundle().over.append(over)
        if len(self.unconfirmed) >= UNCONFIRMED:
            self.unconfirmed.popleft()
            self._before_ping = max(0, self._before_ping - 1)
        self.unconfirmed.append(over)
        if self._nonce is None and not self.closed:
            self._ping(self._pinged)

    def _one_more(self) -> bool:
        """Make room for one more thing in the present bundle; False if there is none."""
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
        """The bot does not read what it is sent: forget that, and end the stream."""
        self._full.clear()
        self._bundle = _Bundle()
        self.waiting = 0
        self.close(pb.FAULT_CODE_BACKLOG, f"{self._limits.outbox} things wait for you already; read the stream")

    def take(self, at: int) -> bytes | None:
        """What is to be sent next; None: nothing."""
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
        return bundle.serialised()

    def fault(
        self, code: pb.FaultCode, message: str, match: str = "", seat: int = 0, ask: int = 0, counted: bool = False
    ) -> None:
        """Tell the bot what went wrong."""
        if not self.closed:
            message = message[:WORDS]
            self.bundle().faults.add(code=code, message=message, match_id=match, seat=seat, ask=ask, counted=counted)

    def close(self, code: pb.FaultCode, message: str, retry_after: int = 0) -> None:
        """Say why, then end the stream. What waits to be sent still is, before that.

        `retry_after`: microseconds for which the bot shall not dial again.
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
        """The bot sends more than the limits allow."""
        limits = self._limits
        self.close(
            pb.FAULT_CODE_RATE,
            f"too many messages: besides one for each thing that you are sent there may be "
            f"{limits.messages_per_second} a second, at most {limits.message_burst} at once",
        )

    def ping(self, at: int, *, hurried: bool = False) -> None:
        """Measure the round trip, if it is time to, and the last ping has come back.

        `hurried`: many streams wait to be opened, so the others are measured at the usual interval only.
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
        """A ping has come back; any other nonce is passed over. Returns the ends that the bot has read for certain.

        `measured` False: the referee stood still meanwhile, so the time says nothing about the network.
        """
        if nonce != self._nonce:
            return []
        self._nonce = None
        if measured:
            self.round_trip.add(at - self.ping_sent)
        return [self.unconfirmed.popleft() for _ in range(self._before_ping)]
