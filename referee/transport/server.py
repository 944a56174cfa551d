"""A whole referee: addresses, streams, lobby, health, reflection, and an orderly end.

    serve(Config(bind=("127.0.0.1:7400",), pairing=pairing), started=lambda server: print(server.addresses))

`serve` is for a command: it returns when the pairing has no more matches or the process is asked to end. `open_server`
is for a program that arranges matches itself; it runs under `bridge.run`.

At the end every stream is told whether to come back. A referee whose matches a later run goes on with (`resumable`)
says `RESTARTING` at the first signal. It says `SHUTDOWN` where it ends by itself, has no later run, or gets a second
signal within `SECOND_SIGNAL` seconds of the first; then matches that were going on are ended, and do not count.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import trio

from referee.kernel.errors import StorageTrouble
from referee.kernel.game import Seat
from referee.match.outputs import Settled, StoredEnd
from referee.match.protocols import Directory, Pairing, Recorder
from referee.match.record import Final, Header, Step, Usage
from referee.match.storage import Storage
from referee.match.terms import Terms
from referee.transport import bridge as bridges
from referee.transport.admin import Admins, AdminService, Remote
from referee.transport.admin_calls import Desks
from referee.transport.completions import hasten
from referee.transport.connections import Admission, Connections
from referee.transport.control import Control, Rulings
from referee.transport.event_desk import EventDesk
from referee.transport.heap import Heap
from referee.transport.limits import Limits
from referee.transport.listener import Listener, Room, listen
from referee.transport.lobby import Lobby, Unfinished
from referee.transport.metrics import Sources
from referee.transport.overview import Overview
from referee.transport.readiness import HealthReports, Readiness
from referee.transport.service import Service
from referee.v1 import play_pb2 as pb

DEFAULT_BIND = "127.0.0.1:7400"
TICK = 0.5
"""Seconds between two looks at silent streams."""
FAREWELL = 10.0
"""Seconds after which the end does not wait for gRPC any longer."""
SECOND_SIGNAL = 1.0
"""Seconds after a first signal in which a second one ends the referee for good."""


class StoredRulings(Rulings, Admission, Protocol):
    """What organisers decide, and whom the referee admits because of that."""


class Unrecorded:
    """A recorder that keeps nothing."""

    def begin(self, header: Header, secret: bytes) -> None:
        """Nothing."""

    def step(self, match: str, step: Step) -> None:
        """Nothing."""

    def end(self, match: str, final: Final) -> Settled:
        """Nothing: no record is kept."""
        return Settled()


@dataclass(frozen=True, slots=True)
class Config:
    """How a referee is run."""

    bind: tuple[str, ...] = (DEFAULT_BIND,)
    """Where it listens: host:port (port 0: any free one) or unix:/path. Empty: at `play_socket` alone."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    """Certificate chain and private key in PEM; both or neither. Unix sockets never use them."""
    directory: Directory | None = None
    """Who may play; None: anybody under any name."""
    play_socket: str = ""
    """A further unix:/path that serves Play and Describe alone, for bots that the host starts; empty: none."""
    admin_socket: str = ""
    """A unix:/path for the organiser's own tools, readable by the referee's user alone; empty: none."""
    event: EventDesk | None = None
    """What the organiser can do to the event that is played here; None: there is none."""
    rulings: StoredRulings | None = None
    """What organisers decide; None: they cannot decide anything."""
    admins: Admins | None = None
    """Who may operate the referee from elsewhere, over TLS; None: nobody may."""
    pairing: Pairing | None = None
    """Which tables are opened; None: only arranged ones."""
    matches: int | None = None
    """How many of the pairing's matches to open before the referee ends; None: as many as it has."""
    recorder: Recorder = field(default_factory=Unrecorded)
    limits: Limits = field(default_factory=Limits)
    ended: Callable[[Terms, Final], None] = lambda terms, final: None
    """Told about every match that is over."""
    unfinished: tuple[Unfinished, ...] = ()
    """Matches of an earlier run to go on with."""
    resume_tokens: Mapping[str, str] = field(default_factory=dict)
    """The hashes of the resume tokens that bots of an earlier run hold, separated by spaces, by name."""
    remember: Callable[[str, str], None] = lambda name, hashes: None
    """Given the name of every bot whose resume tokens have changed, and their hashes."""
    missed: Callable[[str], Iterable[StoredEnd]] = lambda name: ()
    """The stored ends that a bot may not have read, by the bot's name."""
    confirmed: Callable[[Sequence[tuple[str, Seat]]], None] = lambda seats: None
    """Given the match and seat of each end that its bot has read for certain, some at a time."""
    usage: Callable[[str], Usage | None] = lambda name: None
    """What the process of a hosted bot has used since it was started, by the bot's name; None: it is not hosted."""
    build: Callable[[str], str] = lambda name: ""
    """Which build a bot is that has just said hello, by its name; empty: builds are not numbered here."""
    held: Callable[[], Mapping[str, int]] = dict
    """For how many microseconds at most the loop was held by what the caller does in it, by the kind of work."""
    resumable: bool = False
    """Whether a later run goes on with what is unfinished at the end; otherwise that is ended, and does not count."""


