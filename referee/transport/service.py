"""The gRPC service: carries bytes between gRPC's streams and the `Connections`, and nothing else.

Messages are read and written as bytes, so that the referee parses what a bot sends: bytes that are no message become a
typed fault in the stream instead of a broken stream. The coroutines here run on the asyncio side.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import cached_property
from importlib.resources import files

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

import referee
from referee.codec import encoding
from referee.kernel import registry
from referee.kernel.errors import UnknownName
from referee.transport import auth
from referee.transport.bridge import Turns
from referee.transport.connections import Connections
from referee.transport.guard import CallGuard, Context
from referee.transport.limits import Limits
from referee.transport.messages import PROTOCOL_VERSION, fill_limits
from referee.transport.share import Share
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb

NAME = pb.DESCRIPTOR.services_by_name["RefereeService"].full_name

GRACE = 5.0
"""Seconds that a stream has to take its last message before it is cut."""

LINGER = 0.2
"""Seconds that a stream stays open after its last message, so that a bot which is just sending is not cut off."""

STATUS = {
    pb.FAULT_CODE_BAD_HELLO: grpc.StatusCode.INVALID_ARGUMENT,
    pb.FAULT_CODE_OUT_OF_ORDER: grpc.StatusCode.INVALID_ARGUMENT,
    pb.FAULT_CODE_MALFORMED: grpc.StatusCode.INVALID_ARGUMENT,
    pb.FAULT_CODE_OVERSIZED: grpc.StatusCode.INVALID_ARGUMENT,
    pb.FAULT_CODE_VERSION: grpc.StatusCode.FAILED_PRECONDITION,
    pb.FAULT_CODE_UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    pb.FAULT_CODE_NAME_TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    pb.FAULT_CODE_UNKNOWN_RESUME: grpc.StatusCode.NOT_FOUND,
    pb.FAULT_CODE_TAKEN_OVER: grpc.StatusCode.ABORTED,
    pb.FAULT_CODE_RATE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    pb.FAULT_CODE_BACKLOG: grpc.StatusCode.RESOURCE_EXHAUSTED,
    pb.FAULT_CODE_FULL: grpc.StatusCode.RESOURCE_EXHAUSTED,
    pb.FAULT_CODE_SILENT: grpc.StatusCode.DEADLINE_EXCEEDED,
    pb.FAULT_CODE_SHUTDOWN: grpc.StatusCode.UNAVAILABLE,
    pb.FAULT_CODE_RESTARTING: grpc.StatusCode.UNAVAILABLE,
    pb.FAULT_CODE_REDIRECTED: grpc.StatusCode.UNAVAILABLE,
    pb.FAULT_CODE_NO_GAME: grpc.StatusCode.FAILED_PRECONDITION,
    pb.FAULT_CODE_REVOKED: grpc.StatusCode.UNAUTHENTICATED,
    pb.FAULT_CODE_KICKED: grpc.StatusCode.PERMISSION_DENIED,
}
"""The gRPC status with which a stream ends, for callers that do not read the last fault."""


class Service:
    """`Describe` and `Play` for one referee."""

    def __init__(self, connections: Connections, now: Callable[[], int], turns: Turns) -> None:
        self._connections = connections
        self._now = now
        self._turns = turns
        self._share = Share(connections.receive, now, connections.arrivals, turns)
        self._described: dict[tuple[str, bool], bytes] = {}
        """Serialised parts of the answers of Describe, see `_part`."""

    @cached_property
    def guard(self) -> CallGuard:
        """Bounds the calls besides Play before they are answered."""
        return CallGuard(self._connections, self._now)

    def handler(self) -> grpc.GenericRpcHandler[bytes, bytes]:
        """The methods of the service for a gRPC server."""
        return grpc.method_handlers_generic_handler(
            NAME,
            {
                "Describe": grpc.unary_unary_rpc_method_handler(self._describe),
                "Play": grpc.stream_stream_rpc_method_handler(self._play),
            },
        )

    async def _describe(self, data: bytes, context: Context) -> bytes:
        # Callers without a token are answered, too, so an answer is put together from serialised parts that are kept.
        await self.guard.admit(context, data)
        try:
            request = pb.DescribeRequest.FromString(data)
        except DecodeError:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "that is no DescribeRequest of package referee.v1")
        for name in request.games:
            if name not in registry.GAMES:
                text = str(UnknownName.of("game", name, registry.GAMES))
                await context.abort(grpc.StatusCode.NOT_FOUND, text)
        names = dict.fromkeys(request.games) or registry.names()
        parts = [
            self._part("", self._connections.needs_token),
            *(self._part(name, request.components) for name in names),
        ]
        return b"".join(parts)

    def _part(self, name: str, flag: bool) -> bytes:
        """A serialised part of the answer of Describe; serialised messages that follow each other are one message.

        With a game's name the part describes that game, and the flag says whether with its components. With an empty
        name the part describes the referee, and the flag says whether tokens are needed.
        """
        part = self._described.get((name, flag))
        if part is None:
            message = describe_game(name, flag) if name else describe_referee(self._connections.limits, flag)
            part = self._described[name, flag] = message.SerializeToString()
        return part

    async def _play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        counters = self._connections.counters
        stream: BotStream | None = None
        idle: asyncio.Future[None] | None = None
        cut: asyncio.TimerHandle | None = None

        def wake() -> None:
            nonlocal cut
            if idle is not None and not idle.done():
                idle.set_result(None)
            if stream is not None and stream.closed and cut is None and task is not None:
                # The bot may never read its last message.
                cut = loop.call_later(GRACE, task.cancel)

        stream = self._connections.open(auth.bearer(context.invocation_metadata()), self._now(), wake, context.peer())
        reader = loop.create_task(self._read(stream, context))
        reader.add_done_callback(lambda _: wake())
        try:
            while True:
                data = stream.take(self._now()) if stream.waiting else None
                if data is not None:
                    await context.write(data)
                    stream.writing = False
                    counters.messages_out += 1
                    counters.bytes_out += len(data)
                elif stream.closing is not None:
                    # A bot that is just sending would find the connection broken and would not read its last message.
                    await asyncio.wait([reader], timeout=LINGER)
                    context.set_code(STATUS[stream.closing.code])
                    context.set_details(stream.closing.message)
                    return
                elif reader.done():
                    reader.result()
                    return
                else:
                    idle = loop.create_future()
                    await idle
                    idle = None
        finally:
            reader.cancel()
            if cut is not None:
                cut.cancel()
            self._connections.left(stream, self._now())

    async def _read(self, stream: BotStream, context: Context) -> None:
        hand, turns, counters = self._share.hand, self._turns, self._connections.counters
        while not stream.closed:
            data: object = await context.read()
            if not isinstance(data, bytes):  # the bot has closed its side of the stream, or the stream is broken
                return
            counters.messages_in += 1
            counters.bytes_in += len(data)
            done = hand(stream, data, turns.came)
            if done is not None:
                await done


def describe(connections: Connections, request: pb.DescribeRequest) -> pb.DescribeResponse:
    """The answer of Describe: the games of the request, or all, and the limits; raises UnknownName."""
    response = describe_referee(connections.limits, connections.needs_token)
    for name in dict.fromkeys(request.games) or registry.names():
        response.MergeFrom(describe_game(name, request.components))
    return response


def describe_referee(limits: Limits, token_needed: bool) -> pb.DescribeResponse:
    """The referee's versions and limits as Describe tells them."""
    response = pb.DescribeResponse(
        protocol_version=PROTOCOL_VERSION, referee_version=referee.__version__, token_needed=token_needed
    )
    fill_limits(response.limits, limits)
    return response


def describe_game(name: str, components: bool) -> pb.DescribeResponse:
    """One game as Describe tells it; raises UnknownName."""
    response = pb.DescribeResponse()
    _fill_game(response.games.add(), name, components)
    return response


def _fill_game(info: pb.GameInfo, name: str, components: bool) -> None:
    game = registry.game(name)
    info.name = game.name
    info.title = game.title
    info.rules_version = game.rules_version
    info.components_digest = game.digest
    info.seat_counts.extend(game.seats)
    for key, choices in game.variants.items():
        setting = info.settings.add(name=key, default_value=choices.default, meaning=choices.meaning)
        setting.values.extend(choices.values)
        setting.seat_counts.extend(choices.seats or ())
    info.max_decisions = game.bounds.decisions
    info.max_options = game.bounds.options
    info.hidden.extend(game.hidden)
    if components:
        info.components_toml = files(registry.GAMES[name]).joinpath("components.toml").read_text(encoding="utf-8")
        encoding.of(name).describe(info)
