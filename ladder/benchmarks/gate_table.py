"""Sets that the gate needs, by wins and by soft scores: real duplicate sets of bundled bots, resampled.

Sets of greedy with slips against greedy, and the other way round, are drawn with replacement. For H0 each is turned
round with a chance of one half, so that neither bot is better; for H1 a share of them is left as it is, which makes a
candidate of about `STRENGTH` normalised Elo of wins. Both tests get the same sets and the same bounds, 0 and what the
candidate has in wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from ladder.benchmarks.slips import SLIPPING, SLIPS, PlayedGame, play_set
from ladder.cli.output import print_table
from ladder.gate_scores import Ratio, Score, pair_margin, scale_of, set_score, set_spread, start_variance
from ladder.ratings.results import Floats, pair_scores
from ladder.ratings.score_test import Moments, score_llr
from ladder.ratings.sprt import NORMALISED, Design, Verdict
from referee.kernel import registry

STRENGTH = 40.0
"""Normalised Elo of wins of the candidate, roughly."""
MOST_SETS = 4000
TESTS = 200


@dataclass(frozen=True, slots=True)
class Sets:
    """Scores of real sets, all from the view of the stronger bot."""

    wins: Floats
    margins: Floats
    scale: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    game: str
    seats: int
    ratio: Ratio
    """Effect size of soft scores over that of wins, in these sets."""
    bound: float
    """H1, in normalised Elo of wins."""
    wins: float
    """Mean sets to a verdict, over H0 and H1."""
    soft: float
    wrong_wins: tuple[float, float]
    """Share of wrong verdicts if H0 holds, and if H1 does."""
    wrong_soft: tuple[float, float]

    @property
    def saving(self) -> float:
        """How many times fewer sets soft scores need."""
        return self.wins / self.soft


def scores_of(played: Sequence[Sequence[PlayedGame]]) -> tuple[Floats, Floats]:
    """Mean score by places, and mean margin of points, of each set."""
    wins, margins = [], []
    for games in played:
        won, led = [], []
        for seat, places, points in games:
            others = [other for other in range(len(games)) if other != seat]
            won.append(float(pair_scores(places)[seat, others].mean()))
            pairs = [pair_margin((places[seat], places[other]), (points[seat], points[other])) for other in others]
            led.append(sum(pairs) / len(pairs))
        wins.append(float(np.mean(won)))
        margins.append(float(np.mean(led)))
    return np.array(wins), np.array(margins)


def gather(
    same: Sequence[Sequence[PlayedGame]], better: Sequence[Sequence[PlayedGame]], worse: Sequence[Sequence[PlayedGame]]
) -> Sets:
    """Scores from sets of the baseline with itself, of a better candidate, and of a worse one (turned round)."""
    scale = scale_of([game.points for games in same for game in games])
    wins, margins = scores_of(better)
    lost, behind = scores_of(worse)
    return Sets(np.concatenate([wins, 1.0 - lost]), np.concatenate([margins, -behind]), scale)


def play(game: str, seats: int, sets: int) -> Sets:
    """Play the sets of one line."""
    found = []
    for new, old in ((0, 0), (0, SLIPS), (SLIPS, 0)):
        specs = f"{SLIPPING}:slips={new},seed=1", f"{SLIPPING}:slips={old},seed=2"
        count = sets if new != old else max(8, sets // 8)
        found.append([play_set(game, seats, *specs, f"slips/{new}/{old}/{number}") for number in range(count)])
    return gather(*found)


def soft(sets: Sets, seats: int) -> Floats:
    """The soft scores of sets."""
    spread = set_spread(sets.scale, seats)
    return np.array([set_score(Score.SOFT, float(margin), spread) for margin in sets.margins])


def ratio_in(wins: Floats, other: Floats, seed: int = 1) -> Ratio:
    """The ratio of effect sizes, with its standard error by the bootstrap."""
    rng = np.random.default_rng(seed)
    draws = [
        _effects(wins[chosen], other[chosen]) for chosen in (rng.integers(0, len(wins), len(wins)) for _ in range(200))
    ]
    return Ratio(_effects(wins, other), float(np.std(draws)))


def _effects(wins: Floats, other: Floats) -> float:
    """The ratio for a candidate near H0, whose scores spread as these do, but about 1/2."""
    sizes = [float(np.mean(scores) - 0.5) / sqrt(float(np.mean((scores - 0.5) ** 2))) for scores in (other, wins)]
    return sizes[0] / sizes[1]


def measure(game: str, seats: int, sets: Sets, tests: int = TESTS, seed: int = 2) -> Row:
    """Run tests on resampled sets under both hypotheses."""
    rng = np.random.default_rng(seed)
    scores = soft(sets, seats)
    ratio = ratio_in(sets.wins, scores)
    effect = (sets.wins.mean() - 0.5) / sets.wins.std()
    share = min(1.0, STRENGTH * sqrt(seats) / NORMALISED / effect)
    bound = NORMALISED / sqrt(seats) * share * (sets.wins.mean() - 0.5) / _spread(sets.wins, share)
    design = Design(0.0, bound, seats=seats, games=seats)
    sharper = replace(design, elo1=bound * ratio.safe)
    lengths: dict[str, list[int]] = {"wins": [], "soft": []}
    wrong: dict[str, list[float]] = {"wins": [], "soft": []}
    for truth in (0, 1):
        bad = Verdict.H0 if truth else Verdict.H1
        errors = {"wins": 0, "soft": 0}
        for _ in range(tests):
            drawn = rng.integers(0, len(scores), MOST_SETS)
            turned = rng.random(MOST_SETS) < (0.5 * (1.0 - share * truth))
            for name, values, test, start in (
                ("wins", sets.wins, design, start_variance(Score.WINS)),
                ("soft", scores, sharper, start_variance(Score.SOFT)),
            ):
                picked = values[drawn]
                count, verdict = _test(np.where(turned, 1.0 - picked, picked), test, start)
                lengths[name].append(count)
                errors[name] += verdict is bad
        for name in errors:
            wrong[name].append(errors[name] / tests)
    return Row(
        game,
        seats,
        ratio,
        bound,
        float(np.mean(lengths["wins"])),
        float(np.mean(lengths["soft"])),
        (wrong["wins"][0], wrong["wins"][1]),
        (wrong["soft"][0], wrong["soft"][1]),
    )


def _spread(wins: Floats, share: float) -> float:
    """Standard deviation of sets of which only a share is left as it is, and the others are turned at random."""
    return sqrt(float(np.mean((wins - 0.5) ** 2)) - (share * float(wins.mean() - 0.5)) ** 2)


def _test(scores: Floats, design: Design, start: float | None) -> tuple[int, Verdict]:
    moments = Moments()
    for score in scores:
        moments = moments.plus(float(score))
        verdict = design.verdict(score_llr(moments, design, start))
        if verdict is not Verdict.CONTINUE:
            return moments.sets, verdict
    return moments.sets, Verdict.CONTINUE


def table(games: Sequence[str], sets: int, tests: int = TESTS) -> list[Row]:
    """Play and measure every game and number of seats."""
    return [
        measure(game, seats, play(game, seats, sets), tests)
        for game in games
        for seats in registry.game(game).seats
        if seats > 1
    ]


def show(rows: Sequence[Row]) -> None:
    """Print the table."""
    print_table(
        "\nsets to a verdict of the gate, real sets of greedy with slips against greedy, resampled",
        ("game", "seats", "H1", "wins", "soft", "saving", "ratio", "wrong by wins", "wrong by soft"),
        [
            (
                row.game,
                row.seats,
                f"{row.bound:.0f}",
                f"{row.wins:.0f}",
                f"{row.soft:.0f}",
                f"{row.saving:.2f}x",
                f"{row.ratio.value:.2f} ± {row.ratio.error:.2f}",
                f"{row.wrong_wins[0]:.1%} {row.wrong_wins[1]:.1%}",
                f"{row.wrong_soft[0]:.1%} {row.wrong_soft[1]:.1%}",
            )
            for row in rows
        ],
    )
