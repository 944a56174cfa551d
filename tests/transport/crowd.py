"""A crowd at a referee: many bots that answer at once, all from one process, and newcomers who dial in among them.

    python -m tests.transport.crowd --bots 1000 --seconds 10

prints how many bots came to play and when, how long newcomers waited for their welcome and returning bots for theirs,
and the referee's memory before and after. Referee, crowd and newcomers have a process each; everything is on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from multiprocessing.connection import Connection

import grpc
import grpc.aio
import psutil

from referee.v1 import play_pb2 as pb
from tests.transport.house import PLAY, Wire, reply

GAME = "edo_yashiki"
NUMBERS = count()
"""Every newcomer has a name of its own: an earlier one may still be remembered."""
APART = "honshu"
"""A game that the crowd does not play: bots that offer it alone meet only each other."""
MIB = 1 << 20
PAUSE = 0.25
"""Seconds between two newcomers."""
IDLE = 8
"""Such pauses for which newcomers come before the crowd."""
START = 30.0
"""Seconds within which a referee must have started."""
REFEREE = f"""
import sys
from ladder.config.offers import every_table
from ladder.seasons.open_tables import CasualTables
from referee.match.clock import TimeControl
from referee.transport.auth import Tokens
from referee.transport.server import Config, serve
tokens = [line.split() for line in sys.stdin.read().splitlines()]
pairing = CasualTables(every_table(["{GAME}", "{APART}"], seats=[2], clock=TimeControl.parse("1h+1s")))
directory = Tokens.of(tokens) if tokens else None
config = Config(bind=(sys.argv[1],), pairing=pairing, directory=directory)
serve(config, started=lambda server: print(*server.addresses, flush=True))
"""


@dataclass(frozen=True, slots=True)
class Crowd:
    """What became of the bots of a crowd."""

    bots: int
    welcomed: int
    played: int
    """Bots that were asked something."""
    last_welcome: float
    """Seconds from the first dialling to the last welcome."""
    last_ask: float
    """Seconds from the first dialling to the moment when the last bot had its first ask."""
    decisions: int
    """Answers that were sent after that moment, or in the whole time if it never came."""
    span: float
    """Seconds in which they were sent."""
    endings: dict[str, int]
    """Streams that ended by themselves, by status."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One crowd and the newcomers in it; times in seconds, memory in MiB."""

    crowd: Crowd
    idle_welcome: float
    """What a newcomer waited at the median before the crowd came."""
    opening_longest: float
    """The longest wait of a newcomer that dialled while the crowd was still coming in, or was not yet seated."""
    newcomers: int
    """Newcomers that dialled when all bots of the crowd had been asked; the next figures are theirs."""
    welcome_median: float
    welcome_longest: float
    resume_median: float
    resume_longest: float
    refused: int
    memory_before: float
    memory_during: float
    memory_after: float


