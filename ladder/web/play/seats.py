"""The sessions of all people who play through this process, within bounds.

This process keeps nothing that cannot be lost: the cookie of a browser holds the token of its seat, so a browser that
comes back after the process was killed gets a new session for the same seat.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import grpc.aio

from ladder.web.play.desk import Desk
from ladder.web.play.session import PersonSession

OPTIONS = [
    ("grpc.enable_http_proxy", 0),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
]
SWEEP_SECONDS = 5.0


class NoPlace(Exception):
    """No further session may be opened now; the message says why."""


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """Bounds of play in the browser."""

    sessions: int = 128
    """Sessions at a time; those of matches that are over and not forgotten yet do not count."""
    address_sessions: int = 8
    """Sessions of one address at a time."""
    idle_seconds: float = 300.0
    """Seconds without a browser after which the session of a seat ends; the seat is away then, and its clock runs."""
    ended_seconds: float = 60.0
    """Seconds for which the session of a match that is over is kept for its browser."""


class Seats:
    """The sessions by the digest of their tokens."""

    def __init__(
        self,
        address: str,
        desk: Desk,
        limits: PlayLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`address` is the referee's play socket."""
        self._address = address
        self._desk = desk
        self._limits = limits or PlayLimits()
        self._clock = clock
        self._open: dict[str, tuple[PersonSession, str]] = {}
        self._channel: grpc.aio.Channel | None = None
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def open(self) -> int:
        """Number of sessions."""
        return len(self._open)

    async def close(self) -> None:
        """End every session."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*(session.close() for session, _ in self._open.values()))
        self._open.clear()
        if self._channel is not None:
            await self._channel.close(None)

    def find(self, token: str) -> PersonSession | None:
        """The session of a seat, if there is one."""
        found = self._open.get(_digest(token))
        if found is None:
            return None
        found[0].used = self._clock()
        return found[0]

    def take(self, match: str, token: str, host: str) -> PersonSession:
        """The session of a seat, opened if there is none; raises NoPlace. `host` is the browser's address."""
        found = self.find(token)
        if found is not None:
            return found
        playing = [other for session, other in self._open.values() if not session.ended]
        if len(playing) >= self._limits.sessions or len(self._open) >= 4 * self._limits.sessions:
            raise NoPlace("Too many people play here at this moment; try again later.")
        if playing.count(host) >= self._limits.address_sessions:
            raise NoPlace(f"{self._limits.address_sessions} seats of your address are open; close one.")
        if self._channel is None:
            self._channel = grpc.aio.insecure_channel(self._address, options=OPTIONS)
            self._sweeper = asyncio.create_task(self._sweep())
        session = PersonSession(self._channel, self._desk, match, token)
        session.used = self._clock()
        self._open[_digest(token)] = session, host
        return session

    async def _sweep(self) -> None:
        """End sessions that no browser uses any more."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = self._clock()
            for digest, (session, _) in list(self._open.items()):
                if session.feed.readers:
                    session.used = now
                limit = self._limits.ended_seconds if session.ended else self._limits.idle_seconds
                if now - session.used > limit:
                    del self._open[digest]
                    await session.close()


def _digest(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()
