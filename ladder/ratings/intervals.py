"""Intervals that hold: the error of any contrast of ratings, with sets as the independent units.

Games of a set share their luck, so the model's error (the inverse information) is wrong by a factor **phi**, the
dispersion. Phi is measured: the sandwich estimator sums the scores of every set before squaring them, here corrected
for leverage (each set pulls the fit towards itself, which hides part of its own error), so it is unbiased if the model
holds. With few effective sets a measured phi is noise; phi is therefore moved towards the dispersion of the whole pool,
and the quantile is Student's with the degrees of freedom that this mixture has. Everything is continuous in the data:
no number of sets switches anything.

The prior that keeps ratings finite is no part of an interval: its pull would be taken for evidence. Intervals are
centred on a second maximum with next to no prior on players. Where likelihoods are far from quadratic (few upsets) or
have no maximum (unbeaten, winless) the end comes from the profile likelihood (`profile`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, stdtrit

from ladder.ratings.connection import Connection, Flags, connect
from ladder.ratings.contrasts import Contrasts
from ladder.ratings.likelihood import Likelihood, even_information
from ladder.ratings.maximum import Inverse, maximise
from ladder.ratings.orders import attendance
from ladder.ratings.profile import Surface, profile_end
from ladder.ratings.results import Attendance, Floats, Results

FREE_PRIOR = 1e-4
"""Penalty on players behind intervals: just enough that unbeaten players stay finite."""
SEAT_PRIOR = 0.25
"""Penalty on seats behind intervals: one drawn game's information."""
LOOSE_PRIOR = 1e-6
"""Penalty on seats where all that matters is that they stay finite."""
FARTHEST_END = 10.0
"""An end that is farther from the rating (in natural logarithms, 1,737 Elo) is none: no game could tell it."""
POOLED_SETS = 8.0
"""The dispersion of the pool counts as much as so many effective sets of one's own."""
LEVERAGE_KEPT = 0.02
"""The part of a set's score that leverage cannot inflate: a set that determines a rating alone stays finite."""
FREE_LEVERAGE = 250.0
"""Effective sets of every player of a set from which on its leverage (below 1 in 250) is left out."""
CLOSED_STEP = 12.0
"""Information of every player from which on the second maximum is one step away from the first."""
PROFILE_BELOW, WALD_FROM = 3.0, 6.0
"""Information about a player up to which ends come from the profile, and from which on they come from the error."""


class Spread(NamedTuple):
    """The dispersion of contrasts and the quantiles that go with it."""

    phi: Floats
    quantile: Floats


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that intervals of one pool need, in natural logarithms of strength."""

    likelihood: Likelihood
    connection: Connection
    x: Floats
    """The published maximum."""
    model: Floats
    """A: the inverse information (with the prior) at x."""
    expected: Floats
    """U: the covariance of x if the model holds."""
    observed: Floats
    """V: the covariance of x as the sets show it."""
    free: Floats
    """x0: the maximum without a prior."""
    free_model: Floats
    """A0: its inverse information."""
    free_penalty: Floats
    blocks: Floats
    """J: ones that fix the sums of players and of seats."""
    information: Floats
    """Of each parameter, without a prior."""
    effective: Floats
    """e: effective sets of each parameter."""
    pooled: Floats
    """f: the pool's dispersion as it applies to each parameter."""
    sets: float
    """E: effective sets of the pool."""
    phi: float
    """1 - rho: the dispersion of the pool's even games."""

    def spread(self, contrasts: Contrasts) -> Spread:
        """Dispersion and quantile of each contrast."""
        shares = np.diag(self.model)
        total = np.maximum(contrasts.squares(shares), 1e-300)
        own = total / np.maximum(contrasts.squares(shares / self.effective), 1e-300)
        pooled = contrasts.squares(shares * self.pooled) / total
        measured = _ratio(contrasts.variance(self.observed), contrasts.variance(self.expected))
        weight = own / (own + POOLED_SETS)
        degrees = 2.0 / (2.0 * weight**2 / own + 2.0 * (1.0 - weight) ** 2 / (self.sets + POOLED_SETS))
        return Spread(_dispersion(own, pooled, measured), np.asarray(stdtrit(degrees, 0.975), dtype=np.float64))

    def ends(
        self,
        contrasts: Contrasts,
        below: Flags,
        above: Flags,
        information: Floats,
        spread: Spread,
        *,
        profile: bool = True,
    ) -> tuple[Floats, Floats]:
        """The 95% interval of each contrast; `below` and `above` say which ends exist, `information` how good it is.

        `profile` False takes the ends of all contrasts from the standard error.
        """
        phi, quantile = spread
        phi = np.where(below & above, phi, np.maximum(phi, 1.0))
        half = quantile * np.sqrt(phi * np.maximum(contrasts.variance(self.free_model), 0.0))
        centre = contrasts.values(self.free)
        low, high = centre - half, centre + half
        flat = contrasts.flat
        surface: Surface | None = None
        for row in np.flatnonzero(~flat) if profile else ():
            one_sided = not (below[row] and above[row])
            mixture = 1.0 if one_sided else (WALD_FROM - information[row]) / (WALD_FROM - PROFILE_BELOW)
            if mixture <= 0.0:
                continue
            mixture = min(1.0, mixture)
            if surface is None:
                # Players whose games no quadratic describes: one end only, or next to no information.
                whole = self.connection.reaches & self.connection.reached
                rough = ~whole | (self.information[: self.likelihood.players] < 10.0)
                surface = Surface(self.likelihood, self.free_penalty, self.blocks, self.free, rough)
            profiled = surface.around(contrasts.row(int(row)))
            for ends, exists, side in ((low, below[row], -1), (high, above[row], 1)):
                if exists:
                    found = profile_end(profiled, side, float(phi[row]), float(quantile[row]))
                    ends[row] = mixture * found + (1.0 - mixture) * ends[row] if np.isfinite(found) else ends[row]
        rated = contrasts.values(self.x)
        below, above = below & (low > rated - FARTHEST_END), above & (high < rated + FARTHEST_END)
        return np.where(below | flat, low, -np.inf), np.where(above | flat, high, np.inf)

    def superiority(self) -> Floats:
        """Players x players: the chance that the row's is stronger; not a number across islands."""
        count = self.likelihood.players
        own, pooled = self.effective[:count], self.pooled[:count]
        error = np.diag(self.model)[:count]
        share = error[:, None] / (error[:, None] + error[None, :])
        effective = 1.0 / (share / own[:, None] + share.T / own[None, :])
        shrunk = share * pooled[:, None] + share.T * pooled[None, :]
        measured = _ratio(_pairs(self.observed[:count, :count]), _pairs(self.expected[:count, :count]))
        variance = _dispersion(effective, shrunk, measured) * _pairs(self.model[:count, :count])
        with np.errstate(divide="ignore", invalid="ignore"):
            los: Floats = ndtr((self.x[:count, None] - self.x[None, :count]) / np.sqrt(variance))
        los[self.connection.islands[:, None] != self.connection.islands[None, :]] = np.nan
        np.fill_diagonal(los, 0.5)
        return los


