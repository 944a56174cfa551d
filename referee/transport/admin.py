"""The service for organisers: what they can see of a running referee, and do to it.

The calls are coroutines of the asyncio side, in the thread of everything else, so they act by plain calls. What is done
to streams and tables is in `control`; the event that is played comes as a protocol (`EventDesk`): the referee knows
nothing of seasons.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message

from referee.kernel.errors import CallerFault, StorageTrouble, UnknownName
from referee.transport import auth
from referee.transport.admin_calls import CALLS, Desks
from referee.transport.control import BadRequest
from referee.transport.guard import Context, Guard
from referee.v1 import admin_pb2 as pb

ADMIN = pb.DESCRIPTOR.services_by_name["AdminService"].full_name
SOCKET = "admin.sock"
"""Who acts through the admin socket: the user that runs the referee."""
TLS = (b"ssl", "ssl")
"""What gRPC calls the security of a connection with TLS."""


class Admins(Protocol):
    """Who may operate a referee from elsewhere."""

    def admin(self, token: str) -> str | None:
        """The name of the organiser that a token belongs to; None: it is no admin token, or revoked."""


class Remote(NamedTuple):
    """What calls from elsewhere need."""

    admins: Admins
    guard: Guard
    """Bounds what strangers may ask."""


class AdminService:
    """Answers the calls of `AdminService`."""

    def __init__(self, desks: Desks, remote: Remote | None = None) -> None:
        """`remote` None: for the admin socket, where no token is needed."""
        self._desks = desks
        self._remote = remote

    def handler(self) -> grpc.GenericRpcHandler[bytes, bytes]:
        """What a gRPC server needs to know."""
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
            except BadRequest as error:
                await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
            except CallerFault as error:
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
            return response.SerializeToString()

        return answer

    async def _actor(self, data: bytes, context: Context) -> str:
        """Who calls; a call that is not allowed is ended."""
        if self._remote is None:
            return SOCKET
        await self._remote.guard.admit(context, data)
        if not any(kind in TLS for kind in context.auth_context().get("transport_security_type", ())):
            text = "an admin token is taken over TLS alone; on this machine use the referee's admin socket"
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, text)
        name = self._remote.admins.admin(auth.bearer(context.invocation_metadata()))
        if name is None:
            text = "that needs an admin token: kumite token new NAME --admin makes one"
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, text)
        return name
