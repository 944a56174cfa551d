"""Open pairing: which table to open next between bots that come and go.

When a table ends only its own bots are free, so a rule that seats the free bots at once plays the same line-ups for
ever. Therefore a bot may be **held** for a while: it stays without a table although one could be made, until an
opponent that it has met less often is free. Everything here is a function of the arguments: no clock, no randomness.

One bot at a time is the **seeker**. Its **surfeit** are the opponents that it met more than twice as often as it met
the present bots on average, and it is **owed** those that it met less than half as often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from math import exp, log
from typing import NamedTuple, TypeAlias

from ladder.pairing.memory import LONGEST_WAIT, OpenMemory

CANDIDATES = 128
"""Free bots among which opponents are sought: those that wait longest."""
LOOKS = 12_000
"""Bots that one question looks at before it gives up, so that the caller's event loop is not kept waiting."""
SURFEIT = 2.0
"""An opponent met more than so many times the mean is surfeit."""
OWED = 0.5
"""A bot is owed an opponent that it met less than so many times the mean."""
REMATCH = 1.2
"""The last line-up may come again if the seeker met it at most so many times the mean and is owed no bot."""
AHEAD = 1.03
"""A bot that played more than so many times its share in a pool is the last to be chosen as an opponent there."""
NEWCOMER = 1.5
"""A bot is not expected to have met the seeker more often than so many times its own mean."""
FULL_HOLD = 2.0
"""Match lengths that a seeker is held until enough bots of its pool are free."""
BETTER_HOLD = 1.0
"""Match lengths that a seeker is held for a better or an owed opponent."""
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
    """The strength of a bot without a rating, the same in every pool."""
    return UNKNOWN


def next_tables(
    pools: Sequence[OpenPool],
    present: Sequence[Present],
    memory: OpenMemory,
    at: int,
    strength: Strength = unrated,
    *,
    most: int,
) -> Sequence[NextTable] | Hold:
    """The next tables to open at the moment `at`, at least one and at most `most`, or how long to hold.

    The caller opens the tables, reports each with `memory.began` and asks again; the caller also asks when a table
    ended, when a bot came, left or changed, and at the moment of the last `Hold`. No bot sits at two of the tables.
    Each but the first is what its seeker would get if the tables before it were not counted yet. So a caller with many
    free bots is spared most of the questions.
    """
    room = _Moment(pools, present, memory, at, strength)
    moments: list[int] = []
    tables: list[NextTable] = []
    for seeker in room.seekers():
        found = room.seek(seeker)
        if isinstance(found, NextTable):
            tables.append(found)
            if len(tables) >= most:
                break
            room.held.update(found.players)
        elif found.until is not None:
            moments.append(found.until)
    return tables or Hold(min(moments, default=None))


