"""The batch rating against worked examples, against choix, and against its own simulation."""

from __future__ import annotations

from itertools import permutations
from math import log

import choix
import numpy as np
import pytest

from ladder.ratings.plackett_luce import NotConnected, fit
from ladder.ratings.results import ELO, FinishedGame, collect, terms


def simulate(
    rng: np.random.Generator, strengths: np.ndarray, games: int, seats: int, effects: np.ndarray | None = None
) -> list[FinishedGame]:
    """Games drawn from the model: Gumbel noise on the utilities gives Plackett-Luce orders."""
    found = []
    for _ in range(games):
        chosen = rng.choice(len(strengths), seats, replace=False)
        utility = strengths[chosen] + (0.0 if effects is None else effects) + rng.gumbel(size=seats)
        places = tuple(int(1 + np.sum(utility > value)) for value in utility)
        found.append(FinishedGame(tuple(f"p{player}" for player in chosen), places))
    return found


def log_likelihood_of_order(order: tuple[int, ...], utility: np.ndarray) -> float:
    """The Plackett-Luce log-likelihood of a strict order, written down directly."""
    return sum(
        float(utility[seat] - np.log(np.sum(np.exp(utility[list(order[at:])])))) for at, seat in enumerate(order)
    )


@pytest.mark.parametrize(
    "places", [(1, 2), (1, 1), (2, 1, 3), (1, 1, 3), (1, 2, 2), (1, 1, 1), (3, 1, 3, 1, 5), (1, 1, 1, 1)]
)
def test_ties_are_the_average_over_the_strict_orders_they_stand_for(places: tuple[int, ...]) -> None:
    """The terms of shared places equal the mean log-likelihood over all strict orders consistent with them."""
    utility = np.array([0.3, -0.7, 1.1, 0.2, -0.4])[: len(places)]
    orders = [order for order in permutations(range(len(places))) if list(places) == sorted_places(order, places)]
    expected = np.mean([log_likelihood_of_order(order, utility) for order in orders])
    last = [seat for seat, place in enumerate(places) if place == max(places)]
    chosen = utility.sum() - utility[last].mean()
    actual = chosen - sum(weight * log(np.exp(utility[list(seats)]).sum()) for seats, weight in terms(places))

    assert actual == pytest.approx(expected)


def sorted_places(order: tuple[int, ...], places: tuple[int, ...]) -> list[int]:
    """The places, if the order respects them; otherwise an impossible list."""
    ranked = [places[seat] for seat in order]
    return list(places) if ranked == sorted(ranked) else []


def test_the_fit_agrees_with_choix_on_full_rankings() -> None:
    """With a prior of lambda, choix's regulariser of lambda / 2 gives the same strengths."""
    rng = np.random.default_rng(1)
    games = simulate(rng, rng.normal(0, 1, 6), 80, 4)
    index = {name: number for number, name in enumerate(sorted({name for game in games for name in game.players}))}
    rankings = [tuple(index[game.players[seat]] for seat in np.argsort(game.places)) for game in games]
    expected = choix.opt_rankings(len(index), rankings, alpha=0.125, tol=1e-9)
    actual = fit(collect(games), prior=0.25, seats=False).theta

    assert actual == pytest.approx(expected - expected.mean(), abs=1e-5)


def test_two_players_have_the_closed_form_of_bradley_and_terry() -> None:
    """Without a prior 75 wins of 100 are 400 log10(3) Elo, and a draw is half a win and half a loss."""
    games = (
        [FinishedGame(("a", "b"), (1, 2))] * 70
        + [FinishedGame(("a", "b"), (2, 1))] * 20
        + [FinishedGame(("a", "b"), (1, 1))] * 10
    )
    found = fit(collect(games), prior=0.0, seats=False)

    assert found.elo[0] - found.elo[1] == pytest.approx(400 * np.log10(3))
    assert found.points == pytest.approx({"a": 75.0, "b": 25.0})
    assert found.games == {"a": 100, "b": 100}


