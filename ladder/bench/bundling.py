"""What bundling brings: the same 64 tables on one stream per side, and on a stream per seat.

A bot that sits at all tables gets what is due at many of them in one message and answers in one; 64 bots on each side
get and send a message for every decision. Both sorts are measured in turns, three times:

- With bots on the kit, as authors write them: `decide_many` for the bundles, a thread for each single bot.
- With the lean bots of the other benchmarks, which do hardly anything: there nearly all of the time is the referee's.
- With such bots and a bare echo in the referee's place, whose replies are messages that the referee has sent, single
  ones and bundles. A referee that did nothing would come near this figure.

Bundling spares the cost of messages and nothing else: the rules, the clocks and the encoding of a view cost the same
for every decision. So the more of the time is spent on messages, by the referee or by the bots, the more it brings.
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

from ladder.bench.bench_bots import kit_bots
from ladder.bench.wire import (
    CLOCK,
    ECHO,
    GAME,
    PLAY,
    QUICK,
    THOROUGH,
    TUNE,
    BenchServer,
    Bots,
    hello,
    playing,
    report,
    serve_echo,
    server,
    turn,
)
from ladder.terminal_tables import print_table
from referee.match.plan import MatchPlan
from referee.transport import bridge
from referee.transport.limits import Limits
from referee.transport.server import Config, Server, open_server

TABLES = 64
KIT, LEAN = ("kit-left", "kit-right"), ("left", "right")
"""The names of the two sides, for bots on the kit and for lean ones."""


@dataclass(frozen=True, slots=True)
class BundlingFigures:
    """Decisions per second at as many tables."""

    tables: int
    kit_spread: float
    """One stream for each seat, bots on the kit."""
    kit_bundled: float
    """One stream for each side, all its seats on it, bots on the kit."""
    kit_ratio: float
    spread: float
    """The same with lean bots."""
    bundled: float
    ratio: float
    asks_per_message: float
    """How many decisions shared a message on the bundled streams."""
    wire_ratio: float
    """Bundled over spread decisions of lean bots with a bare echo in the referee's place."""


def measure(*, quick: bool = False, tables: int = TABLES) -> BundlingFigures:
    """The figures, over a unix socket."""
    turns, length = QUICK if quick else THOROUGH
    with (
        tempfile.TemporaryDirectory(prefix="kumite-bench-") as folder,
        server(partial(_serve, tables=tables), folder) as referee,
        server(serve_echo, folder) as echo,
    ):
        on_the_kit = _compare_kit_bots(referee.addresses["unix"], tables, turns, length)
        lean = asyncio.run(_compare(referee, echo, tables, turns, length))
        return BundlingFigures(tables, *on_the_kit, *lean)


def show(figures: BundlingFigures) -> None:
    """Print the figures."""
    print_table(
        f"\n{figures.tables} tables over gRPC (unix socket): a stream for each seat, and one for each side",
        ("bots", "single decisions/s", "bundled decisions/s", "ratio"),
        [
            ("on the kit", f"{figures.kit_spread:,.0f}", f"{figures.kit_bundled:,.0f}", f"{figures.kit_ratio:.2f}x"),
            ("lean", f"{figures.spread:,.0f}", f"{figures.bundled:,.0f}", f"{figures.ratio:.2f}x"),
            ("lean, with a bare echo", "", "", f"{figures.wire_ratio:.2f}x"),
        ],
    )
    typer.echo(f"the bundles of the lean bots held {figures.asks_per_message:.1f} decisions")


def _serve(pipe: Connection, folder: str, tables: int) -> None:
    """A referee that arranges all tables anew as soon as they end."""
    logging.disable(logging.WARNING)
    address = f"unix:{Path(folder) / 'referee'}"
    config = Config(bind=(address,), limits=Limits(tables=tables, streams=8 * tables, bots=8 * tables))

    async def table(referee: Server, players: tuple[str, str]) -> None:
        while True:
            await referee.lobby.arrange(MatchPlan(GAME, players, clock=CLOCK))

    async def main(host: bridge.Bridge) -> None:
        async with open_server(host, config) as referee, trio.open_nursery() as nursery:
            for number in range(tables):
                for left, right in (KIT, LEAN):
                    nursery.start_soon(table, referee, (left, right))
                    nursery.start_soon(table, referee, (f"{left}-{number}", f"{right}-{number}"))
            pipe.send((address, address))
            await trio.to_thread.run_sync(partial(report, pipe), abandon_on_cancel=True)
            nursery.cancel_scope.cancel()

    bridge.run(main, batch=True)


def _compare_kit_bots(address: str, tables: int, turns: int, length: float) -> tuple[float, float, float]:
    """Decisions per second of bots on the kit, single and bundled, and the ratio."""
    spread, bundled = [], []
    turns, length = (turns + 1) // 2, 2 * length  # many threads take a while to get going
    with kit_bots(address, KIT, tables, together=False) as many, kit_bots(address, KIT, tables, together=True) as few:
        for warm in (many, few):
            warm.play(length)
        for _ in range(turns):
            spread.append(many.play(length))
            bundled.append(few.play(length))
    return _medians(spread, bundled)


async def _compare(
    referee: BenchServer, echo: BenchServer, tables: int, turns: int, length: float
) -> tuple[float, float, float, float, float]:
    """The same of lean bots; how many of their decisions shared a message; and the ratio with the echo."""
    address = referee.addresses["unix"]
    single = [hello(f"{side}-{number}", 1) for side in LEAN for number in range(tables)]
    whole = [hello(side, tables) for side in LEAN]
    async with playing(address, PLAY, single) as many, playing(address, PLAY, whole) as few:
        spread, bundled, sizes = await _take_turns(many, few, referee, turns, length)
        samples = [TUNE + bots.bulk() for bots in (many, few)]
    address = echo.addresses["unix"]
    ones, bundles = [samples[0]] * len(single), [samples[1]] * len(whole)
    async with playing(address, ECHO, ones) as many, playing(address, ECHO, bundles) as few:
        bare = await _take_turns(many, few, echo, turns, length)
    return *_medians(spread, bundled), statistics.median(sizes), _medians(*bare[:2])[2]


async def _take_turns(
    many: Bots, few: Bots, peer: BenchServer, turns: int, length: float
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
