"""How fast decisions travel: the referee over gRPC, and beside it a bare echo with the same messages.

A referee, a grpc.aio server that answers every message with a fixed one, and the bots: each in a process of its own.
The bots do the same work against both: read a bundle, answer each ask, send. The servers are measured in turns of a
second or less, so that whatever else the machine does meets both; the ratio is what counts. In each turn the fixed
message is one that the referee sent in the turn before, of about the mean size. On a busy machine the ratio of the
processor time that the two servers used is the steadier one.

The referee asks the kernel for batch scheduling (`bridge.batching`); a bare server does not. A second echo that does is
measured beside the first one: the ratio to it is what the referee's own work costs, without that advantage.

A round trip is one message each way. With one table for each bot that is one decision; the single bot that
plays alone holds both seats of its table, and its round trips carry two decisions each.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

import grpc
import grpc.aio
import trio

from ladder.config.offers import every_table
from ladder.seasons.open_tables import CasualTables
from ladder.terminal_tables import print_table
from referee.kernel.errors import KumiteError
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.transport import bridge
from referee.transport.server import Config, Server, open_server
from referee.transport.service import NAME
from referee.v1 import play_pb2 as pb

GAME = "edo_yashiki"
SOLO = "solo"
CLOCK = TimeControl.parse("1h+1s")
PLAY = f"/{NAME}/Play"
ECHO = "/bench.Echo/Echo"
TRANSPORTS = ("tcp", "unix")
STREAMS = (1, 16, 128)
QUICK, THOROUGH = (3, 0.3), (15, 0.4)
"""How many turns each server has, and how long each is, in seconds."""
CALM = 0.05
"""Seconds between two turns, for what is still on its way."""
TUNE = b"\xff"
"""What a message to the echo begins with whose rest is the reply from then on; no real message begins so."""
PATIENCE = 60.0
"""Seconds after which a server that does not start or answer is given up."""


@dataclass(frozen=True, slots=True)
class WireFigures:
    """One line of the table."""

    transport: str
    """tcp or unix."""
    streams: int
    echoes: float
    """Round trips per second of the bare echo."""
    round_trips: float
    """Round trips per second with the referee."""
    decisions: float
    """Decisions per second with the referee."""
    ratio: float
    """Cost of a round trip with the referee over that of an echo: the median over the turns."""
    cpu_ratio: float
    """The same for the processor time of the two servers."""
    batched_ratio: float
    """As `ratio`, over an echo with the referee's scheduling."""
    down_bytes: float
    """Mean message to a bot."""
    up_bytes: float
    """Mean message from a bot."""


class BenchFailed(KumiteError):
    """A server of the benchmark did not do its part."""


def measure(
    *, quick: bool = False, streams: Sequence[int] = STREAMS, transports: Sequence[str] = TRANSPORTS
) -> list[WireFigures]:
    """The figures for TCP and unix sockets, with one, some and many streams."""
    turns, length = QUICK if quick else THOROUGH
    with (
        tempfile.TemporaryDirectory(prefix="kumite-bench-") as folder,
        server(_serve_referee, folder) as referee,
        server(serve_echo, folder) as echo,
        server(_serve_batched_echo, folder) as batched,
    ):
        return [
            asyncio.run(_compare(transport, count, (referee, echo, batched), turns, length))
            for transport in transports
            for count in streams
        ]


def show(table: Sequence[WireFigures]) -> None:
    """Print the figures."""
    print_table(
        "\nover gRPC, bots in another process, beside a bare grpc.aio echo of equal messages",
        (
            "transport",
            "streams",
            "echoes/s",
            "round trips/s",
            "decisions/s",
            "over echo",
            "cpu over echo",
            "over batched echo",
            "bytes down",
            "bytes up",
        ),
        [
            (
                line.transport,
                line.streams,
                f"{line.echoes:,.0f}",
                f"{line.round_trips:,.0f}",
                f"{line.decisions:,.0f}",
                f"{line.ratio:.2f}x",
                f"{line.cpu_ratio:.2f}x",
                f"{line.batched_ratio:.2f}x",
                f"{line.down_bytes:.0f}",
                f"{line.up_bytes:.0f}",
            )
            for line in table
        ],
    )


class Serve(Protocol):
    """What runs in a server's process."""

    def __call__(self, pipe: Connection, folder: str) -> None:
        """Serve; send the addresses, then serve until the pipe closes."""


