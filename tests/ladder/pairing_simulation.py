"""A referee in virtual time: bots come and go, matches last a random time, a rule decides which table opens next.

`python -m tests.ladder.pairing_simulation` prints the table of docs/pairing.md. Time is counted in microseconds; a
match lasts `LENGTH` on average. Every run is a function of its seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations, product
from math import comb
from random import Random
from statistics import median
from time import thread_time
from typing import TypeAlias

from ladder.pairing.memory import OpenMemory
from ladder.pairing.open import Hold, NextTable, OpenPool, Present, Strength, next_tables, unrated
from ladder.ratings.results import expectation

LENGTH = 1_000_000
"""Mean match length."""

Lengths: TypeAlias = Callable[[Random], float]
"""Draws the length of one match, in mean match lengths."""


def next_table(
    pools: Sequence[OpenPool], present: Sequence[Present], memory: OpenMemory, at: int, strength: Strength = unrated
) -> NextTable | Hold:
    """The first of the next tables to open at the moment `at`, or how long to hold."""
    found = next_tables(pools, present, memory, at, strength, most=1)
    return found if isinstance(found, Hold) else found[0]


def flat(rng: Random) -> float:
    """Between a half and one and a half."""
    return rng.uniform(0.5, 1.5)


def skewed(rng: Random) -> float:
    """Log-normal with a spread of about a half of the mean: most matches short, some three times as long."""
    return rng.lognormvariate(-0.11, 0.47)


def exponential(rng: Random) -> float:
    """Exponential: the worst that a moving mean can meet."""
    return rng.expovariate(1.0)


@dataclass(slots=True)
class SimulatedBot:
    """A bot of the simulation."""

    name: str
    tables: int = 1
    pools: frozenset[int] = frozenset({0})
    owner: str = ""
    fill: bool = False
    share: float = 1.0
    """Share of the time for which it is present, in stays of about ten match lengths."""
    running: int = 0
    here: bool = False
    played: int = 0
    """Microseconds at tables, those of all its tables added."""
    free_since: int | None = None
    """The moment from which it stood free, without a table, while the free bots could make one."""
    longest: int = 0
    """The longest such time."""
    stays: list[tuple[int, int]] = field(default_factory=list)
    came: int = 0

    def view(self) -> Present:
        """The bot as pairing sees it."""
        return Present(self.name, self.tables, self.running, self.pools, self.owner, self.fill)


class Queue:
    """The rule that never holds: the bot that waits longest gets the others that wait longest."""

    def __init__(self) -> None:
        self._turns: dict[str, int] = {}
        self._turn = 0

    def next(self, pools: Sequence[OpenPool], present: Sequence[Present], at: int) -> NextTable | Hold:
        """The next table, or a hold until something changes."""
        free = sorted(
            (bot for bot in present if bot.running < bot.tables),
            key=lambda bot: self._turns.setdefault(bot.name, self._turn),
        )
        for host in free:
            for pool in pools:
                able = [host.name, *(bot.name for bot in free if bot is not host and pool.key in bot.pools)]
                if pool.key in host.pools and len(able) >= pool.seats:
                    self._turn += 1
                    self._turns.update(dict.fromkeys(able[: pool.seats], self._turn))
                    return NextTable(pool.key, tuple(able[: pool.seats]))
        return Hold(None)


@dataclass(slots=True)
class Match:
    """One match of a simulation."""

    pool: int
    players: tuple[str, ...]
    began: int


class Simulation:
    """One referee; iterating over `play` gives its matches in the order in which they begin."""

    def __init__(
        self,
        bots: Sequence[SimulatedBot],
        pools: Sequence[OpenPool],
        seed: int = 1,
        lengths: Lengths = skewed,
        queue: Queue | None = None,
        strength: Strength = unrated,
    ) -> None:
        self.bots = {bot.name: bot for bot in bots}
        self.pools = pools
        self.memory = OpenMemory()
        self.now = 0
        self.strength = strength
        self.ended: Callable[[Match], None] = lambda match: None
        """Called when a match ends, before pairing is asked again."""
        self.answer: Callable[[], NextTable | Hold] = lambda: self.ask(self.present())
        """Asks the rule."""
        self._rng = Random(seed)
        self._lengths = lengths
        self._queue = queue
        self._events: list[tuple[int, int, str, Match | str | None]] = []
        self._number = 0
        self._asked: int | None = None
        for bot in bots:
            if bot.share >= 1:
                self._come(bot)
            else:
                self._later(self._rng.uniform(0, 10 * (1 - bot.share) / bot.share), "come", bot.name)

    def play(self, matches: int | None = None, lengths: float | None = None) -> list[Match]:
        """The matches that begin until there are so many, or within so many match lengths."""
        found: list[Match] = []
        until = None if lengths is None else self.now + round(lengths * LENGTH)
        for match in self._matches(until):
            found.append(match)
            if matches is not None and len(found) >= matches:
                break
        for bot in self.bots.values():
            if bot.here:
                bot.stays.append((bot.came, self.now))
                bot.came = self.now
        return found

    def _matches(self, until: int | None) -> Iterator[Match]:
        while True:
            while isinstance(answer := self.answer(), NextTable):
                yield self._open(answer)
            self._watch()
            if answer.until is not None and answer.until != self._asked:
                if answer.until <= self.now:
                    raise RuntimeError(f"held until {answer.until} at {self.now}")
                self._asked = answer.until
                heappush(self._events, (answer.until, 0, "ask", None))
            if not self._events or (until is not None and self._events[0][0] > until):
                self.now = until if until is not None else self.now
                return
            moment = self._events[0][0]
            self.now = moment
            while self._events and self._events[0][0] == moment:
                self._handle(*heappop(self._events)[2:])

    def present(self) -> list[Present]:
        """The bots that are connected now."""
        return [bot.view() for bot in self.bots.values() if bot.here]

    def ask(self, present: Sequence[Present]) -> NextTable | Hold:
        """What the rule answers now."""
        if self._queue is not None:
            return self._queue.next(self.pools, present, self.now)
        return next_table(self.pools, present, self.memory, self.now, self.strength)

    def _open(self, table: NextTable) -> Match:
        match = Match(table.pool, table.players, self.now)
        self.memory.began(table.pool, table.players, self.now)
        for name in table.players:
            self.bots[name].running += 1
            self.bots[name].free_since = None
        self._later(self._lengths(self._rng), "end", match)
        return match

    def _handle(self, what: str, about: Match | str | None) -> None:
        if isinstance(about, Match):
            length = self.now - about.began
            self.memory.ended(about.pool, about.players, self.now, length)
            for name in about.players:
                self.bots[name].running -= 1
                self.bots[name].played += length
            self.ended(about)
        elif isinstance(about, str):
            bot = self.bots[about]
            if what == "come":
                self._come(bot)
                self._later(self._rng.uniform(5, 15), "go", bot.name)
            else:
                bot.here = False
                bot.free_since = None
                bot.stays.append((bot.came, self.now))
                self.memory.left(bot.name, self.now)
                self._later(self._rng.uniform(5, 15) * (1 - bot.share) / bot.share, "come", bot.name)

    def _come(self, bot: SimulatedBot) -> None:
        bot.here = True
        bot.came = self.now
        self.memory.arrived(bot.name, self.now)

    def _later(self, lengths: float, what: str, about: Match | str) -> None:
        self._number += 1
        heappush(self._events, (self.now + max(1, round(lengths * LENGTH)), self._number, what, about))

    def _watch(self) -> None:
        """Note which bots without a table stand free although the free bots could make one with them."""
        free = [bot for bot in self.bots.values() if bot.here and bot.running < bot.tables and not bot.fill]
        able = {
            pool.key
            for pool in self.pools
            if len({(bot.owner if pool.seats > 2 else "") or bot.name for bot in free if pool.key in bot.pools})
            >= pool.seats
        }
        for bot in self.bots.values():
            if bot.free_since is not None:
                bot.longest = max(bot.longest, self.now - bot.free_since)
            if bot.running or not bot.here or bot.fill or not bot.pools & able:
                bot.free_since = None
            elif bot.free_since is None:
                bot.free_since = self.now


def even(count: int, pools: frozenset[int] = frozenset({0})) -> list[SimulatedBot]:
    """So many bots that are always present and want one table each."""
    return [SimulatedBot(f"b{number:02}", pools=pools) for number in range(count)]


def pairs_of(matches: Sequence[Match]) -> Counter[tuple[str, str]]:
    """How often each pair met."""
    return Counter(pair for match in matches for pair in combinations(sorted(match.players), 2))


@dataclass(frozen=True, slots=True)
class Evenness:
    """What a run between bots that are always present showed."""

    bots: int
    seats: int
    covered: float
    """Matches until every pair had met, as a multiple of the ideal; infinite if some never did."""
    most: float
    """Meetings of the most frequent pair relative to the mean, after ten times the ideal number of matches."""
    cost: float
    """Playing time lost against the rule that never holds."""
    longest: float
    """Match lengths that a bot stood free while a table could be made."""
    seat_gap: int
    """The largest difference between a bot's counts in two seats."""


