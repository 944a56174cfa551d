"""Open pairing: which table to open next between bots that come and go.

When a table ends only its own bots are free, so a rule that seats the free bots at once plays the same line-ups for
ever. Therefore a bot may be **held** for a while: it stays without a table although one could be made, until an
opponent that it has met less often is free. Everything here is a function of the arguments: no clock, no randomness.

One bot at a time is the **seeker**. Its **surfeit** are the opponents that it met more than twice as often as it met
the present bots on average, and it is **owed** those that it met less than half as often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import NamedTuple, TypeAlias

from ladder.pairing.memory import LONGEST_WAIT, OpenMemory, PoolMemory

__all__ = ["Hold", "NextTable", "OpenMemory", "OpenPool", "Present", "Strength", "next_table"]

CANDIDATES = 128
"""Free bots among which opponents are sought: those that wait longest."""
LOOKS = 20_000
"""Bots that one question looks at before it gives up, so that the caller's event loop is not kept waiting."""
FULL_HOLD = 2.0
"""Match lengths that a seeker is held until enough bots of its pool are free."""
BETTER_HOLD = 1.0
"""Match lengths that a seeker is held if only surfeit or its last line-up is free."""
FILL_HOLD = 0.25
"""Match lengths that a seeker is held before `fill` bots complete a table that the bots present cannot fill."""
UNKNOWN = (0.0, 350.0**2)
"""Elo and variance of a bot that has no rating."""

Strength: TypeAlias = Callable[[int, str], tuple[float, float]]
"""From the key of a pool and the name of a bot to its rating there: Elo and variance."""


@dataclass(frozen=True, slots=True)
class OpenPool:
    """A sort of table that is offered."""

    key: int
    seats: int
    weight: float = 1.0
    """Share of a bot's matches that it should get, relative to the other pools that the bot plays."""

    def __post_init__(self) -> None:
        if self.seats < 2:
            raise ValueError(f"pool {self.key} has {self.seats} seats; a table needs at least 2")
        if not 0 < self.weight < float("inf"):
            raise ValueError(f"pool {self.key} has weight {self.weight}; a weight is a number above 0")


class Present(NamedTuple):
    """A bot that is connected."""

    name: str
    tables: int
    """Tables that it wants at a time, at least 1."""
    running: int
    """Tables at which it sits now."""
    pools: frozenset[int]
    """Keys of the pools that it plays."""
    owner: str = ""
    """Bots of one owner, if named, never share a table of three or more seats."""
    fill: bool = False
    """Whether it is a house bot that only completes tables that could not be made otherwise within the hold."""


class NextTable(NamedTuple):
    """A table to be opened now."""

    pool: int
    players: tuple[str, ...]
    """The bots by seat."""


class Hold(NamedTuple):
    """No table is to be opened now."""

    until: int | None
    """The moment at which to ask again although nothing changed, in microseconds; None: only when something changes."""


def unrated(pool: int, name: str) -> tuple[float, float]:
    """The strength of a bot without a rating, whatever the pool."""
    return UNKNOWN


def next_table(
    pools: Sequence[OpenPool],
    present: Sequence[Present],
    memory: OpenMemory,
    at: int,
    strength: Strength = unrated,
) -> NextTable | Hold:
    """The next table to open at the moment `at`, or how long to hold.

    The caller opens the table, reports it with `memory.began` and asks again; it also asks when a table ended, when a
    bot came, left or changed, and at the moment of the last `Hold`.
    """
    room = _Room(pools, present, memory, at, strength)
    moments: list[int] = []
    for seeker in room.seekers():
        if seeker.name in room.held:
            continue
        found = room.seek(seeker)
        if isinstance(found, NextTable):
            return found
        if found.until is not None:
            moments.append(found.until)
        if room.looks > LOOKS:
            break
    return Hold(min(moments, default=None))


