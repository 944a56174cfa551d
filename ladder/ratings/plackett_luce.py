"""The published rating: Plackett-Luce over finishing orders, with seat effects, ties, a prior and honest intervals.

The utility of player p in seat k is theta_p + alpha_k, the alphas of each seat count adding up to 0. The chance that
somebody is best among those still there is proportional to e to the utility; a finishing order is a sequence of such
choices; a tie is the average of the log-likelihood over the strict orders that agree with it (for two players: half a
win and half a loss). The penalty (prior / 2) * sum of theta^2 keeps a player with only wins finite; the default of
0.25 weighs as much as one drawn game.

The fit is Newton's method on a concave function. Two covariances come with it: the model's, the inverse of the
information, and the robust one, which lets games of one group (a duplicate set) depend on each other. `interval` says
which one the table uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtr

from ladder.ratings.results import ELO, Z95, Batch, Floats, Results, pair_scores, terms

DRAWN_GAME = 0.25
"""The information of one drawn game between equals: the default weight of the prior."""
RUNAWAY = 10.0
"""A seat effect beyond this (about 1,700 Elo) has no finite maximum: that seat won or lost every game."""
ROBUST_GROUPS = 30
"""From this many independent groups on the robust interval is reported."""


class NotConnected(ValueError):
    """Without a prior, ratings exist only if everybody can be compared with everybody."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings of a pool."""

    names: tuple[str, ...]
    elo: Floats
    se_model: Floats
    se_robust: Floats
    interval: str
    """Which standard error the intervals use: `robust` or `model`."""
    seat_effects: dict[int, Floats]
    """For each seat count the Elo that a seat adds; they sum to 0."""
    seat_errors: dict[int, Floats]
    held_seats: bool
    """Whether some seat won or lost every game, so that only the prior keeps its effect finite."""
    games: dict[str, int]
    points: dict[str, float]
    """Sum over games of the mean score against the others of the table: wins plus half draws at two players."""
    los: Floats
    """Likelihood of superiority: the chance that the row's player is stronger than the column's."""
    log_likelihood: float

    @property
    def se(self) -> Floats:
        """The standard error that `interval` names."""
        return self.se_robust if self.interval == "robust" else self.se_model

    @property
    def low(self) -> Floats:
        """Lower ends of the 95% intervals."""
        return self.elo - Z95 * self.se

    @property
    def high(self) -> Floats:
        """Upper ends of the 95% intervals."""
        return self.elo + Z95 * self.se


def fit(
    results: Results, *, prior: float = DRAWN_GAME, anchor: str | None = None, offset: float = 0.0, seats: bool = True
) -> Fit:
    """Rate all players of a pool. `offset` is the rating of the anchor, or of the mean where none is named."""
    if anchor is not None and anchor not in results.names:
        raise ValueError(f"the anchor {anchor!r} has played no game (players: {', '.join(results.names)})")
    if prior < 0:
        raise ValueError(f"the prior must not be negative, and it is {prior}")
    if prior == 0:
        _require_connection(results)
    layout = _Layout(results, seats)
    penalty = np.zeros(layout.size)
    penalty[: layout.players] = prior
    parameters = _maximise(results, layout, penalty)
    held = bool(np.any(np.abs(parameters[layout.players :]) > RUNAWAY))
    if held:
        penalty[layout.players :] = prior or DRAWN_GAME
        parameters = _maximise(results, layout, penalty)
    return _report(results, layout, parameters, penalty, anchor, offset, held)


def _maximise(results: Results, layout: _Layout, penalty: Floats) -> Floats:
    """Newton's method, no step longer than 2, until the last step is negligible or a parameter runs away."""
    parameters = np.zeros(layout.size)
    for _ in range(200):
        _, gradient, information = _derivatives(results, layout, parameters)
        step = np.linalg.pinv(information + np.diag(penalty), hermitian=True) @ (gradient - penalty * parameters)
        largest = float(np.max(np.abs(step), initial=0.0))
        parameters = parameters + step * min(1.0, 2.0 / largest if largest else 1.0)
        if largest < 1e-10 or np.any(np.abs(parameters[layout.players :]) > RUNAWAY):
            break
    return parameters