class _Moment:
    """The bots and tables at the moment of one question."""

    def __init__(
        self, pools: Sequence[OpenPool], present: Sequence[Present], memory: OpenMemory, at: int, strength: Strength
    ) -> None:
        self.memory = memory
        self.at = at
        self.strength = strength
        self.waiting: set[str] = set()
        """Seekers that are held themselves: another seeker may have them once it has waited a match length."""
        self.held: set[str] = set()
        """Free bots that stay free for the table of a seeker, or that were given one."""
        self.looks = 0
        """Bots looked at so far."""
        self._pools = pools
        self._bots = [bot for bot in present if not bot.fill]
        self._free = [bot for bot in self._bots if bot.running < bot.tables]
        self._fill = [bot for bot in present if bot.fill and bot.running < bot.tables]
        self.since = {bot.name: memory.since(bot.name, at) for bot in self._free}
        """The moment from which each free bot has been waiting."""
        self._here: dict[int, list[Present]] = {}
        self._ready: dict[int, list[Present]] = {}
        self._names: dict[int, set[str]] = {}
        self._fillable: dict[int, bool] = {}

    def seekers(self) -> Iterator[Present]:
        """The free bots that are not held for another's table, until so many bots were looked at, then one more.

        The smallest share of its own tables running comes first, then the bot seated longest ago. Of bots that sat down
        together the one with the fewest matches comes first: newcomers seek the bots that they have not met, while to
        the others every newcomer is as good as the last one. The one more is the bot that waits longest of the rest, so
        that no bot waits for ever behind seekers that are held.
        """
        seated = self.memory.seated
        counts = [matches for pool in self._pools if (matches := self.memory.pool(pool.key).matches)]
        first, *others = counts or [{}]

        def rank(bot: Present) -> tuple[float, int, int, str]:
            name = bot.name
            played = first.get(name, 0)
            for matches in others:
                played += matches.get(name, 0)
            return bot.running / bot.tables, seated(name), played, name

        order = sorted(self._free, key=rank)
        for number, bot in enumerate(order):
            if self.looks > LOOKS:
                rest = [bot for bot in order[number:] if bot.name not in self.held]
                yield from sorted(rest, key=lambda bot: self.since[bot.name])[:1]
                return
            if bot.name not in self.held:
                yield bot

    def seek(self, seeker: Present) -> NextTable | Hold:
        """The seeker's table, or its hold."""
        self.looks += 1
        pools = self._ranked(seeker)
        for pool in pools:
            found = self._table(seeker, pool, len(pools) > 1)
            if found is not None:
                return found
        return Hold(None)

    def _ranked(self, seeker: Present) -> list[OpenPool]:
        """The pools that the seeker plays and that can be filled: fewest matches relative to the weight first."""
        pools = [pool for pool in self._pools if pool.key in seeker.pools and self._possible(pool)]
        if len(pools) > 1:
            name, memory = seeker.name, self.memory
            pools.sort(key=lambda pool: (memory.pool(pool.key).matches.get(name, 0) / pool.weight, pool.key))
        return pools

    def _possible(self, pool: OpenPool) -> bool:
        """Whether the bots present, with `fill` bots that are free, can make a table."""
        found = self._fillable.get(pool.key)
        if found is None:
            here = self._of(self._here, self._bots, pool.key)
            fill = [bot for bot in self._fill if pool.key in bot.pools]
            found = self._fillable[pool.key] = _enough([*here, *fill], pool.seats)
        return found

    def _table(self, seeker: Present, pool: OpenPool, elsewhere: bool) -> NextTable | Hold | None:
        """The seeker's table in one pool, or its hold there; None: no table and no reason to wait in this pool."""
        ready = self._of(self._ready, self._free, pool.key)
        here = self._of(self._here, self._bots, pool.key)
        length = self.memory.pool(pool.key).length
        if not _enough(here, pool.seats):
            return self._filled(seeker, pool, ready, FILL_HOLD)
        free: list[Present] = []
        if len(ready) >= pool.seats:
            self.looks += len(ready)
            free = self._others(seeker, pool, ready, self.waiting)
            if self.waiting and not _enough([seeker, *free], pool.seats):
                free = self._others(seeker, pool, ready)
                if _enough([seeker, *free], pool.seats) and (hold := self.until(seeker, BETTER_HOLD, length)):
                    return hold
        if not _enough([seeker, *free], pool.seats):
            if (elsewhere or self._fill) and (hold := self.until(seeker, FULL_HOLD, length)):
                if elsewhere:
                    self.held.update(bot.name for bot in ready)
                return hold
            return self._filled(seeker, pool, ready, FULL_HOLD)
        if len(free) > CANDIDATES:
            free = self._longest(seeker, free, pool.seats)
        self.looks += 3 * len(here) + len(free) * (pool.seats + len(self._pools))
        return _TableSearch(self, seeker, pool, here, free).table()

    def ahead(self, bot: Present, pool: OpenPool) -> bool:
        """Whether a bot has played more in a pool than the pool's share of its matches allows."""
        if len(bot.pools) == 1:
            return False
        total = weights = 0.0
        for other in self._pools:
            if other.key in bot.pools and self._possible(other):
                total += self.memory.pool(other.key).matches.get(bot.name, 0)
                weights += other.weight
        played = self.memory.pool(pool.key).matches.get(bot.name, 0)
        return played > AHEAD * total * pool.weight / weights + 1

    def _of(self, cache: dict[int, list[Present]], bots: list[Present], key: int) -> list[Present]:
        """The bots among `bots` that play the pool `key`, kept in `cache`."""
        found = cache.get(key)
        if found is None:
            self.looks += len(bots)
            found = cache[key] = [bot for bot in bots if key in bot.pools]
        return found

    def names(self, key: int) -> Set[str]:
        """The names of the bots present that play a pool."""
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = {bot.name for bot in self._here[key]}
        return found

    def _others(
        self, seeker: Present, pool: OpenPool, bots: Sequence[Present], waiting: Set[str] = frozenset()
    ) -> list[Present]:
        """The bots that may sit at the seeker's table and are neither held nor among the `waiting`."""
        held = self.held
        owner = seeker.owner if pool.seats > 2 else ""
        return [
            bot
            for bot in bots
            if bot.name != seeker.name
            and bot.name not in held
            and bot.name not in waiting
            and not (owner and bot.owner == owner)
        ]

    def _longest(self, seeker: Present, bots: list[Present], seats: int) -> list[Present]:
        """The candidates that wait longest; if they have too few owners for a table, one bot of each owner."""
        bots = sorted(bots, key=lambda bot: self.since[bot.name])
        if _enough([seeker, *bots[:CANDIDATES]], seats):
            return bots[:CANDIDATES]
        return list({bot.owner or (bot.name,): bot for bot in reversed(bots)}.values())[-CANDIDATES:]

    def until(self, seeker: Present, lengths: float, length: int) -> Hold | None:
        """Hold the seeker so many match lengths from the moment at which it began to wait; None if they are over."""
        moment = self.since[seeker.name] + _wait(lengths, length)
        if moment <= self.at:
            return None
        self.waiting.add(seeker.name)
        return Hold(moment)

    def _filled(
        self, seeker: Present, pool: OpenPool, ready: Sequence[Present], lengths: float
    ) -> NextTable | Hold | None:
        """A table completed by `fill` bots when the hold is over; None if they do not suffice."""
        self.looks += len(self._fill)
        fill = [bot for bot in self._fill if pool.key in bot.pools]
        if not fill:
            return None
        self.looks += len(ready)
        counts = self.memory.pool(pool.key)
        met = counts.meetings(seeker.name)
        table = [seeker]
        for bots in (self._others(seeker, pool, ready), fill):
            for bot in sorted(bots, key=lambda bot: (met.get(bot.name, 0), bot.name)):
                if len(table) < pool.seats and not (pool.seats > 2 and _clash(table, bot)):
                    table.append(bot)
        if len(table) < pool.seats:
            return None
        hold = self.until(seeker, lengths, counts.length)
        return hold or NextTable(pool.key, counts.seating([bot.name for bot in table]))


