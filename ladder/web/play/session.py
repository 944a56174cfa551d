"""One person's seat: a `Play` stream that is opened again as long as the seat is wanted.

Messages of the referee change the state, `draw` turns it into the text that the page gets (in a worker thread, at most
one at a time for each seat), and a `Feed` hands the newest text to the readers.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence

import grpc
import grpc.aio

from ladder.web.live.hub import Feed
from ladder.web.play import drawing
from ladder.web.play.desk import Desk, DeskError
from ladder.web.reading.page import Data
from referee.kernel import registry
from referee.v1 import admin_pb2, common_pb2
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

PROTOCOL_VERSION = 1
SOFTWARE = "a person in a browser"
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds of back-off before the stream is opened again: at first, and at most after doubling."""
LOOK_SECONDS = 0.5
"""Seconds between two looks at a table that has not begun."""
LOGGED = 400
"""Events that a page gets of what has happened so far."""
FOR_GOOD = {
    pb.FAULT_CODE_UNAUTHENTICATED: "This seat is not known here any more; the table is over, or the link was wrong.",
    pb.FAULT_CODE_REVOKED: "This seat is not known here any more; the table is over.",
    pb.FAULT_CODE_KICKED: "An organiser closed this seat.",
    pb.FAULT_CODE_TAKEN_OVER: "This seat is played from another place.",
    pb.FAULT_CODE_SHUTDOWN: "The referee has ended.",
    pb.FAULT_CODE_BAD_HELLO: "The referee does not know this program; it may be of another version.",
    pb.FAULT_CODE_VERSION: "The referee does not know this program; it is of another version.",
}
"""Faults after which the stream is not opened again, and what the page says."""
_logger = logging.getLogger(__name__)
QUIET = (pb.FAULT_CODE_DUPLICATE, pb.FAULT_CODE_STALE)
"""Faults of an answer that was sent twice because of a break."""


