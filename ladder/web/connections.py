"""Connections with bounds, for uvicorn: how many, how long without a request, how long without reading.

uvicorn itself bounds requests in progress and their headers. A connection that sends half a request, or never reads its
answer, would otherwise be kept for ever.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ladder.web.limits import WebLimits, address


class HttpConnections:
    """Counts open connections by address."""

    def __init__(self, limits: WebLimits, *, trust_proxy: bool) -> None:
        self.limits = limits
        self._per_address = limits.connections if trust_proxy else limits.connections_per_address
        self._open: Counter[str] = Counter()

    def enter(self, host: str) -> bool:
        """Count one more connection; returns whether the connection may stay."""
        self._open[host] += 1
        return self._open[host] <= self._per_address and self._open.total() <= self.limits.connections

    def leave(self, host: str) -> None:
        """One connection less."""
        self._open[host] -= 1
        if not self._open[host]:
            del self._open[host]

    def protocol(self) -> type[H11Protocol]:
        """The class of a connection that counts here."""
        connections = self

        class Bound(BoundConnection):
            counted = connections

        return Bound


class BoundConnection(H11Protocol):
    """A connection that is closed when it wastes its place."""

    counted: HttpConnections
    _host = ""
    _tick: asyncio.TimerHandle | None = None
    _idle_since: object = None
    """The request behind which the connection was idle at the last look; None: no request so far; itself: busy."""
    _unread = 0
    """Bytes that waited for the reader at the last look."""
    _unread_seconds = 0.0

    def connection_made(self, transport: Any) -> None:
        """Count the connection; one too many is closed at once."""
        super().connection_made(transport)
        self._host = address({"client": self.client})
        if not self.counted.enter(self._host):
            transport.abort()
            return
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        if self._tick is not None:
            self._tick.cancel()
        self.counted.leave(self._host)
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._tick = self.loop.call_later(self.counted.limits.idle_seconds, self._look)

    def _look(self) -> None:
        """Close the connection if it has been idle or unread since the last look, or for long enough."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._idle_since is self.cycle:
            self.transport.abort()
            return
        self._idle_since = self.cycle if idle else self
        waiting = self.transport.get_write_buffer_size()
        if waiting and waiting == self._unread:
            self._unread_seconds += self.counted.limits.idle_seconds
        else:
            self._unread_seconds = 0.0
        self._unread = waiting
        if self._unread_seconds >= self.counted.limits.unread_seconds:
            self.transport.abort()
            return
        self._look_later()
