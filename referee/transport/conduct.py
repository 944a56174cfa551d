"""How a bot behaved of late, and for how long it is set aside because of that.

A bot that takes seats and never answers costs its opponents their matches, and one that is refused again and again
costs the referee's time. Both are set aside: each time for twice as long as the time before.
"""

from __future__ import annotations

from referee.match.clock import SECOND

SILENT_TABLES = 2
"""Tables in a row at which a bot did not answer once, after which it is set aside."""
SHORTEST_ASIDE = 30 * SECOND
LONGEST_ASIDE = 600 * SECOND
REFUSALS = 5
"""Refused hellos in a row after which the next ones are not looked at for a while."""
SHORTEST_PAUSE = SECOND
LONGEST_PAUSE = 300 * SECOND
FORGIVEN = 600 * SECOND
"""Microseconds without a refused hello after which earlier ones are forgotten."""


class Conduct:
    """One bot: its unanswered tables and its refused hellos."""

    __slots__ = ("_pause_until", "_refusals", "_refused_at", "_silent", "_times", "aside_until", "key")

    def __init__(self, key: str = "") -> None:
        self.key = key
        """Whose conduct it is."""
        self.aside_until = 0
        """The moment until which the bot gets no table; one that has passed means nothing."""
        self._silent = 0
        self._times = 0
        self._refusals = 0
        self._refused_at = 0
        self._pause_until = 0

    @property
    def blameless(self) -> bool:
        """Whether nothing came of what the bot did: it was not set aside, and no refusal stands against it."""
        return not self.aside_until and not self._refusals

    def answered(self) -> None:
        """The bot answered at a table: what was before is forgotten."""
        self._silent = self._times = 0

    def unanswered(self, at: int) -> int:
        """A table is over at which the bot did not answer once; returns for how long it is set aside now, or 0."""
        if at < self.aside_until:
            return 0  # a table of the time before
        self._silent += 1
        if self._silent < SILENT_TABLES:
            return 0
        self._silent = SILENT_TABLES - 1  # from now on one more is enough
        aside = min(SHORTEST_ASIDE << self._times, LONGEST_ASIDE)
        if aside < LONGEST_ASIDE:
            self._times += 1
        self.aside_until = at + aside
        return aside

    def refused(self, at: int) -> int:
        """A hello was refused; returns for how long the next one will not be looked at, or 0."""
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
        """Microseconds for which a hello is not looked at."""
        return max(0, self._pause_until - at)

    def welcomed(self) -> None:
        """A hello was good: earlier refusals are forgotten."""
        self._refusals = self._pause_until = 0


class Conducts:
    """The conduct of the bots that came last, by key."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._by_key: dict[str, Conduct] = {}

    def __len__(self) -> int:
        return len(self._by_key)

    def of(self, key: str) -> Conduct:
        """The conduct of a bot; a new one if it is not remembered."""
        conduct = self._by_key.pop(key, None) or Conduct(key)
        self._by_key[key] = conduct
        if len(self._by_key) > self._kept:
            del self._by_key[next(iter(self._by_key))]
        return conduct

    def left(self, conduct: Conduct) -> None:
        """A bot is gone, or was welcomed: its conduct is forgotten if nothing came of it."""
        if conduct.blameless:
            self._by_key.pop(conduct.key, None)