class Referee:
    """A referee in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self._process = psutil.Process(process.pid)
        self.address = address

    @property
    def memory(self) -> float:
        """Resident memory, in MiB."""
        resident: int = self._process.memory_info().rss
        return resident / MIB

    @property
    def used(self) -> float:
        """Seconds of processor time so far."""
        times = self._process.cpu_times()
        used: float = times.user + times.system
        return used


@contextmanager
def referee(bind: str = "127.0.0.1:0", tokens: Sequence[tuple[str, str]] = ()) -> Iterator[Referee]:
    """A referee with tables for two; with tokens only their owners may play."""
    command = [sys.executable, "-c", REFEREE, bind]
    environment = {**os.environ, "PYTHONMALLOC": "malloc"}  # as `kumite serve` has it
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{name} {token}\n" for name, token in tokens))
        process.stdin.close()
        try:
            yield Referee(process, process.stdout.readline().strip())
        finally:
            process.terminate()
            try:
                process.wait(START)
            except subprocess.TimeoutExpired:
                process.kill()


class _Generator:
    """Lean bots in this process, one task each."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.welcomes: list[float] = []
        self.asks: list[float] = []
        self.decisions = 0
        self.endings: Counter[str] = Counter()

    async def play(self, channel: grpc.aio.Channel, name: str, token: str) -> None:
        """One bot, until it is cancelled or its stream ends."""
        metadata = (("authorization", f"Bearer {token}"),) if token else None
        call = channel.stream_stream(PLAY)(metadata=metadata)  # type: ignore[call-arg]
        pick = random.Random(name).random
        hello = pb.Hello(protocol_version=1, name=name, offers=[pb.Offer(game=GAME)])
        asked = False
        try:
            await call.write(pb.PlayRequest(hello=hello).SerializeToString())
            while isinstance(data := await call.read(), bytes):
                message = pb.PlayResponse.FromString(data)
                if message.HasField("welcome"):
                    self.welcomes.append(time.perf_counter() - self.began)
                for fault in message.faults:
                    if fault.closes_stream:
                        self.endings[pb.FaultCode.Name(fault.code)] += 1
                request = reply(message)
                for answer, ask in zip(request.answers, message.asks, strict=True):
                    answer.option = int(pick() * ask.option_count)
                if message.asks and not asked:
                    asked = True
                    self.asks.append(time.perf_counter() - self.began)
                self.decisions += len(message.asks)
                if request.ByteSize():
                    await call.write(request.SerializeToString())
        except grpc.aio.AioRpcError as error:
            self.endings[f"{error.code().name}: {error.details()}"] += 1
        else:
            self.endings[(await call.code()).name] += 1


async def _generate(
    pipe: Connection, address: str, names: Sequence[tuple[str, str]], seconds: float, patience: float, shared: bool
) -> None:
    options = (("grpc.use_local_subchannel_pool", 1),)
    channels = [grpc.aio.insecure_channel(address, options=options) for _ in range(1 if shared else len(names))]
    crowd = _Generator()
    tasks = [
        asyncio.create_task(crowd.play(channels[number % len(channels)], name, token))
        for number, (name, token) in enumerate(names)
    ]
    async with asyncio.TaskGroup() as group:
        group.create_task(_until(lambda: len(crowd.asks) == len(names), patience))
    pipe.send("all")
    before, since = crowd.decisions, time.perf_counter()
    await asyncio.sleep(seconds)
    counted, span = crowd.decisions - before, time.perf_counter() - since
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for channel in channels:
        await channel.close(None)
    welcomes, asks = crowd.welcomes or [0.0], crowd.asks or [0.0]
    pipe.send(
        Crowd(
            len(names),
            len(crowd.welcomes),
            len(crowd.asks),
            max(welcomes),
            max(asks),
            counted,
            span,
            dict(crowd.endings.most_common(8)),
        )
    )


async def _until(found: object, patience: float) -> None:
    assert callable(found)
    deadline = time.perf_counter() + patience
    while not found() and time.perf_counter() < deadline:
        await asyncio.sleep(0.05)


def _run(
    pipe: Connection, address: str, names: Sequence[tuple[str, str]], seconds: float, patience: float, shared: bool
) -> None:
    asyncio.run(_generate(pipe, address, names, seconds, patience, shared))


