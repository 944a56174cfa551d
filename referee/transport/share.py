"""The share of the loop's time that messages of bots at tables get, so that arriving streams are served meanwhile.

One loop serves everything. gRPC needs four turns of the loop to accept a stream, and the stream some more until its
welcome is sent. With 1,000 bots that answer at once, a turn that handled all messages would take a quarter of a second,
and less than one stream a second would come in. So a turn handles messages of bots that have said hello for `WIDE`
microseconds only. While streams arrive or tables are opened (`Arrivals`), those messages get one part in `PARTS` of the
loop's processor time, and all time in which the loop has no other work; the other messages wait in the order of their
arrival. Back-pressure: a stream whose message waits is not read, so at most one message of each bot waits here. Opening
tables gives way to streams in the same manner (`lobby`), and while a crowd arrives streams are pinged less often
(`BotStream.ping`).

The time that a message waited is part of the `queued` time that its match is told, and is charged to no clock.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from referee.transport.bridge import Turns
from referee.transport.stream import BotStream

WIDE = 4_000
"""Microseconds of one turn of the loop that messages of bots may take."""
PARTS = 8
"""While streams arrive, messages of bots get one part in so many of the loop's processor time."""
PAUSE = 5_000
"""Microseconds between two attempts to handle waiting messages while their part is used up."""
PORTION = 500
"""Microseconds of a turn for messages of bots while streams arrive and the loop has nothing else to do."""
MOST_CREDIT = 4_000
"""Most microseconds of that part that messages may save up, or owe."""
ARRIVING = 50_000
"""Microseconds of the loop's processor time after the opening of a stream or table for which more are expected."""
LONGEST = 500_000
"""Most microseconds of play time for which more are expected."""
CROWD = 16
"""Streams opened one after the other, within `LONGEST` microseconds of the first, that make a crowd."""
CARRIAGE = 100
"""Microseconds of the loop that gRPC takes to bring a message and to send what follows from the message."""


def processor_time() -> int:
    """The processor time of this thread in microseconds."""
    return time.thread_time_ns() // 1000


class Arrivals:
    """Whether streams arrive or tables are opened now, so that further streams or tables may wait to be opened.

    After each opening both are expected to go on for `ARRIVING` microseconds of the loop's processor time, which stands
    while other processes run. A loop without work uses no processor time, so `LONGEST` bounds the wait in play time.
    """

    __slots__ = ("_any", "_count", "_counted_from", "_streams", "_used")

    def __init__(self, used: Callable[[], int] = processor_time) -> None:
        """`used` reads the processor time of the loop so far, in microseconds."""
        self._used = used
        self._streams = (0, 0)
        """Until when streams are expected: in processor time, and at most in play time."""
        self._any = (0, 0)
        """Until when streams or tables are expected: in processor time, and at most in play time."""
        self._count = 0
        """Streams that were opened one after the other since `_counted_from`."""
        self._counted_from = 0

    def stream(self, at: int) -> None:
        """A stream is being opened."""
        if at - self._counted_from >= LONGEST or not self.of_streams(at):
            self._count, self._counted_from = 0, at
        self._count += 1
        self.table(at)
        self._streams = self._any

    def table(self, at: int) -> None:
        """A table is being opened."""
        self._any = (self._used() + ARRIVING, at + LONGEST)

    def of_streams(self, at: int) -> bool:
        """Whether streams arrive."""
        return at < self._streams[1] and self._used() < self._streams[0]

    def of_a_crowd(self, at: int) -> bool:
        """Whether `CROWD` streams or more arrive."""
        return self._count >= CROWD and self.of_streams(at)

    def going_on(self, at: int) -> bool:
        """Whether streams arrive or tables are opened."""
        return at < self._any[1] and self._used() < self._any[0]


class _Waiting(NamedTuple):
    """A message that waits for a later turn of the loop."""

    stream: BotStream
    data: bytes
    came: int
    """When the message came, in microseconds of play time."""
    done: asyncio.Future[None]
    """Set when the message has been handled."""


