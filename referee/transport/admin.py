"""The service for organisers: what organisers can see of a running referee, and do to the referee.

The calls are coroutines of the asyncio side in the referee's one thread, so they act by plain calls. `control` acts on
streams and tables; the event that is played is the protocol `EventDesk`, because the referee knows nothing of seasons.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol
from urllib.parse import unquote

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message

from referee.kernel.errors import CallerFault, StorageTrouble, UnknownName
from referee.match.policy import printable
from referee.transport import auth
from referee.transport.admin_calls import CALLS, Desks
from referee.transport.control import BadRequest
from referee.transport.guard import CallGuard, Context
from referee.transport.people_desk import TooMany
from referee.v1 import admin_pb2 as pb

ADMIN = pb.DESCRIPTOR.services_by_name["AdminService"].full_name
SOCKET = "admin.sock"
"""The actor of calls through the admin socket, which only the user that runs the referee may use."""
ORGANISER = "kumite-organiser"
"""Metadata of a call through the admin socket, URL-quoted: the organiser for whom a program of the referee's user acts,
such as the process of the pages, which has checked the organiser's token itself."""
LONGEST_ORGANISER = 64
"""Characters of that name."""
TLS = (b"ssl", "ssl")
"""gRPC's names of the security of a connection with TLS."""


class Admins(Protocol):
    """The organisers that may operate a referee from another machine."""

    def admin(self, token: str) -> str | None:
        """The name of the organiser that a token belongs to; None: the token is no admin token, or revoked."""


class Remote(NamedTuple):
    """What `AdminService` needs for calls from other machines."""

    admins: Admins
    guard: CallGuard
    """Bounds the calls of strangers."""


class AdminService:
    """Answers the calls of `AdminService`."""

    def __init__(self, desks: Desks, remote: Remote | None = None) -> None:
        """`remote` None: the service is for the admin socket, where no token is needed."""
        self._desks = desks
        self._remote = remote

    def handler(self) -> grpc.GenericRpcHandler[bytes, bytes]:
        """The methods of the service for a gRPC server."""
        return grpc.method_handlers_generic_handler(
            ADMIN,
            {name: grpc.unary_unary_rpc_method_handler(self._call(*call)) for name, call in CALLS.items()},
        )

    def _call(
        self, kind: type[Message], act: Callable[[Desks, str, Message], Message]
    ) -> Callable[[bytes, Context], Awaitable[bytes]]:
        """The coroutine behind one call."""

        async def answer(data: bytes, context: Context) -> bytes:
            actor = await self._actor(data, context)
            try:
                request = kind.FromString(data)
            except DecodeError:
                text = f"that is no {kind.DESCRIPTOR.name} of package referee.v1"
                await context.abort(grpc.StatusCode.INVALID_ARGUMENT, text)
            try:
                response = act(self._desks, actor, request)
            except StorageTrouble as error:
                await context.abort(grpc.StatusCode.UNAVAILABLE, f"the referee cannot store now: {error}")
            except UnknownName as error:
                await context.abort(grpc.StatusCode.NOT_FOUND, str(error))
            except TooMany as error:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
            except BadRequest as error:
                await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
            except CallerFault as error:
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
            return response.SerializeToString()

        return answer

    async def _actor(self, data: bytes, context: Context) -> str:
        """The organiser that calls; a call that is not allowed is ended."""
        if self._remote is None:
            named = dict(context.invocation_metadata() or ()).get(ORGANISER, "")
            return printable(unquote(str(named)))[:LONGEST_ORGANISER] or SOCKET
        await self._remote.guard.admit(context, data)
        if not any(kind in TLS for kind in context.auth_context().get("transport_security_type", ())):
            text = "an admin token is taken over TLS alone; on this machine use the referee's admin socket"
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, text)
        name = self._remote.admins.admin(auth.bearer(context.invocation_metadata()))
        if name is None:
            text = "that needs an admin token: kumite token new NAME --admin makes one"
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, text)
        return name
