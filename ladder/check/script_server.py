"""The wire of the scripted referee: it listens like the real one and hands every stream over to the script.

A `ScriptStream` is one Play stream. The script, on the trio side, sends any bytes and ends the stream at any time; what
the bot sends waits in the `ScriptStream` until the script asks for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple, TypeAlias

import grpc
import grpc.aio
import trio

from ladder.check.transcript import Transcript, Way
from referee.kernel.errors import UnknownName
from referee.match.playtime import PlayTime, monotonic
from referee.transport.auth import bearer
from referee.transport.connections import Connections
from referee.transport.service import NAME, describe
from referee.v1 import play_pb2 as pb

BACKLOG = 4096
"""Messages of a bot that may wait; a bot that sends more floods."""
STREAMS = 64
"""Streams that may wait to be looked at."""

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"


class ReceivedMessage(NamedTuple):
    """A message of the bot, and when it came, as matches count time."""

    data: bytes
    at: int


class _HangUp(NamedTuple):
    """How a stream is to be ended."""

    code: grpc.StatusCode
    details: str


class ScriptStream:
    """One stream of the bot."""

    def __init__(self, transcript: Transcript, token: str = "", second: bool = False) -> None:
        """`second` says whether it came to the second address of the checker."""
        self.token = token
        """The bearer token that the bot has shown; empty: none."""
        self.second = second
        self._transcript = transcript
        self._out: asyncio.Queue[bytes | _HangUp] = asyncio.Queue(BACKLOG)
        self._put, self._get = trio.open_memory_channel[ReceivedMessage](BACKLOG)
        self.flooded = False
        """Whether the bot sent more than was looked at in time."""

    def send(self, message: pb.PlayResponse | bytes) -> None:
        """Send a message, or bytes as they are."""
        data = message if isinstance(message, bytes) else message.SerializeToString()
        self._transcript.add(Way.SENT, data)
        self._out.put_nowait(data)

    def hang_up(self, code: grpc.StatusCode, details: str) -> None:
        """End the stream, after what was sent before."""
        self._out.put_nowait(_HangUp(code, details))

    async def receive(self) -> ReceivedMessage | None:
        """The next message; None: the bot has ended the stream, or the script has."""
        try:
            arrival = await self._get.receive()
        except trio.EndOfChannel:
            return None
        self._transcript.add(Way.GOT, arrival.data)
        return arrival

    async def serve(self, context: Context) -> None:
        """Carry the stream, on the asyncio side, until either of the two ends it."""
        reader = asyncio.get_running_loop().create_task(self._read(context))
        try:
            while True:
                item = await self._out.get()
                if isinstance(item, _HangUp):
                    context.set_code(item.code)
                    context.set_details(item.details)
                    return
                await context.write(item)
        finally:
            reader.cancel()
            self._put.close()

    async def _read(self, context: Context) -> None:
        while True:
            data: object = await context.read()
            if not isinstance(data, bytes):
                self.hang_up(grpc.StatusCode.OK, "")
                return
            try:
                self._put.send_nowait(ReceivedMessage(data, monotonic()))
            except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
                self.flooded = True
                self._put.close()
                return


class ScriptServer:
    """The service of the scripted referee."""

    def __init__(self, transcript: Transcript, first: ScriptServer | None = None) -> None:
        """With `first` it is the service at a second address, whose streams are handed over by the first."""
        self._transcript = transcript
        self._connections = Connections(PlayTime(monotonic))
        self._put, self._get = trio.open_memory_channel[ScriptStream](STREAMS)
        self._second = first is not None
        if first is not None:
            self._put = first._put

    def handler(self) -> grpc.GenericRpcHandler[bytes, bytes]:
        """What a gRPC server needs to know."""
        return grpc.method_handlers_generic_handler(
            NAME,
            {
                "Describe": grpc.unary_unary_rpc_method_handler(
                    self._describe, pb.DescribeRequest.FromString, pb.DescribeResponse.SerializeToString
                ),
                "Play": grpc.stream_stream_rpc_method_handler(self._play),
            },
        )

    async def stream(self) -> ScriptStream:
        """The next stream that a bot has opened."""
        return await self._get.receive()

    def forget(self) -> None:
        """Turn away the streams that were opened and not looked at."""
        while True:
            try:
                stream = self._get.receive_nowait()
            except trio.WouldBlock:
                return
            stream.hang_up(grpc.StatusCode.UNAVAILABLE, "not now")

    async def _describe(self, request: pb.DescribeRequest, context: Context) -> pb.DescribeResponse:
        try:
            return describe(self._connections, request)
        except UnknownName as error:
            await context.abort(grpc.StatusCode.NOT_FOUND, str(error))
            raise  # abort does not return

    async def _play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        stream = ScriptStream(self._transcript, bearer(context.invocation_metadata()), self._second)
        try:
            self._put.send_nowait(stream)
        except trio.WouldBlock:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"{STREAMS} streams are open already")
        await stream.serve(context)
