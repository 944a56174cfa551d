"""Bots as their authors write them, on the kit, for the benchmark of bundling.

A crew is all bots of one side, in a process of its own: either one bot that sits at all tables and decides for them in
one call, or as many bots as there are tables, each with a stream and a thread. Nobody decides while the gate is shut,
so that crews of both sorts can be there at the same time and take turns.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection

from bots import AnyAsk, Bot, run
from ladder.bench.wire import CALM, PATIENCE, BenchFailed

ENDED = "the bots of the benchmark ended before it did"


class Decider(Bot):
    """Answers at random, as long as the gate is open, and keeps count."""

    events = False

    def __init__(self, gate: threading.Event) -> None:
        self._gate = gate
        self.there = threading.Event()
        """Set with the first ask."""
        self.decisions = 0

    def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[int]:
        """An answer for each of them."""
        self.there.set()
        self._gate.wait()
        self.decisions += len(asks)
        return [int(ask.rng.random() * ask.count) for ask in asks]


class Crews:
    """The crews of both sides."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        self._pipes = pipes

    def play(self, length: float) -> float:
        """Let them play for a while; returns decisions per second."""
        begun = time.perf_counter()
        for pipe in self._pipes:
            _tell(pipe, opened=True)
        time.sleep(length)
        for pipe in self._pipes:
            _tell(pipe, opened=False)
        decisions = sum(_answer(pipe) for pipe in self._pipes)
        elapsed = time.perf_counter() - begun
        time.sleep(CALM)
        return decisions / elapsed


@contextmanager
def crews(address: str, sides: Sequence[str], tables: int, *, together: bool) -> Iterator[Crews]:
    """A crew under the name of each side, at so many tables; `together`: one bot that sits at all of them."""
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    try:
        for side in sides:
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, address, side, tables, together), daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        for pipe in pipes:
            _answer(pipe)
        yield Crews(pipes)
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.kill()
            process.join()


def _tell(pipe: Connection, *, opened: bool) -> None:
    """Open or shut the gate of a crew."""
    try:
        pipe.send(opened)
    except OSError:
        raise BenchFailed(ENDED) from None


def _answer(pipe: Connection) -> int:
    """What a crew says."""
    try:
        if not pipe.poll(PATIENCE):
            raise BenchFailed("the bots of the benchmark did not get to play in time")
        count: int = pipe.recv()
    except (EOFError, OSError):
        raise BenchFailed(ENDED) from None
    return count


def _serve(pipe: Connection, address: str, side: str, tables: int, together: bool) -> None:
    """Bots of one side, in their own process."""
    gate = threading.Event()
    bots = [Decider(gate) for _ in range(1 if together else tables)]
    for number, bot in enumerate(bots):
        name = side if together else f"{side}-{number}"
        # A bot with a token of its own leaves no file behind with which to resume.
        settings = {"name": name, "token": "none", "insist": True, "tables": tables if together else 1, "quiet": True}
        threading.Thread(target=run, args=(bot, address), kwargs=settings, daemon=True).start()
    for bot in bots:
        bot.there.wait()
    pipe.send(0)
    while True:
        try:
            opened = pipe.recv()
        except EOFError:
            return
        if opened:
            before = sum(bot.decisions for bot in bots)
            gate.set()
        else:
            gate.clear()
            pipe.send(sum(bot.decisions for bot in bots) - before)
