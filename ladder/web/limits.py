"""Bounds on what one address may ask of the pages: requests by a token bucket, event streams by number.

An address is the host that connected, an IPv6 one shortened to its network. Behind a proxy every request comes from the
proxy: `--trust-proxy` takes the address that the nearest proxy has added to X-Forwarded-For, and the scheme of
X-Forwarded-Proto. Without that option both headers have no effect, because every client can write them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.match.clock import SECOND
from referee.transport.doors import KeyedBuckets, origin


@dataclass(frozen=True, slots=True)
class WebLimits:
    """Bounds of the pages."""

    requests_per_second: int = 50
    """Requests a second of one address: ten readers behind one router, each with a page a second and its files."""
    request_burst: int = 500
    """Such requests at once."""
    streams_per_address: int = 64
    """Event streams of one address at a time."""
    streams: int = 512
    """Event streams in all."""
    connections_per_address: int = 256
    """Connections of one address at a time; no bound behind a trusted proxy, whose connections serve all readers."""
    connections: int = 1024
    """Connections in all."""
    header_bytes: int = 16 * 1024
    """Request line and headers together."""
    form_bytes: int = 16 * 1024
    """The body of a form."""
    idle_seconds: float = 10.0
    """Seconds within which a connection has to send a whole request."""
    unread_seconds: float = 30.0
    """Seconds after which a reader that takes nothing of what was sent is cut off."""


def address(scope: Scope) -> str:
    """The address that a request counts for; empty: unknown."""
    client = scope.get("client")
    if not client:
        return ""
    host = str(client[0])
    return origin(f"ipv6:[{host}]:0" if ":" in host else f"ipv4:{host}:0")


class Bounded:
    """Refuses the requests of an address that asks too often, and says when to come again."""

    def __init__(
        self,
        app: ASGIApp,
        limits: WebLimits | None = None,
        *,
        trust_proxy: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        found = limits or WebLimits()
        self._app = app
        self._buckets = KeyedBuckets(found.requests_per_second, found.request_burst)
        self._trust_proxy = trust_proxy
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._trust_proxy:
            _believe(scope)
        wait = self._buckets.take(address(scope), int(self._clock() * SECOND))
        if wait:
            seconds = str(max(1, -(-(wait - 1) // SECOND)))  # the bucket adds one microsecond for safety
            text = f"Too many requests from your address; try again in {seconds} s.\n"
            refusal = PlainTextResponse(text, 429, {"Retry-After": seconds, "Cache-Control": "no-store"})
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _believe(scope: Scope) -> None:
    """Put what the nearest proxy says of its client into the place of what the connection says of the proxy."""
    headers = Headers(scope=scope)
    chain = ",".join(headers.getlist("x-forwarded-for")).split(",")
    if chain[-1].strip():
        scope["client"] = (chain[-1].strip(), 0)
    if headers.get("x-forwarded-proto", "").strip().lower() == "https":
        scope["scheme"] = "https"


class StreamPlaces:
    """Counts the event streams that are open, in all and for each address."""

    def __init__(self, limits: WebLimits | None = None) -> None:
        self._limits = limits or WebLimits()
        self._open: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """Number of open event streams."""
        return self._open.total()

    def enter(self, host: str) -> str:
        """Count one more stream of an address; returns why there is no place for it, or an empty text."""
        if self._open[host] >= self._limits.streams_per_address:
            return f"{self._limits.streams_per_address} event streams of your address are open; close one"
        if self.open >= self._limits.streams:
            return "no event stream is free at this moment; try again later"
        self._open[host] += 1
        return ""

    def leave(self, host: str) -> None:
        """Give a place back."""
        self._open[host] -= 1
        if not self._open[host]:
            del self._open[host]