class Share:
    """Hands messages to `receive`, as many in each turn of the loop as the share allows."""

    def __init__(
        self,
        receive: Callable[[BotStream, bytes, int, int], None],
        now: Callable[[], int],
        arrivals: Arrivals,
        turns: Turns,
        used: Callable[[], int] = processor_time,
    ) -> None:
        """`receive` is given a stream, a message, when the message came and how long it waited; `now` is play time.

        `turns` counts the turns of the loop. `used` reads the processor time of the loop so far. All times are in
        microseconds.
        """
        self._receive = receive
        self._now = now
        self._arrivals = arrivals
        self._turns = turns
        self._used = used
        self._waiting: deque[_Waiting] = deque()
        self._counted_turn = 0
        """The turn of the loop in which `_spent` was spent."""
        self._spent = 0
        """Microseconds of that turn that messages have taken."""
        self._next: asyncio.Handle | None = None
        """The next call of `_turn`; set as long as messages wait."""
        self._free = 0
        """Microseconds of the next turn that messages get beyond the credit, because the loop has no other work."""
        self._credit = 0
        """Microseconds that messages may take while streams arrive; below 0: messages have taken more."""
        self._credited = 0
        """The processor time up to which the credit is counted."""
        turns.idle = self._idle

    @property
    def waiting(self) -> int:
        """Messages that wait for a later turn."""
        return len(self._waiting)

    def hand(self, stream: BotStream, data: bytes, came: int) -> asyncio.Future[None] | None:
        """Handle a message that came at `came` now, or in a later turn: then the future is done when it was handled.

        A message on a stream without a hello is always handled now.
        """
        if stream.session is None:
            self._receive(stream, data, came, self._now() - came)
            return None
        if not self._waiting and self._may_handle(came):
            self._handle(stream, data, came)
            return None
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(stream, data, came, done))
        if self._next is None:
            self._wait()
        return done

    def _idle(self) -> bool:
        """The loop has no other work: handle messages that wait in its next turn; False: none wait."""
        if self._next is None:
            return False
        self._next.cancel()
        self._free = PORTION
        self._next = asyncio.get_running_loop().call_soon(self._turn)
        return True

    def _may_handle(self, at: int) -> bool:
        """Whether one more message may be handled in this turn of the loop."""
        if self._counted_turn != self._turns.count:
            self._counted_turn = self._turns.count
            self._spent = 0
        if self._spent >= WIDE:
            return False
        if self._spent < self._free or not self._arrivals.going_on(at):
            return True
        used = self._used()
        self._credit = min(self._credit + (used - self._credited) // PARTS, MOST_CREDIT)
        self._credited = used
        return self._credit > 0

    def _handle(self, stream: BotStream, data: bytes, came: int) -> None:
        began = self._now()
        try:
            self._receive(stream, data, came, began - came)
        finally:
            cost = self._now() - began + CARRIAGE
            self._spent += cost
            self._credit = max(self._credit - cost, -MOST_CREDIT)

    def _wait(self) -> None:
        """Call `_turn` in the next turn of the loop, or after a pause if this turn could not handle any message."""
        loop = asyncio.get_running_loop()
        self._next = loop.call_soon(self._turn) if self._spent else loop.call_later(PAUSE / 1_000_000, self._turn)

    def _turn(self) -> None:
        """Handle messages that wait, as far as the share of this turn of the loop goes."""
        self._next = None
        while self._waiting and self._may_handle(self._now()):
            stream, data, came, done = self._waiting.popleft()
            if done.cancelled():
                continue  # the stream has ended
            try:
                self._handle(stream, data, came)
            except Exception as error:
                done.set_exception(error)  # for the reader of that stream alone
            else:
                done.set_result(None)
        self._free = 0
        if self._waiting:
            self._wait()
