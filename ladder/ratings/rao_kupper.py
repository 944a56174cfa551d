"""Two-player ratings with draws as outcomes of their own: the model of Rao and Kupper, as BayesElo uses it.

With d = R_i - R_j + advantage of the first seat, P(win) = L(d - D), P(loss) = L(-d - D), and the rest are draws: D,
in Elo, says how drawish the game is. The prior is BayesElo's: every player has drawn `prior` virtual games, spread
over the opponents it met, one half in each seat. `plackett_luce` needs none of this and works for more players; this
one is for comparison with engines' rating lists.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from ladder.ratings.plackett_luce import Z95
from ladder.ratings.results import ELO, Floats, Results


@dataclass(frozen=True, slots=True)
class DrawFit:
    """Ratings of a two-player pool."""

    names: tuple[str, ...]
    elo: Floats
    """Their mean is 0."""
    se: Floats
    advantage: float
    """Elo that the first seat adds."""
    draw_elo: float
    log_likelihood: float

    @property
    def low(self) -> Floats:
        """Lower ends of the 95% intervals."""
        return self.elo - Z95 * self.se

    @property
    def high(self) -> Floats:
        """Upper ends of the 95% intervals."""
        return self.elo + Z95 * self.se


def fit(results: Results, *, prior: float = 2.0) -> DrawFit:
    """Rate all players of a pool of two-player games; raises ValueError for games of more."""
    if results.seat_counts != (2,):
        raise ValueError("the Rao-Kupper model is for games of two players")
    tallies = _tallies(results, prior)
    players = len(results.names)
    solved = minimize(
        _negative, np.array([0.0] * players + [0.0, 0.7]), args=(tallies,), jac=True, method="BFGS", tol=1e-10
    )
    theta, advantage, draw = solved.x[:players], float(solved.x[-2]), float(solved.x[-1])
    covariance = np.linalg.pinv(_information(solved.x, tallies))[:players, :players]
    centred = np.eye(players) - 1.0 / players
    spread = np.sqrt(np.maximum(np.diag(centred @ covariance @ centred.T), 0.0))
    return DrawFit(
        results.names,
        ELO * (theta - theta.mean()),
        ELO * spread,
        ELO * advantage,
        ELO * draw**2,
        -float(_negative(solved.x, _tallies(results, 0.0))[0]),
    )


def _tallies(results: Results, prior: float) -> Floats:
    """Players x players x (wins, draws, losses) of the first seat."""
    count = len(results.names)
    tallies = np.zeros((count, count, 3))
    for batch in results.batches:
        outcome = 1 if batch.places == (1, 1) else 0 if batch.places == (1, 2) else 2
        np.add.at(tallies[:, :, outcome], (batch.players[:, 0], batch.players[:, 1]), 1.0)
    met = tallies.sum(axis=2)
    met = met + met.T
    for player in range(count):
        opponents = np.flatnonzero(met[player])
        for other in opponents:
            share = prior * met[player, other] / met[player].sum()
            tallies[player, other, 1] += share / 2
            tallies[other, player, 1] += share / 2
    return tallies


def _negative(parameters: Floats, tallies: Floats) -> tuple[float, Floats]:
    """Minus the log-likelihood and its gradient; the last parameter is the square root of D, so D is never negative."""
    theta, advantage, draw = parameters[:-2], parameters[-2], parameters[-1] ** 2
    d = theta[:, None] - theta[None, :] + advantage
    win, loss = _logistic(d - draw), _logistic(-d - draw)
    level = np.maximum(1.0 - win - loss, 1e-300)
    wins, draws, losses = (tallies[:, :, index] for index in range(3))
    value = float(np.sum(wins * np.log(win) + draws * np.log(level) + losses * np.log(loss)))
    slope_win, slope_loss = win * (1.0 - win), loss * (1.0 - loss)
    by_d = wins * (1.0 - win) - losses * (1.0 - loss) - draws * (slope_win - slope_loss) / level
    by_draw = -wins * (1.0 - win) - losses * (1.0 - loss) + draws * (slope_win + slope_loss) / level
    gradient = np.concatenate(
        [by_d.sum(axis=1) - by_d.sum(axis=0), [by_d.sum()], [by_draw.sum() * 2.0 * parameters[-1]]]
    )
    return -value, -gradient


def _logistic(x: Floats) -> Floats:
    result: Floats = 1.0 / (1.0 + np.exp(-x))
    return result


def _information(parameters: Floats, tallies: Floats, step: float = 1e-5) -> Floats:
    """The observed information by central differences of the gradient."""
    size = len(parameters)
    rows = np.zeros((size, size))
    for index in range(size):
        shift = np.zeros(size)
        shift[index] = step
        rows[index] = (_negative(parameters + shift, tallies)[1] - _negative(parameters - shift, tallies)[1]) / (
            2 * step
        )
    symmetric: Floats = (rows + rows.T) / 2.0
    return symmetric