def ideal(count: int, seats: int) -> float:
    """The least number of matches in which every pair can meet."""
    return comb(count, 2) / comb(seats, 2)


def evenness(count: int, seats: int, seed: int = 1, lengths: Lengths = skewed, rule: Queue | None = None) -> Evenness:
    """Play ten times the ideal number of matches between bots that are always present."""
    simulation = Simulation(even(count), [OpenPool(0, seats)], seed, lengths, rule)
    wanted = max(20, round(10 * ideal(count, seats)))
    matches = simulation.play(wanted)
    baseline = Simulation(even(count), [OpenPool(0, seats)], seed, lengths, Queue())
    baseline.play(wanted)
    met: set[tuple[str, str]] = set()
    covered = float("inf")
    for number, match in enumerate(matches, 1):
        met.update(combinations(sorted(match.players), 2))
        if len(met) == comb(count, 2):
            covered = number / ideal(count, seats)
            break
    counts = pairs_of(matches)
    return Evenness(
        count,
        seats,
        covered,
        max(counts.values()) / (sum(counts.values()) / comb(count, 2)),
        1 - _rate(simulation) / _rate(baseline),
        max(bot.longest for bot in simulation.bots.values()) / LENGTH,
        max(_gap(matches, name, seats) for name in simulation.bots),
    )


