"""A client of the admin socket of a running referee."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

from ladder.sockets import sockets
from referee.kernel.errors import BadSetting
from referee.v1.admin_pb2_grpc import AdminServiceStub

WAIT = 10.0
"""Seconds that a call may take."""


@contextmanager
def connected(database: Path) -> Iterator[AdminServiceStub]:
    """The admin service of the referee that plays a database; what it refuses is raised as BadSetting."""
    address = sockets(database).admin
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            yield AdminServiceStub(channel)  # type: ignore[no-untyped-call]
        except grpc.RpcError as error:
            code, text = error.code(), error.details() or ""
            if code is grpc.StatusCode.UNAVAILABLE and "cannot store" not in text:
                text = f"no referee is running on {database}; start one with kumite serve and its ladder file"
            elif code is grpc.StatusCode.DEADLINE_EXCEEDED:
                text = f"the referee on {database} did not answer within {WAIT:g} s"
            elif code is grpc.StatusCode.UNIMPLEMENTED:
                text = f"the referee on {database} is of another version: {text}"
            raise BadSetting(text) from None
