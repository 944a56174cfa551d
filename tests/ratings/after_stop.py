"""Counts how often the estimate after a stop holds: `python -m tests.ratings.after_stop [tests]` prints the table.

Sets are drawn from the Plackett-Luce model with luck of the deal; the test looks after every set. `below` and `above`
are the shares of estimates below and above the truth: 1/2 each is median-unbiased.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ladder.bench.gate_simulated import drawn_sets
from ladder.ratings.estimate import Unbiased, unbiased_of
from ladder.ratings.results import Z95
from ladder.ratings.score_test import Moments, counted, llr_path, normal_interval, prior_spread
from ladder.ratings.sprt import NORMALISED, SequentialDesign, SprtVerdict
from ladder.ratings.stopping import Stop, pace, verdict
from ladder.ratings.triangle import unbiased_in_triangle

LUCK = 300.0
MOST_SETS = 4000
MANY_SETS = 200_000
"""Sets from which the truth is computed."""


@dataclass(frozen=True)
class Held:
    """What was counted of one candidate."""

    truth: float
    """Normalised Elo."""
    sets: float
    naive: float
    """Share of tests whose naive interval holds the truth."""
    below: float
    covers: float
    width: float
    tests: int


def count(stop: Stop, design: SequentialDesign, elo: float, tests: int, seed: int = 4) -> Held:
    """Run tests of a candidate so many Elo stronger at equal luck."""
    rng = np.random.default_rng(seed)
    many = drawn_sets(rng, design.seats, 1, elo, LUCK, MANY_SETS)
    unit = NORMALISED / sqrt(design.games)
    truth = unit * float((many.mean() - 0.5) / many.std())
    rows = [_one(rng, stop, design, elo) for _ in range(tests)]
    estimates = [(moments, found) for moments, found in rows if found.nelo is not None]
    plain = [normal_interval(moments, design.games, Z95) for moments, _ in estimates]
    holds = [_holds(found, truth) for _, found in estimates]
    widths = [f.nelo_high - f.nelo_low for _, f in estimates if f.nelo_high is not None and f.nelo_low is not None]
    return Held(
        truth,
        float(np.mean([moments.sets for moments, _ in rows])),
        float(np.mean([ends is not None and ends[1] <= truth <= ends[2] for ends in plain])),
        float(np.mean([found.nelo is not None and found.nelo < truth for _, found in estimates])),
        float(np.mean(holds)),
        float(np.mean(widths)),
        len(estimates),
    )


def _holds(found: Unbiased, truth: float) -> bool:
    """An end that is too far out to be told holds whatever lies on its side."""
    low, high = found.nelo_low, found.nelo_high
    return (low is None or low <= truth) and (high is None or truth <= high)


def _one(rng: np.random.Generator, stop: Stop, design: SequentialDesign, elo: float) -> tuple[Moments, Unbiased]:
    scores = drawn_sets(rng, design.seats, 1, elo, LUCK, MOST_SETS)
    path = llr_path(scores, design)
    each = pace(design, 1.0)
    ends = (
        number
        for number, ratio in enumerate(path, 1)
        if verdict(stop, design, float(ratio), number * each) is not SprtVerdict.CONTINUE
    )
    moments = counted(scores[: next(ends, len(scores))])
    after = unbiased_of if stop is Stop.WALD else unbiased_in_triangle
    return moments, after(float(moments.sets), moments.mean, prior_spread(moments, design), design)


CASES = [(2, 30.0), (3, 40.0), (5, 40.0)]
STRENGTHS = (-1.0, 0.0, 0.5, 1.0, 2.0, 4.0)
"""Of candidates, in units of the Elo at equal luck that lie about at H1."""


def elo_of_bound(design: SequentialDesign) -> float:
    """Elo at equal luck of a candidate about at H1."""
    tried = drawn_sets(np.random.default_rng(1), design.seats, 1, 40.0, LUCK, MANY_SETS // 4)
    return 40.0 * design.elo1 / (NORMALISED / sqrt(design.games) * float((tried.mean() - 0.5) / tried.std()))


def main(tests: int = 200) -> None:
    """Print the table."""
    print("| stop | seats | bounds | truth | sets | naive covers | below / above | covers | width |")
    print("|---|---|---|---|---|---|---|---|---|")
    for stop in (Stop.TRIANGULAR, Stop.WALD):
        for seats, bound in CASES:
            design = SequentialDesign(0.0, bound, seats=seats, games=seats)
            level = elo_of_bound(design)
            for share in STRENGTHS:
                held = count(stop, design, share * level, tests)
                print(
                    f"| {stop} | {seats} | 0, {bound:.0f} | {held.truth:.0f} | {held.sets:.0f} | {held.naive:.3f} | "
                    f"{held.below:.2f} / {1 - held.below:.2f} | {held.covers:.3f} | {held.width:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
