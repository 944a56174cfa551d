"""The bot under check, as a script meets it: it is greeted, seated, asked, cut off and waited for.

Every wait has a deadline; when it is over, or the bot breaks a rule of the protocol, `DrillFailed` says so.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import grpc
import trio
from google.protobuf.message import DecodeError

import referee
from ladder.check.host import Host
from ladder.check.outcomes import DrillFailed, DrillSkipped
from ladder.check.script_server import ReceivedMessage, ScriptServer, ScriptStream
from ladder.check.scripted_table import ScriptedTable
from ladder.check.transcript import Way
from referee.kernel import registry
from referee.kernel.game import Seat
from referee.match.clock import SECOND, TimeControl
from referee.match.playtime import monotonic
from referee.transport.auth import bad_name
from referee.transport.limits import Limits
from referee.transport.messages import PROTOCOL_VERSION, fill_limits
from referee.v1 import play_pb2 as pb

LIMITS = Limits()
DYING = 1.0
"""Seconds that a process may take to end after its stream has."""


Wrap: TypeAlias = Callable[[pb.PlayResponse], pb.PlayResponse]
"""Changes a message before it is sent."""


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """A game that the bot plays, and with how many seats."""

    game: str
    seats: int
    variant: dict[str, str]
    """The settings it insists on."""

    def __str__(self) -> str:
        return f"{self.game} with {self.seats} seat{'s' if self.seats > 1 else ''}"


class Sitting(Protocol):
    """What the bot can speak to at a table."""

    @property
    def id(self) -> str:
        """The match."""

    @property
    def seat(self) -> Seat:
        """The bot's seat."""

    def ready(self, at: int) -> None:
        """The bot is ready."""

    def answer(self, answer: pb.Answer, at: int) -> None:
        """The bot answers; raises DrillFailed if it cannot be an answer."""

    def failed(self, failure: pb.Failure) -> None:
        """The bot says that it cannot answer; raises DrillFailed where it should have."""