def _dispersion(own: Floats, pooled: Floats, measured: Floats) -> Floats:
    """phi: a measured dispersion moved towards the pool's, the fewer effective sets stand behind it."""
    weight = own / (own + POOLED_SETS)
    return np.maximum((1.0 - weight) * pooled + weight * np.maximum(measured, 0.0), 2.0 / (2.0 + own))


def _pairs(covariance: Floats) -> Floats:
    """The variance of the difference of every two parameters."""
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2.0 * covariance, 0.0)


def _ratio(observed: Floats, expected: Floats) -> Floats:
    return np.divide(observed, expected, out=np.ones_like(observed), where=expected > 1e-300)


def gather(
    results: Results,
    likelihood: Likelihood,
    x: Floats,
    penalty: Floats,
    information: Floats,
    games: Floats,
    blocks: Floats,
    better: Flags,
    anchor: int | None,
) -> Evidence:
    """The evidence of a pool whose published maximum is x, with the penalty that held it."""
    count = likelihood.players
    sittings = attendance(likelihood.orders, results.groups, count)
    held = np.maximum(penalty, LOOSE_PRIOR * (np.arange(likelihood.size) >= count))
    diagonal = np.maximum(np.diag(_told(likelihood, x, penalty, information, blocks)), 1e-12)
    connection = connect(sittings, better, diagonal[:count], games, anchor)
    model = Inverse(information + np.diag(held) + blocks).matrix()
    effective, closeness, seats = _effective(results, sittings, likelihood, diagonal, games)
    expected = model @ information @ model
    observed = model @ _scores(results, sittings, likelihood, x, model, effective) @ model
    sets = float(effective[:count].sum()) / seats
    pooled, phi = _pooled(connection, effective, closeness, seats, expected, observed)
    free_penalty = np.full(likelihood.size, SEAT_PRIOR)
    free_penalty[:count] = FREE_PRIOR
    free, free_model = _free(likelihood, x, penalty, free_penalty, information, blocks)
    return Evidence(
        likelihood=likelihood,
        connection=connection,
        x=x,
        model=model,
        expected=expected,
        observed=observed,
        free=free,
        free_model=free_model,
        free_penalty=free_penalty,
        blocks=blocks,
        information=diagonal,
        effective=effective,
        pooled=pooled,
        sets=sets,
        phi=phi,
    )


def _told(likelihood: Likelihood, x: Floats, penalty: Floats, information: Floats, blocks: Floats) -> Floats:
    """The information that games alone tell; where a prior holds seats that always won, at the maximum without a prior.

    Games of such a seat say next to nothing about players: the seat wins, with any player in it.
    """
    players = likelihood.players
    if not penalty[players:].any():
        return information
    loose = penalty.copy()
    loose[players:] = LOOSE_PRIOR
    return maximise(likelihood, loose, blocks, x).value.information


