"""Sets that the gate needs, by wins and by soft scores, with one candidate and with two: real sets, resampled.

Sets of greedy with slips against greedy, and the other way round, are drawn with replacement. For H0 each is turned
round with a chance of one half, so that neither bot is better; for H1 a share of them is left as it is, which makes a
candidate of about `STRENGTH` normalised Elo of wins. All tests of a row get the same deals and the same bounds, 0 and
what the candidate has in wins at a table of its own. Ratios of effect sizes were measured on another range of seeds
(`ladder.bench.slips`), the scale of margins on games of the baseline with itself of that range.

`python -m ladder.bench.gate_table FILE` prints, from sets of a file, the ratios of the tuning range and the table.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import typer

from ladder.arena.gate.question import PAIR_SEATS
from ladder.arena.gate.set_scores import (
    NO_RATIO,
    Ratio,
    ScoreKind,
    ratio_of,
    scale_of,
    set_score,
    set_spread,
    start_variance,
    team_margin,
    team_score,
)
from ladder.bench import slips
from ladder.bench.slips import PlayedSet, Range, SetSource
from ladder.ratings.results import Floats
from ladder.ratings.score_test import llr_path
from ladder.ratings.sprt import NORMALISED, SequentialDesign, SprtVerdict
from ladder.terminal_tables import print_table
from referee.kernel import registry

STRENGTH = 40.0
"""Normalised Elo of wins of the candidate, roughly."""
MOST_SETS = 4000
TESTS = 300
BOOTSTRAPS = 20
"""Samples of sets from which the error of a saving is estimated."""


@dataclass(frozen=True, slots=True)
class Sets:
    """Scores of real sets, all from the view of the stronger bot."""

    line: SetSource
    wins: Floats
    margins: Floats
    scale: float

    def soft(self, score: ScoreKind = ScoreKind.SOFT) -> Floats:
        """The sets' scores by points."""
        spread = set_spread(self.scale, self.line.seats, self.line.candidates)
        return np.array([set_score(score, float(margin), spread) for margin in self.margins])

    def drawn(self, chosen: np.ndarray) -> Sets:
        """Some of the sets, by number."""
        return replace(self, wins=self.wins[chosen], margins=self.margins[chosen])


@dataclass(frozen=True, slots=True)
class GateTest:
    """A way to test: its scores, its bounds, and the guard on wins that goes with points."""

    scores: Floats
    design: SequentialDesign
    start: float | None
    wins: Floats
    guard: SequentialDesign | None

    def decide(self, drawn: np.ndarray, turned: np.ndarray) -> tuple[int, SprtVerdict]:
        """Sets and verdict of one test on drawn sets, some of them turned round."""
        sets, verdict = first_verdict(_path(self.scores, drawn, turned, self.design, self.start), self.design)
        if self.guard is None:
            return sets, verdict
        guarded, said = first_verdict(_path(self.wins, drawn, turned, self.guard, None), self.guard)
        against = [count for count, found in ((sets, verdict), (guarded, said)) if found is SprtVerdict.H0]
        return (min(against), SprtVerdict.H0) if against else (max(sets, guarded), verdict)


def _path(
    scores: Floats, drawn: np.ndarray, turned: np.ndarray, design: SequentialDesign, start: float | None
) -> Floats:
    picked = scores[drawn]
    return llr_path(np.where(turned, 1.0 - picked, picked), design, start)


def first_verdict(path: Floats, design: SequentialDesign) -> tuple[int, SprtVerdict]:
    """Sets until a path of log-likelihood ratios has a verdict, and which."""
    over = np.flatnonzero((path >= design.upper) | (path <= design.lower))
    return (int(over[0]) + 1, design.verdict(float(path[over[0]]))) if len(over) else (len(path), SprtVerdict.CONTINUE)


