"""Spectators of a real referee, and bots that decide when the test says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import grpc

from referee.v1 import watch_pb2 as pb
from referee.v1.watch_pb2_grpc import WatchServiceStub
from tests.transport.house import WAIT

OPTIONS = [("grpc.use_local_subchannel_pool", 1)]


@contextmanager
def watching(address: str) -> Iterator[WatchServiceStub]:
    """The service for spectators at an address, on a connection of its own."""
    with grpc.insecure_channel(address, OPTIONS) as channel:
        yield WatchServiceStub(channel)


def follow(stub: WatchServiceStub, match: str) -> Iterator[pb.FollowTableResponse]:
    """The messages of a followed table."""
    return iter(stub.FollowTable(pb.FollowTableRequest(match_id=match), timeout=WAIT))


def tables(stub: WatchServiceStub) -> list[pb.LiveTable]:
    """The tables that run now."""
    return list(stub.ListTables(pb.WatchServiceListTablesRequest(), timeout=WAIT).tables)


def refusal(error: grpc.RpcError) -> tuple[grpc.StatusCode, str]:
    """Status and words of a call that failed."""
    return error.code(), error.details() or ""