class _Room:
    """The bots and tables at the moment of one question."""

    def __init__(
        self, pools: Sequence[OpenPool], present: Sequence[Present], memory: OpenMemory, at: int, strength: Strength
    ) -> None:
        self._pools = {pool.key: pool for pool in pools}
        self._present = [bot for bot in present if not bot.fill]
        self._fill = [bot for bot in present if bot.fill and bot.running < bot.tables]
        self._free = [bot for bot in self._present if bot.running < bot.tables]
        self._memory = memory
        self._at = at
        self._strength = strength
        self._since = {bot.name: memory.since(bot.name, at) for bot in self._free}
        self._here: dict[int, list[Present]] = {}
        self._ready: dict[int, list[Present]] = {}
        self.held: set[str] = set()
        """Free bots that stay free for the table of a seeker that is held."""
        self.looks = 0
        """Bots looked at so far."""

    def seekers(self) -> list[Present]:
        """The free bots: the smallest share of its own tables running first, then the one seated longest ago."""
        seated = self._memory.seated
        return sorted(self._free, key=lambda bot: (bot.running / bot.tables, seated(bot.name), bot.name))

    def seek(self, seeker: Present) -> NextTable | Hold:
        """The seeker's table, or its hold."""
        self.looks += 1
        until: int | None = None
        for pool in self._ranked(seeker):
            length = self._memory.pool(pool.key).length
            table = self._table(seeker, pool, length)
            if isinstance(table, NextTable):
                return table
            if table.until is not None:
                return table
        return Hold(until)

    def _ranked(self, seeker: Present) -> list[OpenPool]:
        """The pools that the seeker plays: fewest matches relative to the weight first."""
        pools = [pool for pool in self._pools.values() if pool.key in seeker.pools]
        if len(pools) > 1:
            name = seeker.name
            memory = self._memory
            pools.sort(key=lambda pool: (memory.pool(pool.key).matches.get(name, 0) / pool.weight, pool.key))
        return pools

    def _table(self, seeker: Present, pool: OpenPool, length: int) -> NextTable | Hold:
        """The seeker's table in one pool, its hold there, or a hold without a moment: no table in this pool."""
        ready = self._of(self._ready, self._free, pool.key)
        here = self._of(self._here, self._present, pool.key)
        waited = self._at - self._since[seeker.name]
        if not _enough(here, pool.seats):
            return self._filled(seeker, pool, ready, length, FILL_HOLD)
        free = []
        if len(ready) >= pool.seats:
            self.looks += len(ready)
            free = self._others(seeker, pool, ready)
        if not _enough([seeker, *free], pool.seats):
            if waited < _wait(FULL_HOLD, length):
                self.held.update(bot.name for bot in ready)
                return self._until(seeker, FULL_HOLD, length)
            return self._filled(seeker, pool, ready, length, FULL_HOLD)
        if len(free) > CANDIDATES:
            free = sorted(free, key=lambda bot: self._since[bot.name])[:CANDIDATES]
        self.looks += len(here) + len(free)
        return _Search(self, seeker, pool, here, free).table()

    def _of(self, cache: dict[int, list[Present]], bots: list[Present], key: int) -> list[Present]:
        """Those of the bots that play a pool."""
        found = cache.get(key)
        if found is None:
            self.looks += len(bots)
            found = cache[key] = [bot for bot in bots if key in bot.pools]
        return found

    def _others(self, seeker: Present, pool: OpenPool, bots: Sequence[Present]) -> list[Present]:
        """Those of the bots that are not held and may sit at the seeker's table."""
        held = self.held
        owner = seeker.owner if pool.seats > 2 else ""
        return [
            bot
            for bot in bots
            if bot.name != seeker.name and bot.name not in held and not (owner and bot.owner == owner)
        ]

    def _until(self, seeker: Present, lengths: float, length: int) -> Hold:
        """Hold the seeker so many match lengths from the moment at which it began to wait."""
        self.held.add(seeker.name)
        return Hold(self._since[seeker.name] + _wait(lengths, length))

    def _filled(
        self, seeker: Present, pool: OpenPool, ready: Sequence[Present], length: int, hold: float
    ) -> NextTable | Hold:
        """A table completed by `fill` bots when the hold is over; a hold without a moment if they do not suffice."""
        table = [seeker]
        fill = [bot for bot in self._fill if pool.key in bot.pools]
        self.looks += len(self._fill) + len(ready)
        counts = self._memory.pool(pool.key)
        row = counts.meetings(seeker.name)
        free = sorted(self._others(seeker, pool, ready), key=lambda bot: (row.get(bot.name, 0), bot.name))
        fill.sort(key=lambda bot: (row.get(bot.name, 0), bot.name))
        for bot in [*free, *fill]:
            if len(table) < pool.seats and (pool.seats == 2 or not _clash(table, bot)):
                table.append(bot)
        if len(table) < pool.seats:
            return Hold(None)
        if self._at - self._since[seeker.name] < _wait(hold, length):
            return self._until(seeker, hold, length)
        return NextTable(pool.key, seating([bot.name for bot in table], counts))


