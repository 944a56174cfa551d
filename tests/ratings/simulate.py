"""Measures the error rates of the gate: `python -m tests.ratings.simulate` prints the table of the README.

Results are drawn from the model (Gumbel noise on utilities gives Plackett-Luce orders) with luck of the deal: every
seat of a deal has a bonus of its own, shared by all games of a duplicate set. So the truth is known, and error rates
can be counted. (`tests.ratings.coverage` counts how often intervals hold.)
"""

from __future__ import annotations

import sys

import numpy as np

from ladder.ratings.results import ELO, pair_scores
from ladder.ratings.sprt import Model, SequentialDesign, SprtVerdict, cells, llr

BATCH = 8


def order(rng: np.random.Generator, strengths: np.ndarray, luck: np.ndarray) -> tuple[int, ...]:
    """Places of one game, by seat."""
    utility = strengths + luck + rng.gumbel(size=len(strengths))
    return tuple(int(1 + np.sum(utility > value)) for value in utility)


def duplicate_set(
    rng: np.random.Generator, strengths: np.ndarray, tau: float
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """One deal in every rotation: (lineup, places) of each game; `tau` is the spread of the deal's luck in Elo."""
    seats = len(strengths)
    luck = rng.normal(0.0, tau / ELO, seats)
    games = []
    for shift in range(seats):
        lineup = tuple((seat - shift) % seats for seat in range(seats))
        games.append((lineup, order(rng, strengths[list(lineup)], luck)))
    return games


def gate_error(
    rng: np.random.Generator, seats: int, tau: float, truth: float, elo1: float, model: Model, trials: int
) -> tuple[float, float]:
    """How often the gate accepts H1, and the mean number of games, for a candidate `truth` Elo above the baseline."""
    design = SequentialDesign(0.0, elo1, model, seats=seats, games=seats)
    strengths = np.zeros(seats)
    strengths[0] = truth / ELO
    accepted = games = 0
    for _ in range(trials):
        counts = np.zeros(cells(seats, seats))
        verdict = SprtVerdict.CONTINUE
        while verdict is SprtVerdict.CONTINUE:
            for _ in range(BATCH):
                played = duplicate_set(rng, strengths, tau)
                scores = [pair_scores(places)[lineup.index(0)].sum() / (seats - 1) for lineup, places in played]
                counts[round(float(np.mean(scores)) * (len(counts) - 1))] += 1
            games += BATCH * seats
            verdict = design.verdict(llr(counts, design))
        accepted += verdict is SprtVerdict.H1
    return accepted / trials, games / trials


def main(trials: int = 150) -> None:
    """Print the table."""
    rng = np.random.default_rng(2026)
    print(f"Error rates of the gate, H0 0 against H1 60, alpha = beta = 0.05, {trials} tests each:\n")
    print("| seats | deal luck (Elo) | unit | accepted if 0 Elo | games | accepted if 60 Elo (logistic) | games |")
    print("|---|---|---|---|---|---|---|")
    for seats, tau in ((2, 0.0), (2, 400.0), (3, 200.0)):
        for unit in Model:
            wrong, games0 = gate_error(rng, seats, tau, 0.0, 60.0, unit, trials)
            right, games1 = gate_error(rng, seats, tau, 60.0, 60.0, unit, trials)
            print(f"| {seats} | {tau:.0f} | {unit} | {wrong:.3f} | {games0:.0f} | {right:.3f} | {games1:.0f} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
