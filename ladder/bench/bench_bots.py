"""Bots as their authors write them, on the kit, for the benchmark of bundling.

The bots of one side share a process: either one bot that sits at all tables and decides for them in one call, or as
many bots as there are tables, each with a stream and a thread. A bot answers only while its side has a turn, so that
bots of both sorts can be connected at the same time and are measured in turns.
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
    """Answers at random, while its side has a turn, and counts the answers."""

    events = False

    def __init__(self, turn: threading.Event) -> None:
        self._turn = turn
        self.there = threading.Event()
        """Set with the first ask."""
        self.decisions = 0

    def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[int]:
        """An answer for each of them."""
        self.there.set()
        self._turn.wait()
        self.decisions += len(asks)
        return [int(ask.rng.random() * ask.count) for ask in asks]


class KitBots:
    """The bots of both sides, as the benchmark starts and stops them."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        self._pipes = pipes

    def play(self, length: float) -> float:
        """Let all bots play for `length` seconds; returns decisions per second."""
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
def kit_bots(address: str, sides: Sequence[str], tables: int, *, together: bool) -> Iterator[KitBots]:
    """Bots under the name of each side, at `tables` tables; `together`: one bot of a side sits at all of them."""
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
        yield KitBots(pipes)
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.kill()
            process.join()


def _tell(pipe: Connection, *, opened: bool) -> None:
    """Begin or end the turn of a side."""
    try:
        pipe.send(opened)
    except OSError:
        raise BenchFailed(ENDED) from None


def _answer(pipe: Connection) -> int:
    """Decisions of a side in its last turn; raises BenchFailed."""
    try:
        if not pipe.poll(PATIENCE):
            raise BenchFailed("the bots of the benchmark did not get to play in time")
        count: int = pipe.recv()
    except (EOFError, OSError):
        raise BenchFailed(ENDED) from None
    return count


def _serve(pipe: Connection, address: str, side: str, tables: int, together: bool) -> None:
    """Bots of one side, in their own process."""
    turn = threading.Event()
    bots = [Decider(turn) for _ in range(1 if together else tables)]
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
            turn.set()
        else:
            turn.clear()
            pipe.send(sum(bot.decisions for bot in bots) - before)
