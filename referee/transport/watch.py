"""The service for spectators: tables that run now, and what the archive of a database has.

Lists and followed tables are answered in the referee's thread by plain calls. Standings, matches and records come from
the protocol `Archive`, which runs in a worker thread of its own, so that no reader holds the referee's loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn, Protocol, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message

from referee.kernel.errors import CallerFault, StorageTrouble, UnknownName
from referee.transport.control import BadRequest
from referee.transport.doors import LATER, Refusal, origin
from referee.transport.guard import CallGuard, Context, refuse
from referee.transport.limits import Limits
from referee.transport.listener import WATCH
from referee.transport.lobby import Lobby
from referee.transport.spectators import Follower, Spectators
from referee.v1 import play_pb2
from referee.v1 import watch_pb2 as pb

TABLES, MOST_TABLES = 100, 200
"""Number of tables that are listed if the request names none, and the largest number."""
READS = 16
"""Most calls that wait for the archive at a time."""
LOOK = 0.1
"""Seconds between two looks for the position of a table that is about to tell more."""
NO_ARCHIVE = "this referee keeps no database: start it with kumite serve --db FILE, or with a ladder file"

R = TypeVar("R", bound=Message)


class Archive(Protocol):
    """Reads the database of a referee for spectators. All calls come from one thread, which is not the referee's.

    Each raises UnknownName for a name that is not there and CallerFault for what may not be read now.
    """

    def standings(self, request: pb.GetStandingsRequest) -> pb.GetStandingsResponse:
        """The published standings of a pool, or of all."""

    def matches(self, request: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
        """A page of matches, the newest first, with names as they are shown."""

    def record(self, request: pb.GetRecordRequest) -> pb.GetRecordResponse:
        """The record of a finished match that every reader may see."""

    def close(self) -> None:
        """Close the database."""


class WatchService:
    """Answers the calls of `WatchService`."""

    def __init__(
        self,
        lobby: Lobby,
        guard: CallGuard,
        limits: Limits,
        archive: Archive | None = None,
        pool_of: Callable[[str], int] = lambda match: 0,
    ) -> None:
        """`pool_of` returns the id of the pool in which a running match counts; 0: none."""
        self._lobby = lobby
        self._guard = guard
        self._limits = limits
        self._archive = archive
        self._pool_of = pool_of
        self._thread = ThreadPoolExecutor(1, "kumite-archive")
        self._reads = 0
        self._streams: Counter[str] = Counter()
        """Open streams of FollowTable, by address; those of unix sockets have the empty address."""
        self._woken: set[asyncio.Event] = set()
        self._closing = ""

    def handler(self) -> grpc.GenericRpcHandler[bytes, bytes]:
        """The methods of the service for a gRPC server."""
        methods = {
            "ListTables": grpc.unary_unary_rpc_method_handler(self._list),
            "FollowTable": grpc.unary_stream_rpc_method_handler(self._follow),
        }
        if self._archive is None:
            kinds = (pb.GetStandingsRequest, pb.ListMatchesRequest, pb.GetRecordRequest)
            reads = dict(zip(("GetStandings", "ListMatches", "GetRecord"), map(self._refused, kinds), strict=True))
        else:
            reads = {
                "GetStandings": self._read(pb.GetStandingsRequest, self._archive.standings),
                "ListMatches": self._read(pb.ListMatchesRequest, self._archive.matches),
                "GetRecord": self._read(pb.GetRecordRequest, self._archive.record),
            }
        methods |= {name: grpc.unary_unary_rpc_method_handler(read) for name, read in reads.items()}
        return grpc.method_handlers_generic_handler(WATCH, methods)

    def close(self, message: str) -> None:
        """End every stream of a follower with this message; the archive is closed when its running call is over."""
        self._closing = message
        for woken in self._woken:
            woken.set()
        if self._archive is not None:
            self._thread.submit(self._archive.close)
        self._thread.shutdown(wait=False)

    async def _list(self, data: bytes, context: Context) -> bytes:
        request = await self._parsed(pb.WatchServiceListTablesRequest, data, context)
        tables = [
            spectators
            for spectators in self._lobby.spectators()
            if not request.game or spectators.terms.game == request.game
        ]
        count = min(request.count or TABLES, MOST_TABLES)
        response = pb.WatchServiceListTablesResponse(total=len(tables))
        for spectators in tables[request.first : request.first + count]:
            spectators.fill(response.tables.add(), self._pool_of(spectators.terms.match))
        return response.SerializeToString()

    async def _follow(self, data: bytes, context: Context) -> AsyncIterator[bytes]:
        request = await self._parsed(pb.FollowTableRequest, data, context)
        spectators = self._lobby.spectators_of(request.match_id)
        if spectators is None:
            text = f"no table of a match {request.match_id[:64]!r} is open here: ListTables names those that are"
            await context.abort(grpc.StatusCode.NOT_FOUND, text)
        address = origin(context.peer())
        refusal = self._refusal(address)
        if refusal is not None:
            await refuse(context, refusal)
        woken = asyncio.Event()
        self._streams[address] += 1
        self._woken.add(woken)
        follower = spectators.follow(woken.set)
        try:
            async for message in self._messages(spectators, follower, woken):
                yield message
        finally:
            spectators.leave(follower)
            self._woken.discard(woken)
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]
        if not follower.ended:
            await context.abort(grpc.StatusCode.UNAVAILABLE, self._closing)

    async def _messages(self, spectators: Spectators, follower: Follower, woken: asyncio.Event) -> AsyncIterator[bytes]:
        """The messages for one follower until the end of the match, or until the referee ends."""
        begun = False
        while not follower.ended:
            woken.clear()
            message = follower.take()
            if message is not None:
                if not begun:
                    begun = True
                    first = pb.FollowTableResponse()
                    spectators.fill(first.table, self._pool_of(spectators.terms.match))
                    message += first.SerializeToString()
                yield message
            elif self._closing:
                return
            elif begun:
                await woken.wait()
            else:
                await _wait(woken, LOOK)
                if not woken.is_set():
                    spectators.offer(follower)

    def _refusal(self, address: str) -> Refusal | None:
        """Why an address may not follow another table; the referee's own sockets always may."""
        limits = self._limits
        if not address:
            return None
        if self._streams[address] >= limits.address_followers:
            text = f"{limits.address_followers} tables are followed from your address already: close some streams"
            return Refusal(play_pb2.FAULT_CODE_FULL, text, LATER)
        if sum(self._streams.values()) - self._streams[""] >= limits.followers:
            text = f"{limits.followers} tables are followed from other machines already; try again later"
            return Refusal(play_pb2.FAULT_CODE_FULL, text, LATER)
        return None

    def _refused(self, kind: type[Message]) -> Callable[[bytes, Context], Awaitable[bytes]]:
        """The coroutine behind a call that needs a database, at a referee without one."""

        async def answer(data: bytes, context: Context) -> bytes:
            await self._parsed(kind, data, context)
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, NO_ARCHIVE)
            raise AssertionError("abort always raises")

        return answer

    def _read(self, kind: type[R], read: Callable[[R], Message]) -> Callable[[bytes, Context], Awaitable[bytes]]:
        """The coroutine behind a call that reads the archive."""

        async def answer(data: bytes, context: Context) -> bytes:
            request = await self._parsed(kind, data, context)
            if self._closing:
                await context.abort(grpc.StatusCode.UNAVAILABLE, self._closing)
            if self._reads >= READS:
                text = "the referee is busy with other readers: try again"
                await refuse(context, Refusal(play_pb2.FAULT_CODE_RATE, text, LATER))
            self._reads += 1
            loop = asyncio.get_running_loop()
            reading = loop.run_in_executor(self._thread, lambda: read(request).SerializeToString())
            reading.add_done_callback(self._done)
            try:
                return await asyncio.shield(reading)
            except (StorageTrouble, CallerFault) as error:
                await _abort(context, error)

        return answer

    def _done(self, reading: asyncio.Future[bytes]) -> None:
        self._reads -= 1
        if not reading.cancelled():
            reading.exception()  # read, so that asyncio does not log the error of a call whose caller has left

    async def _parsed(self, kind: type[R], data: bytes, context: Context) -> R:
        """The admitted request of a call; a call that is not admitted or cannot be read is ended."""
        await self._guard.admit(context, data)
        try:
            return kind.FromString(data)
        except DecodeError:
            text = f"that is no {kind.DESCRIPTOR.name} of package referee.v1"
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, text)
            raise AssertionError("abort always raises") from None


async def _wait(woken: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        return


async def _abort(context: Context, error: Exception) -> NoReturn:
    """End a call with the status that an error stands for."""
    code = grpc.StatusCode.FAILED_PRECONDITION
    if isinstance(error, StorageTrouble):
        code = grpc.StatusCode.UNAVAILABLE
    elif isinstance(error, UnknownName):
        code = grpc.StatusCode.NOT_FOUND
    elif isinstance(error, BadRequest):
        code = grpc.StatusCode.INVALID_ARGUMENT
    await context.abort(code, str(error))
    raise AssertionError("abort always raises")
