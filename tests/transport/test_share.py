"""The share of the loop: bots at tables cannot keep streams from being opened."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import grpc.aio
import pytest

from referee.transport import share
from referee.transport.bridge import Turns
from referee.transport.completions import hasten
from referee.transport.limits import Limits
from referee.transport.share import Arrivals, Share
from referee.transport.stream import BotStream


class Desk:
    """Takes messages from a share; each costs the same time on a clock of its own."""

    def __init__(self, cost: int) -> None:
        self.now = 1_000_000
        self.cost = cost
        self.arrivals = Arrivals(self.read)
        self.turn = 0
        self.handled: list[tuple[bytes, int, int]] = []
        """Each message, the turn of the loop in which it was handled, and how long it had waited."""

    def read(self) -> int:
        return self.now

    def receive(self, stream: BotStream, data: bytes, came: int, queued: int) -> None:
        self.handled.append((data, self.turn, queued))
        self.now += self.cost

    async def turns(self, count: int, work: int = 0) -> None:
        """Let the loop turn, each turn with so many microseconds of other work; it never waits."""
        for _ in range(count):
            self.turn += 1
            self.now += work
            await asyncio.sleep(0)


def _stream(session: bool = True) -> BotStream:
    stream = BotStream(Limits(), "", 0, lambda: None)
    stream.session = object() if session else None  # type: ignore[assignment]
    return stream


def _run(scenario: Callable[[Desk, Share], object], desk: Desk | None = None) -> Desk:
    """Play a scenario on a loop whose selector tells the share when there is nothing else to do."""
    desk = desk or Desk(1000)

    async def main() -> Desk:
        dealt = Share(desk.receive, desk.read, desk.arrivals, turns, desk.read)
        await scenario(desk, dealt)  # type: ignore[misc]
        return desk

    turns = Turns()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)) as runner:
        return runner.run(main())


def test_a_turn_of_the_loop_handles_no_more_messages_than_its_share() -> None:
    """The rest follows in later turns, in order, and is told how long it waited."""

    async def scenario(desk: Desk, dealt: Share) -> None:
        for number in range(12):
            dealt.hand(_stream(), bytes([number]), desk.now)
        await desk.turns(10)

    desk = _run(scenario)
    turns = [turn for _, turn, _ in desk.handled]
    share_of_turn = share.WIDE // (1000 + share.CARRIAGE) + 1

    assert [data[0] for data, _, _ in desk.handled] == list(range(12))
    assert max(turns.count(turn) for turn in turns) == share_of_turn
    assert turns[-1] > turns[0]


@pytest.mark.parametrize("opened", ["stream", "table"])
def test_while_bots_arrive_messages_get_a_part_of_the_loops_time(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So gRPC, which needs several turns for a stream, gets them soon; what waits is not starved either."""
    monkeypatch.setattr(share, "PAUSE", 0)
    desk = Desk(100)
    open_one = getattr(desk.arrivals, opened)
    open_one(desk.now)
    began = desk.now

    async def scenario(desk: Desk, dealt: Share) -> None:
        for number in range(200):
            dealt.hand(_stream(), bytes([number]), desk.now)
        while desk.now < began + 200_000:
            open_one(desk.now)
            await desk.turns(1, work=100)

    handled = len(_run(scenario, desk).handled) * (desk.cost + share.CARRIAGE)

    assert handled == pytest.approx((desk.now - began) / share.PARTS, abs=share.MOST_CREDIT)


def test_while_streams_arrive_a_loop_without_other_work_handles_what_waits() -> None:
    """The part is a bound for busy loops only: nothing waits longer than it must."""

    async def scenario(desk: Desk, dealt: Share) -> None:
        for number in range(100):
            desk.arrivals.stream(desk.now)
            dealt.hand(_stream(), bytes([number]), desk.now)
        began = time.monotonic()
        while dealt.waiting and time.monotonic() < began + 10:
            await asyncio.sleep(0.001)
            desk.arrivals.stream(desk.now)

    desk = _run(scenario)

    assert len(desk.handled) == 100
    assert [data[0] for data, _, _ in desk.handled] == list(range(100))