class _TableSearch:
    """The opponents of one seeker in one pool where enough bots are free."""

    def __init__(
        self, room: _Moment, seeker: Present, pool: OpenPool, here: Sequence[Present], free: Sequence[Present]
    ) -> None:
        self._room = room
        self._seeker = seeker
        self._pool = pool
        self._free = free
        self._counts = room.memory.pool(pool.key)
        self._last = self._counts.last.get(seeker.name, frozenset())
        self._here = here
        met = self._met = self._counts.meetings(seeker.name)
        names = room.names(pool.key)
        times = {name: count for name, count in met.items() if name in names}
        self._mean = sum(times.values()) / (len(here) - 1)
        self._rate = NEWCOMER * (pool.seats - 1) / (len(here) - 1)
        self._owing = self._mean > 0 and self._is_owed(
            names - {n for n, count in times.items() if count >= OWED * self._mean}
        )

    def _is_owed(self, names: Set[str]) -> bool:
        """Whether the seeker is owed one of these bots."""
        seeker = self._seeker
        apart = {seeker.name}
        if self._pool.seats > 2 and seeker.owner:
            apart = {bot.name for bot in self._here if bot.owner == seeker.owner}
        met = self._met
        return any(met.get(name, 0) < OWED * self._due(name) for name in names if name not in apart)

    def _due(self, name: str) -> float:
        """Meetings that the seeker and a bot should have had: the seeker's mean, less if the bot has played little.

        Otherwise all bots would wait for a newcomer until it had met each of them as often as they met each other.
        """
        return min(self._mean, self._counts.matches.get(name, 0) * self._rate)

    def _good(self, bots: Sequence[Present]) -> list[Present]:
        """The bots that are no surfeit to the seeker."""
        met, mean, rate, matches = self._met, self._mean, self._rate, self._counts.matches
        return [
            bot
            for bot in bots
            if (times := met.get(bot.name, 0)) == 0 or times <= SURFEIT * min(mean, matches.get(bot.name, 0) * rate)
        ]

    def table(self) -> NextTable | Hold:
        """The best table of the free bots, or a hold for a better one."""
        room, length = self._room, self._counts.length
        good = self._good(self._free)
        picked = self._pick(good, self._last)
        if picked is None and self._rematch():
            picked = self._pick(good)
        if picked is None:
            if self._better() and (hold := room.until(self._seeker, BETTER_HOLD, length)):
                return hold
            picked = self._pick(self._free, self._last) or self._pick(self._free) or []
        elif self._owing and not self._is_owed({bot.name for bot in picked[1:]}):
            hold = self._on_credit(length)
            if hold is not None:
                return hold
        return NextTable(self._pool.key, self._counts.seating([bot.name for bot in picked]))

    def _on_credit(self, length: int) -> Hold | None:
        """Hold the seeker for a bot that it is owed while its credit lasts; None if the credit is spent."""
        room, name = self._room, self._seeker.name
        credit = _wait(room.memory.credit(name), length)
        if credit <= 0:
            return None
        spent = room.memory.spending(name, room.at) + credit
        hold = room.until(self._seeker, BETTER_HOLD, length) if spent > room.at else None
        return Hold(min(spent, hold.until)) if hold is not None and hold.until is not None else None

    def _rematch(self) -> bool:
        """Whether the last line-up may come again: met about as often as others, and no bot is owed."""
        others = [name for name in self._last if name != self._seeker.name]
        met = sum(self._met.get(name, 0) for name in others)
        return not self._owing and met <= REMATCH * sum(self._due(name) for name in others)

    def _better(self) -> bool:
        """Whether the bots present, free or not, make a table without surfeit that is not the last line-up."""
        name = self._seeker.name
        owner = self._seeker.owner if self._pool.seats > 2 else ""
        good = [bot for bot in self._good(self._here) if bot.name != name and not (owner and bot.owner == owner)]
        fresh = any(bot.name not in self._last for bot in good)
        return fresh and _enough([self._seeker, *good], self._pool.seats)

    def _pick(self, bots: Sequence[Present], last: frozenset[str] = frozenset()) -> list[Present] | None:
        """The seeker and opponents from these bots, one at a time; None if they make no table other than `last`.

        First come the bots whose share of matches in this pool is not exceeded, then the bot that is owed to most of
        the table, then the one that met the table least often.
        """
        seats = self._pool.seats
        table = [self._seeker]
        left = {bot.name: bot for bot in bots}
        due = {name: seats * self._room.ahead(bot, self._pool) for name, bot in left.items()}
        load = dict.fromkeys(left, 0)
        owed = {name: OWED * self._due(name) for name in left}
        while True:
            met = self._counts.meetings(table[-1].name)
            for name in left:
                times = met.get(name, 0)
                load[name] += times
                if times < owed[name]:
                    due[name] -= 1
            names = [name for name in left if len(table) < seats - 1 or not _repeats(table, name, last)]
            if not names:
                return None
            least = min((due[name], load[name]) for name in names)
            chosen = left.pop(self._tied([name for name in names if (due[name], load[name]) == least]))
            table.append(chosen)
            if len(table) == seats:
                return table
            if chosen.owner:
                left = {name: bot for name, bot in left.items() if bot.owner != chosen.owner}

    def _tied(self, names: Sequence[str]) -> str:
        """Of equals the one whose result teaches most about both ratings, then the one that waits longest."""
        if len(names) == 1:
            return names[0]
        strength, key, since = self._room.strength, self._pool.key, self._room.since
        elo, variance = strength(key, self._seeker.name)

        def order(name: str) -> tuple[float, int, str]:
            other, spread = strength(key, name)
            chance = 1.0 / (1.0 + exp(min(4000.0, abs(elo - other)) * log(10.0) / 400.0))
            return -(variance + spread) * chance * (1.0 - chance), since[name], name

        return min(names, key=order)


def _repeats(table: Sequence[Present], name: str, last: frozenset[str]) -> bool:
    """Whether the table and one more bot are the last line-up."""
    return name in last and len(table) + 1 == len(last) and all(bot.name in last for bot in table)


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