class _Search:
    """The opponents of one seeker in one pool where enough bots are free."""

    def __init__(
        self, room: _Room, seeker: Present, pool: OpenPool, here: Sequence[Present], free: Sequence[Present]
    ) -> None:
        self._room = room
        self._seeker = seeker
        self._pool = pool
        self._free = free
        self._counts = room._memory.pool(pool.key)
        self._met = self._counts.meetings(seeker.name)
        owner = seeker.owner if pool.seats > 2 else ""
        self._others = [bot for bot in here if bot.name != seeker.name and not (owner and bot.owner == owner)]
        met = self._met
        self._mean = sum(met.get(bot.name, 0) for bot in self._others) / max(1, len(self._others))

    def table(self) -> NextTable | Hold:
        """The best table of the free bots, or a hold for a better one."""
        room = self._room
        length = self._counts.length
        waited = room._at - room._since[self._seeker.name]
        met, mean = self._met, self._mean
        last = self._counts.last.get(self._seeker.name, frozenset())
        good = [bot for bot in self._free if met.get(bot.name, 0) <= 2 * mean]
        picked = self._pick(good, last)
        if picked is None:
            if waited < _wait(BETTER_HOLD, length) and self._better(last):
                return room._until(self._seeker, BETTER_HOLD, length)
            picked = self._pick(self._free, last) or self._pick(self._free, frozenset())
            if picked is None:
                return Hold(None)
        elif not any(met.get(bot.name, 0) < mean / 2 for bot in picked[1:]):
            credit = room._memory.credit(self._seeker.name)
            if waited < _wait(credit, length) and any(met.get(bot.name, 0) < mean / 2 for bot in self._others):
                return room._until(self._seeker, credit, length)
        return NextTable(self._pool.key, seating([bot.name for bot in picked], self._counts))

    def _better(self, last: frozenset[str]) -> bool:
        """Whether the bots present, free or not, make a table without surfeit that is not the last line-up."""
        met, limit = self._met, 2 * self._mean
        good = [bot for bot in self._others if met.get(bot.name, 0) <= limit]
        fresh = any(bot.name not in last for bot in good)
        return (fresh or not last) and _enough([self._seeker, *good], self._pool.seats)

    def _pick(self, bots: Sequence[Present], last: frozenset[str]) -> list[Present] | None:
        """The seeker and opponents from these bots, one at a time; None if they make no table other than `last`."""
        seats, met, mean = self._pool.seats, self._met, self._mean
        table = [self._seeker]
        left = {bot.name: bot for bot in bots}
        load = {name: met.get(name, 0) for name in left}
        while len(table) < seats:
            names = [name for name in left if len(table) < seats - 1 or not self._repeats(table, name, last)]
            if not names:
                return None
            keys = {name: (met.get(name, 0) >= mean / 2, load[name]) for name in names}
            least = min(keys.values())
            name = self._tied([name for name in names if keys[name] == least])
            chosen = left.pop(name)
            table.append(chosen)
            row = self._counts.meetings(name)
            if seats > 2:
                left = {other: bot for other, bot in left.items() if not chosen.owner or bot.owner != chosen.owner}
                for other in left:
                    load[other] += row.get(other, 0)
        return table

    def _repeats(self, table: Sequence[Present], name: str, last: frozenset[str]) -> bool:
        return name in last and all(bot.name in last for bot in table) and len(table) + 1 == len(last)

    def _tied(self, names: Sequence[str]) -> str:
        """Of equals the one whose result teaches most, then the one that waits longest."""
        if len(names) == 1:
            return names[0]
        strength, key = self._room._strength, self._pool.key
        since = self._room._since
        elo, variance = strength(key, self._seeker.name)

        def worth(name: str) -> tuple[float, int, str]:
            other, spread = strength(key, name)
            chance = 1.0 / (1.0 + exp((elo - other) * log(10.0) / 400.0))
            return -(variance + spread) * chance * (1.0 - chance), since[name], name

        return min(names, key=worth)


def seating(names: Sequence[str], counts: PoolMemory) -> tuple[str, ...]:
    """The order of seats with the least sum of (times in that seat - own least) squared, by dynamic programming."""
    seats = len(names)
    costs = []
    for name in names:
        sat = counts.sat.get(name, [])
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


def _wait(lengths: float, length: int) -> int:
    """So many match lengths in microseconds, at most the longest wait."""
    return min(LONGEST_WAIT, round(lengths * length))


def _enough(bots: Sequence[Present], seats: int) -> bool:
    """Whether a table of so many seats can be made of these bots, bots of one owner apart at three or more seats."""
    if len(bots) < seats or seats == 2:
        return len(bots) >= seats
    return len({bot.owner or (bot.name,) for bot in bots}) >= seats


def _clash(table: Sequence[Present], bot: Present) -> bool:
    """Whether a bot has the owner of one that sits at the table."""
    return bool(bot.owner) and any(bot.owner == other.owner for other in table)