class Server:
    """A running referee."""

    def __init__(
        self,
        bridge: bridges.Bridge,
        connections: Connections,
        lobby: Lobby,
        addresses: tuple[str, ...],
        sources: Sources,
        control: Control | None = None,
    ) -> None:
        self.addresses = addresses
        """Where bots find it: as bound, with the real port."""
        self.connections = connections
        self.lobby = lobby
        self.control = control
        """The organiser's hands; None: there is no database to note what they do."""
        self.sources = sources
        """What its metrics are read from: `metrics.samples(server.sources)`."""
        self._bridge = bridge
        self.now = bridge.turns.time
        """The time of the matches."""

    def stop(self) -> None:
        """End it, as a signal would; one that has ended stays so. May be called from any thread."""
        loop = self._bridge.loop
        try:
            loop.call_soon_threadsafe(self._bridge.interrupt)
        except RuntimeError:
            if not loop.is_closed():  # it may close at any moment, also between a look and the call
                raise


def serve(config: Config, *, started: Callable[[Server], None] = lambda server: None) -> int:
    """Run a referee until its matches are over or it is asked to end; returns how many matches came to an end.

    `started` is called when bots can connect. Raises BadSetting if an address or the TLS files cannot be used. Matches
    that were going on at the end are ended without a result, unless a later run goes on with them.
    """

    async def main(bridge: bridges.Bridge) -> int:
        async with open_server(bridge, config) as server:
            started(server)
            await server.lobby.done.wait()
        return server.lobby.finished

    return bridges.run(main, batch=True)


@asynccontextmanager
async def open_server(bridge: bridges.Bridge, config: Config) -> AsyncIterator[Server]:
    """A referee that runs as long as the block does; if the process is asked to end its lobby closes before that."""
    play_time = bridge.turns.time
    storage = Storage(play_time)
    lobbies: list[Lobby] = []
    read: list[tuple[str, Seat]] = []
    connections = Connections(
        play_time,
        limits=config.limits,
        directory=config.directory,
        pairing=config.pairing,
        changed=lambda: lobbies[0].changed(),
        remember=config.remember,
        missed=config.missed,
        confirmed=lambda match, seat: read.append((match, seat)),
        admission=config.rulings,
        build=config.build,
    )
    lobby = _lobby(config, connections, storage)
    lobbies.append(lobby)
    sources = Sources(connections, lobby, bridge.turns, Readiness(connections, storage), config.held)
    for unfinished in config.unfinished:
        lobby.restore(unfinished, config.resume_tokens)
    for name, token in config.resume_tokens.items():
        if len(connections.sessions) < config.limits.bots // 2:  # a later one gets its ends when it says hello afresh
            connections.recall(name, token, play_time())
    heap = Heap()
    connections.doors.used = heap.used
    service = Service(connections, play_time, bridge.turns)
    desks = _desks(config, bridge, sources)
    listener = await bridge.host(_listen(config, service, desks))
    hasten(bridge.loop, bridge.turns)
    sources.readiness.changed = HealthReports(bridge.loop, listener)
    failure: Exception | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_run_lobby, bridge, lobby)
            nursery.start_soon(_tick, sources, heap, config, read)
            try:
                control = None if desks is None else desks.control
                yield Server(bridge, connections, lobby, listener.addresses, sources, control)
            except Exception as error:
                failure = error  # to be raised as it is, not in a group with the nursery's own
            nursery.cancel_scope.cancel()
        if failure is not None:
            raise failure
    finally:
        with trio.move_on_after(FAREWELL, shield=True):
            await _say_goodbye(bridge, config, connections, lobby)
            await bridge.host(listener.close())
        connections.lines.close()
        _confirm(config, read)


