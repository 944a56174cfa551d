"""What a game of the gate counts: the place, or how clearly it was won.

The **soft** score of a pair of seats is a logistic function of the margin of points between them: 1/2 when level, near
1 when far ahead. It has the shape of a rank (Wilcoxon) score, so a huge margin counts no more than a clear one. Its
scale is the spread of margins in games of the baseline against itself, measured before the test and never from the
candidate's games. A forfeited seat has lost in full to every seat that was not.

Bounds are always Elo of wins. A candidate's effect, in standard deviations of a game, is larger in soft scores than in
wins by a ratio that was measured on real duplicate sets of bundled bots (`ladder.benchmarks.slips`); the soft test
multiplies its bounds by that ratio less its standard error, so an error of the ratio costs sets and not power.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import exp, pi, sqrt
from typing import NamedTuple

from referee.match.policy import EndingKind
from referee.match.record import Final

PILOT_GAMES = 24
"""Games of the baseline against itself from which the scale is measured."""
SHARPNESS = pi / sqrt(3.0)
"""Makes the logistic function as wide as a normal distribution of the same spread."""
POINTS_UNIT = 0.05
"""Score of one standard deviation of margins under `--score points`, which has no bounds."""
STEEPEST = 500.0
"""Exponent beyond which a score is 0 or 1."""


class Score(StrEnum):
    """What a game of the gate counts."""

    WINS = "wins"
    SOFT = "soft"
    POINTS = "points"


class Ratio(NamedTuple):
    """Effect size in a score over that in wins, and its standard error."""

    value: float
    error: float

    @property
    def safe(self) -> float:
        """The ratio less its error, and never below 1: then wins would do as well."""
        return max(1.0, self.value - self.error)


NO_RATIO = Ratio(1.0, 0.0)
"""Of wins, which are the unit."""
RATIOS: dict[tuple[str, int], tuple[Ratio, Ratio]] = {}
"""By game and seats: the ratios of soft scores and of points. Others are tested by wins."""


def ratio_of(score: Score, game: str, seats: int) -> Ratio | None:
    """The documented ratio; None: none was measured. Wins need none."""
    if score is Score.WINS:
        return NO_RATIO
    found = RATIOS.get((game, seats))
    return None if found is None else found[score is Score.POINTS]


def scale_of(games: Sequence[Sequence[int]]) -> float:
    """The spread of margins between seats, from the points of games of one bot against itself."""
    squares = [
        float(mine - other) ** 2 for points in games for seat, mine in enumerate(points) for other in points[seat + 1 :]
    ]
    return sqrt(sum(squares) / len(squares)) if squares else 0.0


def margin_score(score: Score, margin: float, scale: float) -> float:
    """The score of a margin between two seats; 1/2 is level."""
    if scale <= 0.0:
        return 0.5 + (margin > 0) / 2.0 - (margin < 0) / 2.0
    if score is Score.POINTS:
        return 0.5 + POINTS_UNIT * margin / scale
    return 1.0 / (1.0 + exp(min(STEEPEST, max(-STEEPEST, -SHARPNESS * margin / scale))))


def pair_score(score: Score, places: tuple[int, int], points: tuple[int, int], scale: float) -> float:
    """The first seat's score against the second: never below 1/2 for a better place, whatever the points say."""
    found = margin_score(score, float(points[0] - points[1]), scale)
    if places[0] < places[1]:
        return max(0.5, found)
    return min(0.5, found) if places[0] > places[1] else found


def game_score(score: Score, final: Final, seat: int, scale: float) -> float:
    """A seat's mean score against the others of its table; the match has a result."""
    result = final.result
    if result is None:
        raise ValueError("a match without a result has no score")
    fallen = [ending.kind is not EndingKind.FINISHED for ending in final.endings]
    total, others = 0.0, range(len(final.endings))
    for other in others:
        if other == seat:
            continue
        if fallen[seat] != fallen[other]:
            total += margin_score(score, (-1.0 if fallen[seat] else 1.0) * 10.0 * scale, scale)
        else:
            places = result.places[seat], result.places[other]
            total += pair_score(score, places, (result.points[seat], result.points[other]), scale)
    return total / (len(others) - 1)
