"""A whole referee: addresses, streams, lobby, health, reflection, and an orderly end.

    serve(Config(bind=("127.0.0.1:7400",), pairing=pairing), started=lambda server: print(server.addresses))

`serve` is for a command: it returns when the pairing has no more matches or the process is asked to end. `open_server`
is for a program that arranges matches itself; it runs under `bridge.run`.

At the end every stream is told whether to come back. A referee whose matches a later run goes on with (`resumable`)
says `RESTARTING` at the first signal. A referee that ends by itself, has no later run, or gets a second signal within
`SECOND_SIGNAL` seconds of the first says `SHUTDOWN`; then running matches are ended, and do not count.
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
from referee.match.record import Final, Header, SeatUsage, Step
from referee.match.storage import Storage
from referee.match.terms import Terms
from referee.transport import bridge as bridges
from referee.transport.admin import Admins, AdminService, Remote
from referee.transport.admin_calls import Desks
from referee.transport.completions import hasten
from referee.transport.connections import Admission, Connections
from referee.transport.control import RefereeControl, Rulings
from referee.transport.event_desk import EventDesk
from referee.transport.heap import Heap
from referee.transport.limits import Limits
from referee.transport.listener import Listener, Room, listen
from referee.transport.lobby import Lobby, Unfinished
from referee.transport.metrics import Sources
from referee.transport.overview import Overview
from referee.transport.people_desk import PeopleDesk
from referee.transport.readiness import HealthReports, Readiness
from referee.transport.service import Service
from referee.transport.watch import Archive, WatchService
from referee.v1 import play_pb2 as pb

DEFAULT_BIND = "127.0.0.1:7400"
TICK = 0.5
"""Seconds between two looks at silent streams."""
FAREWELL = 10.0
"""Most seconds that the end of a referee waits for gRPC."""
BACK_SOON = "the referee is being restarted: dial again and follow the same match"
"""What spectators are told by a referee with whose matches a later run goes on."""
SECOND_SIGNAL = 1.0
"""Seconds after a first signal in which a second one ends the referee for good."""


class StoredRulings(Rulings, Admission, Protocol):
    """The stored decisions of organisers, and the admission of bots that follows from them."""


class Unrecorded:
    """A recorder that keeps nothing."""

    def begin(self, header: Header, secret: bytes) -> None:
        """Store nothing."""

    def step(self, match: str, step: Step) -> None:
        """Store nothing."""

    def end(self, match: str, final: Final) -> Settled:
        """Store nothing."""
        return Settled()


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a referee."""

    bind: tuple[str, ...] = (DEFAULT_BIND,)
    """Addresses of the referee: host:port (port 0: any free one) or unix:/path. Empty: `play_socket` alone."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    """Certificate chain and private key in PEM; both or neither. Unix sockets never use them."""
    directory: Directory | None = None
    """The tokens and names that may play; None: bots under any name."""
    play_socket: str = ""
    """A further unix:/path that serves Play and Describe alone, for bots that the host starts; empty: none."""
    admin_socket: str = ""
    """A unix:/path for the organiser's own tools, readable by the referee's user alone; empty: none."""
    event: EventDesk | None = None
    """The event that is played here, for the organiser's calls; None: there is no event."""
    rulings: StoredRulings | None = None
    """The stored decisions of organisers; None: organisers cannot act on this referee."""
    admins: Admins | None = None
    """The organisers that may operate the referee from other machines, over TLS; None: there are none."""
    pairing: Pairing | None = None
    """Decides which tables are opened; None: only arranged ones."""
    matches: int | None = None
    """Number of the pairing's matches to open before the referee ends; None: all of them."""
    recorder: Recorder = field(default_factory=Unrecorded)
    limits: Limits = field(default_factory=Limits)
    ended: Callable[[Terms, Final], None] = lambda terms, final: None
    """Called with every match that is over."""
    unfinished: tuple[Unfinished, ...] = ()
    """Matches of an earlier run to go on with."""
    resume_tokens: Mapping[str, str] = field(default_factory=dict)
    """The hashes of the resume tokens that bots of an earlier run hold, separated by spaces, by name."""
    remember: Callable[[str, str], None] = lambda name, hashes: None
    """Called with the name of every bot whose resume tokens have changed, and the hashes of the tokens."""
    missed: Callable[[str], Iterable[StoredEnd]] = lambda name: ()
    """Returns the stored ends that a bot may not have read, by the bot's name."""
    confirmed: Callable[[Sequence[tuple[str, Seat]]], None] = lambda seats: None
    """Called with the match and seat of ends that their bots have certainly read, several at a time."""
    usage: Callable[[str], SeatUsage | None] = lambda name: None
    """Returns what the process of a hosted bot has used since its start, by the bot's name; None: no hosted bot."""
    build: Callable[[str], str] = lambda name: ""
    """Returns the build of a bot that has just said hello, by name; empty: builds are not numbered here."""
    held: Callable[[], Mapping[str, int]] = dict
    """Returns the longest microseconds for which each kind of the caller's own work has held the loop."""
    archive: Archive | None = None
    """Reads the database for spectators; None: there is no database."""
    pool_of: Callable[[str], int] = lambda match: 0
    """Returns the id of the pool in which a running match counts; 0: none."""
    spectator_delay: Callable[[Terms], int] = lambda terms: 0
    """Returns the number of positions by which spectators are shown a match later."""
    apart: Callable[[str], bool] = lambda name: False
    """Returns whether a bot of that name gets arranged tables alone, so that no season pairs it."""
    people: PeopleDesk | None = None
    """The tables at which people sit, for the calls of the pages; None: people do not play here."""
    resumable: bool = False
    """Whether a later run goes on with unfinished matches; otherwise they are ended, and do not count."""


