"""A client of `WatchService` for programs on asyncio: lists tables, follows one, reads standings, matches and records.

    async with WatchClient("unix:/var/lib/kumite/cup.admin.sock") as watch:
        for table in (await watch.tables()).tables:
            async for message in watch.follow(table.match_id):
                print(message.number, [event.subject for event in message.events])

Responses are the messages of `proto/referee/v1/watch.proto`; `public_view` reads the game's own view out of one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from typing import TypeVar

import grpc
import grpc.aio

from referee.codec import decoding
from referee.kernel.errors import KumiteError
from referee.v1 import play_pb2
from referee.v1 import watch_pb2 as pb
from referee.v1.watch_pb2_grpc import WatchServiceStub

WAIT = 10.0
"""Seconds that a call may take."""
MOST_BYTES = 64 * 1024 * 1024
"""Largest message that is read: the record of the longest match."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds of back-off before a table is followed again: at first, and at most after doubling."""
OPTIONS = [
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", MOST_BYTES),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.use_local_subchannel_pool", 1),
]

T = TypeVar("T")


class WatchError(KumiteError):
    """A call was not answered; the message says why in one line."""


class Away(WatchError):
    """No referee answers, or the referee ends or restarts: the call may be made again later."""


class NotThere(WatchError):
    """No table, match, pool or bot has that name."""


class Refused(WatchError):
    """The call cannot be answered now: no database, a sealed record, a bad request, or too many calls."""


ERRORS = {
    grpc.StatusCode.UNAVAILABLE: Away,
    grpc.StatusCode.CANCELLED: Away,
    grpc.StatusCode.DEADLINE_EXCEEDED: Away,
    grpc.StatusCode.NOT_FOUND: NotThere,
}


class WatchClient:
    """One channel to a referee. Every method raises Away, NotThere or Refused."""

    def __init__(self, address: str, credentials: grpc.ChannelCredentials | None = None) -> None:
        """`address` is host:port or unix:/path; `credentials` are for TLS. To be called under a running loop."""
        self._address = address
        if credentials is None:
            self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        else:
            self._channel = grpc.aio.secure_channel(address, credentials, options=OPTIONS)
        self._stub = WatchServiceStub(self._channel)

    async def __aenter__(self) -> WatchClient:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End all streams and close the channel."""
        await self._channel.close(None)

    async def tables(self, game: str = "", first: int = 0, count: int = 0) -> pb.WatchServiceListTablesResponse:
        """The tables that run now, the oldest first: `count` of them (0: 100) from number `first` on."""
        request = pb.WatchServiceListTablesRequest(game=game, first=first, count=count)
        return await self._answer(self._stub.ListTables(request, timeout=WAIT))

    async def standings(self, pool: int = 0) -> pb.GetStandingsResponse:
        """The published standings of a pool, by its id; 0: of all pools."""
        return await self._answer(self._stub.GetStandings(pb.GetStandingsRequest(pool=pool), timeout=WAIT))

    async def matches(self, request: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
        """A page of matches, the newest first."""
        return await self._answer(self._stub.ListMatches(request, timeout=WAIT))

    async def record(self, match: str) -> bytes:
        """The lines of a finished match's record."""
        response = await self._answer(self._stub.GetRecord(pb.GetRecordRequest(match_id=match), timeout=WAIT))
        return bytes(response.record)

    async def follow(self, match: str, patience: float = 0.0) -> AsyncIterator[pb.FollowTableResponse]:
        """The positions of a table; the last message has `end`.

        After a break of the connection the table is followed again for at most `patience` seconds: the next message is
        then a snapshot with the table. NotThere means that the match is over or was never played here.
        """
        lost: float | None = None
        pause = FIRST_PAUSE
        while True:
            try:
                async for message in self._stub.FollowTable(pb.FollowTableRequest(match_id=match)):
                    lost, pause = None, FIRST_PAUSE
                    yield message
                    if message.HasField("end"):
                        return
                raise Away(f"the referee at {self._address} ended the stream before the match was over")
            except (grpc.aio.AioRpcError, Away) as error:
                wrong = error if isinstance(error, Away) else _error(error)
                now = time.monotonic()
                lost = now if lost is None else lost
                if not isinstance(wrong, Away) or now - lost >= patience:
                    raise wrong from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _answer(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            raise _error(error) from None


def _error(error: grpc.aio.AioRpcError) -> WatchError:
    kind = ERRORS.get(error.code(), Refused)
    return kind(error.details() or f"the call failed: {error.code().name}")


def public_view(message: pb.FollowTableResponse) -> object:
    """The game's own public view (`game.view(state, None)`) in a message; None: the message has none."""
    game = message.WhichOneof("game")
    if game is None:
        return None
    ask = play_pb2.Ask()
    getattr(ask, game).CopyFrom(getattr(message, game))
    return decoding.decoder(game).view(ask)
