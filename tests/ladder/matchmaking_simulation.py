"""Compares pairings by what they teach: `python -m tests.ladder.matchmaking_simulation [runs] [words]` prints a table.

Results are drawn from the Plackett-Luce model with luck of the deal, as in `tests.ratings.coverage`. Every pairing
plays the same number of sets in the same kind of pool; then the ratings of the fit are compared with the strengths that
a fit of very many sets approaches. Errors are counted in Elo, all ratings of a pool moved to the same mean.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ladder.pairing.planned import History, Lineup, ScheduleStanding, matchmaking_designed, round_robin
from ladder.ratings.plackett_luce import Fit, fit
from ladder.ratings.results import ELO, Results, assemble
from tests.ratings.coverage import Pool, limit, rounds, sparse

Planned = Callable[[History, int], list[Lineup]]


@dataclass(frozen=True)
class Season:
    """A kind of pool, and how many sets it has."""

    name: str
    strengths: Sequence[float]
    sets: int
    seats: int = 2
    luck: float = 0.0
    before: tuple[tuple[int, ...], ...] = ()
    """Lineups that were played beforehand, by number of the bot."""


@dataclass(frozen=True)
class Error:
    """Errors of ratings in Elo, each with the standard error of the simulation."""

    mean: float
    """Root of the mean square over bots, averaged over runs."""
    mean_error: float
    worst: float
    """Largest of all bots, averaged over runs."""
    worst_error: float


class Played:
    """The sets of one run, and their ratings."""

    def __init__(self, season: Season, rng: np.random.Generator) -> None:
        self._season, self._rng = season, rng
        self._strengths = np.asarray(season.strengths) / ELO
        self.names = [f"b{bot:02d}" for bot in range(len(season.strengths))]
        self.lineups: list[Lineup] = []
        self._players: list[np.ndarray] = []
        self._places: list[np.ndarray] = []
        self._fit: Fit | None = None

    def play(self, lineups: Sequence[Lineup]) -> None:
        """Play a batch of duplicate sets."""
        for lineup in lineups:
            bots = np.array([self.names.index(name) for name in lineup])
            luck = self._rng.normal(0.0, self._season.luck / ELO, len(bots))
            for shift in range(len(bots)):
                seated = np.roll(bots, shift)
                utility = self._strengths[seated] + luck + self._rng.gumbel(size=len(bots))
                self._players.append(seated)
                self._places.append(1 + (utility[None, :] > utility[:, None]).sum(axis=1))
            self.lineups.append(lineup)

    def _results(self) -> Results:
        groups = np.repeat(np.arange(len(self.lineups)), self._season.seats)
        seen, players = np.unique(np.array(self._players), return_inverse=True)
        players = players.reshape(len(groups), self._season.seats)
        return assemble([self.names[bot] for bot in seen], [(players, np.array(self._places), groups)])

    def rate(self) -> Fit:
        """The ratings of all bots."""
        self._fit = fit(self._results(), ends=False, start=self._fit)
        return self._fit

    def history(self) -> History:
        """What pairing looks at, as `ladder.seasons.standings` makes it."""
        counts = {name: sum(name in lineup for lineup in self.lineups) for name in self.names}
        elo, error = {}, {}
        if self.lineups:
            found = self.rate()
            elo = {name: round(float(value), 1) for name, value in zip(found.names, found.elo, strict=True)}
            error = {name: round(float(value), 1) for name, value in zip(found.names, found.se, strict=True)}
        standings = tuple(
            ScheduleStanding(name, counts[name], 0.0, elo.get(name, 0.0), error.get(name, float("inf")))
            for name in self.names
        )
        return History(standings, tuple(self.lineups))


def errors(season: Season, plan: Planned, runs: int, seed: int = 11) -> Error:
    """Play a season so many times with one pairing."""
    truth = ELO * limit(_pool(season))
    truth = truth - truth.mean()
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(runs):
        played = Played(season, rng)
        played.play([tuple(played.names[bot] for bot in lineup) for lineup in season.before])
        left = season.sets
        while left:
            batch = plan(played.history(), season.seats)[:left]
            played.play(batch)
            left -= len(batch)
        rated = ELO * played.rate().theta
        off = rated - rated.mean() - truth
        found.append((float(np.sqrt(np.mean(off**2))), float(np.max(np.abs(off)))))
    mean, worst = np.mean(found, axis=0)
    mean_error, worst_error = np.std(found, axis=0) / np.sqrt(runs)
    return Error(float(mean), float(mean_error), float(worst), float(worst_error))


def _pool(season: Season) -> Pool:
    """A pool in which every bot met every other, for the limit of a fit."""
    bots = range(len(season.strengths))
    tables = rounds(bots, 1, season.seats) if len(bots) <= 12 else sparse(len(bots), 12, 4)
    return Pool(season.name, season.strengths, tables, season.luck)


def seasons() -> list[Season]:
    """All kinds of the table."""
    rng = np.random.default_rng(5)
    twenty, forty = (rng.normal(0.0, 200.0, count).round().tolist() for count in (20, 40))
    twelve = np.linspace(-300.0, 300.0, 12).tolist()
    veterans = np.linspace(-200.0, 200.0, 10).tolist()
    met = tuple(lineup for lineup, _ in rounds(range(10), 1)) * 2
    return [
        Season("8 equal bots", [0.0] * 8, 56),
        Season("12 bots, spread over 600", twelve, 132),
        Season("12 bots, spread over 600, luck 300", twelve, 132, luck=300.0),
        Season("12 bots, spread over 2000", np.linspace(-1000.0, 1000.0, 12).tolist(), 132),
        Season("20 bots, half a round", twenty, 95),
        Season("20 bots, two rounds", twenty, 380),
        Season("40 bots, 12 sets each", forty, 240),
        Season("one bot 600 above 7", [600.0, *np.linspace(-60.0, 60.0, 7).tolist()], 112),
        Season("two clusters of 6, 600 apart", [*np.linspace(-350, -250, 6), *np.linspace(250, 350, 6)], 132),
        Season("a newcomer among 10 veterans", [*veterans, 80.0], 30, before=met),
        Season("a strong newcomer (+500) among 10", [*veterans, 500.0], 30, before=met),
        Season("3 seats, 10 bots, luck 300", np.linspace(-250.0, 250.0, 10).tolist(), 120, 3, 300.0),
        Season("4 seats, 12 bots", twelve, 99, 4),
        Season("4 seats, 12 bots, luck 300", twelve, 99, 4, 300.0),
        Season("5 seats, 12 bots", twelve, 72, 5),
    ]


PLANS: dict[str, Planned] = {
    "round robin": partial(round_robin, rounds=1000),
    "matchmaking": partial(matchmaking_designed, sets=100_000, floor=2),
}


def main(runs: int = 40, words: str = "") -> None:
    """Print errors of both pairings in every kind of pool whose name has these words."""
    print("| pool | sets | round robin: mean, worst | matchmaking: mean, worst | ratio of means | ratio of worst |")
    print("|---|---|---|---|---|---|")
    for season in seasons():
        if words in season.name:
            plain, made = (errors(season, plan, runs) for plan in PLANS.values())
            shares = [
                f"{ours / theirs:.2f} ± {ours / theirs * np.hypot(a / ours, b / theirs):.2f}"
                for ours, theirs, a, b in (
                    (made.mean, plain.mean, made.mean_error, plain.mean_error),
                    (made.worst, plain.worst, made.worst_error, plain.worst_error),
                )
            ]
            print(
                f"| {season.name} | {season.sets} | {plain.mean:.0f}, {plain.worst:.0f} | {made.mean:.0f}, "
                f"{made.worst:.0f} | {shares[0]} | {shares[1]} |",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40, sys.argv[2] if len(sys.argv) > 2 else "")
