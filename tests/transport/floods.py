"""Floods: what strangers without a token can throw at a referee, each bounded in number and time.

    python -m tests.transport.floods [--size 1.0]

prints for each flood the referee's memory before, at its height and after, and how long an answer of a bot that plays
meanwhile took, beside the same without a flood.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

import grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from referee.transport.service import NAME
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests.transport.crowd import APART, GAME, Referee, referee
from tests.transport.house import Wire, reply

DEADLINE = 10.0
"""Seconds that one call of a flood may take."""
CALM = 12.0
"""Seconds after a flood before memory is looked at."""
NUMBERS = count()
"""Every player has a name of its own: a match of an earlier one may still go on."""
WORKERS = 8
"""Calls of a flood at a time."""

Item = TypeVar("Item")


def describes(address: str, size: float) -> None:
    """Describe with 290,000 unknown names, and with names that are all different."""
    large = pb.DescribeRequest(games=[f"{number:x}" for number in range(290_000)])
    small = [pb.DescribeRequest(games=[f"{number}-{other}" for other in range(100)]) for number in range(200)]
    valid = [pb.DescribeRequest(games=[GAME] * (1 + number), components=True) for number in range(50)]
    with grpc.insecure_channel(address) as channel:
        ask = RefereeServiceStub(channel).Describe
        _all(lambda request: ask(request, timeout=DEADLINE), [large] * int(40 * size) + (small + valid) * int(5 * size))


def offers(address: str, size: float) -> None:
    """Hellos with 500 KiB of offers."""
    many = [pb.Offer(game=GAME, seat_counts=[2, 3, 4]) for _ in range(25_000)]
    hello = pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="offers", offers=many)).SerializeToString()

    def once(_: int) -> None:
        with Wire(address) as wire:
            wire.send(hello)
            wire.status()

    _all(once, range(int(200 * size)))


def messages(address: str, size: float) -> None:
    """Streams with messages of 2 MiB, half of them of bots that have said hello."""

    def once(number: int) -> None:
        with Wire(address) as wire:
            if number % 2:
                wire.hello(f"large-{number}", offers=[pb.Offer(game=GAME)])
            for _ in range(8):
                wire.send(b"\xff" * (2_000_000))
            wire.status()

    _all(once, range(int(100 * size)))


def names(address: str, size: float) -> None:
    """Bots that say hello under one name after the other, stay, and never answer."""
    wires = []
    for number in range(int(1100 * size)):
        wire = Wire(address)
        hello = pb.Hello(protocol_version=1, name=f"name-{number}", offers=[pb.Offer(game=GAME)])
        wire.send(pb.PlayRequest(hello=hello))
        wires.append(wire)
    time.sleep(1)
    for wire in wires:
        wire.close()


def silent(address: str, size: float) -> None:
    """Streams that are opened and say nothing."""
    wires = [Wire(address) for _ in range(int(1500 * size))]
    time.sleep(1)
    for wire in wires:
        wire.close()


def refused(address: str, size: float) -> None:
    """Hellos that are refused, again and again."""

    def once(number: int) -> None:
        with Wire(address) as wire:
            wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=7, name=f"refused-{number % 7}")))
            wire.status()

    _all(once, range(int(500 * size)))


def reflections(address: str, size: float) -> None:
    """Requests of server reflection, the larger part of them with a symbol of 1 MB."""
    ask = reflection_pb2.ServerReflectionRequest
    with grpc.insecure_channel(address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)

        def once(number: int) -> None:
            symbol = "x" * 1_000_000 if number % 3 else NAME
            requests = iter([ask(file_containing_symbol=symbol)] * 20)
            for _ in stub.ServerReflectionInfo(requests, timeout=DEADLINE):
                pass

        _all(once, range(int(100 * size)))


FLOODS: tuple[Callable[[str, float], None], ...] = (describes, offers, messages, names, silent, refused, reflections)


def _all(once: Callable[[Item], object], items: Iterable[Item]) -> None:
    """Do something with every item; that it fails is expected."""

    def tried(item: Item) -> None:
        with suppress(grpc.RpcError, AssertionError):
            once(item)

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(tried, items))


class Player:
    """Two bots that play each other all the time, answer at once, and are timed."""

    def __init__(self, address: str) -> None:
        self._wires = [Wire(address) for _ in range(2)]
        self._threads = [threading.Thread(target=self._play, args=(wire,), daemon=True) for wire in self._wires]
        self._times: list[float] = []
        for wire in self._wires:
            hello = pb.Hello(protocol_version=1, name=f"player-{next(NUMBERS)}", offers=[pb.Offer(game=APART)])
            wire.send(pb.PlayRequest(hello=hello))
        for thread in self._threads:
            thread.start()

    def _play(self, wire: Wire) -> None:
        sent = 0.0
        while (message := wire.read()) is not None:
            if message.asks and sent:
                self._times.append(time.perf_counter() - sent)
            request = reply(message)
            if request.ByteSize():
                sent = time.perf_counter() if message.asks else 0.0
                wire.send(request)

    @property
    def decisions(self) -> int:
        """Answers since the last `clear`."""
        return len(self._times)

    def clear(self) -> None:
        """Count from nothing."""
        self._times.clear()

    def median(self) -> float:
        """Seconds from an answer to the next ask, which the opponent may have answered in between."""
        return statistics.median(self._times or [0.0])

    def close(self) -> None:
        for wire in self._wires:
            wire.close()


@dataclass(frozen=True, slots=True)
class Figures:
    """What a flood did; memory in MiB, times in seconds."""

    before: float
    height: float
    after: float
    calm_median: float
    """From answer to next ask without the flood."""
    median: float
    """The same during the flood."""

    @property
    def growth(self) -> float:
        """Memory afterwards as a multiple of that before."""
        return self.after / self.before


@contextmanager
def watched(house: Referee) -> Iterator[list[float]]:
    """The highest memory of a referee in the block, as the last of a list."""
    heights = [house.memory]
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            heights.append(max(heights[-1], house.memory))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield heights
    finally:
        over.set()
        thread.join()


def measure(flood: Callable[[str, float], None], house: Referee, size: float = 1.0) -> Figures:
    """One flood at a referee, where two bots play meanwhile."""
    player = Player(house.address)
    time.sleep(1)
    player.clear()
    time.sleep(2)
    before = house.memory
    calm = player.median()
    player.clear()
    with watched(house) as heights:
        flood(house.address, size)
    median = player.median()
    player.close()
    deadline = time.monotonic() + CALM
    while time.monotonic() < deadline and house.memory > before:
        time.sleep(0.1)
    return Figures(before, heights[-1], house.memory, calm, median)


def warm(house: Referee) -> None:
    """One call of each sort, so that nothing is loaded for the first time in a flood."""
    for flood in FLOODS:
        flood(house.address, 0.02)


def main() -> None:
    """Print the figures of every flood."""
    parser = argparse.ArgumentParser(description="floods at one referee")
    parser.add_argument("--size", type=float, default=1.0)
    chosen = parser.parse_args()
    with referee() as house:
        warm(house)
        time.sleep(2)
        for flood in FLOODS:
            began = time.perf_counter()
            found = measure(flood, house, chosen.size)
            print(
                f"{flood.__name__:12} {found.before:7.1f} {found.height:7.1f} {found.after:7.1f} MiB "
                f"x{found.growth:.2f}  {found.calm_median * 1000:6.2f} {found.median * 1000:6.2f} ms "
                f"{time.perf_counter() - began:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
