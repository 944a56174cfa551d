"""Bounds on streams and calls before a hello names the bot: counts and token buckets for each address.

A stream with a good token counts against its token and never against its address, so any number of bots with tokens may
share an address. A call over a unix socket has no address and is not counted. An IPv6 address counts as its /64, which
is what one customer of a provider has.

`Doors` does no I/O and reads no clock. Its memory does not grow with the number of addresses that ever called.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote

from referee.match.clock import SECOND
from referee.transport.limits import Bucket, Limits
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb

KEPT = 4096
"""Addresses and tokens whose bucket is kept; when there is one more, the bucket that was idle longest is dropped."""
PREFIX = 64
"""Leading bits of an IPv6 address that belong to one customer."""
MOMENT = SECOND
"""Microseconds from the opening of a stream to the hello of a well-behaved bot."""
LATER = 5 * SECOND
"""Microseconds of back-off for a stream that found no room."""


class Refusal(NamedTuple):
    """Why a stream or call is not admitted."""

    code: pb.FaultCode
    message: str
    retry_after: int
    """Microseconds of back-off before the caller shall dial again."""


def origin(peer: str) -> str:
    """The address behind gRPC's name of a peer, an IPv6 one shortened to its network; empty: a unix socket."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return ""
    host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        if not address.is_loopback:
            return str(ipaddress.ip_network((address, PREFIX), strict=False))
    return str(address)


class KeyedBuckets:
    """A token bucket (`limits.Bucket`) for each address or bearer token."""

    def __init__(self, per_second: int, burst: int, kept: int = KEPT) -> None:
        self._per_second = per_second
        self._burst = burst
        self._kept = kept
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, at: int) -> int:
        """Take one token from the bucket of a key; returns 0, or the microseconds until the bucket has a token."""
        bucket = self._buckets.pop(key, None) or Bucket(self._per_second, self._burst, at)
        self._buckets[key] = bucket
        if len(self._buckets) > self._kept:
            del self._buckets[next(iter(self._buckets))]
        return 0 if bucket.take(at) else bucket.wait()


class Doors:
    """Counts open streams and calls, and decides which further ones may be opened."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.used: Callable[[int], None] = lambda amount: None
        """Called with an amount of memory that is free again, in streams or in units of 16 KiB."""
        self._arrivals = KeyedBuckets(limits.address_streams_per_second, limits.address_burst)
        self._calls = KeyedBuckets(limits.calls_per_second, limits.call_burst)
        self._open: Counter[str] = Counter()
        """Open calls of health and reflection, by address or token."""
        self._admitted: dict[BotStream, str] = {}
        """The admitted streams, each with the address or token that the stream counts against."""
        self._streams: Counter[str] = Counter()
        """Open streams, by address or token."""
        self._unproven = 0
        """Open streams without a good token."""
        self._strangers: dict[BotStream, None] = {}
        """Open streams without a good token and without a hello, by age."""
        self._strange: Counter[str] = Counter()
        """The number of those streams, by address."""

    @property
    def full(self) -> bool:
        """Whether no further stream without a good token is admitted."""
        return self._unproven >= self._limits.streams

    def open(self, stream: BotStream, at: int) -> Refusal | None:
        """Count a stream that is opened; returns why the stream is refused, or None."""
        limits = self._limits
        key = _key(stream.origin, stream.token, stream.proven)
        if stream.proven:
            if self._streams[key] >= limits.token_streams:
                text = f"{limits.token_streams} streams with your token are open here already: close one"
                return Refusal(pb.FAULT_CODE_RATE, text, LATER)
        else:
            refusal = self._refusal(stream, key, at)
            if refusal is not None:
                return refusal
            self._unproven += 1
            self._strangers[stream] = None
            self._strange[stream.origin] += 1
        self._admitted[stream] = key
        self._streams[key] += 1
        return None

    def _refusal(self, stream: BotStream, key: str, at: int) -> Refusal | None:
        """Why a stream without a good token may not be opened."""
        limits = self._limits
        if self.full:
            text = f"{limits.streams} streams are open here already; try again later"
            return Refusal(pb.FAULT_CODE_FULL, text, LATER)
        if not stream.origin:
            return None
        wait = self._arrivals.take(key, at)
        if wait:
            often = limits.address_streams_per_second
            text = f"your address opens more than {often} streams a second: wait, or use tokens"
            return Refusal(pb.FAULT_CODE_RATE, text, wait)
        if self._streams[key] >= limits.address_streams:
            text = f"{limits.address_streams} streams of your address are open here already: close some, or use tokens"
            return Refusal(pb.FAULT_CODE_FULL, text, LATER)
        return None

    def surplus(self, at: int) -> BotStream | None:
        """A stream to close because too many wait without a hello; None: there are not too many.

        The stream is the oldest of the address that has most of them.
        """
        limits, count = self._limits, len(self._strangers)
        if count <= min(limits.strangers, limits.silent_strangers):
            return None
        most = max(self._strange.values())
        oldest = next(stream for stream in self._strangers if self._strange[stream.origin] == most)
        if count <= limits.strangers and at - oldest.opened < MOMENT:
            return None
        self.greeted(oldest)
        return oldest

    def greeted(self, stream: BotStream) -> None:
        """Count a stream that has said hello, or is being closed, no longer among those without a hello."""
        if stream in self._strangers:
            del self._strangers[stream]
            _less(self._strange, stream.origin)

    def left(self, stream: BotStream) -> None:
        """Stop counting a stream that has ended."""
        self.used(1)
        self.greeted(stream)
        key = self._admitted.pop(stream, None)
        if key is not None:
            _less(self._streams, key)
            self._unproven -= not stream.proven

    def call(self, peer: str, token: str, proven: bool, at: int) -> Refusal | None:
        """Count a request of Describe, health or reflection; returns why the request is refused, or None."""
        source = origin(peer)
        if not source and not proven:
            return None
        wait = self._calls.take(_key(source, token, proven), at)
        if not wait:
            return None
        text = f"more than {self._limits.calls_per_second} requests a second: wait a little"
        return Refusal(pb.FAULT_CODE_RATE, text, wait)

    def enter(self, peer: str) -> Refusal | None:
        """Count an open stream of health or reflection until `leave`; returns why the stream is refused, or None."""
        source = origin(peer)
        if source and self._open[source] >= self._limits.calls:
            text = f"{self._limits.calls} such streams of your address are open already: close some"
            return Refusal(pb.FAULT_CODE_FULL, text, LATER)
        self._open[source] += 1
        return None

    def leave(self, peer: str) -> None:
        """Stop counting a stream of health or reflection that has ended."""
        _less(self._open, origin(peer))


def _key(origin: str, token: str, proven: bool) -> str:
    """The address or token that a stream or call counts against."""
    return f"token {token}" if proven else f"address {origin}"


def _less(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