def _lobby(config: Config, connections: Connections, storage: Storage) -> Lobby:
    return Lobby(
        connections,
        config.recorder,
        pairing=config.pairing,
        matches=config.matches,
        ended=config.ended,
        storage=storage,
        usage=config.usage,
    )


def _desks(config: Config, bridge: bridges.Bridge, sources: Sources) -> Desks | None:
    """What the organiser's calls act on; None: there is nothing to note them in."""
    if config.rulings is None:
        return None

    def leave(seconds: float) -> None:
        bridge.loop.call_later(seconds, bridge.interrupt)

    season = "" if config.pairing is None else config.pairing.season
    connections, lobby = sources.connections, sources.lobby
    control = Control(connections, lobby, config.rulings, sources.readiness, leave)
    return Desks(control, Overview(connections, lobby, bridge.turns.time, season), sources, config.event)


async def _listen(config: Config, service: Service, desks: Desks | None) -> Listener:
    """Open every address of a referee; none stays open if one cannot be used."""
    limits = config.limits
    if not config.bind and config.play_socket:
        return await listen([config.play_socket], service, limits, room=Room.PLAY)
    remote = None
    if desks is not None and config.admins is not None and config.tls_cert is not None:
        remote = AdminService(desks, Remote(config.admins, service.guard))
    listener = await listen(
        config.bind,
        service,
        limits,
        tls_cert=config.tls_cert,
        tls_key=config.tls_key,
        guard=service.guard,
        admin=remote,
    )
    try:
        if config.play_socket:
            listener.add(await listen([config.play_socket], service, limits, room=Room.PLAY))
        if config.admin_socket and desks is not None:
            admin = AdminService(desks)
            listener.add(await listen([config.admin_socket], admin, limits, room=Room.ADMIN))
    except BaseException:
        await listener.close()
        raise
    return listener


async def _say_goodbye(bridge: bridges.Bridge, config: Config, connections: Connections, lobby: Lobby) -> None:
    """Tell every stream whether to come back; matches that no later run goes on with are ended before."""
    asked = bridge.interrupted.is_set()
    if asked and config.resumable and not bridge.final.is_set():
        with trio.move_on_after(SECOND_SIGNAL):
            await bridge.final.wait()
    if asked and config.resumable and not bridge.final.is_set():
        text = "the referee is being restarted: dial again, your tables wait for you"
        connections.close(pb.FAULT_CODE_RESTARTING, text)
        return
    if connections.draining and config.resumable and not bridge.final.is_set():
        connections.close(pb.FAULT_CODE_RESTARTING, "the referee is about to be started again: dial again")
        return
    if bridge.final.is_set() or not config.resumable:
        lobby.abandon("the referee was stopped before the match was over; it does not count")
    connections.close(pb.FAULT_CODE_SHUTDOWN, "the referee has ended; goodbye")


async def _run_lobby(bridge: bridges.Bridge, lobby: Lobby) -> None:
    async with trio.open_nursery() as nursery:

        async def until_interrupted() -> None:
            await bridge.interrupted.wait()
            nursery.cancel_scope.cancel()

        nursery.start_soon(until_interrupted)
        await lobby.run()
        nursery.cancel_scope.cancel()


async def _tick(sources: Sources, heap: Heap, config: Config, read: list[tuple[str, Seat]]) -> None:
    """Look at streams, tokens and readiness now and then; note which ends were `read`; give memory back."""
    connections = sources.connections
    while True:
        await trio.sleep(TICK)
        connections.tick(connections.time())
        sources.readiness.look()
        _confirm(config, read)
        with suppress(StorageTrouble):
            connections.refresh()
        trim = heap.tick(len(connections.streams))
        if trim is not None:
            await trio.to_thread.run_sync(trim)


def _confirm(config: Config, read: list[tuple[str, Seat]]) -> None:
    """Hand over which ends were read; what cannot be stored now is handed over later."""
    if read:
        with suppress(StorageTrouble):
            config.confirmed(tuple(read))
            read.clear()