def test_the_model_error_of_two_players_is_the_binomial_one() -> None:
    """The variance of the log-odds is 1 / (N p q) when every game is decisive."""
    games = [FinishedGame(("a", "b"), (1, 2))] * 75 + [FinishedGame(("a", "b"), (2, 1))] * 25
    found = fit(collect(games), prior=0.0, seats=False, anchor="b")

    assert found.se_model[0] == pytest.approx(ELO / np.sqrt(100 * 0.75 * 0.25))
    assert found.se_model[1] == pytest.approx(0.0, abs=1e-6)


def test_seat_effects_are_told_apart_from_strength() -> None:
    """Two equal bots of which the first seat always wins 3 of 4 games: the seats differ, the bots do not."""
    games = [FinishedGame(("a", "b"), (1, 2))] * 30 + [FinishedGame(("a", "b"), (2, 1))] * 10
    games += [FinishedGame(("b", "a"), (1, 2))] * 30 + [FinishedGame(("b", "a"), (2, 1))] * 10
    found = fit(collect(games), prior=0.0)

    assert found.elo == pytest.approx([0.0, 0.0], abs=1e-6)
    assert found.seat_effects[2][0] - found.seat_effects[2][1] == pytest.approx(400 * np.log10(3))
    assert found.seat_effects[2].sum() == pytest.approx(0.0, abs=1e-9)


def test_seat_effects_are_recovered_at_four_seats() -> None:
    """Simulated effects of four seats come back within a few standard errors."""
    rng = np.random.default_rng(4)
    effects = np.array([0.45, 0.1, -0.15, -0.4])
    found = fit(collect(simulate(rng, rng.normal(0, 0.6, 10), 3000, 4, effects)))

    assert np.all(np.abs(found.seat_effects[4] - ELO * effects) < 4 * found.seat_errors[4])


def test_a_seat_that_always_wins_is_held_by_the_prior() -> None:
    """An effect without a finite maximum is kept finite and said to be so; ordinary seats need no prior."""
    always = fit(collect([FinishedGame(("a", "b"), (1, 2)), FinishedGame(("b", "a"), (1, 2))] * 3))
    mostly = fit(
        collect(
            [FinishedGame(("a", "b"), (1, 2)), FinishedGame(("b", "a"), (1, 2)), FinishedGame(("b", "a"), (2, 1))] * 3
        )
    )

    assert (always.held_seats, mostly.held_seats) == (True, False)
    assert 0 < always.seat_effects[2][0] < 1000


def test_the_anchor_keeps_its_rating() -> None:
    """Ratings are relative to the anchor, whose own error is zero."""
    rng = np.random.default_rng(3)
    found = fit(collect(simulate(rng, rng.normal(0, 1, 4), 100, 3)), anchor="p2", offset=1500.0)

    assert found.elo[2] == pytest.approx(1500.0)
    assert found.se[2] == pytest.approx(0.0, abs=1e-6)


def test_a_player_who_only_won_is_finite_with_a_prior_and_refused_without() -> None:
    """The prior keeps a perfect record finite; without it the components that cannot be compared are named."""
    results = collect([FinishedGame(("a", "b"), (1, 2))] * 5)

    assert np.isfinite(fit(results).elo).all()
    with pytest.raises(NotConnected, match=r"a; b|b; a"):
        fit(results, prior=0.0)


def test_games_of_one_group_are_not_counted_as_independent() -> None:
    """Every game told twice under one group: the model's error shrinks by sqrt 2, the robust one does not."""
    rng = np.random.default_rng(8)
    games = simulate(rng, np.array([0.0, 0.4, -0.3]), 300, 2)
    doubled = [game._replace(group=str(number)) for number, game in enumerate(games) for _ in range(2)]
    once, twice = fit(collect(games), prior=0.0), fit(collect(doubled), prior=0.0)

    assert twice.se_model == pytest.approx(once.se_model / np.sqrt(2))
    assert twice.se_robust == pytest.approx(once.se_robust)