class Server:
    """A running referee."""

    def __init__(
        self,
        bridge: bridges.Bridge,
        connections: Connections,
        lobby: Lobby,
        addresses: tuple[str, ...],
        sources: Sources,
        control: RefereeControl | None = None,
    ) -> None:
        self.addresses = addresses
        """The addresses of the referee as bound, with the real ports."""
        self.connections = connections
        self.lobby = lobby
        self.control = control
        """The acts of organisers; None: there is no database that could note them."""
        self.sources = sources
        """The sources of the referee's metrics: `metrics.samples(server.sources)`."""
        self._bridge = bridge
        self.now = bridge.turns.time
        """Play time: calling the object reads the time in microseconds."""

    def stop(self) -> None:
        """End the referee, as a signal would; no effect on one that has ended. May be called from any thread."""
        loop = self._bridge.loop
        try:
            loop.call_soon_threadsafe(self._bridge.interrupt)
        except RuntimeError:
            if not loop.is_closed():  # the loop may close at any moment, also between a check and the call
                raise


def serve(config: Config, *, started: Callable[[Server], None] = lambda server: None) -> int:
    """Run a referee until its matches are over or the process is asked to end; returns the number of ended matches.

    `started` is called when bots can connect. Raises BadSetting if an address or the TLS files cannot be used. Matches
    that run at the end are ended without a result, unless a later run goes on with them.
    """

    async def main(bridge: bridges.Bridge) -> int:
        async with open_server(bridge, config) as server:
            started(server)
            await server.lobby.done.wait()
        return server.lobby.finished

    return bridges.run(main, batch=True)


