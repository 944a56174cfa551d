"""What a set of the gate counts: places, or how clearly it was won.

The **soft** score of a set is a logistic function of the candidate's mean margin of points over the baselines, in all
games of the set: 1/2 when level, near 1 when far ahead. The score is taken of the whole set, in which luck of the deal
has cancelled. Between equal bots on independent deals it is spread evenly from 0 to 1, as a rank (Wilcoxon) score is,
so a huge margin counts no more than a clear one. Its scale is the spread of margins in games of the baseline against
itself, measured before the test and never from the candidate's games. A forfeited seat is far behind every seat that
was not.

Bounds are always Elo of wins. A candidate's effect, in standard deviations, is larger in soft scores than in wins by a
ratio that was measured on real duplicate sets of bundled bots (`ladder.bench.slips`); the soft test multiplies its
bounds by the lower end of that ratio's interval, so an error of the ratio costs sets and not power.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from math import exp, pi, sqrt
from statistics import fmean
from typing import NamedTuple

from ladder.ratings.results import score as place_score
from referee.match.policy import EndingKind
from referee.match.record import Final

PILOT_GAMES = 24
"""Games of the baseline against itself from which the scale is measured."""
SHARPNESS = pi / sqrt(3.0)
"""Makes the logistic function as wide as a normal distribution of the same spread."""
POINTS_UNIT = 0.05
"""Score of one standard deviation of a set's margin under `--score points`, which has no bounds."""
FALLEN = 10.0
"""By so many standard deviations of a margin a forfeited seat is behind."""
STEEPEST = 500.0
"""Exponent beyond which a score is 0 or 1."""


ONE_SIDED = 1.645
"""Standard errors by which a ratio is lessened; the rest is too large with a chance of 5%, the tests' error rate."""


class ScoreKind(StrEnum):
    """What a set of the gate counts."""

    WINS = "wins"
    SOFT = "soft"
    POINTS = "points"


class Ratio(NamedTuple):
    """Effect size in a score over that in wins, and its standard error."""

    value: float
    error: float

    @property
    def safe(self) -> float:
        """The lower end of a one-sided 95% interval, and never below 1: then wins would do as well."""
        return max(1.0, self.value - ONE_SIDED * self.error)


NO_RATIO = Ratio(1.0, 0.0)
"""Of wins, which are the unit."""
RATIOS: dict[tuple[str, int], tuple[Ratio, Ratio]] = {
    ("edo_yashiki", 2): (Ratio(1.30, 0.06), Ratio(1.21, 0.06)),
    ("edo_yashiki", 3): (Ratio(1.12, 0.03), Ratio(1.05, 0.03)),
    ("edo_yashiki", 4): (Ratio(1.20, 0.03), Ratio(1.11, 0.03)),
    ("edo_yashiki", 5): (Ratio(1.17, 0.02), Ratio(1.07, 0.02)),
    ("honshu", 2): (Ratio(1.21, 0.07), Ratio(1.14, 0.06)),
    ("honshu", 3): (Ratio(1.22, 0.06), Ratio(1.11, 0.07)),
    ("honshu", 4): (Ratio(1.14, 0.04), Ratio(1.02, 0.03)),
    ("honshu", 5): (Ratio(1.16, 0.05), Ratio(1.05, 0.04)),
    ("ninjato", 2): (Ratio(1.26, 0.09), Ratio(1.24, 0.09)),
    ("ninjato", 3): (Ratio(1.11, 0.05), Ratio(1.05, 0.04)),
    ("ninjato", 4): (Ratio(1.13, 0.04), Ratio(1.09, 0.03)),
    ("white_castle", 2): (Ratio(1.25, 0.09), Ratio(1.18, 0.09)),
    ("white_castle", 3): (Ratio(1.12, 0.09), Ratio(1.03, 0.09)),
    ("white_castle", 4): (Ratio(1.15, 0.10), Ratio(1.09, 0.09)),
}
"""By game and seats: the ratios of soft scores and of points, from sets of the tuning range of seeds."""


def ratio_of(score: ScoreKind, game: str, seats: int) -> Ratio | None:
    """The documented ratio; None: none was measured. Wins need none."""
    if score is ScoreKind.WINS:
        return NO_RATIO
    found = RATIOS.get((game, seats))
    return None if found is None else found[score is ScoreKind.POINTS]


def scale_of(games: Sequence[Sequence[int]]) -> float:
    """The spread of margins between seats, from the points of games of one bot against itself."""
    squares = [
        float(mine - other) ** 2 for points in games for seat, mine in enumerate(points) for other in points[seat + 1 :]
    ]
    return sqrt(sum(squares) / len(squares)) if squares else 0.0


def set_spread(scale: float, seats: int, candidates: int = 1) -> float:
    """The standard deviation of a set's mean margin, if its games were independent and all bots equal.

    The points of one seat have half the variance of a margin; the margin of the mean of m seats over the mean of the
    n - m others has n / (m (n - m)) times that, and a set is the mean of n games.
    """
    return scale / sqrt(2.0 * candidates * (seats - candidates))


def start_variance(score: ScoreKind) -> float | None:
    """The variance of a set's score that is known beforehand; None: that of places."""
    return {ScoreKind.WINS: None, ScoreKind.SOFT: 1.0 / 12.0, ScoreKind.POINTS: POINTS_UNIT**2}[score]


def set_score(score: ScoreKind, margin: float, spread: float) -> float:
    """The score of a set from its mean margin of points; 1/2 is level."""
    if score is ScoreKind.POINTS:
        return 0.5 + POINTS_UNIT * margin / spread
    return 1.0 / (1.0 + exp(min(STEEPEST, max(-STEEPEST, -SHARPNESS * margin / spread))))


def pair_margin(places: tuple[int, int], points: tuple[int, int]) -> float:
    """The first seat's margin over the second; 0 where places say the opposite of points."""
    margin = float(points[0] - points[1])
    return 0.0 if (places[0] < places[1] and margin < 0) or (places[0] > places[1] and margin > 0) else margin


def team_score(places: Sequence[int], new: Collection[int]) -> float:
    """The mean score by place of these seats against all others.

    Automata of the rules stand behind the seats, and are opponents of neither bot's choosing.
    """
    return fmean(place_score(places[seat], places[other]) for seat, other in _pairs(len(places), new))


def game_margin(final: Final, new: Collection[int], scale: float) -> float:
    """The mean margin of points of these seats over the others of their table; the match has a result."""
    result = final.result
    if result is None:
        raise ValueError("a match without a result has no margin")
    fallen = [ending.kind is not EndingKind.FINISHED for ending in final.endings]
    return team_margin(result.places, result.points, fallen, new, FALLEN * scale)


def team_margin(
    places: Sequence[int], points: Sequence[int], fallen: Sequence[bool], new: Collection[int], far: float
) -> float:
    """The mean margin of points of these seats over all others.

    `fallen` says by seat who forfeited: such a seat is `far` behind every seat that did not.
    """
    total = 0.0
    pairs = list(_pairs(len(fallen), new))
    for seat, other in pairs:
        if fallen[seat] != fallen[other]:
            total += -far if fallen[seat] else far
        else:
            total += pair_margin((places[seat], places[other]), (points[seat], points[other]))
    return total / len(pairs)


def _pairs(seats: int, new: Collection[int]) -> Iterator[tuple[int, int]]:
    """Each of these seats with each other seat of the table."""
    return ((seat, other) for seat in new for other in range(seats) if other not in new)
