"""One run of the referee: real connections, real lobby, real tables, and what it takes over from the run before it.

This is the only module of the simulation that knows how a referee is put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import trio

from referee.match.plan import MatchPlan
from referee.match.playtime import PlayTime
from referee.match.protocols import ConnectedBot, Offers
from referee.transport.connections import Connections
from referee.transport.limits import Limits
from referee.transport.lobby import Lobby, Unfinished
from referee.transport.stream import BotStream
from tests.simulation.promises import ENDS_SURVIVE_RESTARTS, STANDS_STILL, STORAGE_TROUBLE
from tests.simulation.storage import SimulatedRecorder, Storage
from tests.simulation.world import SECOND, Killed, World

if TYPE_CHECKING:
    from tests.simulation.network import Stream
    from tests.simulation.scenario import Scenario

TICK = 2 * SECOND
"""Microseconds between two looks at silent streams."""
LIMITS = Limits(ping_interval=8 * SECOND, silence=24 * SECOND)


class Entrants:
    """Who may play where tokens are needed: every bot has the token `bearer-NAME` until it is revoked."""

    needs_token = True

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {f"bearer-{name}": name for name in names}
        self._changed = False

    def entrant(self, token: str) -> str | None:
        """The name behind a token."""
        return self._names.get(token)

    def reserved(self, name: str) -> bool:
        """Whether the name needs its token."""
        return name in self._names.values()

    def refresh(self) -> bool:
        """Whether a token was revoked since the last call."""
        changed, self._changed = self._changed, False
        return changed

    def revoke(self, name: str) -> None:
        """Make the token of a bot worthless."""
        self._names.pop(f"bearer-{name}", None)
        self._changed = True


class FixedOpenings:
    """Opens the matches of a scenario, each once, when its bots are there."""

    season = ""
    done = False
    sets_aside = True

    def __init__(self, openings: Sequence[MatchPlan], storage: Storage) -> None:
        self._left = [opening for opening in openings if opening.match not in storage.matches]

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """Every bot may play."""
        return ""

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        """The first match whose bots are all there with a table free."""
        free = {bot.name for bot in bots if bot.capacity > bot.tables}
        for opening in self._left:
            if free.issuperset(opening.players):
                self._left.remove(opening)
                return opening
        return None

    def forgotten(self, name: str) -> None:
        """Nothing is remembered of bots."""

    def ended(self, match: str, at: int) -> None:
        """Nothing follows from an end."""


class RefereeProcess:
    """One run of the referee, from its start to its kill."""

    def __init__(self, world: World, scenario: Scenario, storage: Storage, life: int, entrants: Entrants) -> None:
        self.life = life
        """Which run it is, from 0."""
        self.started = world.now()
        self.streams: list[Stream] = []
        self.buried = False
        """Whether its streams know that it is dead."""
        self._world = world
        self._time = PlayTime(world.now)
        self._scope = trio.CancelScope()
        self._recorder = SimulatedRecorder(world, storage, scenario.odds, life)
        pairing = FixedOpenings(scenario.openings, storage)
        self._read: list[tuple[str, int]] = []
        """Match and seat of the ends that their bots have read since the last tick."""
        lobbies: list[Lobby] = []
        self.connections = Connections(
            self._time,
            limits=LIMITS,
            directory=entrants if scenario.closed else None,
            pairing=pairing,
            changed=lambda: lobbies[0].changed(),
            remember=self._recorder.remember,
            **self._told_ends(),
        )
        self.lobby = Lobby(self.connections, self._recorder, pairing=pairing, **self._storage())
        lobbies.append(self.lobby)
        for stored in storage.matches.values():
            if stored.final is None:
                self.lobby.restore(Unfinished(stored.record(), stored.secret), storage.tokens)

        if ENDS_SURVIVE_RESTARTS:
            for name, token in storage.tokens.items():
                self.connections.recall(name, token, self._time())

    def _storage(self) -> dict[str, Any]:
        """What the tables of a referee that can stand still share."""
        return {"storage": import_module("referee.match.storage").Storage(self._time)} if STANDS_STILL else {}

    def _told_ends(self) -> dict[str, Any]:
        """What connections need that tell ends until they are read."""
        if not ENDS_SURVIVE_RESTARTS:
            return {}
        stored_end = import_module("referee.match.outputs").StoredEnd

        def missed(name: str) -> list[object]:
            return [
                stored_end(stored.header.match, seat, stored.final, stored.settled, True)
                for stored, seat in self._recorder.missed(name)
            ]

        return {"missed": missed, "confirmed": lambda match, seat: self._read.append((match, seat))}

    @property
    def dead(self) -> bool:
        """Whether the process was killed."""
        return self._recorder.dead

    async def run(self) -> None:
        """Run the tables until the process is killed; raises what the referee raises, and nothing for a kill."""
        try:
            with self._scope:
                await self.lobby.run()
        except BaseExceptionGroup as group:
            _, others = group.split(Killed)
            if others is not None:
                raise

    def kill(self) -> None:
        """The process is gone: nothing that it would still do happens."""
        self._recorder.dead = self.buried = True
        self._scope.cancel()

    def tick(self) -> None:
        """What the referee does every `TICK` beside its tables."""
        self.connections.tick(self._time())
        self.connections.refresh()
        with suppress(*(() if STORAGE_TROUBLE is None else (STORAGE_TROUBLE,))):
            while self._read:
                self._recorder.confirmed(*self._read[-1])
                self._read.pop()

    def open(self, token: str, stream: Stream) -> BotStream:
        """A new stream."""
        self.streams.append(stream)
        return self.connections.open(token, self._time(), stream.wake)

    def receive(self, stream: BotStream, data: bytes, queued: int) -> None:
        """A message has come, and has waited."""
        self.connections.receive(stream, data, self._time() - queued, queued)

    def take(self, stream: BotStream) -> bytes | None:
        """What a stream is to be sent next."""
        return stream.take(self._time())

    def left(self, stream: BotStream) -> None:
        """A stream has ended."""
        self.connections.left(stream, self._time())