def test_the_likelihood_of_superiority_is_antisymmetric() -> None:
    """LOS of i over j and of j over i add up to one."""
    rng = np.random.default_rng(9)
    los = fit(collect(simulate(rng, rng.normal(0, 1, 5), 200, 3))).los

    assert los + los.T == pytest.approx(np.ones((5, 5)))


def test_impossible_places_are_refused() -> None:
    """Places that skip or start wrongly are an error that says what is right."""
    with pytest.raises(ValueError, match="1, 2, 2, 4"):
        collect([FinishedGame(("a", "b", "c"), (1, 3, 3))])


@pytest.mark.slow
def test_robust_intervals_cover_where_the_models_do_not() -> None:
    """With deal luck shared by pairs the robust 95% interval covers at its level, and the model's is far too wide."""
    rng = np.random.default_rng(10)
    truth = np.linspace(-0.5, 0.5, 6)
    estimates, robust, model = [], [], []
    for _ in range(150):
        games = []
        for pairing, (i, j) in enumerate(permutations(range(6), 2)):
            if i > j:
                continue
            for deal in range(16):
                luck = rng.normal(0, 400 / ELO)
                for first, second in ((i, j), (j, i)):
                    chance = 1 / (1 + np.exp(-(truth[first] - truth[second] + luck)))
                    won = rng.random() < chance
                    games.append(
                        FinishedGame((f"p{first}", f"p{second}"), (1, 2) if won else (2, 1), f"{pairing}/{deal}")
                    )
        found = fit(collect(games), seats=False)
        estimates.append(found.elo)
        robust.append(found.se_robust)
        model.append(found.se_model)
    centre = np.mean(estimates, axis=0)
    covered = np.mean(np.abs(np.array(estimates) - centre) < 1.96 * np.array(robust))
    covered_by_model = np.mean(np.abs(np.array(estimates) - centre) < 1.96 * np.array(model))

    assert 0.92 < covered < 0.97
    assert covered_by_model > 0.975


def test_a_fit_from_an_earlier_one_is_the_same_fit() -> None:
    """Started from a fit of the first games, with a player who is new, ratings and errors are those of a plain fit."""
    first = [FinishedGame(("a", "b"), (1, 2), str(turn)) for turn in range(6)] + [
        FinishedGame(("b", "a"), (1, 2), "x")
    ] * 2
    games = [
        *first,
        FinishedGame(("c", "a"), (1, 2)),
        FinishedGame(("b", "c"), (1, 2)),
        FinishedGame(("a", "c"), (1, 2)),
    ]
    plain = fit(collect(games))
    warm = fit(collect(games), start=fit(collect(first)))

    assert warm.elo == pytest.approx(plain.elo, abs=1e-6)
    assert warm.se == pytest.approx(plain.se, rel=1e-6)
    assert warm.high == pytest.approx(plain.high, rel=1e-4)


def test_a_fit_from_one_with_a_bot_that_left_is_on_the_scale_of_a_plain_one() -> None:
    """Strengths sum to 0 at the maximum; a start whose sum is another is moved there at once, since no step does it."""
    games = [FinishedGame(("a", "b"), (1, 2))] * 4 + [
        FinishedGame(("b", "a"), (1, 2)),
        FinishedGame(("b", "c"), (1, 2)),
        FinishedGame(("c", "b"), (1, 2)),
    ]
    earlier = fit(collect([*games, *[FinishedGame(("gone", "a"), (1, 2))] * 9]))
    warm, plain = fit(collect(games), start=earlier), fit(collect(games))

    assert warm.theta == pytest.approx(plain.theta, abs=1e-7)
    assert float(warm.theta.sum()) == pytest.approx(0.0, abs=1e-9)
