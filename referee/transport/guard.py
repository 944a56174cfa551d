"""Bounds for the calls besides Play that need no token: Describe, health and reflection.

The size of a request is checked before parsing, and every address (or good token) has a token bucket. A refused call
ends with the status RESOURCE_EXHAUSTED, and its trailing metadata hold the typed fault under `FAULT_KEY`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from referee.transport import auth
from referee.transport.doors import Refusal, origin
from referee.transport.limits import PORTION
from referee.v1 import play_pb2 as pb

if TYPE_CHECKING:
    from referee.transport.connections import Connections

FAULT_KEY = "referee-fault-bin"
"""The key of the serialised `Fault` in the trailing metadata of a refused call."""
LIFE = 3600.0
"""Seconds after which a stream of health or reflection is ended; its caller may open another."""
PAUSE = 60.0
"""Most seconds between two requests on a stream of reflection."""

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Parse: TypeAlias = "Callable[[bytes], Any] | None"


class CallGuard:
    """Checks every call of one referee besides Play before the call is answered."""

    def __init__(self, connections: Connections, now: Callable[[], int]) -> None:
        self._connections = connections
        self._now = now

    def guarded(self, server: grpc.aio.Server) -> grpc.aio.Server:
        """A wrapper of a server: services that are added to the wrapper are added to the server with this guard."""
        return _Guarded(self, server)  # type: ignore[return-value]

    async def admit(self, context: Context, data: bytes) -> None:
        """Return if a request is admitted; otherwise end its call with a typed fault."""
        most = self._connections.limits.request_bytes
        self._connections.doors.used(1 + len(data) // PORTION)
        if len(data) > most:
            text = f"{len(data)} bytes in one request; at most {most} are read"
            await self._refuse(context, Refusal(pb.FAULT_CODE_OVERSIZED, text, 0))
        token = auth.bearer(context.invocation_metadata())
        refusal = self._connections.doors.call(context.peer(), token, self._connections.proves(token), self._now())
        if refusal is not None:
            await self._refuse(context, refusal)

    async def _refuse(self, context: Context, refusal: Refusal) -> None:
        self._connections.lines.refused(refusal.code, refusal.message, origin(context.peer()))
        await refuse(context, refusal)

    def wrap(self, handler: Handler) -> Handler:
        """The same method with `admit` before each request."""
        parse, serialise = handler.request_deserializer, handler.response_serializer
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(self._answer(handler.unary_unary, parse), None, serialise)
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(self._follow(handler.unary_stream, parse), None, serialise)
        if handler.stream_stream is not None:
            return grpc.stream_stream_rpc_method_handler(self._talk(handler.stream_stream, parse), None, serialise)
        raise ValueError("no service of a referee has a method that takes a stream and returns one message")

    def _answer(self, inner: Callable[..., Any], parse: Parse) -> Callable[..., Awaitable[object]]:
        async def answer(data: bytes, context: Context) -> object:
            await self.admit(context, data)
            return await inner(await parsed(parse, data, context), context)

        return answer

    def _follow(self, inner: Callable[..., Any], parse: Parse) -> Callable[..., Awaitable[None]]:
        async def follow(data: bytes, context: Context) -> None:
            await self.admit(context, data)
            await self._enter(context)
            try:
                async with asyncio.timeout(LIFE):
                    await inner(await parsed(parse, data, context), context)
            except TimeoutError:
                return
            finally:
                self._connections.doors.leave(context.peer())

        return follow

    def _talk(self, inner: Callable[..., Any], parse: Parse) -> Callable[..., AsyncIterator[object]]:
        async def requests(context: Context) -> AsyncIterator[object]:
            while True:
                try:
                    async with asyncio.timeout(PAUSE):
                        data: object = await context.read()
                except TimeoutError:
                    return
                if not isinstance(data, bytes):
                    return
                await self.admit(context, data)
                yield await parsed(parse, data, context)

        async def talk(_: AsyncIterator[bytes], context: Context) -> AsyncIterator[object]:
            await self._enter(context)
            try:
                async for response in inner(requests(context), context):
                    yield response
            finally:
                self._connections.doors.leave(context.peer())

        return talk

    async def _enter(self, context: Context) -> None:
        refusal = self._connections.doors.enter(context.peer())
        if refusal is not None:
            await self._refuse(context, refusal)


class _Guarded:
    """The part of a gRPC server that generated code calls to add a service."""

    def __init__(self, guard: CallGuard, server: grpc.aio.Server) -> None:
        self._guard = guard
        self._server = server

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler[Any, Any]]) -> None:
        """Do nothing: generated code adds the same methods by `add_registered_method_handlers`, too."""

    def add_registered_method_handlers(self, service: str, methods: Mapping[str, Handler]) -> None:
        """Add the methods of a service, guarded."""
        guarded = {name: self._guard.wrap(method) for name, method in methods.items()}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, guarded),))


async def parsed(parse: Parse, data: bytes, context: Context) -> object:
    """The request in a message; a message that cannot be parsed ends the call."""
    try:
        return data if parse is None else parse(data)
    except DecodeError:
        return await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the request cannot be read")


async def refuse(context: Context, refusal: Refusal) -> NoReturn:
    """End a call with a typed fault."""
    code, text, wait = refusal
    fault = pb.Fault(code=code, message=text, closes_stream=True, retry_after_us=wait)
    trailing = ((FAULT_KEY, fault.SerializeToString()),)
    await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, text, trailing)
    raise AssertionError("abort always raises")
