"""The share of the loop that bots at tables get, so that bots which are just arriving get theirs.

One loop serves everything. gRPC needs four of its turns to accept a stream, and a stream some more until its welcome is
sent. With 1,000 bots that answer at once a turn that handled everything there is would take a quarter of a second, and
streams would come in at less than one a second. So a turn handles messages of bots that have said hello for `WIDE`
microseconds only. While streams arrive or tables are opened (`Arrivals`) those messages get one part in `PARTS` of the
loop's processor time, and all the time that the loop has nothing else to do; the rest waits, in the order of arrival. A
bot whose message waits is not read from, so at most one message of each bot waits here. Opening tables gives way to
streams in the same manner (`lobby`), and while a crowd arrives no further round trips are measured (`BotStream.ping`).

What a message waited is in the `queued` time that its match is told, and is charged to no clock.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from referee.transport.stream import BotStream

WIDE = 4_000
"""Microseconds of a turn for messages of bots."""
PARTS = 8
"""While streams arrive, messages of bots get one part in so many of the loop's processor time."""
PAUSE = 5_000
"""Microseconds between two portions of that part."""
PORTION = 500
"""Microseconds of a turn for messages of bots while streams arrive and the loop has nothing else to do."""
MOST_CREDIT = 4_000
"""Microseconds of that part which may be saved up, or be owed."""
ARRIVING = 50_000
"""Microseconds of the loop's processor time after the opening of a stream or table for which more are expected."""
LONGEST = 500_000
"""The same in microseconds of the matches' time, at most."""
CROWD = 16
"""Streams that are opened within that time from which on they are a crowd."""
CARRIAGE = 100
"""Microseconds that gRPC takes in our loop to bring a message and to send what follows from it."""


def processor_time() -> int:
    """The processor time of this thread in microseconds."""
    return time.thread_time_ns() // 1000


class Arrivals:
    """Whether streams arrive or tables are opened now, so that more of them may wait to be.

    That is so for a moment of the loop's processor time after the last one: a loop that other processes keep from
    running is given longer. At most for `LONGEST` microseconds, since a loop with nothing to do uses no such time.
    """

    __slots__ = ("_count", "_counted_from", "_streams", "_tables", "_used")

    def __init__(self, used: Callable[[], int] = processor_time) -> None:
        """`used`: the time that the loop has used so far, in microseconds."""
        self._used = used
        self._streams = (0, 0)
        """Until when streams arrive: in the loop's own time, and at most in the time of the matches."""
        self._tables = (0, 0)
        self._count = 0
        """Streams that were opened one after the other since `_counted_from`."""
        self._counted_from = 0

    def stream(self, at: int) -> None:
        """A stream is being opened."""
        if at - self._counted_from >= LONGEST or not self.of_streams(at):
            self._count, self._counted_from = 0, at
        self._count += 1
        self._streams = (self._used() + ARRIVING, at + LONGEST)

    def table(self, at: int) -> None:
        """A table is being opened."""
        self._tables = (self._used() + ARRIVING, at + LONGEST)

    def of_streams(self, at: int) -> bool:
        """Whether streams arrive."""
        return at < self._streams[1] and self._used() < self._streams[0]

    def of_a_crowd(self, at: int) -> bool:
        """Whether many streams arrive."""
        return self._count >= CROWD and self.of_streams(at)

    def going_on(self, at: int) -> bool:
        """Whether streams arrive or tables are opened."""
        return self.of_streams(at) or (at < self._tables[1] and self._used() < self._tables[0])


class _Waiting(NamedTuple):
    """A message that waits for its turn."""

    stream: BotStream
    data: bytes
    came: int
    """When it came."""
    done: asyncio.Future[None]
    """Set when it was handled."""


class Share:
    """Hands messages on, as many in each turn of the loop as the share allows."""

    def __init__(
        self,
        receive: Callable[[BotStream, bytes, int, int], None],
        now: Callable[[], int],
        arrivals: Arrivals,
        used: Callable[[], int] = processor_time,
    ) -> None:
        """`receive` is given a stream, a message, when it came and how long it waited; `now` in microseconds.

        `used`: the time that the loop has used so far, in microseconds. It stands while other processes run.
        """
        self._receive = receive
        self._now = now
        self._arrivals = arrivals
        self._used = used
        self._waiting: deque[_Waiting] = deque()
        self._spent = 0
        self._turning = False
        self._pausing = False
        self._free = 0
        """Microseconds of the next turn that are free for messages, whatever the credit: the loop has no other work."""
        self._credit = 0
        """Microseconds that messages may take while streams arrive; below 0: they have taken more."""
        self._credited = 0
        """What the loop had used when the credit was last counted."""

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
        self._pause()
        return done

    def idle(self) -> bool:
        """The loop has nothing else to do, so some of what waits is handled in its next turn; False: nothing waits."""
        if not self._waiting:
            return False
        self._free = PORTION
        self._soon()
        return True

    def _may_handle(self, at: int) -> bool:
        """Whether one more message may be handled in this turn."""
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
        self._soon()
        try:
            self._receive(stream, data, came, began - came)
        finally:
            cost = self._now() - began + CARRIAGE
            self._spent += cost
            self._credit = max(self._credit - cost, -MOST_CREDIT)

    def _soon(self) -> None:
        """Call `_turn` in the next turn of the loop."""
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _pause(self) -> None:
        """Call `_turn` after a pause, unless it is called anyway."""
        if not self._turning and not self._pausing:
            self._pausing = True
            asyncio.get_running_loop().call_later(PAUSE / 1_000_000, self._paused)

    def _paused(self) -> None:
        self._pausing = False
        if self._waiting:
            self._soon()

    def _turn(self) -> None:
        """A new turn of the loop has begun: handle what waits, as far as its share goes."""
        self._turning = False
        self._spent = 0
        while self._waiting and self._may_handle(self._now()):
            stream, data, came, done = self._waiting.popleft()
            if done.cancelled():
                continue  # the stream is gone
            try:
                self._handle(stream, data, came)
            except Exception as error:
                done.set_exception(error)  # for the reader of that stream alone
            else:
                done.set_result(None)
        self._free = 0
        if self._waiting:
            self._pause()
