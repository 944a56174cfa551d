"""Counts how often the published intervals hold: `python -m tests.ratings.coverage 500` prints the table.

Results are drawn from the Plackett-Luce model with luck of the deal (every seat of a deal has a bonus of its own,
shared by all games of a duplicate set) and, for ties, from utilities that count only to a grid. What intervals should
hold is the limit of the fit for very many sets of the same tables, counted from the reference of each fit. So the truth
is known, and coverage can be counted: of all bots together, of the worst single one, and of the differences of pairs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ladder.ratings.plackett_luce import Fit, fit
from ladder.ratings.results import ELO, Results, assemble

LIMIT_SETS = 40_000
"""Sets in all from which the limit of a fit is computed."""
SEED = 77
PAIRS = 1
"""Pairs of bots of each run whose difference is judged."""

Tables = list[tuple[tuple[int, ...], int]]


@dataclass(frozen=True)
class Pool:
    """A kind of pool: who plays how many sets with whom, and how results come about."""

    name: str
    strengths: Sequence[float]
    """Elo of each bot at equal luck."""
    tables: Tables
    """Lineups and their numbers of sets."""
    luck: float = 0.0
    """Spread of a deal's luck, in Elo."""
    grid: float = 0.0
    """Utilities count only to multiples of this (natural logarithms): ties."""
    seat: float = 0.0
    """Elo that the first seat has above the last."""
    anchor: int | None = None
    dense: bool = False
    """15 sets or more for each bot: coverage has an upper bar as well."""
    whole: bool = True
    """Whether sets are duplicate sets of every rotation; otherwise every game is a set of its own."""


