"""The calls of the referee's admin service that open, join, look at and close tables for people."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import grpc
import grpc.aio

from referee.kernel.errors import KumiteError
from referee.v1 import admin_pb2 as pb
from referee.v1.admin_pb2_grpc import AdminServiceStub

WAIT = 10.0
"""Seconds that a call may take."""
OPTIONS = [("grpc.enable_http_proxy", 0), ("grpc.max_reconnect_backoff_ms", 2_000)]
AWAY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)

T = TypeVar("T")


class DeskError(KumiteError):
    """A call was not carried out; the message says why in one line."""


class DeskAway(DeskError):
    """No referee answers at this moment."""


class DeskMissing(DeskError):
    """The table, bot or invitation is not known."""


class DeskFull(DeskError):
    """Too many tables are open."""


KINDS = {grpc.StatusCode.NOT_FOUND: DeskMissing, grpc.StatusCode.RESOURCE_EXHAUSTED: DeskFull}


class Desk:
    """One channel to the admin socket of a referee; every method raises DeskError."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._channel: grpc.aio.Channel | None = None

    async def close(self) -> None:
        """Close the channel."""
        if self._channel is not None:
            await self._channel.close(None)

    async def rules(self) -> pb.GetPeopleRulesResponse:
        """What people may do at this referee."""
        return await _answer(self._stub().GetPeopleRules(pb.GetPeopleRulesRequest(), timeout=WAIT))

    async def open(self, request: pb.OpenPeopleTableRequest) -> pb.OpenPeopleTableResponse:
        """Open a table."""
        return await _answer(self._stub().OpenPeopleTable(request, timeout=WAIT))

    async def join(self, invitation: str, name: str) -> pb.JoinPeopleTableResponse:
        """Take the seat of an invitation."""
        request = pb.JoinPeopleTableRequest(invitation=invitation, name=name)
        return await _answer(self._stub().JoinPeopleTable(request, timeout=WAIT))

    async def table(self, match: str) -> pb.PeopleTable:
        """The state of a table."""
        request = pb.GetPeopleTableRequest(match_id=match)
        response: pb.GetPeopleTableResponse = await _answer(self._stub().GetPeopleTable(request, timeout=WAIT))
        return response.table

    async def leave(self, match: str, reason: str) -> None:
        """Close a table."""
        request = pb.ClosePeopleTableRequest(match_id=match, reason=reason)
        await _answer(self._stub().ClosePeopleTable(request, timeout=WAIT))

    def _stub(self) -> AdminServiceStub:
        # The channel belongs to the running loop, so it is made at the first call.
        if self._channel is None:
            self._channel = grpc.aio.insecure_channel(self._address, options=OPTIONS)
        return AdminServiceStub(self._channel)


async def _answer(call: Awaitable[T]) -> T:
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        if error.code() in AWAY:
            raise DeskAway("The referee does not answer at this moment; try again.") from None
        text = error.details() or f"the call failed: {error.code().name}"
        raise KINDS.get(error.code(), DeskError)(
            text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
        ) from None
