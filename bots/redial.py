"""When and where a bot dials again after its stream has ended.

A bot dials an address at which no referee has ever answered for `patience` seconds. A bot dials a referee that has
answered, with a welcome or with a fault that allows another stream, for `AWAY` seconds, because a referee that restarts
keeps the bot's matches. The pause between two attempts doubles from `FIRST_PAUSE` to `LONGEST_PAUSE` (exponential
back-off) and is shortened at random, so that not all bots of a restarted referee dial at the same moment.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable

from bots.address import check_address
from bots.session import Closing
from referee.kernel.errors import BadSetting
from referee.v1 import play_pb2

PATIENCE = 30.0
"""Seconds for which a bot dials an address at which no referee has answered yet."""
AWAY = 15 * 60.0
"""Seconds for which a bot dials a referee that has answered before; the protocol demands ten minutes at least."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
"""Seconds between two attempts: the first pause, and the longest pause, up to which pauses double."""
LONGEST_WAIT = 10 * 60.0
"""Most seconds that a bot waits because of a referee's `Fault.retry_after_us`."""
MANY, MINUTE, SLOW_PAUSE = 15, 60.0, 2.0
"""After `MANY` streams within a `MINUTE` every pause has at least `SLOW_PAUSE` seconds: referees limit streams."""


class Redial:
    """The address to dial, and the time for which the bot goes on dialling."""

    def __init__(self, address: str, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic) -> None:
        """`patience` is in seconds; `clock` returns the time in seconds."""
        self.home = address
        """The address that the bot was given."""
        self.address = address
        """The address to dial next: `home`, or an address to which the referee has redirected the bot."""
        self._patience = patience
        self._clock = clock
        self._limit = patience
        self._since = clock()
        self._pause = FIRST_PAUSE
        self._dials: deque[float] = deque(maxlen=MANY)

    @property
    def limit(self) -> float:
        """Seconds without an answer after which the bot gives the referee up."""
        return self._limit

    def after(self, *, welcomed: bool, closing: Closing | None) -> float | None:
        """The seconds to wait for the next stream after a stream to `address` has ended; None: give up.

        `welcomed`: the referee had welcomed the bot on that stream. `closing`: why the referee closed the stream, if
        known.
        """
        now = self._clock()
        self._dials.append(now)
        if welcomed or closing is not None:
            self._since = now
            self._limit = max(self._patience, AWAY)
        elif now - self._since > self._limit:
            return None
        elif self.address != self.home:
            self.address = self.home
        pause = self._next_pause(welcomed)
        if closing is not None:
            pause = max(pause, min(closing.retry_after, LONGEST_WAIT))
            self._redirect(closing)
        if len(self._dials) == MANY and now - self._dials[0] < MINUTE:
            pause = max(pause, SLOW_PAUSE)
        return pause

    def _next_pause(self, welcomed: bool) -> float:
        if welcomed:
            self._pause = FIRST_PAUSE
        pause = self._pause
        self._pause = min(pause * 2, LONGEST_PAUSE)
        return pause * random.uniform(0.5, 1.0)

    def _redirect(self, closing: Closing) -> None:
        """Dial the address that the referee names next, or `home` if that text is no address."""
        if closing.code != play_pb2.FAULT_CODE_REDIRECTED:
            return
        try:
            check_address(closing.address)
        except BadSetting:
            self.address = self.home
        else:
            self.address = closing.address