def _rate(simulation: Simulation) -> float:
    return sum(bot.played for bot in simulation.bots.values()) / simulation.now


def _gap(matches: Sequence[Match], name: str, seats: int) -> int:
    counts = [0] * seats
    for match in matches:
        if name in match.players:
            counts[match.players.index(name)] += 1
    return max(counts) - min(counts)


def uneven(count: int) -> list[SimulatedBot]:
    """So many bots: a third there a fifth of the time, a quarter of the others with three tables at a time."""
    return [
        SimulatedBot(f"b{number:02}", tables=3 if number % 4 == 1 else 1, share=0.2 if number % 3 == 2 else 1.0)
        for number in range(count)
    ]


def never_met(count: int, seats: int, seed: int = 1, lengths: float = 1000, lasting: Lengths = skewed) -> float:
    """Share of the pairs that were present together for 40 match lengths and never met, bots coming and going."""
    simulation = Simulation(uneven(count), [OpenPool(0, seats)], seed, lasting)
    met = pairs_of(simulation.play(lengths=lengths))
    together = [
        (one.name, other.name)
        for one, other in combinations(simulation.bots.values(), 2)
        if _overlap(one.stays, other.stays) >= 40 * LENGTH
    ]
    return sum(met[pair] == 0 for pair in together) / len(together)


