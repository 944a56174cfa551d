"""The published rating: Plackett-Luce over finishing orders, with seat effects, ties, a prior and honest intervals.

The utility of player p in seat k is theta_p + alpha_k, the alphas of each seat count adding up to 0. The chance to be
best among those still there is proportional to e to the utility; a finishing order is a sequence of such choices; a
tie is the average of the log-likelihood over the strict orders that agree with it (for two players: half a win and
half a loss, as in Ordo's Bradley-Terry fit). The penalty (prior / 2) * sum of theta^2 keeps a player with only wins
finite; the default of 0.25 weighs as much as one drawn game.

Ratings are counted from the reference of each island of the pool (`connection`); intervals come from `intervals`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

import numpy as np

from ladder.ratings.connection import Flags, better_or_level, components_of
from ladder.ratings.contrasts import Contrasts
from ladder.ratings.intervals import Evidence, gather, ones
from ladder.ratings.likelihood import Likelihood
from ladder.ratings.maximum import maximise
from ladder.ratings.results import ELO, Floats, Results, pair_scores

DRAWN_GAME = 0.25
"""The information of one drawn game between equals: the default weight of the prior."""
RUNAWAY = 10.0
"""A seat effect beyond this (about 1,700 Elo) has no finite maximum: that seat won or lost every game."""


class NotConnected(ValueError):
    """Without a prior, ratings exist only if all players can be compared with each other."""


class Difference(NamedTuple):
    """How much stronger one player is than another, in Elo; an end that does not exist is infinite."""

    elo: float
    low: float
    high: float
    los: float
    """Likelihood of superiority of the first."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings of a pool, in Elo. Each island of the pool has a reference of its own, rated at the fit's offset."""

    names: tuple[str, ...]
    elo: Floats
    """Ratings, held inside their intervals."""
    low: Floats
    """Lower ends of the 95% intervals; minus infinity for a player who never beat the reference, even indirectly."""
    high: Floats
    """Upper ends; infinity for a player whom the reference never beat, even indirectly."""
    se: Floats
    """Standard errors: the model's, corrected by the dispersion of sets."""
    se_model: Floats
    """Standard errors as if all games were independent."""
    se_robust: Floats
    """Standard errors by the leverage-corrected sandwich estimator alone."""
    phi: float
    """The dispersion of the pool: variance of ratings over the model's, 1 if games of a set were independent."""
    islands: tuple[tuple[str, ...], ...]
    """The players of each island, largest first; ratings of different islands cannot be compared."""
    island: np.ndarray
    """The number of each player's island."""
    ranks: tuple[tuple[int, int], ...]
    """Best and worst rank of each player on its island that its interval allows."""
    reference: Floats
    """The share of each player in the reference of its island; a share of 1 means that the player is the reference."""
    seat_effects: dict[int, Floats]
    """For each seat count the Elo that a seat adds; they sum to 0."""
    seat_errors: dict[int, Floats]
    seat_low: dict[int, Floats]
    """Lower ends of the 95% intervals of seat effects; minus infinity where a seat always lost to another."""
    seat_high: dict[int, Floats]
    held_seats: bool
    """Whether some seat won or lost every game, so that only the prior keeps its effect finite."""
    games: dict[str, int]
    points: dict[str, float]
    """Sum over games of the mean score against the others of the table: wins plus half draws at two players."""
    los: Floats
    """Likelihood of superiority: the chance that the row's player is stronger than the column's; nan across islands."""
    log_likelihood: float
    theta: Floats
    """Natural logarithms of strength, on one scale for the whole pool, whether it can be compared or not."""
    evidence: Evidence
    """What intervals are computed from."""

    @property
    def interval(self) -> str:
        """What the intervals are, in words."""
        return f"95% intervals, sets as units, phi = {self.phi:.2f}"

    def difference(self, first: str, second: str) -> Difference | None:
        """How much stronger the first player is, with its 95% interval; None if they are on different islands."""
        i, j = self.names.index(first), self.names.index(second)
        connection, evidence = self.evidence.connection, self.evidence
        if connection.islands[i] != connection.islands[j]:
            return None
        other = np.zeros(evidence.likelihood.size)
        other[j] = 1.0
        contrast = Contrasts(np.array([i]), np.array([0]), other[None, :])
        below, above = np.array([connection.reach(i, j)]), np.array([connection.reach(j, i)])
        information = np.minimum(evidence.information[i], evidence.information[j])[None]
        low, high = evidence.ends(contrast, below, above, information, evidence.spread(contrast))
        value = min(max(float(self.theta[i] - self.theta[j]), float(low[0])), float(high[0]))
        return Difference(ELO * value, ELO * float(low[0]), ELO * float(high[0]), float(self.los[i, j]))