class CheckedBot:
    """The bot under check."""

    def __init__(
        self, name: str, server: ScriptServer, host: Host, patience: float, second: str = "", dead: str = ""
    ) -> None:
        """`patience`: seconds that anything may take which no clock of a match limits.

        `second` is another address at which the checker listens, `dead` one at which no referee does.
        """
        self.second = second
        self.dead = dead
        self.bearer: str | None = None
        """The token that its process was given; None: the checker gave it none and accepts any."""
        self.name = name
        self.server = server
        self.host = host
        self.patience = patience
        self.hello = pb.Hello()
        """Its latest hello."""
        self.token = ""
        """The resume token that it was given."""
        self.present: ScriptStream | None = None
        """The present stream of the bot; None: the bot has none."""
        # Of all steps: what comes late for a match that is over does no harm.
        self._tables: dict[str, Sitting] = {}
        self._pings: dict[int, None] = {}

    @property
    def stream(self) -> ScriptStream:
        """Its present stream; fails if there is none."""
        if self.present is None:
            raise DrillFailed("is not connected", Way.SENT)
        return self.present

    async def arrive(self) -> None:
        """See to it that the bot is connected, welcome and without a table."""
        self._pings.clear()
        if self.present is not None:
            return
        await self.start()
        if self.hello.resume_token:
            # From an earlier life of which this referee knows nothing.
            self.refuse(pb.FAULT_CODE_UNKNOWN_RESUME, "there is nothing to resume; say hello without a resume token")
            await self.come()
            if self.hello.resume_token:
                raise DrillFailed("says hello with a resume token that was refused with FAULT_CODE_UNKNOWN_RESUME")
        self.welcome()

    async def start(self, token: str | None = None) -> None:
        """Start the bot, with a token if one is given, and wait for its hello."""
        self.server.forget()
        self.bearer = token
        await self.host.start(token or "")
        await self.come(self.host.patience)

    async def leave(self) -> None:
        """Let go of the bot: the next step begins afresh.

        Its process ends before its stream does, where it can be ended: cut off first, it might dial again meanwhile,
        and that stream would be taken for one of the next process.
        """
        await self.host.stop()
        if self.present is not None:
            self.present.hang_up(grpc.StatusCode.UNAVAILABLE, "the referee is restarted")
            self.present = None

    async def come(self, patience: float | None = None) -> None:
        """Wait for the bot's next stream and its hello, and check that."""
        limit = self.patience if patience is None else patience
        stream: ScriptStream | None = None
        code: int | None = None
        async with trio.open_nursery() as nursery:

            async def dial() -> None:
                nonlocal stream
                stream = await self.server.stream()
                nursery.cancel_scope.cancel()

            async def die() -> None:
                nonlocal code
                code = await self.host.ended(limit)
                if code is not None:
                    nursery.cancel_scope.cancel()

            nursery.cancel_scope.deadline = trio.current_time() + limit
            nursery.start_soon(dial)
            nursery.start_soon(die)
        if stream is None:
            how = (
                f"did not connect within {limit:g} s" if code is None else f"ended with code {code} and did not connect"
            )
            raise DrillFailed(how, Way.SENT)
        self.present = stream
        self._pings.clear()
        arrival = await self._next(limit, "no hello on its new stream")
        request = _parsed(arrival.data)
        if not request.HasField("hello"):
            raise DrillFailed("the first message of a stream must carry a hello")
        self._check(request.hello, stream)
        self.hello = request.hello

    def _check(self, hello: pb.Hello, stream: ScriptStream) -> None:
        if hello.protocol_version != PROTOCOL_VERSION:
            raise DrillFailed(f"speaks protocol version {hello.protocol_version}; this one is {PROTOCOL_VERSION}")
        self._check_name(hello.name, stream.token)
        for offer in hello.offers:
            if offer.game not in registry.GAMES:
                raise DrillFailed(f"offers the game {offer.game!r}; there are {', '.join(registry.names())}")
            seats = registry.game(offer.game).seats
            for count in offer.seat_counts:
                if count not in seats:
                    raise DrillFailed(
                        f"offers {offer.game} with {count} seats; it has {seats.start} to {seats.stop - 1}"
                    )

    def _check_name(self, name: str, token: str) -> None:
        """The name must be the bot's own; with a token, which says who it is, it may be left out."""
        if self.bearer and token and token != self.bearer:
            raise DrillFailed(f"shows the token {token!r}; it was given {self.bearer!r} (KUMITE_TOKEN)")
        if token and not name:
            return
        wrong = bad_name(name, LIMITS.name_characters)
        if wrong is not None:
            raise DrillFailed(wrong)
        if name != self.name:
            rest = "; with a token leave it empty, the token is the name" if token else ""
            raise DrillFailed(f"says hello as {name!r}; it was told to be {self.name!r} (KUMITE_NAME){rest}")

    def welcome(self, *tables: ScriptedTable) -> None:
        """Accept the bot; these tables are given back to it."""
        if not tables:
            self.token = secrets.token_urlsafe(24)
        message = pb.PlayResponse()
        message.welcome.protocol_version = PROTOCOL_VERSION
        message.welcome.referee_version = referee.__version__
        message.welcome.name = self.name
        message.welcome.resume_token = self.token
        message.welcome.resumed = bool(tables)
        fill_limits(message.welcome.limits, LIMITS)
        for table in tables:
            table.back()
            message.MergeFrom(table.take())
        self.stream.send(message)

    def refuse(self, code: pb.FaultCode, text: str, status: grpc.StatusCode = grpc.StatusCode.NOT_FOUND) -> None:
        """End the stream with a fault that says why."""
        self.close(pb.Fault(code=code, message=text), status)

    def close(self, fault: pb.Fault, status: grpc.StatusCode, *tables: ScriptedTable) -> None:
        """End the stream with a fault; the bot is gone from these tables."""
        fault.closes_stream = True
        self.stream.send(pb.PlayResponse(faults=[fault]))
        self.stream.hang_up(status, fault.message)
        self.present = None
        for table in tables:
            table.gone()

    def drop(self, *tables: ScriptedTable) -> None:
        """Break the stream; no message announces the break."""
        self.stream.hang_up(grpc.StatusCode.UNAVAILABLE, "connection reset")
        self.present = None
        for table in tables:
            table.gone()

    def seat(self, seating: OfferedGame, clock: TimeControl, seat: int | None = None) -> ScriptedTable:
        """Make a table for it; what it is to be told is due. The last seat is the bot's, if none is named."""
        table = ScriptedTable(
            registry.game(seating.game),
            seating.seats,
            seating.seats - 1 if seat is None else seat,
            name=self.name,
            clock=clock,
            variant=seating.variant,
            events=self.hello.events,
        )
        self.sit(table)
        return table

    def sit(self, table: Sitting) -> None:
        """Let it speak to a table."""
        self._tables[table.id] = table

    async def play(self, *tables: ScriptedTable, wrap: Wrap = lambda it: it) -> None:
        """Play tables to their end, in step: what is due at all of them is one message, changed by `wrap`."""
        while True:
            self._send(tables, wrap)
            if all(table.over for table in tables):
                return
            while any(not table.over and not table.due.ByteSize() for table in tables):
                await self.hear(*tables)

    async def play_to(self, table: ScriptedTable, ask: int, wrap: Wrap = lambda it: it) -> None:
        """Play until that ask is due and not yet sent; raises DrillSkipped if the match is over before."""
        while not table.over:
            if table.due.asks and table.owes >= ask:
                return
            self._send((table,), wrap)
            await self.hear(table)
        self._send((table,), wrap)
        raise DrillSkipped(f"{table} was over before ask {ask}")

    def _send(self, tables: tuple[ScriptedTable, ...], wrap: Wrap) -> None:
        message = pb.PlayResponse()
        for table in tables:
            message.MergeFrom(table.take())
        if message.ByteSize():
            self.stream.send(wrap(message))

    def ping(self, nonce: int) -> pb.PlayResponse:
        """A message with a ping, which is waited for from now on."""
        self._pings[nonce] = None
        return pb.PlayResponse(ping=pb.Ping(nonce=nonce))

    async def pongs(self, *tables: ScriptedTable) -> None:
        """Wait until every ping has come back; what comes for the tables meanwhile is taken."""
        while self._pings:
            waiting = ", ".join(map(str, self._pings))
            await self.hear(*tables, what=f"no pong with nonce {waiting}; a ping must be returned at once")

    async def hear(self, *tables: ScriptedTable, what: str = "", patience: float | None = None) -> None:
        """Take one message, which is waited for as long as the tables' clocks and our patience allow.

        `what` names what is missing, where it is not what the tables wait for.
        """
        waiting = [table for table in tables if not table.over and not table.due.ByteSize()]
        limit = self.patience if patience is None else patience
        deadlines = [table.deadline for table in waiting]
        left = [(deadline - monotonic()) / SECOND for deadline in deadlines if deadline is not None]
        missing = what or next((table.wanted for table in waiting), "no message")
        if left and min(left) < limit:
            # The match itself says that the time is over; what comes in the same moment still counts.
            arrival = await self._within(max(0.0, min(left)))
            if arrival is None:
                for table in waiting:
                    _blame(table.tick, Way.SENT)
                return
        else:
            arrival = await self._next(limit, missing)
        self._take(arrival)

    async def silence(self, seconds: float) -> bool:
        """Wait for one message and take it; whether none came. Fails if the stream ends."""
        arrival = await self._within(seconds)
        if arrival is None:
            return True
        self._take(arrival)
        return False

    async def _next(self, limit: float, missing: str) -> ReceivedMessage:
        arrival = await self._within(limit)
        if arrival is None:
            raise DrillFailed(f"{missing} within {limit:g} s", Way.SENT)
        return arrival

    async def _within(self, seconds: float) -> ReceivedMessage | None:
        """The next message; None: there was none in that time. Fails if the stream ends."""
        stream = self.stream
        with trio.move_on_after(seconds):
            arrival = await stream.receive()
            if arrival is None:
                self.present = None
                raise DrillFailed(await self._farewell(stream), Way.SENT)
            return arrival
        return None

    async def _farewell(self, stream: ScriptStream) -> str:
        """How the bot left without being asked to."""
        if stream.flooded:
            return "floods the referee: it sends faster than it is sent anything"
        code = await self.host.ended(DYING)
        return "closed its stream" if code is None else f"ended with code {code}"

    def _take(self, arrival: ReceivedMessage) -> None:
        request = _parsed(arrival.data)
        if request.HasField("hello"):
            raise DrillFailed("says hello again on a stream that was greeted")
        for ready in request.ready:
            self._table(ready).ready(arrival.at)
        for answer in request.answers:
            self._table(answer).answer(answer, arrival.at)
        for failure in request.failures:
            if failure.ask or failure.match_id in self._tables:
                self._table(failure).failed(failure)
        if request.HasField("pong"):
            if request.pong.nonce not in self._pings:
                raise DrillFailed(f"returns a pong with nonce {request.pong.nonce}, which was in no ping")
            del self._pings[request.pong.nonce]

    def _table(self, message: pb.Ready | pb.Answer | pb.Failure) -> Sitting:
        table = self._tables.get(message.match_id)
        if table is None:
            raise DrillFailed(f"speaks of match {message.match_id!r}, which it was never seated at")
        if message.HasField("seat") and message.seat != table.seat:
            raise DrillFailed(f"speaks for seat {message.seat} of {table}; it has seat {table.seat}")
        return table


def _parsed(data: bytes) -> pb.PlayRequest:
    try:
        return pb.PlayRequest.FromString(data)
    except DecodeError:
        raise DrillFailed("sent bytes that are no PlayRequest of package referee.v1") from None


def _blame(action: Callable[[], None], way: Way) -> None:
    """Do something whose failure shows in the messages of that way."""
    try:
        action()
    except DrillFailed as failure:
        failure.broke = way
        raise
