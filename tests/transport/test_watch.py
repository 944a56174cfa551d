"""The service for spectators at a real referee: tables, followed matches, slow readers, limits, rooms."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import grpc
import pytest

from ladder.config.offers import every_table
from referee.match.clock import TimeControl
from referee.transport.limits import Limits
from referee.transport.service import NAME
from referee.transport.spectators import QUEUE, Follower
from referee.transport.watch import NO_ARCHIVE
from referee.transport.watch_client import Away, NotThere, Refused, WatchClient, public_view
from referee.v1 import watch_pb2 as pb
from tests.ladder.held_bots import HeldBot, eventually, release
from tests.transport.house import WAIT, House
from tests.transport.watching import follow, refusal, tables, watching

HONSHU = every_table(["honshu"], seats=[2], clock=TimeControl.parse("60s+1s"))


@pytest.fixture
def house() -> Iterator[House]:
    """A referee with tables for two."""
    with House(wanted=HONSHU) as house:
        yield house


class Pair:
    """Two bots at one table that wait for the test."""

    def __init__(self, house: House) -> None:
        self.bots = [HeldBot(house.address, name) for name in ("ann", "ben")]
        eventually(lambda: house.server.lobby.tables() and house.server.lobby.tables()[0].started)
        self.match = house.server.lobby.tables()[0].match

    def close(self) -> None:
        for bot in self.bots:
            bot.close()


def test_a_table_is_listed_as_the_public_sees_it(house: House) -> None:
    """Match, game, players, settings, clocks, the number of the position and the seats that decide; nothing hidden."""
    pair = Pair(house)
    with watching(house.address) as stub:
        (table,) = tables(stub)

    assert (table.match_id, table.game, list(table.players)) == (pair.match, "honshu", ["ann", "ben"])
    assert dict(table.variant) == dict(house.server.lobby.spectators()[0].terms.variant)
    assert table.clock.text == "1m+1s"
    assert list(table.bank_us) == [60_000_000, 60_000_000]
    assert table.number == 1
    assert set(table.awaited) <= {0, 1}
    assert table.awaited
    pair.close()


def test_a_match_is_followed_from_its_first_position_to_its_end(house: House) -> None:
    """Numbers go up by one, each view decodes, the last message has the result that the players get."""
    pair = Pair(house)
    with watching(house.address) as stub:
        stream = follow(stub, pair.match)
        first = next(stream)
        release(pair.bots)
        rest = list(stream)
    pair.close()
    _, final = house.final()

    assert first.snapshot
    assert first.table.match_id == pair.match
    assert list(range(first.number, first.number + len(rest))) == [first.number, *(m.number for m in rest[:-1])]
    assert not any(message.snapshot or message.HasField("table") for message in rest)
    assert all(public_view(message) is not None for message in [first, *rest[:-1]])
    assert any(message.events for message in rest)
    assert final.result is not None
    assert tuple(rest[-1].end.result.places) == final.result.places
    assert [message.HasField("end") for message in rest] == [False] * (len(rest) - 1) + [True]


def test_a_late_spectator_gets_the_position_and_the_same_messages_afterwards(house: House) -> None:
    """The snapshot has the number and the view of the moment; what follows is byte for byte that of other readers."""
    pair = Pair(house)
    with watching(house.address) as early, watching(house.address) as late:
        first = follow(early, pair.match)
        seen = [next(first)]
        pair.bots[0].release()
        eventually(lambda: house.server.lobby.spectators()[0].summary().number >= 1)
        second = follow(late, pair.match)
        begun = next(second)
        pair.bots[1].release()
        seen += first
        found = list(second)
    pair.close()
    same = next(message for message in seen if message.number == begun.number)
    after = [message for message in seen[1:] if message.number > begun.number or message.HasField("end")]

    assert (begun.honshu, list(begun.awaited)) == (same.honshu, list(same.awaited))
    assert [m.SerializeToString() for m in after] == [m.SerializeToString() for m in found]


def test_a_reader_that_does_not_read_skips_and_gets_the_last_position_and_the_end(house: House) -> None:
    """A stream that is read only after the match has the newest position, marked as a snapshot, and then the end."""
    pair = Pair(house)
    spectators = house.server.lobby.spectators()[0]
    woken: list[None] = []
    begun = threading.Event()
    followers: list[Follower] = []

    def begin() -> None:
        followers.append(spectators.follow(lambda: woken.append(None)))
        begun.set()

    house.server._bridge.loop.call_soon_threadsafe(begin)
    assert begun.wait(WAIT)
    release(pair.bots)
    house.final()
    pair.close()
    messages = []
    while (data := followers[0].take()) is not None:
        messages.append(pb.FollowTableResponse.FromString(data))

    assert len(woken) > 2 * QUEUE
    assert len(messages) <= QUEUE + 1
    assert messages[0].snapshot
    assert messages[-1].HasField("end")
    assert messages[-2].number == messages[-1].number


def test_a_table_that_is_not_open_is_not_found(house: House) -> None:
    """One line that says where the open tables are named."""
    with watching(house.address) as stub, pytest.raises(grpc.RpcError) as error:
        next(follow(stub, "nothing"))

    assert refusal(error.value)[0] is grpc.StatusCode.NOT_FOUND
    assert "ListTables" in refusal(error.value)[1]


@pytest.mark.parametrize("call", ["GetStandings", "ListMatches", "GetRecord"])
def test_a_referee_without_a_database_says_so(house: House, call: str) -> None:
    """The three calls that read a database end with one clear line."""
    with watching(house.address) as stub, pytest.raises(grpc.RpcError) as error:
        getattr(stub, call)(getattr(pb, f"{call}Request")(), timeout=WAIT)

    assert refusal(error.value) == (grpc.StatusCode.FAILED_PRECONDITION, NO_ARCHIVE)


def test_an_address_has_a_bounded_number_of_streams_and_calls() -> None:
    """One stream or call more is RESOURCE_EXHAUSTED; a stream that ends makes room."""
    limits = Limits(address_followers=2, call_burst=8, calls_per_second=1)
    with House(wanted=HONSHU, limits=limits) as house:
        pair = Pair(house)
        with watching(house.address) as stub:
            streams = [follow(stub, pair.match) for _ in range(2)]
            for stream in streams:
                next(stream)
            with pytest.raises(grpc.RpcError) as error:
                next(follow(stub, pair.match))
            assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert "followed from your address already" in refusal(error.value)[1]
            with pytest.raises(grpc.RpcError) as often:
                list(map(tables, [stub] * 20))
            assert often.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            release(pair.bots)
            for stream in streams:
                assert list(stream)[-1].HasField("end")
        pair.close()


def test_a_request_that_is_too_large_or_no_message_is_refused(house: House) -> None:
    """The size is judged before the bytes are parsed."""
    path = f"/{pb.DESCRIPTOR.services_by_name['WatchService'].full_name}/ListTables"
    with grpc.insecure_channel(house.address) as channel:
        call = channel.unary_unary(path, None, None)
        with pytest.raises(grpc.RpcError) as large:
            call(bytes(5000), timeout=WAIT)
        with pytest.raises(grpc.RpcError) as wrong:
            call(b"\xff", timeout=WAIT)

    assert large.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert wrong.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_the_client_lists_follows_and_names_what_is_wrong(house: House) -> None:
    """Tables and positions come as messages; what is not there, not kept or not reachable are three kinds of errors."""
    pair = Pair(house)

    async def main() -> list[pb.FollowTableResponse]:
        async with WatchClient(house.address) as client:
            (table,) = (await client.tables()).tables
            assert table.match_id == pair.match
            with pytest.raises(NotThere):
                _ = [message async for message in client.follow("nothing", patience=5.0)]
            with pytest.raises(Refused, match="no database"):
                await client.standings()
            found: list[pb.FollowTableResponse] = []
            async for message in client.follow(table.match_id):
                if not found:
                    release(pair.bots)
                found.append(message)
        async with WatchClient("127.0.0.1:1") as nowhere:
            with pytest.raises(Away):
                await nowhere.tables()
            with pytest.raises(Away):
                _ = [message async for message in nowhere.follow("m")]
        return found

    found = asyncio.run(main())
    pair.close()

    assert found[-1].HasField("end")


def test_a_referee_that_ends_tells_its_followers(house: House) -> None:
    """The match is ended, so the last message has its end, without a result."""
    pair = Pair(house)
    with watching(house.address) as stub:
        stream = follow(stub, pair.match)
        next(stream)
        house.server.stop()
        rest = list(stream)
    pair.close()

    assert rest[-1].HasField("end")
    assert not rest[-1].end.HasField("result")


def test_the_service_is_listed_by_reflection_at_public_addresses(house: House) -> None:
    """grpcurl finds it without any file."""
    from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

    with grpc.insecure_channel(house.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        answer = next(stub.ServerReflectionInfo(iter([request]), timeout=WAIT))
    names = {service.name for service in answer.list_services_response.service}

    assert {NAME, "referee.v1.WatchService"} <= names