def fit(
    results: Results,
    *,
    prior: float = DRAWN_GAME,
    anchor: str | None = None,
    offset: float = 0.0,
    seats: bool = True,
    ends: bool = True,
    start: Fit | None = None,
) -> Fit:
    """Rate all players of a pool. `offset` is the rating of the anchor, or of the reference where none is named.

    `ends` False leaves out the slow part, intervals by the profile likelihood of players at the edge: their ends are
    then those of the standard error. Pairing needs no more. `start` is an earlier fit of about the same games, from
    which this one is found in fewer steps; the result is the same.
    """
    if anchor is not None and anchor not in results.names:
        raise ValueError(f"the anchor {anchor!r} has played no game (players: {', '.join(results.names)})")
    if prior < 0:
        raise ValueError(f"the prior must not be negative, and it is {prior}")
    better = better_or_level(results)
    if prior == 0:
        _require_connection(results, better)
    likelihood = Likelihood.of(results, seats=seats)
    blocks = ones(likelihood, components_of(better, "weak"))
    penalty = np.zeros(likelihood.size)
    penalty[: likelihood.players] = prior
    begin = np.zeros(likelihood.size)
    if start is not None:
        known = dict(zip(start.names, start.theta, strict=True))
        begin[: likelihood.players] = [known.get(name, 0.0) for name in results.names]
    x, value = maximise(likelihood, penalty, blocks, begin, most_seat_effect=RUNAWAY)
    held = bool(np.any(np.abs(x[likelihood.players :]) > RUNAWAY))
    if held:
        penalty[likelihood.players :] = prior or DRAWN_GAME
        x, value = maximise(likelihood, penalty, blocks, np.zeros(likelihood.size))
    games, points = _tallies(results)
    at = None if anchor is None else results.names.index(anchor)
    evidence = gather(results, likelihood, x, penalty, value.information, games, blocks, better, at)
    return _report(results, evidence, value.log_likelihood, offset, held, games, points, ends)


def _report(
    results: Results,
    evidence: Evidence,
    log_likelihood: float,
    offset: float,
    held: bool,
    games: Floats,
    points: Floats,
    ends: bool,
) -> Fit:
    connection, count = evidence.connection, evidence.likelihood.players
    means = np.zeros((len(connection.references), evidence.likelihood.size))
    means[:, :count] = connection.references
    contrasts = Contrasts(np.arange(count), connection.islands, means)
    spread = evidence.spread(contrasts)
    model = np.maximum(contrasts.variance(evidence.model), 0.0)
    low, high = evidence.ends(
        contrasts, connection.reaches, connection.reached, evidence.information[:count], spread, profile=ends
    )
    theta = np.clip(contrasts.values(evidence.x), low, high)
    islands = connection.islands
    return Fit(
        names=results.names,
        elo=ELO * theta + offset,
        low=ELO * low + offset,
        high=ELO * high + offset,
        se=ELO * np.sqrt(spread.phi * model),
        se_model=ELO * np.sqrt(model),
        se_robust=ELO * np.sqrt(np.maximum(contrasts.variance(evidence.observed), 0.0)),
        phi=evidence.phi,
        islands=tuple(
            tuple(results.names[player] for player in np.flatnonzero(islands == number))
            for number in range(int(islands.max()) + 1)
        ),
        island=islands,
        ranks=_ranks(low, high, islands),
        reference=connection.references[connection.islands, np.arange(count)],
        **_seats(results, evidence, ends),
        held_seats=held,
        games={name: int(number) for name, number in zip(results.names, games, strict=True)},
        points={name: float(number) for name, number in zip(results.names, points, strict=True)},
        los=evidence.superiority(),
        log_likelihood=log_likelihood,
        theta=evidence.x[:count].copy(),
        evidence=evidence,
    )


