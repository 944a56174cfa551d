"""What bundling brings: the same 64 tables on one stream per side, and on a stream per seat.

Two bots that sit at all tables get what is due at many of them in one message and answer in one; 64 bots on each side
get and send a message for every decision. Referee and bots are the same in both cases, in processes of their own, and
take turns.

Bundling spares the cost of messages and nothing else: the rules, the clocks and the encoding of a view cost the same
for every decision. So the same is measured without a referee, too: a bare echo whose replies are messages that the
referee has sent, single ones and bundles. That is what bundling brings on the wire, and what a referee that did nothing
would come near.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import trio
import typer

from ladder.benchmarks.wire import (
    CLOCK,
    ECHO,
    GAME,
    PLAY,
    QUICK,
    THOROUGH,
    TUNE,
    Bots,
    Remote,
    playing,
    report,
    serve_echo,
    server,
    turn,
)
from ladder.cli.output import print_table
from referee.transport import bridge
from referee.transport.limits import Limits
from referee.transport.lobby import Plan
from referee.transport.server import Config, Server, open_server
from referee.v1 import play_pb2 as pb

TABLES = 64
SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Figures:
    """Decisions per second at as many tables."""

    tables: int
    spread: float
    """One stream for each seat."""
    bundled: float
    """One stream for each side, all its seats on it."""
    ratio: float
    asks_per_message: float
    """How many decisions shared a message on the bundled streams."""
    wire_ratio: float
    """Bundled over spread decisions with a bare echo in the referee's place."""


def measure(*, quick: bool = False, tables: int = TABLES) -> Figures:
    """The figures, over a unix socket."""
    turns, length = QUICK if quick else THOROUGH
    with (
        tempfile.TemporaryDirectory(prefix="kumite-bench-") as folder,
        server(partial(_serve, tables=tables), folder) as referee,
        server(serve_echo, folder) as echo,
    ):
        return asyncio.run(_compare(referee, echo, tables, turns, length))


def show(figures: Figures) -> None:
    """Print the figures."""
    print_table(
        f"\n{figures.tables} tables over gRPC (unix socket): a stream for each seat, and one for each side",
        ("streams", "decisions/s", "decisions per message", "ratio"),
        [
            (2 * figures.tables, f"{figures.spread:,.0f}", "1.0", ""),
            (2, f"{figures.bundled:,.0f}", f"{figures.asks_per_message:.1f}", f"{figures.ratio:.2f}x"),
        ],
    )
    typer.echo(f"the same messages to and from a bare echo: {figures.wire_ratio:.2f}x")


def _serve(pipe: Connection, folder: str, tables: int) -> None:
    """A referee that arranges all tables anew as soon as they end."""
    logging.disable(logging.WARNING)
    address = f"unix:{Path(folder) / 'referee'}"
    config = Config(bind=(address,), limits=Limits(tables=tables, streams=4 * tables, bots=4 * tables))

    async def table(referee: Server, players: tuple[str, str]) -> None:
        while True:
            await referee.arrange(Plan(GAME, players, clock=CLOCK))

    async def main(host: bridge.Bridge) -> None:
        async with open_server(host, config) as referee, trio.open_nursery() as nursery:
            for number in range(tables):
                nursery.start_soon(table, referee, ("left", "right"))
                nursery.start_soon(table, referee, (f"left-{number}", f"right-{number}"))
            pipe.send((address, address))
            await trio.to_thread.run_sync(partial(report, pipe), abandon_on_cancel=True)
            nursery.cancel_scope.cancel()

    bridge.run(main)


async def _compare(referee: Remote, echo: Remote, tables: int, turns: int, length: float) -> Figures:
    address = referee.addresses["unix"]
    single = [_hello(f"{side}-{number}", 1) for side in SIDES for number in range(tables)]
    whole = [_hello(side, tables) for side in SIDES]
    async with playing(address, PLAY, single) as many, playing(address, PLAY, whole) as few:
        spread, bundled, sizes = await _take_turns(many, few, referee, turns, length)
        samples = [TUNE + bots.bulk() for bots in (many, few)]
    address = echo.addresses["unix"]
    ones, bundles = [samples[0]] * len(single), [samples[1]] * len(whole)
    async with playing(address, ECHO, ones) as many, playing(address, ECHO, bundles) as few:
        bare = await _take_turns(many, few, echo, turns, length)
    return Figures(tables, *_medians(spread, bundled), statistics.median(sizes), _medians(*bare[:2])[2])


async def _take_turns(
    many: Bots, few: Bots, peer: Remote, turns: int, length: float
) -> tuple[list[float], list[float], list[float]]:
    """Decisions per second of both, turn by turn, and how many shared a message in the second."""
    spread, bundled, sizes = [], [], []
    for warm in (many, few):
        await turn(warm, peer, length)
    for _ in range(turns):
        await turn(many, peer, length)
        spread.append(many.decisions / length)
        await turn(few, peer, length)
        bundled.append(few.decisions / length)
        sizes.append(few.decisions / few.round_trips)
    return spread, bundled, sizes


def _medians(spread: Sequence[float], bundled: Sequence[float]) -> tuple[float, float, float]:
    ratio = statistics.median(b / a for a, b in zip(spread, bundled, strict=True))
    return statistics.median(spread), statistics.median(bundled), ratio


def _hello(name: str, tables: int) -> bytes:
    message = pb.PlayRequest()
    message.hello.protocol_version = 1
    message.hello.name = name
    message.hello.tables = tables
    return message.SerializeToString()