class Newcomers:
    """Bots that dial in one after the other, each of them twice: as a stranger, and to resume."""

    def __init__(self, address: str, tokens: Sequence[tuple[str, str]] = ()) -> None:
        self._address = address
        self._tokens = tokens
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.welcomes: list[float] = []
        self.resumes: list[float] = []
        self.refused = 0
        self._dialled = 0.0
        self._round = 0

    def _run(self) -> None:
        number = 0
        while not self._stop.wait(PAUSE):
            number += 1
            name, token = (
                self._tokens[number % len(self._tokens)] if self._tokens else (f"newcomer-{next(NUMBERS)}", "")
            )
            began = self._round
            try:
                waited, resume = self._dial(name, token, "")
                back = self._dial(name, token, resume)[0]
            except AssertionError:
                self.refused += 1
                continue
            finally:
                self._dialled = 0.0
            if began == self._round:
                self.welcomes.append(waited)
                self.resumes.append(back)

    def again(self) -> float:
        """Count from nothing; returns the longest wait so far, that of a newcomer still waiting included."""
        waiting = time.perf_counter() - self._dialled if self._dialled else 0.0
        longest = max([*self.welcomes, *self.resumes, waiting])
        self._round += 1
        self.welcomes.clear()
        self.resumes.clear()
        return longest

    def _dial(self, name: str, token: str, resume: str) -> tuple[float, str]:
        began = self._dialled = time.perf_counter()
        with Wire(self._address, token) as wire:
            # It wants no table: an opponent that leaves would keep a bot of the crowd from playing.
            hello = pb.Hello(protocol_version=1, name="" if token else name, resume_token=resume)
            wire.send(pb.PlayRequest(hello=hello, availability=pb.Availability(tables=0)))
            welcome = wire.until(lambda message: message.HasField("welcome")).welcome
            return time.perf_counter() - began, welcome.resume_token

    def __enter__(self) -> Newcomers:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join(120)


def measure(
    bots: int,
    *,
    seconds: float = 10.0,
    patience: float = 60.0,
    shared: bool = False,
    with_tokens: bool = False,
    address: str = "",
    bind: str = "127.0.0.1:0",
    calm: float = 3.0,
) -> Figures:
    """Let a crowd play for some seconds after all are there, or `patience` is over.

    `shared`: all streams of the crowd on one connection. `calm`: seconds before memory is looked at again.
    """
    names = [(f"crowd-{number}", f"secret-{number}" if with_tokens else "") for number in range(bots)]
    extra = [(f"newcomer-{number}", f"extra-{number}") for number in range(64)] if with_tokens else []
    with referee(bind, [*names, *extra] if with_tokens else ()) as house:
        with Wire(house.address, extra[0][1] if extra else "") as first:
            first.hello("" if extra else "first")
        time.sleep(1)
        with Newcomers(house.address, extra) as calm_newcomers:
            time.sleep(IDLE * PAUSE)
        idle = statistics.median([*calm_newcomers.welcomes, *calm_newcomers.resumes])
        before = house.memory
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        arguments = (theirs, house.address, names, seconds, patience, shared)
        process = multiprocessing.get_context("spawn").Process(target=_run, args=arguments, daemon=True)
        process.start()
        time.sleep(0.5)
        with Newcomers(house.address, extra) as newcomers:
            ours.recv()
            opening = newcomers.again()
            crowd: Crowd = ours.recv()
            during = house.memory
        process.join(30)
        if process.is_alive():
            process.kill()
        time.sleep(calm)
        after = house.memory
    welcomes, resumes = newcomers.welcomes or [0.0], newcomers.resumes or [0.0]
    return Figures(
        crowd,
        idle,
        opening,
        len(newcomers.welcomes),
        statistics.median(welcomes),
        max(welcomes),
        statistics.median(resumes),
        max(resumes),
        newcomers.refused,
        before,
        during,
        after,
    )


def main() -> None:
    """Print the figures of one crowd as JSON."""
    parser = argparse.ArgumentParser(description="a crowd of bots at one referee")
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--patience", type=float, default=60.0)
    parser.add_argument("--shared", action="store_true", help="all streams on one connection")
    parser.add_argument("--tokens", action="store_true", help="every bot has a token")
    parser.add_argument("--bind", default="127.0.0.1:0")
    chosen = parser.parse_args()
    figures = measure(
        chosen.bots,
        seconds=chosen.seconds,
        patience=chosen.patience,
        shared=chosen.shared,
        with_tokens=chosen.tokens,
        bind=chosen.bind,
    )
    print(json.dumps(asdict(figures), indent=2))


if __name__ == "__main__":
    main()