class _Layout:
    """Where each parameter stands: the players, then the seats of each seat count."""

    def __init__(self, results: Results, seats: bool) -> None:
        self.players = len(results.names)
        self.seats = {}
        self.size = self.players
        if seats:
            for count in results.seat_counts:
                self.seats[count] = self.size
                self.size += count

    def columns(self, batch: Batch) -> tuple[np.ndarray, int]:
        """Games x slots: the parameters that add up to each seat's utility, players first."""
        if batch.seats not in self.seats:
            return batch.players, 1
        first = self.seats[batch.seats]
        seats = np.broadcast_to(np.arange(first, first + batch.seats), batch.players.shape)
        return np.concatenate([batch.players, seats], axis=1), 2


def _scores(batch: Batch, layout: _Layout, parameters: Floats) -> tuple[float, Floats, Floats]:
    """Log-likelihood, score of each seat (games x seats) and its information (games x seats x seats)."""
    utility = parameters[batch.players]
    if batch.seats in layout.seats:
        first = layout.seats[batch.seats]
        utility = utility + parameters[first : first + batch.seats]
    strength = np.exp(utility - utility.max(axis=1, keepdims=True))
    shift = utility.max(axis=1)
    score = np.zeros_like(utility)
    information = np.zeros((*utility.shape, batch.seats))
    likelihood = 0.0
    for seats, weight in terms(batch.places):
        columns = list(seats)
        share = strength[:, columns]
        total = share.sum(axis=1, keepdims=True)
        share = share / total
        likelihood -= weight * float(np.sum(np.log(total[:, 0]) + shift))
        score[:, columns] -= weight * share
        information[:, columns, columns] += weight * share
        information[np.ix_(range(len(share)), columns, columns)] -= weight * share[:, :, None] * share[:, None, :]
    chosen = _choices(batch.places)
    score += chosen
    likelihood += float(np.sum(utility @ chosen))
    return likelihood, score, information


def _choices(places: Sequence[int]) -> Floats:
    """How often each seat is chosen: once, but the last seat of a strict order is left over, not chosen."""
    last = max(places)
    tied = [seat for seat, place in enumerate(places) if place == last]
    chosen = np.ones(len(places))
    chosen[tied] -= 1.0 / len(tied)
    return chosen


def _derivatives(results: Results, layout: _Layout, parameters: Floats) -> tuple[float, Floats, Floats]:
    likelihood = 0.0
    gradient = np.zeros(layout.size)
    information = np.zeros(layout.size * layout.size)
    for batch in results.batches:
        value, score, square = _scores(batch, layout, parameters)
        likelihood += value
        columns, repeat = layout.columns(batch)
        tiled = np.tile(score, (1, repeat))
        gradient += np.bincount(columns.ravel(), tiled.ravel(), layout.size)
        square = np.tile(square, (1, repeat, repeat))
        cells = columns[:, :, None] * layout.size + columns[:, None, :]
        information += np.bincount(cells.ravel(), square.ravel(), layout.size * layout.size)
    return likelihood, gradient, information.reshape(layout.size, layout.size)


def _group_scores(results: Results, layout: _Layout, parameters: Floats) -> Floats:
    """B: the sum over groups of the outer products of the group's summed score vectors."""
    rows, columns, values = [], [], []
    for batch in results.batches:
        _, score, _ = _scores(batch, layout, parameters)
        placed, repeat = layout.columns(batch)
        rows.append(np.repeat(batch.groups, placed.shape[1]))
        columns.append(placed.ravel())
        values.append(np.tile(score, (1, repeat)).ravel())
    shape = (results.groups, layout.size)
    table = csr_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape)
    product: Floats = (table.T @ table).toarray()
    return product