class BenchServer:
    """A server in another process."""

    def __init__(self, pipe: Connection, addresses: dict[str, str]) -> None:
        self._pipe = pipe
        self.addresses = addresses
        """By transport."""

    def processor_time(self) -> float:
        """Seconds of processor time that it has used so far."""
        self._pipe.send(None)
        used: float = self._pipe.recv()
        return used


@contextmanager
def server(serve: Serve, folder: str) -> Iterator[BenchServer]:
    """A server in a process of its own."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, folder), daemon=True)
    process.start()
    theirs.close()
    try:
        try:
            if not ours.poll(PATIENCE):
                raise BenchFailed("a server of the benchmark did not start")
            addresses = ours.recv()
        except EOFError:
            raise BenchFailed("a server of the benchmark ended at once") from None
        yield BenchServer(ours, dict(zip(TRANSPORTS, addresses, strict=True)))
    finally:
        ours.close()
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()


def _serve_referee(pipe: Connection, folder: str) -> None:
    """A referee with tables for two; bots that are named so play both seats."""
    logging.disable(logging.WARNING)
    bind = ("127.0.0.1:0", f"unix:{Path(folder) / 'referee'}")
    config = Config(bind=bind, pairing=CasualTables(every_table([GAME], seats=[2], clock=CLOCK)))

    async def alone(server: Server, name: str) -> None:
        while True:
            await server.lobby.arrange(MatchPlan(GAME, (name, name), clock=CLOCK))

    async def main(host: bridge.Bridge) -> None:
        async with open_server(host, config) as server, trio.open_nursery() as nursery:
            for transport in TRANSPORTS:
                nursery.start_soon(alone, server, f"{SOLO}-{transport}")
            pipe.send(server.addresses)
            await trio.to_thread.run_sync(partial(report, pipe), abandon_on_cancel=True)
            nursery.cancel_scope.cancel()

    bridge.run(main, batch=True)


def serve_echo(pipe: Connection, folder: str) -> None:
    """A bare grpc.aio server that replies to everything with the message it was tuned to."""
    asyncio.run(_echo(pipe, f"unix:{Path(folder) / 'echo'}"))


def _serve_batched_echo(pipe: Connection, folder: str) -> None:
    """The same with the referee's scheduling."""
    with bridge.batching():
        asyncio.run(_echo(pipe, f"unix:{Path(folder) / 'batched'}"))