class _Seats(TypedDict):
    seat_effects: dict[int, Floats]
    seat_errors: dict[int, Floats]
    seat_low: dict[int, Floats]
    seat_high: dict[int, Floats]


def _seats(results: Results, evidence: Evidence, ends: bool) -> _Seats:
    """Effects of the seats of each seat count, against the mean of them, with their errors and intervals."""
    found: _Seats = {"seat_effects": {}, "seat_errors": {}, "seat_low": {}, "seat_high": {}}
    for count, at in evidence.likelihood.seats.items():
        mean = np.zeros(evidence.likelihood.size)
        mean[at : at + count] = 1.0 / count
        contrasts = Contrasts(np.arange(at, at + count), np.zeros(count, dtype=np.int64), mean[None, :])
        reach = _seat_reach(results, count)
        own = evidence.information[at : at + count]
        below, above = np.asarray(reach.all(axis=1)), np.asarray(reach.all(axis=0))
        spread = evidence.spread(contrasts)
        low, high = evidence.ends(contrasts, below, above, own, spread, profile=ends)
        variance = spread.phi * np.maximum(contrasts.variance(evidence.model), 0.0)
        found["seat_effects"][count] = ELO * contrasts.values(evidence.x)
        found["seat_errors"][count] = ELO * np.sqrt(variance)
        found["seat_low"][count], found["seat_high"][count] = ELO * low, ELO * high
    return found


def _seat_reach(results: Results, count: int) -> Flags:
    """Seats x seats: results lead from the row's seat down to the column's."""
    better = np.eye(count, dtype=bool)
    for batch in results.batches:
        if batch.seats == count:
            better |= pair_scores(batch.places) > 0
    for _ in range(count):
        better = better | ((better.astype(np.int64) @ better.astype(np.int64)) > 0)
    return better


def _ranks(low: Floats, high: Floats, islands: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Best and worst rank of each player on its island: better for sure are those whose intervals lie wholly above."""
    ranks = [(0, 0)] * len(low)
    for island in range(int(islands.max()) + 1):
        members = np.flatnonzero(islands == island)
        lows, highs = np.sort(low[members]), np.sort(high[members])
        for player in members:
            better = len(members) - int(np.searchsorted(lows, high[player], side="right"))
            worse = int(np.searchsorted(highs, low[player], side="left"))
            ranks[player] = (1 + better, len(members) - worse)
    return tuple(ranks)


def _tallies(results: Results) -> tuple[Floats, Floats]:
    """Games and points of each player."""
    games = np.zeros(len(results.names))
    points = np.zeros(len(results.names))
    for batch in results.batches:
        means = pair_scores(batch.places).sum(axis=1) / (batch.seats - 1)
        for seat in range(batch.seats):
            counts = np.bincount(batch.players[:, seat], minlength=len(results.names))
            games += counts
            points += means[seat] * counts
    return games, points


def _require_connection(results: Results, better: Flags) -> None:
    labels = components_of(better, "strong")
    parts = int(labels.max(initial=-1)) + 1
    if parts > 1:
        listed = "; ".join(
            ", ".join(name for name, label in zip(results.names, labels, strict=True) if label == part)
            for part in range(parts)
        )
        raise NotConnected(
            f"without a prior these {parts} sets of players cannot be compared, since between them no player beat or "
            f"tied another in both directions: {listed}; use a prior above 0 or play more games"
        )
