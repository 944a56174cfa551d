"""The likelihood in its quick form, against the plain one: sums over games one by one, differences of values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ladder.ratings.contrasts import Contrasts
from ladder.ratings.likelihood import Likelihood
from ladder.ratings.meetings import meetings
from ladder.ratings.orders import attendance
from ladder.ratings.results import FinishedGame, Results, collect, pair_scores, terms

SEED = 3


def games(count: int = 120) -> list[FinishedGame]:
    """Games of 2, 3 and 4 seats with ties, some of them equal, in sets of two; one bot may sit twice at a table."""
    rng = np.random.default_rng(SEED)
    found = []
    for number in range(count):
        seats = int(rng.integers(2, 5))
        players = tuple(f"p{bot}" for bot in rng.integers(0, 6, seats))
        levels = rng.integers(0, seats, seats)
        places = tuple(int(1 + np.sum(levels < level)) for level in levels)
        found.append(FinishedGame(players, places, f"set {number // 2}"))
    return found + found[:30]


@pytest.fixture(scope="module")
def results() -> Results:
    """The same games for all tests."""
    return collect(games())


@pytest.fixture(scope="module")
def likelihood(results: Results) -> Likelihood:
    """With effects of seats."""
    return Likelihood.of(results, seats=True)


def plain(likelihood: Likelihood, results: Results, x: np.ndarray) -> float:
    """The log-likelihood, game by game and term by term."""
    index = {name: at for at, name in enumerate(results.names)}
    total = 0.0
    for game in games():
        at = likelihood.seats[len(game.players)]
        utility = np.array([x[index[name]] + x[at + seat] for seat, name in enumerate(game.players)])
        last = [seat for seat, place in enumerate(game.places) if place == max(game.places)]
        total += float(utility.sum()) - float(utility[last].mean())
        total -= sum(
            term.weight * float(np.log(np.exp(utility[list(term.seats)]).sum())) for term in terms(game.places)
        )
    return total


def test_the_value_is_that_of_all_terms_of_all_games(likelihood: Likelihood, results: Results) -> None:
    """Ties, equal games that are one row, and tables of several sizes."""
    x = np.random.default_rng(1).normal(0.0, 0.7, likelihood.size)

    assert likelihood.evaluate(x).log_likelihood == pytest.approx(plain(likelihood, results, x), abs=1e-9)


def test_derivatives_are_those_of_the_value(likelihood: Likelihood) -> None:
    """Gradient and information against differences of value and gradient."""
    x, step = np.random.default_rng(2).normal(0.0, 0.5, likelihood.size), 1e-5
    found = likelihood.evaluate(x)
    for at in range(likelihood.size):
        move = np.zeros(likelihood.size)
        move[at] = step
        up, down = (likelihood.evaluate(x + sign * move, information=False) for sign in (1.0, -1.0))
        slope = (up.log_likelihood - down.log_likelihood) / (2 * step)
        assert found.gradient[at] == pytest.approx(slope, abs=1e-6)
        assert -found.information[at] == pytest.approx((up.gradient - down.gradient) / (2 * step), abs=1e-5)


def test_every_set_has_its_players_once(likelihood: Likelihood, results: Results) -> None:
    """Entries are those of the games, set by set, and every game and rank points to its own."""
    sittings = attendance(likelihood.orders, results.groups, likelihood.players)
    expected: dict[str, set[str]] = {}
    for game in games():
        expected.setdefault(str(game.group), set()).update(game.players)
    found = [
        {results.names[player] for player in sittings.players[first:last]}
        for first, last in zip(sittings.first[:-1], sittings.first[1:], strict=True)
    ]

    assert sorted(map(sorted, found)) == sorted(map(sorted, expected.values()))
    set_of = np.repeat(np.arange(results.groups), np.diff(sittings.first))
    for block, entries in zip(likelihood.orders, sittings.entries, strict=True):
        players = block.players() if block.row is None else block.players()[:, block.row]
        assert np.array_equal(sittings.players[entries], players)
        assert np.array_equal(set_of[entries], np.broadcast_to(block.groups, entries.shape))


def test_products_of_sets_are_those_of_their_summed_scores(likelihood: Likelihood, results: Results) -> None:
    """The quick way sums over entries; the plain one takes every set by itself."""
    sittings = attendance(likelihood.orders, results.groups, likelihood.players)
    x = np.random.default_rng(4).normal(0.0, 0.5, likelihood.size)
    wanted = np.arange(results.groups) % 3 > 0
    total = np.zeros((likelihood.size, likelihood.size))
    for part in likelihood.sets(x, wanted):
        for columns, scores in zip(part.columns, part.scores, strict=True):
            total[np.ix_(columns, columns)] += np.outer(scores, scores)

    assert likelihood.products(x, sittings, wanted) == pytest.approx(total, abs=1e-9)


def test_contrasts_are_rows_of_a_matrix() -> None:
    """Values, variances and sums of squares as the matrix of all contrasts gives them."""
    rng = np.random.default_rng(5)
    means = rng.dirichlet(np.ones(7), 2)
    means[1] = np.eye(7)[3]
    contrasts = Contrasts(np.array([0, 1, 3, 4]), np.array([0, 1, 1, 0]), means)
    rows = np.array([contrasts.row(number) for number in range(4)])
    root = rng.normal(size=(7, 7))
    covariance, x = root @ root.T, rng.normal(size=7)

    assert rows == pytest.approx(np.eye(7)[[0, 1, 3, 4]] - means[[0, 1, 1, 0]])
    assert contrasts.flat.tolist() == [False, False, True, False]
    assert contrasts.values(x) == pytest.approx(rows @ x)
    assert contrasts.variance(covariance) == pytest.approx(np.diag(rows @ covariance @ rows.T))
    assert contrasts.squares(x**2) == pytest.approx((rows**2) @ x**2)


def test_meetings_are_counted_pair_by_pair(results: Results) -> None:
    """Wins and draws of every pair; two seats of one player do not meet."""
    index = {name: at for at, name in enumerate(results.names)}
    wins, draws = np.zeros((6, 6), dtype=int), np.zeros((6, 6), dtype=int)
    for game in games():
        scores = pair_scores(game.places)
        for i, one in enumerate(game.players):
            for j, other in enumerate(game.players):
                if one != other:
                    wins[index[one], index[other]] += scores[i, j] == 1.0
                    draws[index[one], index[other]] += scores[i, j] == 0.5
    found = meetings(results)

    assert np.array_equal(found.wins, wins)
    assert np.array_equal(found.draws, draws)


@pytest.mark.processes
@pytest.mark.slow
def test_a_million_matches_of_a_thousand_bots_are_rated_in_five_seconds() -> None:
    """And a hundred thousand of two hundred in one, within 500 MiB; counted in processor time."""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "ladder", "bench", "ratings", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(root), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root, env=environment)
    small, large = json.loads(done.stdout)

    assert small["processor_seconds"] < 1.0
    assert large["processor_seconds"] < 5.0
    assert large["peak_mib"] < 500.0