@asynccontextmanager
async def open_server(bridge: bridges.Bridge, config: Config) -> AsyncIterator[Server]:
    """A referee that runs as long as the block does; the lobby closes earlier if the process is asked to end."""
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
        apart=config.apart,
    )
    lobby = _lobby(config, connections, storage)
    lobbies.append(lobby)
    sources = Sources(connections, lobby, bridge.turns, Readiness(connections, storage), config.held)
    for unfinished in config.unfinished:
        lobby.restore(unfinished, config.resume_tokens)
    for name, token in config.resume_tokens.items():
        if len(connections.sessions) < config.limits.bots // 2:  # any other bot gets its ends with a fresh hello
            connections.recall(name, token, play_time())
    heap = Heap()
    connections.doors.used = heap.used
    service = Service(connections, play_time, bridge.turns)
    desks = _desks(config, bridge, sources)
    watch = WatchService(lobby, service.guard, config.limits, config.archive, config.pool_of)
    listener = await bridge.host(_listen(config, service, desks, watch))
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
                failure = error  # raised below as it is, not in an exception group of the nursery
            nursery.cancel_scope.cancel()
        if failure is not None:
            raise failure
    finally:
        with trio.move_on_after(FAREWELL, shield=True):
            watch.close(await _say_goodbye(bridge, config, connections, lobby))
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
        shown=str if config.rulings is None else config.rulings.shown,
        spectator_delay=config.spectator_delay,
    )


def _desks(config: Config, bridge: bridges.Bridge, sources: Sources) -> Desks | None:
    """The parts that the organiser's calls act on; None: there is no database that could note the acts."""
    if config.rulings is None:
        return None

    def leave(seconds: float) -> None:
        bridge.loop.call_later(seconds, bridge.interrupt)

    season = "" if config.pairing is None else config.pairing.season
    connections, lobby = sources.connections, sources.lobby
    control = RefereeControl(connections, lobby, config.rulings, sources.readiness, leave)
    return Desks(control, Overview(connections, lobby, bridge.turns.time, season), sources, config.event, config.people)


async def _listen(config: Config, service: Service, desks: Desks | None, watch: WatchService) -> Listener:
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
        watch=watch,
    )
    try:
        if config.play_socket:
            listener.add(await listen([config.play_socket], service, limits, room=Room.PLAY))
        if config.admin_socket and desks is not None:
            admin = AdminService(desks)
            listener.add(await listen([config.admin_socket], admin, limits, room=Room.ADMIN, watch=watch))
    except BaseException:
        await listener.close()
        raise
    return listener


async def _say_goodbye(bridge: bridges.Bridge, config: Config, connections: Connections, lobby: Lobby) -> str:
    """Tell every stream whether to come back; before that, end matches with which no later run goes on.

    Returns what spectators are told.
    """
    asked = bridge.interrupted.is_set()
    if asked and config.resumable and not bridge.final.is_set():
        with trio.move_on_after(SECOND_SIGNAL):
            await bridge.final.wait()
    if asked and config.resumable and not bridge.final.is_set():
        text = "the referee is being restarted: dial again, your tables wait for you"
        connections.close(pb.FAULT_CODE_RESTARTING, text)
        return BACK_SOON
    if connections.draining and config.resumable and not bridge.final.is_set():
        connections.close(pb.FAULT_CODE_RESTARTING, "the referee is about to be started again: dial again")
        return BACK_SOON
    if bridge.final.is_set() or not config.resumable:
        lobby.abandon("the referee was stopped before the match was over; it does not count")
    connections.close(pb.FAULT_CODE_SHUTDOWN, "the referee has ended; goodbye")
    return "the referee has ended"


async def _run_lobby(bridge: bridges.Bridge, lobby: Lobby) -> None:
    async with trio.open_nursery() as nursery:

        async def until_interrupted() -> None:
            await bridge.interrupted.wait()
            nursery.cancel_scope.cancel()

        nursery.start_soon(until_interrupted)
        await lobby.run()
        nursery.cancel_scope.cancel()


async def _tick(sources: Sources, heap: Heap, config: Config, read: list[tuple[str, Seat]]) -> None:
    """Every `TICK` seconds check streams, tokens and readiness, store which ends were `read`, and give memory back."""
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
    """Store which ends were read; what cannot be stored now is tried again at the next call."""
    if read:
        with suppress(StorageTrouble):
            config.confirmed(tuple(read))
            read.clear()