def test_few_streams_are_no_crowd() -> None:
    """One stream after the other, or a moment after the others, is none; sixteen within half a second are."""
    desk = Desk(0)
    crowded = []
    for _ in range(2):
        for _ in range(share.CROWD):
            desk.arrivals.stream(desk.now)
            crowded.append(desk.arrivals.of_a_crowd(desk.now))
        desk.now += share.LONGEST

    assert crowded == 2 * [*[False] * (share.CROWD - 1), True]
    assert not desk.arrivals.of_a_crowd(desk.now)
    assert not desk.arrivals.going_on(desk.now)


def test_a_loop_that_is_kept_from_running_has_not_had_its_arrivals() -> None:
    """Streams count as arriving for a moment of the loop's own time, at most for half a second of the matches'."""
    own = 0
    arrivals = Arrivals(lambda: own)
    arrivals.stream(1_000)
    late = 1_000 + share.LONGEST - 1

    assert arrivals.of_streams(late)
    assert not arrivals.of_streams(late + 1)
    own = share.ARRIVING
    assert not arrivals.of_streams(late)


def test_a_hello_is_handled_at_once() -> None:
    """However many messages of bots at tables wait, a stream without a hello is served before them."""

    async def scenario(desk: Desk, dealt: Share) -> None:
        for number in range(20):
            dealt.hand(_stream(), bytes([number]), desk.now)
        assert dealt.hand(_stream(session=False), b"hello", desk.now) is None
        assert dealt.waiting > 10
        await desk.turns(20)

    desk = _run(scenario)
    hello = next(entry for entry in desk.handled if entry[0] == b"hello")

    assert hello[1] == 0
    assert len(desk.handled) == 21


def test_a_message_of_a_stream_that_is_gone_is_dropped() -> None:
    """Its reader was cancelled while it waited; the others are served."""

    async def scenario(desk: Desk, dealt: Share) -> None:
        waits = [dealt.hand(_stream(), bytes([number]), desk.now) for number in range(8)]
        last = waits[-1]
        assert last is not None
        last.cancel()
        await desk.turns(8)
        assert all(wait is None or wait.done() for wait in waits)

    assert [data[0] for data, _, _ in _run(scenario).handled] == list(range(7))


def test_a_message_that_breaks_the_referee_leaves_the_others_alone() -> None:
    """The failure reaches the reader of that message only."""

    async def scenario(desk: Desk, dealt: Share) -> None:
        waits = [dealt.hand(_stream(), bytes([number]), desk.now) for number in range(8)]
        await desk.turns(8)
        failed = [wait for wait in waits if wait is not None and wait.exception() is not None]
        assert [str(wait.exception()) for wait in failed] == ["broken"]

    class Broken(Desk):
        def receive(self, stream: BotStream, data: bytes, came: int, queued: int) -> None:
            super().receive(stream, data, came, queued)
            if data == bytes([6]):
                raise RuntimeError("broken")

    assert len(_run(scenario, Broken(1000)).handled) == 8


def test_grpcs_wake_up_socket_is_found_and_emptied() -> None:
    """The version of grpcio that is installed works as `completions` expects; calls are answered with it."""

    async def echo(request: bytes, context: object) -> bytes:
        return request

    async def main() -> tuple[bool, list[bytes]]:
        server = grpc.aio.server()
        handler = grpc.method_handlers_generic_handler("e", {"E": grpc.unary_unary_rpc_method_handler(echo)})
        server.add_generic_rpc_handlers((handler,))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        found = hasten(asyncio.get_running_loop(), turns)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = channel.unary_unary("/e/E", None, None)
            answers = await asyncio.gather(*(call(bytes([number])) for number in range(200)))
        await server.stop(None)
        return found, list(answers)

    turns = Turns()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)) as runner:
        found, answers = runner.run(main())

    assert found
    assert answers == [bytes([number]) for number in range(200)]


def test_without_grpc_nothing_is_changed() -> None:
    """A loop on which grpc.aio does not run has no such socket."""
    turns = Turns()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)) as runner:

        async def main() -> bool:
            return hasten(asyncio.get_running_loop(), turns)

        assert not runner.run(main())
