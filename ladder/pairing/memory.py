"""What open pairing remembers between two questions: who met whom, who sat where, who waits since when.

Counts (meetings, seats, matches) are kept for ever, because a bot that comes back has met the same opponents as
before; they can be rebuilt from stored matches with `count`. Times (waiting, last line-ups, credit) matter only while a
bot is present and are dropped a while after `left`. All times are whole microseconds of the caller's clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

FIRST_LENGTH = 2_000_000
"""Length that a match is taken to have before the first one of its pool has ended, in microseconds."""
LONGEST_WAIT = 60_000_000
"""No bot is held longer than this, however long the matches are, in microseconds."""
SMOOTHING = 1 / 16
"""Weight of the newest match in the moving mean of match lengths."""
CREDIT = 0.25
"""Match lengths of waiting for an owed opponent that a bot earns with each match."""
MOST_CREDIT = 1.0
"""Match lengths of such waiting that a bot can save up, and that it has when it comes."""
ABSENCE = 600_000_000
"""A bot that is away longer than this has no last line-up and no credit when it returns, in microseconds."""

_NONE: dict[str, int] = {}


class PoolMemory:
    """The counts of one pool."""

    __slots__ = ("_ends", "_mean", "last", "matches", "met", "sat")

    def __init__(self) -> None:
        self.met: dict[str, dict[str, int]] = {}
        """Meetings of each pair, under both names."""
        self.sat: dict[str, list[int]] = {}
        """How often a bot sat in each seat."""
        self.matches: dict[str, int] = {}
        """Matches of each bot."""
        self.last: dict[str, frozenset[str]] = {}
        """The bots of the last table of each bot that is present, with the bot itself."""
        self._mean = 0.0
        self._ends = 0

    @property
    def length(self) -> int:
        """Moving mean of the match lengths, in microseconds, at most the longest wait."""
        return min(LONGEST_WAIT, max(1, round(self._mean))) if self._ends else FIRST_LENGTH

    def meetings(self, name: str) -> Mapping[str, int]:
        """How often a bot met each of those it met at all."""
        return self.met.get(name, _NONE)

    def add(self, players: Sequence[str]) -> None:
        """Count one table, its players by seat."""
        for one, other in permutations(players, 2):
            row = self.met.setdefault(one, {})
            row[other] = row.get(other, 0) + 1
        for seat, name in enumerate(players):
            self.matches[name] = self.matches.get(name, 0) + 1
            counts = self.sat.setdefault(name, [])
            counts.extend([0] * (len(players) - len(counts)))
            counts[seat] += 1

    def forget(self, name: str) -> None:
        """Take a bot out of all counts."""
        for other in self.met.pop(name, ()):
            row = self.met.get(other)
            if row is not None:
                row.pop(name, None)
        self.sat.pop(name, None)
        self.matches.pop(name, None)

    def seating(self, names: Sequence[str]) -> tuple[str, ...]:
        """The order of seats with the least sum of (times in that seat - own least) squared, by dynamic programming."""
        seats = len(names)
        costs = []
        for name in names:
            sat = self.sat.get(name, [])
            sat = [*sat, *[0] * (seats - len(sat))]
            least = min(sat[:seats])
            costs.append([(times - least) ** 2 for times in sat[:seats]])
        best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
        for seat in range(seats):
            longer: dict[int, tuple[int, tuple[int, ...]]] = {}
            for taken, (cost, order) in best.items():
                for index in range(seats):
                    if not taken >> index & 1:
                        option = (cost + costs[index][seat], (*order, index))
                        key = taken | 1 << index
                        if key not in longer or option < longer[key]:
                            longer[key] = option
            best = longer
        return tuple(names[index] for index in best[(1 << seats) - 1][1])

    def lasted(self, length: int) -> None:
        """Add one match length, in microseconds, to the moving mean."""
        self._ends += 1
        self._mean += (length - self._mean) * max(SMOOTHING, 1 / self._ends)


class OpenMemory:
    """What open pairing remembers. The caller reports tables and bots; `next_tables` reads."""

    __slots__ = ("_credit", "_gone", "_pools", "_seated", "_since", "_spending")

    def __init__(self) -> None:
        self._pools: dict[int, PoolMemory] = {}
        self._since: dict[str, int] = {}
        self._seated: dict[str, int] = {}
        self._credit: dict[str, float] = {}
        self._spending: dict[str, int] = {}
        """Bots that are held on credit, and since when."""
        self._gone: dict[str, int] = {}
        """Bots that left and when, in that order."""

    def pool(self, key: int) -> PoolMemory:
        """The counts of one pool, empty ones if nothing was played in it."""
        found = self._pools.get(key)
        if found is None:
            found = self._pools[key] = PoolMemory()
        return found

    def count(self, pool: int, players: Sequence[str]) -> None:
        """Count a stored match of an earlier run, its players by seat: meetings, seats and matches, no times."""
        _distinct(players)
        self.pool(pool).add(players)

    def began(self, pool: int, players: Sequence[str], at: int) -> None:
        """Note that a table was opened, its players by seat."""
        _distinct(players)
        counts = self.pool(pool)
        counts.add(players)
        lineup = frozenset(players)
        for name in players:
            counts.last[name] = lineup
            self._since.pop(name, None)
            spent = (at - self._spending.pop(name, at)) / counts.length
            self._credit[name] = min(MOST_CREDIT, max(0.0, self._credit.get(name, MOST_CREDIT) - spent) + CREDIT)
            self._seated[name] = at

    def ended(self, pool: int, players: Sequence[str], at: int, length: int) -> None:
        """Note that a table is over after `length` microseconds; 0 (never played) is left out of the mean."""
        if length < 0:
            raise ValueError(f"a match cannot last {length} microseconds; the least is 0")
        if length > 0:
            self.pool(pool).lasted(length)
        for name in players:
            if name in self._seated and name not in self._gone:
                self._since.setdefault(name, at)

    def arrived(self, name: str, at: int) -> None:
        """Note that a bot has come and waits; one that is known to wait goes on waiting."""
        self._gone.pop(name, None)
        self._since.setdefault(name, at)

    def left(self, name: str, at: int) -> None:
        """Note that a bot is no longer connected: its waiting ends, its other times are forgotten after `ABSENCE`."""
        self._since.pop(name, None)
        self._spending.pop(name, None)
        self._gone.pop(name, None)
        self._gone[name] = at
        while (longest := next(iter(self._gone))) != name and self._gone[longest] < at - ABSENCE:
            self._forget(longest)

    def _forget(self, name: str) -> None:
        del self._gone[name]
        self._seated.pop(name, None)
        self._credit.pop(name, None)
        for counts in self._pools.values():
            counts.last.pop(name, None)

    def forget(self, name: str) -> None:
        """Forget all of a bot, its meetings included."""
        self._since.pop(name, None)
        self._spending.pop(name, None)
        self._gone.setdefault(name, 0)
        self._forget(name)
        for counts in self._pools.values():
            counts.forget(name)

    def since(self, name: str, at: int) -> int:
        """The moment from which a bot with room has been waiting; `at` if it is seen with room for the first time."""
        return self._since.setdefault(name, at)

    def seated(self, name: str) -> int:
        """The moment at which a bot last sat down, -1 if it did not since it came."""
        return self._seated.get(name, -1)

    def credit(self, name: str) -> float:
        """Match lengths that a bot may be held for an opponent that it is owed."""
        return self._credit.get(name, MOST_CREDIT)

    def spending(self, name: str, at: int) -> int:
        """The moment from which a bot has been held on credit; `at` if it is so for the first time."""
        return self._spending.setdefault(name, at)


def _distinct(players: Sequence[str]) -> None:
    if len(set(players)) < len(players):
        raise ValueError(f"a bot sits at a table once; the players are {', '.join(players)}")
