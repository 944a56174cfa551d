"""The speed of `kumite rate`: everything that it prints, from results in memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ladder.ratings.meetings import meetings
from ladder.ratings.nontransitivity import structure
from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import ELO, Results, assemble
from ladder.terminal_tables import print_table

SEATS = 4
SIZES = ((100_000, 200), (1_000_000, 1000))
"""Matches and bots."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What one size took."""

    matches: int
    bots: int
    seconds: float
    """Time of fit, intervals, cycles and pairs."""
    processor_seconds: float
    """Processor time of the same, all threads together."""
    peak_mib: float
    """Most memory of this process so far."""


def random_results(matches: int, bots: int, seed: int = 1) -> Results:
    """Results of four-player matches in duplicate sets, lineups at random, strengths with a spread of 200 Elo."""
    rng = np.random.default_rng(seed)
    sets = matches // SEATS
    steps = np.cumsum(rng.integers(1, max(2, bots // SEATS), (sets, SEATS)), axis=1)
    lineups = (rng.integers(0, bots, (sets, 1)) + steps) % bots
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


def measure(matches: int, bots: int) -> Speed:
    """Time one size."""
    results = random_results(matches, bots)
    began, used = time.perf_counter(), time.process_time()
    found = fit(results)
    structure(results, found, meetings(results))
    seconds, used = time.perf_counter() - began, time.process_time() - used
    return Speed(matches, bots, seconds, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)


def both(*, quick: bool = False) -> list[Speed]:
    """The sizes of the table; quick: the smaller one alone."""
    return [measure(*size) for size in (SIZES[:1] if quick else SIZES)]


def show(figures: Sequence[Speed]) -> None:
    """Print the table."""
    print_table(
        "\nratings: all that `kumite rate` prints, four seats, results in memory",
        ("matches", "bots", "seconds", "of processor", "most MiB"),
        [
            (
                f"{entry.matches:,}",
                f"{entry.bots:,}",
                f"{entry.seconds:.2f}",
                f"{entry.processor_seconds:.2f}",
                f"{entry.peak_mib:.0f}",
            )
            for entry in figures
        ],
    )
