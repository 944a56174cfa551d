"""Times what `kumite rate` computes: `python -m tests.ratings.speed [matches bots]`, results in memory.

Matches of four seats in duplicate sets, bots drawn at random, strengths with a spread of 200 Elo.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import ELO, Results, assemble
from ladder.ratings.structure import structure

SEATS = 4


def random_results(matches: int, bots: int, seed: int = 1) -> Results:
    """Results of so many four-player matches."""
    rng = np.random.default_rng(seed)
    sets = matches // SEATS
    lineups = _lineups(rng, sets, bots)
    strengths = rng.normal(0.0, 200.0 / ELO, bots)
    players, places = [], []
    for shift in range(SEATS):
        seated = np.roll(lineups, shift, axis=1)
        utility = strengths[seated] + rng.gumbel(size=seated.shape)
        players.append(seated)
        places.append(1 + (utility[:, None, :] > utility[:, :, None]).sum(axis=2))
    groups = np.tile(np.arange(sets), SEATS)
    names = [f"p{bot:04d}" for bot in range(bots)]
    return assemble(names, [(np.concatenate(players), np.concatenate(places), groups)])


def _lineups(rng: np.random.Generator, sets: int, bots: int) -> np.ndarray:
    """Lineups of different bots: steps around the circle of bots."""
    steps = np.cumsum(rng.integers(1, bots // SEATS, (sets, SEATS)), axis=1)
    return (rng.integers(0, bots, (sets, 1)) + steps) % bots


def main(matches: int, bots: int) -> None:
    """Print the times of one pool."""
    results = random_results(matches, bots)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began, worked = time.perf_counter(), time.process_time()
    found = fit(results)
    fitted, fitted_work = time.perf_counter(), time.process_time()
    structure(results, found)
    ended, ended_work = time.perf_counter(), time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{matches} matches of {bots} bots: fit with intervals {fitted - began:.2f} s ({fitted_work - worked:.2f} s of "
        f"processor), cycles and misfit {ended - fitted:.2f} s ({ended_work - fitted_work:.2f}), "
        f"{before:.0f} MiB before, at most {peak:.0f} MiB"
    )


if __name__ == "__main__":
    main(*(map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (100_000, 200)))