def _overlap(stays: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> int:
    return sum(max(0, min(end, last) - max(start, first)) for start, end in stays for first, last in others)


@dataclass(frozen=True, slots=True)
class Split:
    """What a run with two pools showed."""

    off: float
    """The largest relative difference between a bot's share of matches in a pool and the pool's share of weight."""
    longest: float
    """Match lengths that a bot without a table stood free while a table could be made."""


def split(bots: Sequence[SimulatedBot], pools: Sequence[OpenPool], seed: int = 1, lengths: float = 300) -> Split:
    """Play for so many match lengths; bots that play one pool only do not count for the difference."""
    simulation = Simulation(bots, pools, seed)
    played = Counter((name, match.pool) for match in simulation.play(lengths=lengths) for name in match.players)
    off = 0.0
    for bot in bots:
        offered = [pool for pool in pools if pool.key in bot.pools]
        total = sum(played[bot.name, pool.key] for pool in offered)
        weights = sum(pool.weight for pool in offered)
        off = max(off, *(abs(played[bot.name, pool.key] / total / (pool.weight / weights) - 1) for pool in offered))
    return Split(off, max(bot.longest for bot in bots) / LENGTH)


def newcomer_cost(count: int, seats: int, seed: int = 1, lengths: float = 60) -> float:
    """Playing time lost by all bots while one more bot joins those that have met each other about 30 times."""
    runs = []
    for queue in (None, Queue()):
        simulation = Simulation(even(count + 1), [OpenPool(0, seats)], seed, queue=queue)
        rng = Random(seed)
        names = list(simulation.bots)[:count]
        for _ in range(30 * (count - 1) // (seats - 1)):
            rng.shuffle(names)
            for first in range(0, count - seats + 1, seats):
                simulation.memory.count(0, names[first : first + seats])
        simulation.play(lengths=lengths)
        runs.append(_rate(simulation))
    return 1 - runs[0] / runs[1]


def rank_error(seed: int, queue: Queue | None, count: int = 20, each: int = 40) -> float:
    """Mean difference between true rank and rank by online Elo after so many matches each, two seats."""
    rng = Random(seed)
    truth = {bot.name: rng.gauss(0, 150) for bot in even(count)}
    ratings = dict.fromkeys(truth, 1500.0)
    games = dict.fromkeys(truth, 0)

    def strength(pool: int, name: str) -> tuple[float, float]:
        return ratings[name], 350.0**2 / (1 + games[name])

    def rate(match: Match) -> None:
        one, other = match.players
        won = rng.random() < expectation(truth[one] - truth[other])
        factor = sum(40.0 if games[name] < 20 else 16.0 for name in match.players) / 2.0
        change = factor * (won - expectation(ratings[one] - ratings[other]))
        for name, moved in ((one, change), (other, -change)):
            ratings[name] += moved
            games[name] += 1

    simulation = Simulation(even(count), [OpenPool(0, 2)], seed, queue=queue, strength=strength)
    simulation.ended = rate
    simulation.play(count * each // 2)
    true = sorted(truth, key=lambda name: -truth[name])
    found = sorted(truth, key=lambda name: -ratings[name])
    return sum(abs(true.index(name) - found.index(name)) for name in truth) / count


def rank_errors(seeds: Sequence[int]) -> tuple[float, float]:
    """The mean rank error of open pairing and of the rule that never holds."""
    ours = sum(rank_error(seed, None) for seed in seeds) / len(seeds)
    return ours, sum(rank_error(seed, Queue()) for seed in seeds) / len(seeds)


def milliseconds(seats: int, count: int = 1000, tables: int = 2000) -> list[float]:
    """Processor time of each answer for so many tables between so many present bots, in milliseconds."""
    simulation = Simulation(even(count), [OpenPool(0, seats)])
    took: list[float] = []
    ask = simulation.ask

    def timed() -> NextTable | Hold:
        present = simulation.present()
        start = thread_time()
        answer = ask(present)
        took.append((thread_time() - start) * 1e3)
        return answer

    simulation.answer = timed
    simulation.play(tables)
    return took


def crowded(seats: int, count: int = 1000, idle: int = 30) -> list[float]:
    """Processor time of answers where each of the free bots is owed all busy ones and held, in milliseconds."""
    names = [f"b{number:03}" for number in range(count)]
    memory = OpenMemory()
    rng = Random(1)
    for _ in range(400):
        memory.count(0, rng.sample(names[:idle], seats))
        memory.count(0, rng.sample(names[idle:], seats))
    present = [Present(name, 1, int(number >= idle), frozenset({0})) for number, name in enumerate(names)]
    took: list[float] = []
    for at in range(50):
        start = thread_time()
        next_table([OpenPool(0, seats)], present, memory, at)
        took.append((thread_time() - start) * 1e3)
    return took


def report() -> Iterator[str]:
    """The table of measured figures, in Markdown."""
    yield "| seats | bots | every pair met | most frequent pair | playing time lost | longest wait | seat gap |"
    yield "|---|---|---|---|---|---|---|"
    for seats in (2, 3, 4, 5):
        for count in (3, 4, 5, 6, 8, 12, 20, 30, 50):
            if count >= seats:
                runs = [evenness(count, seats, seed) for seed in ((1, 2, 3) if count <= 20 else (1,))]
                yield (
                    f"| {seats} | {count} | {max(run.covered for run in runs):.2f} "
                    f"| {max(run.most for run in runs):.2f} "
                    f"| {max(0.0, *(run.cost for run in runs)):.1%} | {max(run.longest for run in runs):.2f} "
                    f"| {max(run.seat_gap for run in runs)} |"
                )
    yield ""
    yield "| seats | bots | pairs that never met, bots coming and going |"
    yield "|---|---|---|"
    for seats in (2, 3, 4, 5):
        for count in (8, 20):
            yield f"| {seats} | {count} | {never_met(count, seats):.1%} |"
    yield ""
    yield "| seats of the two pools | weights | off the weights | longest wait |"
    yield "|---|---|---|---|"
    for seats_of, weights in product(((2, 2), (2, 4), (3, 5)), ((1, 1), (3, 1))):
        found = split(even(12, frozenset({0, 1})), two_pools(seats_of, weights))
        pair = f"{seats_of[0]} and {seats_of[1]} | {weights[0]} : {weights[1]}"
        yield f"| {pair} | {found.off:.1%} | {found.longest:.2f} |"
    yield ""
    for count, seats in ((7, 2), (19, 2), (19, 4)):
        cost = newcomer_cost(count, seats)
        yield f"- Playing time lost by {count} bots, {seats} seats, when a newcomer joins: {cost:.1%}."
    ours, theirs = rank_errors(range(1, 21))
    ratio = f"{ours:.2f}, without holding {theirs:.2f} ({ours / theirs:.2f})"
    yield f"- Mean rank error, 20 bots, 40 matches each: {ratio}."
    for seats in (2, 5):
        took = milliseconds(seats)
        yield f"- 1,000 bots, {seats} seats: {median(took):.2f} ms an answer (median), {max(took):.2f} ms (longest)."


def two_pools(seats: tuple[int, int], weights: tuple[float, float] = (1, 1)) -> list[OpenPool]:
    """Pools 0 and 1 with these seats and weights."""
    return [OpenPool(key, seats[key], weights[key]) for key in (0, 1)]


if __name__ == "__main__":
    for line in report():
        print(line, flush=True)