def _report(
    results: Results,
    layout: _Layout,
    parameters: Floats,
    penalty: Floats,
    anchor: str | None,
    offset: float,
    held: bool,
) -> Fit:
    likelihood, _, information = _derivatives(results, layout, parameters)
    inverse: Floats = np.linalg.pinv(information + np.diag(penalty), hermitian=True).astype(np.float64)
    groups = results.groups
    robust: Floats = inverse @ _group_scores(results, layout, parameters) @ inverse
    robust = robust * groups / (groups - 1) if groups > 1 else np.full_like(robust, np.inf)
    players = layout.players
    reference = np.zeros(players)
    if anchor is None:
        reference[:] = 1.0 / players
    else:
        reference[results.names.index(anchor)] = 1.0
    relative = np.eye(players) - reference[None, :]
    chosen = "robust" if groups >= ROBUST_GROUPS else "model"
    chosen_covariance = robust if chosen == "robust" else inverse
    covariance = chosen_covariance[:players, :players]
    theta = parameters[:players]
    games, points = _tallies(results)
    return Fit(
        names=results.names,
        elo=ELO * (relative @ theta) + offset,
        se_model=_errors(inverse[:players, :players], relative),
        se_robust=_errors(robust[:players, :players], relative),
        interval=chosen,
        seat_effects={count: ELO * parameters[at : at + count] for count, at in layout.seats.items()},
        seat_errors={
            count: ELO * np.sqrt(np.maximum(np.diag(chosen_covariance[at : at + count, at : at + count]), 0.0))
            for count, at in layout.seats.items()
        },
        held_seats=held,
        games=games,
        points=points,
        los=_superiority(theta, covariance),
        log_likelihood=likelihood,
    )


def _errors(covariance: Floats, relative: Floats) -> Floats:
    if not np.all(np.isfinite(covariance)):
        return np.full(len(covariance), np.inf)
    variance = np.einsum("ij,jk,ik->i", relative, covariance, relative)
    errors: Floats = ELO * np.sqrt(np.maximum(variance, 0.0))
    return errors


def _superiority(theta: Floats, covariance: Floats) -> Floats:
    variance = np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2.0 * covariance
    difference = theta[:, None] - theta[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        los: Floats = ndtr(difference / np.sqrt(np.maximum(variance, 0.0)))
    los[~np.isfinite(los)] = 0.5
    np.fill_diagonal(los, 0.5)
    return los


def _tallies(results: Results) -> tuple[dict[str, int], dict[str, float]]:
    games = np.zeros(len(results.names))
    points = np.zeros(len(results.names))
    for batch in results.batches:
        means = pair_scores(batch.places).sum(axis=1) / (batch.seats - 1)
        for seat in range(batch.seats):
            counts = np.bincount(batch.players[:, seat], minlength=len(results.names))
            games += counts
            points += means[seat] * counts
    return (
        {name: int(count) for name, count in zip(results.names, games, strict=True)},
        {name: float(sum_) for name, sum_ in zip(results.names, points, strict=True)},
    )


def _require_connection(results: Results) -> None:
    count = len(results.names)
    beats = np.zeros((count, count), dtype=bool)
    for batch in results.batches:
        scores = pair_scores(batch.places)
        for i in range(batch.seats):
            for j in range(batch.seats):
                if scores[i, j] > 0:
                    beats[batch.players[:, i], batch.players[:, j]] = True
    parts, labels = connected_components(csr_array(beats), directed=True, connection="strong")
    if parts > 1:
        listed = "; ".join(
            ", ".join(name for name, label in zip(results.names, labels, strict=True) if label == part)
            for part in range(parts)
        )
        raise NotConnected(
            f"without a prior these {parts} sets of players cannot be compared, since between them nobody ever beat or "
            f"tied somebody in both directions: {listed}; use a prior above 0 or play more games"
        )
