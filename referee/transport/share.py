"""The share of the loop that bots at tables get, so that streams which are just being opened get theirs.

One loop serves everything. gRPC needs about five of its turns to accept a stream, and a stream some more until its
welcome is sent. With 1,000 bots that answer at once a turn that handled everything there is would take a quarter of a
second, and streams would come in at less than one a second. So a turn handles messages of bots that have said hello
for `WIDE` microseconds only, and for `NARROW` while streams are being opened; the rest waits for the next turn, in the
order of arrival. A bot whose message waits is not read from, so at most one message of each bot waits here.

What a message waited is in the `queued` time that its match is told, and is charged to no clock.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from referee.transport.stream import BotStream

WIDE = 4_000
"""Microseconds of a turn for messages of bots, as long as no stream is being opened."""
NARROW = 100
"""The same while streams are being opened."""
ARRIVING = 50_000
"""Microseconds after the opening of a stream for which turns are narrow."""
CARRIAGE = 100
"""Microseconds that gRPC takes in our loop to bring a message and to send what follows from it."""


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

    def __init__(self, receive: Callable[[BotStream, bytes, int, int], None], now: Callable[[], int]) -> None:
        """`receive` is given a stream, a message, when it came and how long it waited; `now` in microseconds."""
        self._receive = receive
        self._now = now
        self._waiting: deque[_Waiting] = deque()
        self._spent = 0
        self._turning = False
        self._narrow_until = 0

    @property
    def waiting(self) -> int:
        """Messages that wait for a later turn."""
        return len(self._waiting)

    def opening(self, at: int) -> None:
        """A stream is being opened: the next turns are narrow."""
        self._narrow_until = at + ARRIVING

    def hand(self, stream: BotStream, data: bytes, came: int) -> asyncio.Future[None] | None:
        """Handle a message that came at `came` now, or in a later turn: then the future is done when it was handled.

        A message on a stream without a hello is always handled now.
        """
        if stream.session is None:
            self._receive(stream, data, came, self._now() - came)
            return None
        if not self._waiting and self._spent < self._width(came):
            self._handle(stream, data, came)
            return None
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(stream, data, came, done))
        return done

    def _width(self, at: int) -> int:
        return NARROW if at < self._narrow_until else WIDE

    def _handle(self, stream: BotStream, data: bytes, came: int) -> None:
        began = self._now()
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)
        try:
            self._receive(stream, data, came, began - came)
        finally:
            self._spent += self._now() - began + CARRIAGE

    def _turn(self) -> None:
        """A new turn of the loop has begun: handle what waits, as far as its share goes."""
        self._turning = False
        self._spent = 0
        if not self._waiting:
            return
        width = self._width(self._now())
        while self._waiting and self._spent < width:
            stream, data, came, done = self._waiting.popleft()
            if done.cancelled():
                continue  # the stream is gone
            try:
                self._handle(stream, data, came)
            except Exception as error:
                done.set_exception(error)  # for the reader of that stream alone
            else:
                done.set_result(None)
        if self._waiting and not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)