async def _echo(pipe: Connection, unix: str) -> None:
    async def stream(requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        reply = b""
        async for request in requests:
            if request.startswith(TUNE):
                reply = request.removeprefix(TUNE)
            await context.write(reply)

    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handler = grpc.stream_stream_rpc_method_handler(stream)
    service, method = ECHO.strip("/").split("/")
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.add_insecure_port(unix)
    await server.start()
    pipe.send((f"127.0.0.1:{port}", unix))
    await asyncio.to_thread(report, pipe)
    await server.stop(None)


def report(pipe: Connection) -> None:
    """Say how much processor time this process has used whenever asked, until the pipe is closed."""
    try:
        while True:
            pipe.recv()
            pipe.send(time.process_time())
    except EOFError:
        return


class Bots:
    """Lean bots on some streams to one server: all of them play while the gate is open."""

    def __init__(self, streams: int) -> None:
        self.gate = asyncio.Event()
        self.all_there = asyncio.Event()
        """Set when every stream has its first ask."""
        self._missing = streams
        self.round_trips = 0
        self.decisions = 0
        self.down = 0
        self.up = 0
        self.samples: list[bytes] = []
        """The messages of the last turn that held asks."""
        self.tune = b""
        """What an echo is to be tuned to, if these bots talk to one."""

    def clear(self) -> None:
        """Count from nothing."""
        self.round_trips = self.decisions = self.down = self.up = 0
        self.samples.clear()

    def sample(self) -> bytes:
        """A message of the last turn, as near to the mean size as can be."""
        mean = self.down / len(self.samples)
        return min(self.samples, key=lambda data: abs(len(data) - mean))

    def bulk(self) -> bytes:
        """A message of the last turn as most decisions come in: half of all bytes came in smaller ones."""
        rest = self.down / 2
        for data in sorted(self.samples, key=len):
            rest -= len(data)
            if rest <= 0:
                return data
        raise BenchFailed("no server of the benchmark sent anything")

    async def play(self, call: grpc.aio.StreamStreamCall[bytes, bytes], first: bytes) -> None:
        """One bot on one stream."""
        pick = random.Random(1).random
        started = False
        tuned = self.tune
        await call.write(first)
        while True:
            data: object = await call.read()
            if not isinstance(data, bytes):
                raise BenchFailed("a server of the benchmark closed a stream")
            message = pb.PlayResponse.FromString(data)
            reply = pb.PlayRequest()
            for seated in message.seated:
                reply.ready.add(match_id=seated.match_id, seat=seated.seat)
            if message.HasField("ping"):
                reply.pong.nonce = message.ping.nonce
            asks = message.asks
            for ask in asks:
                answer = reply.answers.add()
                answer.match_id = ask.match_id
                answer.ask = ask.ask
                answer.seat = ask.seat
                answer.option = int(pick() * ask.option_count)
            sent = reply.SerializeToString()
            if asks:
                if not started:
                    started = True
                    self._arrived()
                if not self.gate.is_set():
                    await self.gate.wait()
                self._count(data, len(asks), len(sent))
            if self.tune is not tuned:
                tuned = self.tune
                sent = TUNE + tuned
            if sent:
                await call.write(sent)

    def _arrived(self) -> None:
        self._missing -= 1
        if not self._missing:
            self.all_there.set()

    def _count(self, data: bytes, asks: int, up: int) -> None:
        self.round_trips += 1
        self.decisions += asks
        self.down += len(data)
        self.up += up
        self.samples.append(data)


async def _compare(
    transport: str, streams: int, servers: tuple[BenchServer, BenchServer, BenchServer], turns: int, length: float
) -> WireFigures:
    referee, echo, batched = servers
    # Names of their own in each comparison: the bots leave their last matches unfinished.
    sort = SOLO if streams == 1 else f"{streams}"
    names = [f"{sort}-{transport}" + f"-{number}" * (streams > 1) for number in range(streams)]
    lines = []
    async with playing(referee.addresses[transport], PLAY, [hello(name) for name in names]) as players:
        await turn(players, referee, length)
        first = [TUNE + players.sample()] * streams
        async with (
            playing(echo.addresses[transport], ECHO, first) as echoes,
            playing(batched.addresses[transport], ECHO, first) as others,
        ):
            await turn(echoes, echo, length)
            await turn(others, batched, length)
            for _ in range(turns):
                trips, cpu = await turn(players, referee, length)
                count = players.round_trips
                echoes.tune = others.tune = players.sample()
                echoed, bare = await turn(echoes, echo, length)
                alike, _ = await turn(others, batched, length)
                share = players.decisions / count
                sizes = players.down / count, players.up / count
                ratios = echoed / trips, cpu / bare, alike / trips
                lines.append((echoed, trips, trips * share, *ratios, *sizes))
    medians = [statistics.median(column) for column in zip(*lines, strict=True)]
    return WireFigures(transport, streams, *medians)


async def turn(bots: Bots, server: BenchServer, length: float) -> tuple[float, float]:
    """Let the bots play for a while; returns round trips per second, and the server's processor time for one."""
    bots.clear()
    used = server.processor_time()
    begun = time.perf_counter()
    bots.gate.set()
    await asyncio.sleep(length)
    bots.gate.clear()
    elapsed = time.perf_counter() - begun
    await asyncio.sleep(CALM)
    used = server.processor_time() - used
    return bots.round_trips / elapsed, used / bots.round_trips


@asynccontextmanager
async def playing(address: str, method: str, first: Sequence[bytes]) -> AsyncIterator[Bots]:
    """Bots on one stream and channel each, with their first messages; they stop when the block ends."""
    bots = Bots(len(first))
    # Without a pool of its own each of these channels would share one connection.
    options = (("grpc.use_local_subchannel_pool", 1),)
    channels = [grpc.aio.insecure_channel(address, options=options) for _ in first]
    tasks = [
        asyncio.create_task(bots.play(_open(channel, method), message))
        for channel, message in zip(channels, first, strict=True)
    ]
    try:
        async with asyncio.timeout(PATIENCE):
            await bots.all_there.wait()
        yield bots
    except TimeoutError:
        raise BenchFailed("a server of the benchmark did not answer in time") from None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for channel in channels:
            await channel.close(None)


def _open(channel: grpc.aio.Channel, method: str) -> grpc.aio.StreamStreamCall[bytes, bytes]:
    return channel.stream_stream(method)()  # type: ignore[call-arg]  # the stubs know no defaults


def hello(name: str, tables: int = 1) -> bytes:
    """The first message of a bot that plays the game of the benchmark at so many tables."""
    said = pb.Hello(protocol_version=1, name=name, tables=tables, offers=[pb.Offer(game=GAME)])
    return pb.PlayRequest(hello=said).SerializeToString()
