"""When and where a bot dials again after its stream has ended.

An address at which no referee has ever answered is tried for `patience` seconds. A referee that has spoken to the bot,
by a welcome or by a fault that lets it come back, is worth `AWAY`: it may be restarting, and the tables wait for the
bot. The pause between two attempts doubles from `FIRST_PAUSE` to `LONGEST_PAUSE` (exponential back-off) and is
shortened at random, so that the bots of a referee that comes back do not all dial in one moment.
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
"""Seconds for which a bot dials a referee that it has heard from; the protocol wants ten minutes at least."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
"""Seconds between two attempts: the first pause, doubling up to the longest."""
LONGEST_WAIT = 10 * 60.0
"""Seconds that a referee can make a bot wait by `Fault.retry_after_us`."""
MANY, MINUTE, SLOW_PAUSE = 15, 60.0, 2.0
"""After so many streams within a minute each further pause is so long: a referee admits 60 streams a minute."""


class Redial:
    """The address to dial, and the time there is for it."""

    def __init__(self, address: str, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic) -> None:
        """`patience` is in seconds; `clock` tells the time in seconds."""
        self.home = address
        """The address that the bot was given."""
        self.address = address
        """The address to dial next: home, or one that the referee there has named."""
        self._patience = patience
        self._clock = clock
        self._limit = patience
        self._since = clock()
        self._pause = FIRST_PAUSE
        self._dials: deque[float] = deque(maxlen=MANY)

    @property
    def limit(self) -> float:
        """Seconds after which the referee is given up."""
        return self._limit

    def after(self, *, welcomed: bool, closing: Closing | None) -> float | None:
        """A stream to `address` has ended: the seconds to wait before the next one; None: give up.

        `welcomed` says whether it was open for play, `closing` why the referee closed it, if it said so.
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
        """Dial where the referee says, if that can be an address; otherwise home."""
        if closing.code != play_pb2.FAULT_CODE_REDIRECTED:
            return
        try:
            check_address(closing.address)
        except BadSetting:
            self.address = self.home
        else:
            self.address = closing.address
