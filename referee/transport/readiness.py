"""Whether a referee takes bots and plays now, and the reports of this to gRPC's health service.

Liveness: the process serves. Readiness: the referee also takes another bot and goes on with its matches, so it is not
draining, can store and is not full. A load balancer reads readiness; a supervisor that restarts a process reads
liveness.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.match.storage import Storage
from referee.transport.connections import Connections

if TYPE_CHECKING:
    from referee.transport.listener import Listener

DRAINING, STANDING_STILL, FULL = REASONS = ("draining", "standing_still", "full")
"""The reasons for which a referee is not ready."""


class Readiness:
    """The reasons for which one referee is not ready, read anew by `look`."""

    def __init__(self, connections: Connections, storage: Storage) -> None:
        self.reasons: tuple[str, ...] = ()
        """The entries of `REASONS` that hold; empty: the referee is ready."""
        self.changed: Callable[[bool], None] = lambda ready: None
        """Called with the new readiness at each change."""
        self._connections = connections
        self._storage = storage
        storage.serving = self._storing

    @property
    def ready(self) -> bool:
        """Whether the referee takes bots and plays."""
        return not self.reasons

    def look(self) -> None:
        """Read the reasons anew; to be called when the referee begins to drain, and at a steady pace."""
        connections = self._connections
        holds = (connections.draining, self._storage.trouble is not None, connections.full(connections.time()))
        before = self.ready
        self.reasons = tuple(reason for reason, true in zip(REASONS, holds, strict=True) if true)
        if self.ready is not before:
            self.changed(self.ready)

    def _storing(self, works: bool) -> None:
        """Note that storing begins to fail, or works again."""
        self._connections.counters.storage_troubles += not works
        self.look()


class HealthReports:
    """Reports the readiness to the health service, one report after the other."""

    def __init__(self, loop: asyncio.AbstractEventLoop, listener: Listener) -> None:
        self._loop = loop
        self._listener = listener
        self._wanted: bool | None = None
        """The readiness to report next; None: the last one is reported."""
        self._task: asyncio.Task[None] | None = None

    def __call__(self, ready: bool) -> None:
        """Report this readiness soon, in place of an earlier one that is not reported yet."""
        self._wanted = ready
        if self._task is None:
            self._task = self._loop.create_task(self._report())

    async def _report(self) -> None:
        try:
            while self._wanted is not None:
                ready, self._wanted = self._wanted, None
                await self._listener.report(ready)
        finally:
            self._task = None
