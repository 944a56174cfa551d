"""Liveness and readiness: a referee that drains, stands still or is full serves, and is not ready."""

from __future__ import annotations

import time

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from referee.kernel.errors import StorageTrouble
from referee.match.playtime import PlayTime
from referee.match.storage import Storage
from referee.transport.auth import Tokens
from referee.transport.limits import Limits
from referee.transport.listener import LIVENESS, READINESS
from referee.transport.readiness import Readiness
from referee.transport.service import NAME
from tests.transport.house import WAIT, House, Wire
from tests.transport.room import Room

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


class Probe:
    """Asks a referee for its health."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address)
        self._stub = health_pb2_grpc.HealthStub(self._channel)

    def check(self, service: str) -> int:
        status: int = self._stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=WAIT).status
        return status

    def until(self, expected: int) -> None:
        """Wait until the referee is ready, or is not; all its names but liveness say the same then."""
        deadline = time.monotonic() + WAIT
        while self.check(READINESS) != expected:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert self.check("") == self.check(NAME) == expected
        assert self.check(LIVENESS) == SERVING

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *error: object) -> None:
        self._channel.close()


def test_a_draining_referee_is_alive_and_not_ready() -> None:
    """As soon as it drains, and until it does not any more."""
    with House() as house, Probe(house.address) as probe:
        probe.until(SERVING)
        house.server.connections.draining = True
        probe.until(NOT_SERVING)
        house.server.connections.draining = False
        probe.until(SERVING)


def test_a_full_referee_is_not_ready_until_a_bot_leaves() -> None:
    """Bots that play or have just come make no room; one that has left does."""
    with House(limits=Limits(bots=2, address_bots=2)) as house, Probe(house.address) as probe:
        with Wire(house.address) as ann, Wire(house.address) as bob:
            ann.hello("ann")
            probe.until(SERVING)
            bob.hello("bob")
            probe.until(NOT_SERVING)
        probe.until(SERVING)


def test_a_referee_with_tokens_is_never_full() -> None:
    """Bots with a token always find room, and no others are admitted."""
    room = Room(Tokens.of([("ann", "t")]), bots=1, address_bots=1, streams=1, token_streams=9)
    room.stream("t").hello("ann")
    room.stream()

    assert not room.connections.full(room.now())


def test_streams_that_leave_no_room_make_a_referee_full() -> None:
    """Also while none of them has said hello."""
    room = Room(streams=2)
    room.stream()
    before = room.connections.full(room.now())
    room.stream()

    assert (before, room.connections.full(room.now())) == (False, True)


class Unstored:
    """A table that waits until something can be stored."""

    works = False

    def resume(self) -> bool:
        return self.works


def test_a_standstill_is_a_reason_of_its_own() -> None:
    """It is counted when it begins; each change is told once, and another reason outlasts it."""
    room = Room()
    told: list[bool] = []
    storage = Storage(PlayTime(room.now))
    readiness = Readiness(room.connections, storage)
    readiness.changed = told.append
    table = Unstored()
    storage.failed(table, StorageTrouble("full"), 0.0)
    during = readiness.reasons
    room.connections.draining = True
    readiness.look()
    both = readiness.reasons
    table.works = True
    storage.retry(10.0)
    after = readiness.reasons
    room.connections.draining = False
    readiness.look()

    assert (during, both, after) == (("standing_still",), ("draining", "standing_still"), ("draining",))
    assert told == [False, True]
    assert room.connections.counters.storage_troubles == 1
