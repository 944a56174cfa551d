"""One candidate and two at a table, on sets from the Plackett-Luce model with luck of the deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from ladder.arena.gate.question import PAIR_SEATS
from ladder.arena.gate.sets import seatings
from ladder.bench.gate_table import STRENGTH, TESTS, GateFigures, first_verdict
from ladder.ratings.estimate import elo_of
from ladder.ratings.results import ELO, Floats
from ladder.ratings.score_test import even_variance, llr_path
from ladder.ratings.sprt import NORMALISED, Model, SequentialDesign, SprtVerdict
from ladder.terminal_tables import print_table

LUCKS = (0.0, 300.0)
"""Spreads of a deal's luck, in Elo."""
MOST_SETS = 1500
MANY_SETS = 40_000
"""Sets from which the strength of the candidate is found."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Tests of one and of two candidates on sets from the Plackett-Luce model."""

    seats: int
    luck: float
    """Spread of a deal's luck, in Elo."""
    model: Model
    """Unit of the bounds."""
    one: GateFigures
    pair: GateFigures
    tests: int


def simulate(seats: int, luck: float, model: Model = Model.NORMALISED, tests: int = TESTS, seed: int = 3) -> Simulated:
    """Compare one candidate with two: 0 against what a candidate of `STRENGTH` normalised Elo has in that unit."""
    rng = np.random.default_rng(seed)
    strength, mean = _strength_for(rng, seats, luck)
    bound = STRENGTH if model is Model.NORMALISED else elo_of(mean) or 0.0
    plain = SequentialDesign(0.0, bound, model, seats=seats, games=seats)
    designs = (plain, replace(plain, candidates=2))
    lengths, wrong = np.zeros((2, 2)), np.zeros((2, 2))
    for truth in (0, 1):
        bad = SprtVerdict.H0 if truth else SprtVerdict.H1
        for _ in range(tests):
            for number, design in enumerate(designs):
                scores = drawn_sets(rng, seats, number + 1, strength * truth, luck, MOST_SETS)
                count, verdict = first_verdict(llr_path(scores, design), design)
                lengths[number, truth] += count / tests
                wrong[number, truth] += (verdict is bad) / tests
    one, pair = (
        GateFigures(float(lengths[number].mean()), (float(wrong[number, 0]), float(wrong[number, 1])))
        for number in range(2)
    )
    return Simulated(seats, luck, model, one, pair, tests)


def _strength_for(rng: np.random.Generator, seats: int, luck: float) -> tuple[float, float]:
    """Elo at equal luck that make `STRENGTH` normalised Elo of one candidate, and the mean score that goes with it."""
    elo = 4.0 * ELO * STRENGTH * sqrt(even_variance(seats, 1)) / NORMALISED
    for _ in range(3):
        scores = drawn_sets(rng, seats, 1, elo, luck, MANY_SETS)
        elo *= STRENGTH / (NORMALISED / sqrt(seats) * float((scores.mean() - 0.5) / scores.std()))
    return elo, float(drawn_sets(rng, seats, 1, elo, luck, MANY_SETS).mean())


def drawn_sets(rng: np.random.Generator, seats: int, candidates: int, elo: float, luck: float, count: int) -> Floats:
    """Mean scores of sets of a candidate so much stronger, from the model with luck of the deal."""
    deals = rng.normal(0.0, luck / ELO, (count, seats)) if luck else np.zeros((1, seats))
    total = np.zeros(count)
    for new in seatings(seats, candidates, 0):
        others = [seat for seat in range(seats) if seat not in new]
        utility = deals + rng.gumbel(size=(count, seats))
        utility[:, list(new)] += elo / ELO
        total += (utility[:, list(new), None] > utility[:, None, others]).mean(axis=(1, 2))
    return total / seats


def show(rows: Sequence[Simulated]) -> None:
    """Print the table."""
    print_table(
        f"\nsimulated: one candidate and two at a table, H1 a candidate of {STRENGTH:.0f} normalised Elo of wins",
        ("seats", "luck", "unit", "one", "two", "saving", "wrong by one", "wrong by two"),
        [
            (
                row.seats,
                f"{row.luck:.0f}",
                row.model,
                f"{row.one.sets:.0f}",
                f"{row.pair.sets:.0f}",
                f"{row.one.sets / row.pair.sets:.2f}",
                f"{row.one.wrong[0]:.1%} {row.one.wrong[1]:.1%}",
                f"{row.pair.wrong[0]:.1%} {row.pair.wrong[1]:.1%}",
            )
            for row in rows
        ],
    )


def simulations(tests: int = TESTS) -> list[Simulated]:
    """All rows."""
    return [simulate(seats, luck, model, tests) for seats in PAIR_SEATS for luck in LUCKS for model in Model]