def ones(likelihood: Likelihood, components: np.ndarray) -> Floats:
    """J: a block of ones for the players of each component and for the seats of each seat count."""
    blocks = np.zeros((likelihood.size, likelihood.size))
    count = likelihood.players
    blocks[:count, :count] = components[:, None] == components[None, :]
    for seats, at in likelihood.seats.items():
        blocks[at : at + seats, at : at + seats] = 1.0
    return blocks


def _effective(
    results: Results, sittings: Attendance, likelihood: Likelihood, diagonal: Floats, games: Floats
) -> tuple[Floats, Floats, float]:
    """Effective sets of each parameter, closeness of each player's games, and mean number of players of a set."""
    count = likelihood.players
    even = np.zeros(count)
    places = 0.0
    for batch in results.batches:
        played = np.bincount(batch.players.ravel(), minlength=count)
        even += played * even_information(batch.seats)
        places += batch.players.size * batch.seats
    sets = np.bincount(sittings.players, minlength=count)
    effective = np.empty(likelihood.size)
    per_set = np.maximum(even, 1e-12) / np.maximum(sets, 1.0)
    effective[:count] = diagonal[:count] / per_set
    closeness = np.minimum(1.0, diagonal[:count] / np.maximum(even, 1e-12)) ** 2
    mean_games = float(games.sum()) / max(float(sets.sum()), 1.0)
    for seats, at in likelihood.seats.items():
        effective[at : at + seats] = diagonal[at : at + seats] / (mean_games * even_information(seats))
    return np.maximum(effective, 1e-9), closeness, places / float(games.sum())


def _scores(
    results: Results, sittings: Attendance, likelihood: Likelihood, x: Floats, model: Floats, effective: Floats
) -> Floats:
    """B: the sum over sets of the outer products of their scores, one side corrected for leverage."""
    scarce = effective[: likelihood.players] < FREE_LEVERAGE
    exposed = np.zeros(results.groups, dtype=bool)
    for batch in results.batches:
        exposed[batch.groups[scarce[batch.players].any(axis=1)]] = True
    if not exposed.any():
        return likelihood.products(x, sittings, ~exposed)
    total = np.zeros(likelihood.size**2)
    for columns, scores, information in likelihood.sets(x, exposed):
        width = columns.shape[1]
        hat = information @ model[columns[:, :, None], columns[:, None, :]]
        kept = (1.0 - LEVERAGE_KEPT) * (np.eye(width) - hat) + LEVERAGE_KEPT * np.eye(width)
        pulled = np.linalg.solve(kept, scores[:, :, None])[:, :, 0].astype(np.float64)
        cells = columns[:, :, None] * likelihood.size + columns[:, None, :]
        products = pulled[:, :, None] * scores[:, None, :]
        total += np.bincount(cells.ravel(), products.ravel(), len(total))
    square = total.reshape(likelihood.size, likelihood.size)
    half: Floats = (square + square.T) / 2.0
    return half if exposed.all() else half + likelihood.products(x, sittings, ~exposed)


def _pooled(
    connection: Connection, effective: Floats, closeness: Floats, seats: float, expected: Floats, observed: Floats
) -> tuple[Floats, float]:
    """f and phi: the dispersion that the whole pool shows, for each parameter; mismatches tell little about it.

    Seats take 1: luck of the deal cancels between the bots of a set, but not between its seats.
    """
    count = len(closeness)
    means = np.zeros((int(connection.islands.max()) + 1, len(effective)))
    means[connection.islands, np.arange(count)] = 1.0 / np.bincount(connection.islands)[connection.islands]
    contrasts = Contrasts(np.arange(count), connection.islands, means)
    measured = _ratio(contrasts.variance(observed), contrasts.variance(expected))
    own = effective[:count]
    rho = float(np.sum(own * closeness * (1.0 - measured)) / (np.sum(own * closeness**2) + 2.0 * seats))
    pooled = np.ones(len(effective))
    pooled[:count] = np.maximum(0.02, 1.0 - rho * closeness)
    return pooled, max(0.02, 1.0 - rho)


def _free(
    likelihood: Likelihood, x: Floats, penalty: Floats, free_penalty: Floats, information: Floats, blocks: Floats
) -> tuple[Floats, Floats]:
    """The maximum without a prior and its inverse information: a closed step where all is well known, else Newton."""
    inverse = Inverse(information + np.diag(free_penalty) + blocks)
    free = x + inverse((penalty - free_penalty) * x)
    if np.diag(information)[: likelihood.players].min() >= CLOSED_STEP:
        return free, inverse.matrix()
    free, value = maximise(likelihood, free_penalty, blocks, x)
    return free, Inverse(value.information + np.diag(free_penalty) + blocks).matrix()