class PersonSession:
    """The session of one seat."""

    def __init__(self, channel: grpc.aio.Channel, desk: Desk, match: str, token: str) -> None:
        """`channel` leads to the referee's play socket."""
        self._stub = RefereeServiceStub(channel)
        self._desk = desk
        self.match = match
        self._token = token
        self.feed = Feed(secrets.token_hex(4))
        """The newest state of the seat, as the page gets it."""
        self.used = time.monotonic()
        """When a browser last asked for something."""
        self.moved = time.time()
        """When the newest position came, for clocks that run on."""
        self._table: admin_pb2.PeopleTable | None = None
        self._seated: pb.Seated | None = None
        self._told: pb.Told | None = None
        self._drawn: drawing.Drawn | None = None
        self._ask: pb.Ask | None = None
        self._asked_at = 0.0
        self._question: Data | None = None
        self._answer: pb.Answer | None = None
        self._over: pb.Over | None = None
        self._log: deque[Data] = deque(maxlen=LOGGED)
        self._logged = 0
        self._positions: deque[pb.Told] = deque(maxlen=LOGGED)
        self._connected = False
        self._gone = ""
        self._notice = ""
        self._out: asyncio.Queue[pb.PlayRequest] = asyncio.Queue(64)
        self._dirty = asyncio.Event()
        self._tasks = [asyncio.create_task(run()) for run in (self._dial, self._draw, self._wait)]

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return bool(self._gone) or self._over is not None

    @property
    def ask(self) -> pb.Ask | None:
        """The open ask; None: the seat owes no answer."""
        return self._ask

    @property
    def seated(self) -> pb.Seated | None:
        """The table as the seat was told; None: not yet."""
        return self._seated

    async def close(self) -> None:
        """End the stream; the seat's clock runs on at the referee."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def answer(self, number: int, option: int) -> str:
        """Answer an ask; returns why that is not possible, or an empty text. An answer that is repeated is harmless."""
        before = self._answer
        if before is not None and before.ask == number:
            return "" if before.option == option else "This question is answered already."
        ask = self._ask
        if ask is None or ask.ask != number:
            return "This question is over; the page shows what is asked now."
        if not 0 <= option < ask.option_count:
            return f"There are {ask.option_count} options, numbered from 0."
        self._answer = pb.Answer(match_id=self.match, ask=number, option=option)
        self._ask = self._question = None
        self._notice = ""
        self._send(pb.PlayRequest(answers=[self._answer]))
        self._dirty.set()
        return ""

    def _send(self, request: pb.PlayRequest) -> None:
        # A full queue means a stream that does not take messages: what is lost is asked again on the next one.
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait(request)

    async def _wait(self) -> None:
        """Look at the table until the match begins, so that the page says who is waited for."""
        while self._seated is None and not self._gone:
            try:
                self._table = await self._desk.table(self.match)
                if self._table.state == admin_pb2.PEOPLE_TABLE_STATE_CLOSED:
                    self._gone = f"The table was closed: {self._table.message}."
            except DeskError:
                self._table = None
            self._dirty.set()
            await asyncio.sleep(LOOK_SECONDS)

    async def _dial(self) -> None:
        pause = FIRST_PAUSE
        while not self.ended:
            try:
                call = self._stub.Play(self._requests(), metadata=[("authorization", f"Bearer {self._token}")])
                async for message in call:
                    pause = FIRST_PAUSE if message.HasField("welcome") else pause
                    self._receive(message)
            except grpc.aio.AioRpcError:
                pass
            self._connected = False
            self._dirty.set()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _requests(self) -> AsyncIterator[pb.PlayRequest]:
        """The messages of one stream. The token says who comes, so no resume token is needed."""
        out = self._out = asyncio.Queue(64)
        yield pb.PlayRequest(
            hello=pb.Hello(protocol_version=PROTOCOL_VERSION, software=SOFTWARE, events=True, views=True)
        )
        while True:
            yield await out.get()

    def _receive(self, message: pb.PlayResponse) -> None:
        if message.HasField("welcome"):
            self._connected = True
        for seated in message.seated:
            if seated.match_id == self.match:
                self._seated = seated
                if not seated.is_ready:
                    self._send(pb.PlayRequest(ready=[pb.Ready(match_id=self.match)]))
        for told in message.told:
            if told.match_id == self.match and told.number:
                self._take(told)
        for ask in message.asks:
            if ask.match_id == self.match:
                self._asked(ask)
        for over in message.over:
            if over.match_id == self.match:
                self._over, self._ask, self._question = over, None, None
        for fault in message.faults:
            self._fault(fault)
        if message.HasField("ping"):
            self._send(pb.PlayRequest(pong=pb.Pong(nonce=message.ping.nonce)))
        self._dirty.set()

    def _take(self, told: pb.Told) -> None:
        """A position; one that is repeated after a break brings nothing new."""
        if self._told is None or told.number != self._told.number:
            self.moved = time.time()
            self._positions.append(told)
        self._told = told

    def _asked(self, ask: pb.Ask) -> None:
        if self._answer is not None and self._answer.ask == ask.ask:
            self._send(pb.PlayRequest(answers=[self._answer]))
            return
        if self._ask is None or self._ask.ask != ask.ask:
            self._question = None
        self._ask = ask
        self._asked_at = time.time()

    def _fault(self, fault: pb.Fault) -> None:
        if fault.closes_stream and fault.code in FOR_GOOD:
            self._gone = FOR_GOOD[fault.code]
        elif fault.match_id in ("", self.match) and fault.code not in QUIET and not fault.closes_stream:
            self._notice = fault.message
            if fault.code == pb.FAULT_CODE_ILLEGAL:
                self._answer = None

    async def _draw(self) -> None:
        """Draw the state whenever it has changed; what changes meanwhile is drawn next."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            try:
                await self._redraw()
            except Exception:
                _logger.exception("the board of match %s cannot be drawn", self.match)
                self._notice = "The board cannot be drawn; the log of the pages says why."
            self.feed.put(self.state(), last=self.ended)

    async def _redraw(self) -> None:
        ask = self._ask
        positions = list(self._positions)
        self._positions.clear()
        if positions:
            drawn = await asyncio.to_thread(drawing.position, positions[-1])
            events = await asyncio.to_thread(drawing.events, positions)
            self._drawn = drawn._replace(events=events)
            self._keep(events)
        if ask is not None and self._question is None:
            found = await asyncio.to_thread(drawing.question, ask)
            if self._ask is ask:
                self._question = found

    def _keep(self, events: Sequence[Data]) -> None:
        for event in events:
            self._logged += 1
            self._log.append({"n": self._logged, "seat": event.get("seat", -1), "words": event.get("words", "")})

    def state(self) -> Data:
        """What the page of this seat shows now."""
        found: Data = {"match": self.match, "referee": self._connected, "gone": self._gone, "notice": self._notice}
        if self._seated is None:
            return found | {"waiting": _waiting(self._table)}
        seated, told = self._seated, self._told
        found |= {
            "game": seated.game,
            "title": registry.game(seated.game).title,
            "seat": seated.seat,
            "names": [drawing.shown_name(name) for name in seated.players],
            "clock": seated.clock.text if seated.HasField("clock") else "",
            "log": list(self._log),
        }
        if told is not None and self._drawn is not None:
            found |= {
                "number": self._drawn.number,
                "awaited": list(told.awaited),
                "bank_ms": [bank // 1000 for bank in told.bank_us],
                "moved": round(self.moved * 1000),
                "sight": self._drawn.sight,
                "events": self._drawn.events,
            }
        if self._ask is not None and self._question is not None:
            found["ask"] = self._question | _time(self._ask, self._asked_at)
        if self._over is not None:
            found["over"] = _over(self._over)
        return found


def _time(ask: pb.Ask, asked_at: float) -> Data:
    if not ask.HasField("budget_us"):
        return {}
    return {"bank_ms": ask.bank_us // 1000, "budget_ms": ask.budget_us // 1000, "asked": round(asked_at * 1000)}


def _waiting(table: admin_pb2.PeopleTable | None) -> Data | None:
    """Who is waited for; None: not known."""
    if table is None:
        return None
    return {
        "seats": [
            {
                "name": drawing.shown_name(seat.name),
                "person": seat.kind == admin_pb2.PEOPLE_SEAT_KIND_PERSON,
                "joined": bool(seat.name),
                "present": seat.present,
            }
            for seat in table.seats
        ],
        "game": table.game,
        "title": registry.game(table.game).title,
    }


def _over(over: pb.Over) -> Data:
    """The end of the match."""
    if not over.HasField("result"):
        messages = [ending.message for ending in over.endings if ending.message]
        return {"places": None, "message": messages[0] if messages else "the match ended without a result"}
    return {
        "places": list(over.result.places),
        "points": list(over.result.points),
        "automata": list(over.result.automata),
        "reason": over.result.reason,
        "forfeited": [ending.kind == common_pb2.ENDING_KIND_FORFEITED for ending in over.endings],
    }
