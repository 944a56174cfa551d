"""The recent misbehaviour of a bot, and the back-off that follows from it.

A bot that takes seats and never answers costs its opponents their matches, so such a bot gets no table for a while. A
bot whose hellos are refused again and again costs the referee's time, so its hellos are refused unread for a while.
Each such pause is twice as long as the one before.
"""

from __future__ import annotations

from referee.match.clock import SECOND

SILENT_TABLES = 2
"""Tables in a row at which a bot did not answer once, after which the bot is set aside."""
SHORTEST_ASIDE = 30 * SECOND
LONGEST_ASIDE = 600 * SECOND
REFUSALS = 5
"""Refused hellos in a row after which the next ones are refused unread for a while."""
SHORTEST_PAUSE = SECOND
LONGEST_PAUSE = 300 * SECOND
FORGIVEN = 600 * SECOND
"""Microseconds without a refused hello after which earlier ones are forgotten."""


class Conduct:
    """The unanswered tables and refused hellos of one bot."""

    __slots__ = ("_pause_until", "_refusals", "_refused_at", "_silent", "_times", "aside_until", "key")

    def __init__(self, key: str = "") -> None:
        self.key = key
        """The key of the bot in `Conducts`."""
        self.aside_until = 0
        """The moment until which the bot gets no table, in play time; 0: the bot was never set aside."""
        self._silent = 0
        self._times = 0
        self._refusals = 0
        self._refused_at = 0
        self._pause_until = 0

    @property
    def blameless(self) -> bool:
        """Whether the bot was never set aside and no refusal counts against the bot."""
        return not self.aside_until and not self._refusals

    def answered(self) -> None:
        """The bot answered at a table: earlier unanswered tables are forgotten."""
        self._silent = self._times = 0

    def unanswered(self, at: int) -> int:
        """The bot did not answer once at a table; returns the microseconds for which the bot is set aside now, or 0."""
        if at < self.aside_until:
            return 0  # the table was opened before the bot was set aside
        self._silent += 1
        if self._silent < SILENT_TABLES:
            return 0
        self._silent = SILENT_TABLES - 1  # from now on one more such table is enough
        aside = min(SHORTEST_ASIDE << self._times, LONGEST_ASIDE)
        if aside < LONGEST_ASIDE:
            self._times += 1
        self.aside_until = at + aside
        return aside

    def refused(self, at: int) -> int:
        """A hello was refused; returns the microseconds for which further hellos are refused unread, or 0."""
        if at - self._refused_at >= FORGIVEN:
            self._refusals = 0
        self._refusals += 1
        self._refused_at = at
        if self._refusals < REFUSALS:
            return 0
        pause = SHORTEST_PAUSE << min(self._refusals - REFUSALS, 20)
        pause = min(pause, LONGEST_PAUSE)
        self._pause_until = at + pause
        return pause

    def pause(self, at: int) -> int:
        """Microseconds for which hellos are still refused unread."""
        return max(0, self._pause_until - at)

    def welcomed(self) -> None:
        """A hello was accepted: earlier refusals are forgotten."""
        self._refusals = self._pause_until = 0


class Conducts:
    """The conduct of the bots that came last, by key; at most `kept` of them."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._by_key: dict[str, Conduct] = {}

    def __len__(self) -> int:
        return len(self._by_key)

    def of(self, key: str) -> Conduct:
        """The conduct of a bot, a new one if the bot is not remembered."""
        conduct = self._by_key.pop(key, None) or Conduct(key)
        self._by_key[key] = conduct
        if len(self._by_key) > self._kept:
            del self._by_key[next(iter(self._by_key))]
        return conduct

    def left(self, conduct: Conduct) -> None:
        """Forget the blameless conduct of a bot that has left or was welcomed."""
        if conduct.blameless:
            self._by_key.pop(conduct.key, None)