@dataclass(frozen=True, slots=True)
class GateFigures:
    """What one way to test needs."""

    sets: float
    """Mean sets to a verdict, over H0 and H1."""
    wrong: tuple[float, float]
    """Share of wrong verdicts if H0 holds, and if H1 does."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    game: str
    seats: int
    candidates: int
    played: int
    """Sets behind the line."""
    used: Ratio
    """Effect size of soft scores over that of wins, from the tuning range; 1 where none is documented."""
    seen: Ratio
    """The same in the sets of this line."""
    bound: float
    """H1, in normalised Elo of wins of one candidate."""
    one: GateFigures
    """Wins of one candidate."""
    wins: GateFigures
    """Wins at these tables."""
    soft: GateFigures
    saving: tuple[float, float]
    """How many times fewer sets soft scores need at these tables than wins of one candidate, and its error."""
    saving_wins: tuple[float, float]
    """The same by wins at these tables."""
    worth: Ratio
    """Information of a set at these tables, by wins, over that of a set of one candidate."""
    tests: int


def gather(line: SetSource, played: Sequence[PlayedSet], scale: float) -> Sets:
    """Scores of sets, those of a candidate with slips turned round."""
    wins, margins = [], []
    for one in played:
        won = float(np.mean([team_score(game.places, game.new) for game in one.games]))
        upright = [False] * line.seats
        led = float(np.mean([team_margin(game.places, game.points, upright, game.new, 0.0) for game in one.games]))
        stronger = one.new < one.old
        wins.append(won if stronger else 1.0 - won)
        margins.append(led if stronger else -led)
    return Sets(line, np.array(wins), np.array(margins), scale)


def ratio_in(wins: Floats, other: Floats, seed: int = 1) -> Ratio:
    """The ratio of effect sizes, with its standard error by the bootstrap; both arrays are of the same deals."""
    rng = np.random.default_rng(seed)
    draws = [
        _effects(wins[chosen], other[chosen]) for chosen in (rng.integers(0, len(wins), len(wins)) for _ in range(400))
    ]
    return Ratio(_effects(wins, other), float(np.std(draws)))


def _effects(wins: Floats, other: Floats) -> float:
    """The ratio for a candidate near H0, whose scores spread as these do, but about 1/2."""
    sizes = [float(np.mean(scores) - 0.5) / sqrt(float(np.mean((scores - 0.5) ** 2))) for scores in (other, wins)]
    return sizes[0] / sizes[1]


def measure(alone: Sets, table: Sets, tests: int = TESTS, seed: int = 2) -> Row:
    """Run tests on resampled sets under both hypotheses; `alone` has one candidate, and the deals of `table`."""
    rng = np.random.default_rng(seed)
    line = table.line
    used = ratio_of(ScoreKind.SOFT, line.game, line.seats) or NO_RATIO
    bound, found = _figures(rng, alone, table, used, tests)
    each = max(10, tests // 5)
    savings = []
    for _ in range(BOOTSTRAPS):
        chosen = rng.integers(0, len(alone.wins), len(alone.wins))
        _, again = _figures(rng, alone.drawn(chosen), table.drawn(chosen), used, each)
        savings.append([again[0].sets / part.sets for part in again])
    errors = np.std(np.log(np.array(savings)), axis=0)
    one, wins, soft = found
    effect = ratio_in(alone.wins, table.wins)
    return Row(
        line.game,
        line.seats,
        line.candidates,
        len(alone.wins),
        used,
        ratio_in(table.wins, table.soft()),
        bound,
        one,
        wins,
        soft,
        (one.sets / soft.sets, one.sets / soft.sets * float(errors[2])),
        (one.sets / wins.sets, one.sets / wins.sets * float(errors[1])),
        Ratio(effect.value**2, 2.0 * effect.value * effect.error),
        tests,
    )


def _figures(
    rng: np.random.Generator, alone: Sets, table: Sets, used: Ratio, tests: int
) -> tuple[float, tuple[GateFigures, GateFigures, GateFigures]]:
    """The bound, and what wins of one candidate, wins and soft scores of the table need."""
    seats, many = table.line.seats, table.line.candidates
    effect = (alone.wins.mean() - 0.5) / max(float(alone.wins.std()), 1e-9)
    share = min(1.0, STRENGTH * sqrt(seats) / NORMALISED / effect)
    bound = NORMALISED / sqrt(seats) * share * (alone.wins.mean() - 0.5) / _spread(alone.wins, share)
    plain = SequentialDesign(0.0, bound, seats=seats, games=seats)
    by_wins = replace(plain, candidates=many)
    by_soft = replace(by_wins, elo1=bound * used.safe)
    guard = replace(by_wins, elo0=-bound)
    contests = (
        GateTest(alone.wins, plain, start_variance(ScoreKind.WINS), alone.wins, None),
        GateTest(table.wins, by_wins, start_variance(ScoreKind.WINS), table.wins, None),
        GateTest(table.soft(), by_soft, start_variance(ScoreKind.SOFT), table.wins, guard),
    )
    lengths = np.zeros((3, 2))
    wrong = np.zeros((3, 2))
    for truth in (0, 1):
        bad = SprtVerdict.H0 if truth else SprtVerdict.H1
        for _ in range(tests):
            drawn = rng.integers(0, len(alone.wins), MOST_SETS)
            turned = rng.random(MOST_SETS) < 0.5 * (1.0 - share * truth)
            for number, contest in enumerate(contests):
                count, verdict = contest.decide(drawn, turned)
                lengths[number, truth] += count / tests
                wrong[number, truth] += (verdict is bad) / tests
    one, wins, soft = (
        GateFigures(float(lengths[number].mean()), (float(wrong[number, 0]), float(wrong[number, 1])))
        for number in range(3)
    )
    return bound, (one, wins, soft)


def _spread(wins: Floats, share: float) -> float:
    """Standard deviation of sets of which only a share is left as it is, and the others are turned at random."""
    return sqrt(float(np.mean((wins - 0.5) ** 2)) - (share * float(wins.mean() - 0.5)) ** 2)


def rows_of(game: str, seats: int, sets: int, seconds: float | None, tests: int) -> list[Row]:
    """Play and measure one game and number of seats: with one candidate, and where that can be with two."""
    line = SetSource(game, seats)
    scale = scale_of(slips.pilot(line))
    alone = list(slips.play_sets(line, sets, seconds))
    one = gather(line, alone, scale)
    found = [measure(one, one, tests)]
    if seats in PAIR_SEATS:
        line = replace(line, candidates=2)
        both = gather(line, [slips.play_set(line, played.new, played.old, played.number) for played in alone], scale)
        found.append(measure(one, both, tests))
    return found


def table(games: Sequence[str], sets: int, seconds: float | None = None, tests: int = TESTS) -> list[Row]:
    """Every game and number of seats; each line plays sets for about so many seconds of processor time at most."""
    return [
        row
        for game in games
        for seats in registry.game(game).seats
        if seats > 1
        for row in rows_of(game, seats, sets, seconds, tests)
    ]


def show(rows: Sequence[Row]) -> None:
    """Print the table of one candidate and that of two."""
    alone, pairs = ([row for row in rows if row.candidates == many] for many in (1, 2))
    error = sqrt(0.05 * 0.95 / rows[0].tests) if rows else 0.0
    print_table(
        "\nsets to a verdict of the gate, real sets of greedy with slips against greedy, resampled",
        ("game", "seats", "sets", "H1", "wins", "soft", "saving", "ratio", "seen", "wrong by wins", "wrong by soft"),
        [
            (
                *_where(row),
                f"{row.wins.sets:.0f}",
                f"{row.soft.sets:.0f}",
                _saving(row.saving),
                _ratio(row.used),
                _ratio(row.seen),
                _wrong(row.wins),
                _wrong(row.soft),
            )
            for row in alone
        ],
    )
    if pairs:
        print_table(
            "\none candidate by wins, and two candidates at a table (--pair), sets of the same deals",
            ("game", "seats", "sets", "worth", "one", "two", "saving", "soft", "saving", "wrong by two", "by soft"),
            [
                (
                    *_where(row)[:3],
                    _ratio(row.worth),
                    f"{row.one.sets:.0f}",
                    f"{row.wins.sets:.0f}",
                    _saving(row.saving_wins),
                    f"{row.soft.sets:.0f}",
                    _saving(row.saving),
                    _wrong(row.wins),
                    _wrong(row.soft),
                )
                for row in pairs
            ],
        )
    typer.echo(
        "sets: real ones behind a line; ratio: of effect sizes, soft over wins, from other seeds; seen: in these sets; "
        f"worth: information of a set of two over that of one; wrong: verdicts if H0 holds, if H1 holds (error of "
        f"5%: {error:.1%})"
    )


def _where(row: Row) -> tuple[object, ...]:
    return row.game, row.seats, row.played, f"{row.bound:.0f}"


def _saving(saving: tuple[float, float]) -> str:
    return f"{saving[0]:.2f} ± {saving[1]:.2f}"


def _ratio(ratio: Ratio) -> str:
    return f"{ratio.value:.2f} ± {ratio.error:.2f}"


def _wrong(figures: GateFigures) -> str:
    return f"{figures.wrong[0]:.1%} {figures.wrong[1]:.1%}"


def of_file(file: str) -> tuple[list[tuple[SetSource, int, Ratio, Ratio]], list[Row]]:
    """Of the sets of a file: ratios of soft scores and of points in every line of the tuning range, and the table."""
    found: dict[SetSource, dict[tuple[int, int, int], PlayedSet]] = {}
    for played in slips.read(file):
        found.setdefault(played.line, {})[played.new, played.old, played.number] = played
    ratios, rows = [], []
    for line, sets in found.items():
        scale = scale_of(slips.pilot(line))
        here = gather(line, list(sets.values()), scale)
        if line.range is Range.TUNING:
            soft, points = (ratio_in(here.wins, here.soft(score)) for score in (ScoreKind.SOFT, ScoreKind.POINTS))
            ratios.append((line, len(sets), soft, points))
            continue
        others = found.get(replace(line, candidates=1), {})
        keys = [key for key in sets if key in others]
        alone = gather(replace(line, candidates=1), [others[key] for key in keys], scale)
        rows.append(measure(alone, gather(line, [sets[key] for key in keys], scale)))
    return ratios, rows


def main(file: str) -> None:
    """Print what the sets of a file say."""
    ratios, rows = of_file(file)
    for line, sets, soft, points in ratios:
        typer.echo(f"{line.game} {line.seats}: soft {_ratio(soft)}, points {_ratio(points)} ({sets} sets)")
    show(sorted(rows, key=lambda row: (row.game, row.seats)))


if __name__ == "__main__":
    main(sys.argv[1])