@dataclass
class Coverage:
    """What was counted of one pool."""

    pool: Pool
    runs: int
    held: np.ndarray
    """Runs x bots: 1, 0, or not a number where there is no interval."""
    one_sided: float
    widths: list[float] = field(default_factory=list)
    pairs: list[bool] = field(default_factory=list)
    superiority: list[tuple[float, bool]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def all(self) -> float:
        """Coverage of all bots together."""
        return float(np.nanmean(self.held))

    @property
    def all_error(self) -> float:
        """The simulation's own error of `all`; bots of a run hang together."""
        judged = ~np.isnan(self.held).all(axis=1)
        return float(np.std(np.nanmean(self.held[judged], axis=1)) / np.sqrt(self.runs))

    @property
    def worst(self) -> float:
        """Coverage of the worst single bot."""
        judged = ~np.isnan(self.held).all(axis=0)
        return float(np.min(np.nanmean(self.held[:, judged], axis=0)))

    def misses(self) -> list[str]:
        """The bars that were missed beyond twice the simulation's own error."""
        found = []
        worst_error = float(np.sqrt(self.worst * (1.0 - self.worst) / self.runs))
        if self.all + 2.0 * self.all_error < 0.93:
            found.append(f"{self.pool.name}: all bots {self.all:.3f} below .93")
        if self.worst + 2.0 * worst_error < 0.90:
            found.append(f"{self.pool.name}: the worst bot {self.worst:.3f} below .90")
        if self.pool.dense and self.all - 2.0 * self.all_error > 0.98:
            found.append(f"{self.pool.name}: all bots {self.all:.3f} above .98")
        return found


def draw(rng: np.random.Generator, pool: Pool, times: int = 1) -> Results:
    """Results of a pool, or of so many times its sets."""
    tables, first = [], 0
    strengths = np.asarray(pool.strengths) / ELO
    sizes = sorted({len(lineup) for lineup, _ in pool.tables})
    for size in sizes:
        lineups = [(lineup, sets) for lineup, sets in pool.tables if len(lineup) == size]
        bots = np.repeat(np.array([lineup for lineup, _ in lineups]), [sets * times for _, sets in lineups], axis=0)
        count = len(bots)
        luck = rng.normal(0.0, pool.luck / ELO, bots.shape)
        effect = np.linspace(pool.seat / 2.0, -pool.seat / 2.0, size) / ELO
        players, places, groups = [], [], []
        for shift in range(size):
            seated = np.roll(bots, shift, axis=1)
            if not pool.whole:
                seated = rng.permuted(seated, axis=1)
                luck = rng.normal(0.0, pool.luck / ELO, bots.shape)
            utility = strengths[seated] + effect + luck + rng.gumbel(size=bots.shape)
            level = np.floor(utility / pool.grid) if pool.grid else utility
            better = (level[:, None, :] > level[:, :, None]).sum(axis=2)
            players.append(seated)
            places.append(_dense(better))
            groups.append(first + (np.arange(count) if pool.whole else shift * count + np.arange(count)))
        first = int(max(group.max() for group in groups)) + 1
        tables.append((np.concatenate(players), np.concatenate(places), np.concatenate(groups)))
    return assemble([f"p{bot:02d}" for bot in range(len(pool.strengths))], tables)


def _dense(better: np.ndarray) -> np.ndarray:
    """Places without gaps from numbers of better seats."""
    ordered = np.sort(better, axis=1)
    steps = np.concatenate(
        [np.ones((len(better), 1), dtype=np.int64), np.cumsum(np.diff(ordered) > 0, axis=1) + 1], axis=1
    )
    at = (ordered[:, None, :] == better[:, :, None]).argmax(axis=2)
    return np.take_along_axis(steps, at, axis=1)


def limit(pool: Pool) -> np.ndarray:
    """The strengths (natural logarithms) that a fit approaches with very many sets."""
    if not pool.luck and not pool.grid:
        return np.asarray(pool.strengths) / ELO
    times = max(1, LIMIT_SETS // sum(sets for _, sets in pool.tables))
    return fit(draw(np.random.default_rng(5), pool, times), prior=1e-6, ends=False).theta


def cover(pool: Pool, runs: int, seed: int = SEED) -> Coverage:
    """Count over so many runs."""
    rng = np.random.default_rng(seed)
    truth = limit(pool)
    count = len(truth)
    held = np.full((runs, count), np.nan)
    found = Coverage(pool, runs, held, 0.0)
    sides = 0
    began = time.perf_counter()
    for run in range(runs):
        fitted = fit(draw(rng, pool), anchor=None if pool.anchor is None else f"p{pool.anchor:02d}")
        sides += _count(found, fitted, truth, run, rng)
    found.seconds = (time.perf_counter() - began) / runs
    found.one_sided = sides / (runs * count)
    return found


def _count(found: Coverage, fitted: Fit, truth: np.ndarray, run: int, rng: np.random.Generator) -> int:
    connection = fitted.evidence.connection
    target = ELO * (truth - (connection.references @ truth)[connection.islands])
    judged = (fitted.reference < 1.0) & (np.isfinite(fitted.low) | np.isfinite(fitted.high))
    inside = (fitted.low <= target) & (target <= fitted.high)
    found.held[run, judged] = inside[judged]
    both = judged & np.isfinite(fitted.low) & np.isfinite(fitted.high)
    found.widths += (fitted.high - fitted.low)[both].tolist()
    for _ in range(PAIRS):
        i, j = rng.choice(len(truth), 2, replace=False)
        difference = fitted.difference(fitted.names[i], fitted.names[j])
        if difference is not None:
            value = ELO * (truth[i] - truth[j])
            found.pairs.append(difference.low <= value <= difference.high)
            found.superiority.append((difference.los, bool(value > 0)))
    return int(np.sum(judged & ~both))


def rounds(bots: Sequence[int], sets: int, size: int = 2) -> Tables:
    """Every table of so many bots, each with so many sets."""
    return [(lineup, sets) for lineup in combinations(bots, size)]


def sparse(bots: int, each: int, seed: int) -> Tables:
    """Random pairs until every bot has about so many sets; the pool hangs together."""
    rng = np.random.default_rng(seed)
    pairs: Tables = []
    for _ in range(each):
        order = rng.permutation(bots)
        pairs += [((int(order[at]), int(order[at + 1])), 1) for at in range(0, bots - 1, 2)]
    return pairs


def pools() -> list[Pool]:
    """All kinds of pools of the table."""
    spread = np.linspace(-250.0, 250.0, 6).tolist()
    found = []
    for seats, sets, each in ((2, 1, 5), (2, 3, 15), (2, 6, 30), (3, 2, 20), (4, 2, 20), (5, 6, 30)):
        for luck in (0.0, 300.0, 800.0):
            for grid in (0.0, 0.5) if luck else (0.0,):
                name = f"dense {seats} seats, {each} sets each, luck {luck:.0f}{', ties' if grid else ''}"
                tables = rounds(range(6), sets, seats)
                found.append(Pool(name, spread, tables, luck, grid, dense=each >= 15))
    wide = np.random.default_rng(3).normal(0.0, 200.0, 20).round().tolist()
    found += [
        Pool(f"sparse 20 bots, {each} sets each, luck {luck:.0f}", wide, sparse(20, each, 9), luck)
        for each in (3, 8)
        for luck in (0.0, 300.0, 800.0)
    ]
    return found + _islands() + _edges() + _odd()


def _islands() -> list[Pool]:
    apart = [-100.0, -30.0, 40.0, 90.0, 250.0, 320.0, 390.0, 440.0]
    two = [*rounds(range(4), 10), *rounds(range(4, 8), 10)]
    few = [*rounds(range(4), 3), *rounds(range(4, 8), 3)]
    return [
        Pool("two islands 350 apart, 30 sets each", apart, two),
        Pool("two islands, 9 sets each, luck 300", apart, few, 300.0),
        Pool("two islands, a bridge of 2 sets", apart, [*two, ((3, 4), 2)]),
        Pool("two islands, a bridge of 4 sets", apart, [*few, ((3, 4), 2), ((1, 5), 2)]),
        Pool("two islands, a bridge of 6 sets", apart, [*two, ((3, 4), 3), ((1, 5), 3)]),
    ]


def _edges() -> list[Pool]:
    found = []
    for lead in (400.0, 800.0):
        for sets, own in ((3, 12), (8, 32), (25, 100)):
            for luck in (0.0, 300.0):
                strengths = [-60.0, -20.0, 20.0, 60.0, lead]
                found.append(
                    Pool(f"+{lead:.0f} of 5, {own} own sets, luck {luck:.0f}", strengths, rounds(range(5), sets), luck)
                )
    found.append(Pool("-800 of 5, 32 own sets", [-60.0, -20.0, 20.0, 60.0, -800.0], rounds(range(5), 8)))
    found.append(Pool("+1000 of 3, 66 own sets", [-20.0, 20.0, 1000.0], rounds(range(3), 33)))
    six = [-80.0, -40.0, 0.0, 40.0, 80.0, 800.0]
    found.append(Pool("+800 of 6, 3 seats, luck 300", six, rounds(range(6), 3, 3), 300.0))
    found.append(Pool("+800 of 6, 5 seats, luck 300", six, rounds(range(6), 6, 5), 300.0))
    veterans = [-120.0, -60.0, 0.0, 60.0, 120.0]
    late: Tables = [((bot, 5), 1) for bot in range(5)]
    for luck in (0.0, 300.0, 800.0):
        tables = [*rounds(range(5), 25), *late]
        found.append(
            Pool(f"newcomer, 5 sets among veterans with 100, luck {luck:.0f}", [*veterans, 40.0], tables, luck)
        )
    found.append(Pool("strong newcomer (+500), 5 sets", [*veterans, 500.0], [*rounds(range(5), 25), *late]))
    return found


def _odd() -> list[Pool]:
    one: Tables = [((0, bot), 6) for bot in range(1, 9)]
    rest = np.linspace(-150.0, 150.0, 8).tolist()
    five = [-60.0, -20.0, 20.0, 60.0]
    mixed = [*rounds(range(6), 2), *rounds(range(6), 1, 3), *rounds(range(6), 1, 4)]
    spread = np.linspace(-250.0, 250.0, 6).tolist()
    many = np.random.default_rng(4).normal(0.0, 200.0, 40).round().tolist()
    veterans = [-120.0, -60.0, 0.0, 60.0, 120.0]
    late: Tables = [((bot, 5), 1) for bot in range(5)]
    return [
        Pool("gauntlet: one against 8, 6 sets each, luck 0", [0.0, *rest], one),
        Pool("gauntlet: one against 8, 6 sets each, luck 300", [0.0, *rest], one, 300.0),
        Pool("gauntlet of a strong bot (+400), 6 sets each", [400.0, *rest], one),
        Pool("one met only the top bot (+400), 10 sets", [*five, 400.0, 350.0], [*rounds(range(5), 8), ((4, 5), 10)]),
        Pool("one met only the top bot (+800), 20 sets", [*five, 800.0, 750.0], [*rounds(range(5), 8), ((4, 5), 20)]),
        Pool("all equal, nearly all draws", [0.0] * 6, rounds(range(6), 5), 0.0, 9.0),
        Pool("draws, spread 100", np.linspace(-50.0, 50.0, 6).tolist(), rounds(range(6), 6), 0.0, 6.0),
        Pool("seat effect 400, equal bots", [0.0] * 6, rounds(range(6), 3), seat=400.0, dense=True),
        Pool("seat effect 800, equal bots, 3 seats", [0.0] * 6, rounds(range(6), 2, 3), seat=800.0, dense=True),
        Pool("anchor = weakest, 6 bots", spread, rounds(range(6), 3), anchor=0, dense=True),
        Pool("anchor = a newcomer with 5 sets", [*veterans, 40.0], [*rounds(range(5), 25), *late], anchor=5),
        Pool("2 bots, 10 sets, equal", [0.0, 0.0], rounds(range(2), 10)),
        Pool("2 bots, 5 sets, 200 apart", [0.0, 200.0], rounds(range(2), 5)),
        Pool("2, 3 and 4 seats mixed, luck 300", spread, mixed, 300.0, dense=True),
        Pool("single games of 2, 30 each, luck 300", spread, rounds(range(6), 3), 300.0, dense=True, whole=False),
        Pool("single games of 4, 80 each", spread, rounds(range(6), 2, 4), dense=True, whole=False),
        Pool("40 bots, 16 sets each, luck 300", many, sparse(40, 16, 10), 300.0, dense=True),
        Pool("60 bots, 8 sets each", np.random.default_rng(6).normal(0.0, 200.0, 60).tolist(), sparse(60, 8, 11)),
    ]


HEAD = "| pool | one-sided | all bots | worst bot | median width | two bots (n) |\n|---|---|---|---|---|---|"


def line(found: Coverage) -> str:
    """A row of the table."""
    pairs = f"{np.mean(found.pairs):.3f} ({len(found.pairs)})" if found.pairs else "-"
    width = f"{np.median(found.widths):.0f}" if found.widths else "-"
    return f"| {found.pool.name} | {found.one_sided:.2f} | {found.all:.3f} | {found.worst:.3f} | {width} | {pairs} |"


def main() -> None:
    """Print the table of all pools whose name has the given words."""
    parser = argparse.ArgumentParser(description="coverage of the published intervals")
    parser.add_argument("runs", type=int, nargs="?", default=60, help="runs of each pool")
    parser.add_argument("words", nargs="?", default="", help="only pools with these words in their name")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--times", action="store_true", help="print the milliseconds of a run")
    chosen = parser.parse_args()
    print(f"95% intervals, {chosen.runs} runs a pool:\n\n{HEAD}")
    misses, said = [], []
    for pool in pools():
        if chosen.words in pool.name:
            found = cover(pool, chosen.runs, chosen.seed)
            misses += found.misses()
            said += found.superiority
            print(line(found), f"{found.seconds * 1e3:.0f} ms" if chosen.times else "", flush=True)
    print("\nmissed:", "; ".join(misses) or "none")
    claims = [(max(los, 1.0 - los), right == (los > 0.5)) for los, right in said]
    for low, high in ((0.5, 0.75), (0.75, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 1.01)):
        among = [claim for claim in claims if low <= claim[0] < high]
        if among:
            print(
                f"superiority said {np.mean([c[0] for c in among]):.3f}, true {np.mean([c[1] for c in among]):.3f}",
                len(among),
            )


if __name__ == "__main__":
    main()
