"""A short tournament over real gRPC: a referee in this process, every bot in a process of its own, all pairings with
seats swapped.

It shows the whole way of a rated game on one machine: connect, seat, ask, answer, record, rate.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import trio

from ladder.ratings.results import Game
from referee.match.clock import Clock
from referee.match.record import Final
from referee.transport import bridge as bridges
from referee.transport.lobby import Plan
from referee.transport.server import Config, Server, open_server

CLOCK = Clock.parse("20s+100ms/5s")
ARRIVAL = 60.0
"""Seconds that all bots have to connect."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in the tournament."""

    name: str
    spec: str


def hold(
    games: Sequence[str], entrants: Sequence[Entrant], rounds: int, told: Callable[[Plan, Final], None]
) -> dict[str, list[Game]]:
    """Play every ordered pair of entrants `rounds` times at each game; returns the results by game."""
    plans = [
        Plan(game, (first.name, second.name), clock=CLOCK)
        for _ in range(rounds)
        for game in games
        for first, second in permutations(entrants, 2)
    ]
    results: dict[str, list[Game]] = {game: [] for game in games}

    async def main(bridge: bridges.Bridge) -> None:
        with tempfile.TemporaryDirectory(prefix="kumite-") as folder:
            address = f"unix:{Path(folder) / 'referee.sock'}"
            async with open_server(bridge, Config(bind=(address,))) as server:
                with _started(address, entrants, Path(folder)):
                    await _arrive(server, entrants)
                    async with trio.open_nursery() as nursery:
                        for plan in plans:
                            nursery.start_soon(_play, server, plan, results[plan.game], told)

    bridges.run(main)
    return results


async def _play(server: Server, plan: Plan, results: list[Game], told: Callable[[Plan, Final], None]) -> None:
    final = await server.arrange(plan)
    told(plan, final)
    if final.result is not None and final.rated:
        results.append(Game(plan.players, final.result.places))


async def _arrive(server: Server, entrants: Sequence[Entrant]) -> None:
    """Wait until every bot has connected."""
    with trio.fail_after(ARRIVAL):
        while any(server.hall.session(entrant.name) is None for entrant in entrants):
            await trio.sleep(0.05)


@contextmanager
def _started(address: str, entrants: Sequence[Entrant], folder: Path) -> Iterator[None]:
    """The bots' processes, ended with the block."""
    environment = {**os.environ, "KUMITE_STATE": str(folder)}
    command = [sys.executable, "-m", "ladder", "join", "--quiet", "--address", address, "--tables", "4"]
    processes = [
        subprocess.Popen([*command, "--name", entrant.name, entrant.spec], env=environment, start_new_session=True)
        for entrant in entrants
    ]
    try:
        yield
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
