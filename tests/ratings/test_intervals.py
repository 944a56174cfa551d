"""Intervals that hold: the cases that once collapsed, edges, islands, references, and coverage by simulation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from scipy.special import betaincinv

from ladder.ratings.likelihood import Likelihood
from ladder.ratings.plackett_luce import Fit, fit
from ladder.ratings.results import ELO, FinishedGame, collect
from tests.ratings.coverage import HEAD, Pool, cover, draw, line, pools, rounds

LEVEL, WON, LOST = (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)


def pair(first: str, second: str, scores: tuple[float, float], group: str) -> list[FinishedGame]:
    """A duplicate set of two games with sides swapped; the scores are the first player's."""
    places = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}
    return [
        FinishedGame((first, second), places[scores[0]], group),
        FinishedGame((second, first), places[1.0 - scores[1]], group),
    ]


def sets(first: str, second: str, scores: Iterable[tuple[float, float]]) -> list[FinishedGame]:
    """Duplicate sets of two players."""
    return [
        game for number, score in enumerate(scores) for game in pair(first, second, score, f"{first}{second}{number}")
    ]


def of(found: Fit, name: str) -> tuple[float, float, float]:
    """Rating and interval of a player."""
    at = found.names.index(name)
    return float(found.elo[at]), float(found.low[at]), float(found.high[at])


def test_an_unbeaten_bot_has_a_lower_end_near_clopper_and_pearsons_and_no_upper_one() -> None:
    """132 wins of 132 against two bots that are level with each other."""
    mixed = [LEVEL, (0.0, 1.0), LEVEL, WON, (0.0, 1.0), LOST] * 11
    games = sets("a", "b", [WON] * 33) + sets("a", "c", [WON] * 33) + sets("b", "c", mixed)
    found = fit(collect(games))
    exact = 400.0 * np.log10(1.0 / (1.0 - betaincinv(132, 1, 0.025)) - 1.0)

    elo, low, high = of(found, "a")
    assert high == np.inf
    assert low == pytest.approx(exact, abs=25.0)
    assert elo >= low
    assert of(found, "b")[1] > -60.0
    assert of(found, "b")[2] < 60.0
    assert found.ranks == ((1, 1), (2, 3), (2, 3))


def test_a_winless_bot_has_an_upper_end_only() -> None:
    """The mirror image of an unbeaten bot."""
    found = fit(collect(sets("a", "b", [LEVEL, WON, LOST] * 8) + sets("a", "z", [WON] * 20)))

    assert of(found, "z")[1] == -np.inf
    assert -600.0 < of(found, "z")[2] < -200.0


def test_more_wins_in_a_row_raise_the_lower_end_without_a_jump() -> None:
    """30, 60, .. 480 won sets: intervals overlap, each lower end above the one before; nothing happens at 30 sets."""
    lows = []
    for count in (28, 29, 30, 31, 60, 120, 240, 480):
        found = fit(collect(sets("a", "b", [WON] * count)))
        difference = found.difference("a", "b")
        assert difference is not None
        assert difference.high == np.inf
        lows.append(difference.low)

    assert lows == sorted(lows)
    assert max(np.diff(lows[:4])) < 10.0


def test_nothing_but_draws_have_an_interval() -> None:
    """120 draws of two bots: a few Elo, not none; 10 draws: more."""
    many = fit(collect(sets("a", "b", [(0.5, 0.5)] * 60)))
    few = fit(collect(sets("a", "b", [(0.5, 0.5)] * 5)))

    assert of(many, "a") == pytest.approx((0.0, -5.7, 5.7), abs=0.3)
    assert of(few, "a") == pytest.approx((0.0, -64.0, 64.0), abs=1.0)


def test_half_widths_fall_smoothly_with_the_number_of_sets() -> None:
    """The same mixture of sets, 6 to 60 times: width times the root of sets changes by a few percent a step."""
    scaled = []
    for count in range(6, 61, 2):
        found = fit(collect(sets("a", "b", [LEVEL, WON, LOST, LEVEL] * count)))
        scaled.append((of(found, "a")[2] - of(found, "a")[1]) * np.sqrt(count))

    assert np.all(np.abs(np.diff(np.log(scaled))) < 0.06)


def test_islands_have_their_own_tables_and_nothing_is_compared_across() -> None:
    """Two pairs that never met: two islands, each with its own reference and ranks, no superiority, no difference."""
    found = fit(collect(sets("a", "b", [LEVEL, WON] * 9) + sets("c", "d", [LEVEL, LOST, LEVEL] * 6)))

    assert found.islands == (("a", "b"), ("c", "d"))
    assert found.elo[0] + found.elo[1] == pytest.approx(0.0, abs=1e-6)
    assert found.elo[2] + found.elo[3] == pytest.approx(0.0, abs=1e-6)
    assert np.isnan(found.los[0, 2])
    assert found.difference("a", "c") is None
    assert found.difference("a", "b") is not None
    assert [rank[1] <= 2 for rank in found.ranks] == [True] * 4


@pytest.mark.parametrize(("bridge", "islands"), [(2, 2), (4, 2), (5, 1)])
def test_a_bridge_of_fewer_than_five_sets_joins_no_islands(bridge: int, islands: int) -> None:
    """Two islands of three bots, joined by 2, 4 or 5 sets of different pairs."""
    games = []
    for island in ("abc", "def"):
        for first, second in ((island[0], island[1]), (island[1], island[2]), (island[0], island[2])):
            games += sets(first, second, [LEVEL, WON, LOST, LEVEL] * 3)
    crossing = [("a", "d"), ("b", "e"), ("c", "f"), ("a", "e"), ("b", "f")]
    for first, second in crossing[:bridge]:
        games += sets(first, second, [LEVEL])
    found = fit(collect(games))

    assert len(found.islands) == islands


def test_newcomers_and_sparse_pools_are_no_islands() -> None:
    """A bot with one set hangs on the pool; a ring of bots with two sets each is one island."""
    veterans = sets("a", "b", [LEVEL, WON, LOST] * 5) + sets("b", "c", [LEVEL, WON, LOST] * 5)
    ring = [game for at in range(8) for game in sets(f"r{at}", f"r{(at + 1) % 8}", [LEVEL])]

    assert len(fit(collect(veterans + sets("c", "new", [LEVEL]))).islands) == 1
    assert len(fit(collect(ring)).islands) == 1


def test_a_newcomer_hardly_moves_the_reference() -> None:
    """A bot with few games has no share in the reference, so its results change no other rating by much."""
    veterans = sets("a", "b", [LEVEL, WON, LOST] * 10) + sets("b", "c", [LEVEL, WON] * 15) + sets("a", "c", [WON] * 3)
    veterans += sets("a", "c", [LEVEL, LOST] * 10)
    before = fit(collect(veterans))
    after = fit(collect(veterans + sets("a", "new", [LOST, LOST, LEVEL])))

    assert after.reference[after.names.index("new")] == 0.0
    for name in "abc":
        assert of(after, name)[0] == pytest.approx(of(before, name)[0], abs=12.0)


def test_the_middle_of_a_gauntlet_is_the_reference() -> None:
    """One bot against five others, six sets each: it is the whole reference and has no interval of its own."""
    games = [game for other in "bcdef" for game in sets("a", other, [LEVEL, WON, LOST] * 2)]
    found = fit(collect(games))

    assert found.reference[0] == pytest.approx(1.0)
    assert of(found, "a") == (0.0, 0.0, 0.0)


def test_a_seat_that_always_wins_has_one_end() -> None:
    """Sixty sets in which the first seat won every game: at least some hundred Elo, and the bots stay comparable."""
    found = fit(collect(sets("a", "b", [LEVEL] * 60)))

    assert found.seat_low[2][0] > 150.0
    assert found.seat_high[2][0] == np.inf
    assert found.seat_low[2][1] == -np.inf
    assert of(found, "a")[1] < -200.0
    assert of(found, "a")[2] > 200.0


def test_where_a_seat_always_wins_games_tell_next_to_nothing_about_players() -> None:
    """One seat wins every game of 60 sets: both bots 0 [-420, +420], as with 8 sets' worth of the pool's dispersion."""
    found = fit(collect(sets("a", "b", [LEVEL] * 60)))

    assert of(found, "a") == pytest.approx((0.0, -420.0, 420.0), abs=0.5)
    assert of(found, "b") == pytest.approx((0.0, -420.0, 420.0), abs=0.5)


def test_an_end_that_no_game_could_tell_is_none() -> None:
    """A chain of ten bots with four games a step, which the first seat could explain as well: at least, not 12,000."""
    games = [game for at in range(9) for game in sets(f"b{at}", f"b{at + 1}", [WON, LEVEL])]
    found = fit(collect(games))

    assert len(found.islands) == 1
    assert of(found, "b0")[2] == np.inf
    assert -300.0 < of(found, "b0")[1] < of(found, "b0")[0]
    assert of(found, "b9")[1] == -np.inf
    finite = [end for ends in (found.low, found.high) for end in ends if np.isfinite(end)]
    assert max(map(abs, finite)) < 1000.0
    assert found.difference("b0", "b9") is not None


def test_a_chain_of_plain_results_has_both_ends() -> None:
    """Ten bots with twelve games a step, won and lost in both seats: wide at the ends of the chain, but finite."""
    mixed = [WON, LEVEL, (0.0, 1.0), LOST, WON, LEVEL]
    found = fit(collect([game for at in range(9) for game in sets(f"b{at}", f"b{at + 1}", mixed)]))
    widths = found.high - found.low

    assert np.isfinite(widths).all()
    assert widths[0] > 1.5 * widths[4]
    assert float(widths.max()) < 1500.0


def test_seats_with_luck_of_the_deal_have_wider_intervals_than_the_model_says() -> None:
    """A seat's games of a set share the luck of the deal, so seat effects are less sure than games say."""
    rng = np.random.default_rng(12)
    games = []
    for number in range(200):
        luck = rng.normal(0.0, 800.0 / ELO)
        scores = [float(rng.random() < 1.0 / (1.0 + np.exp(-sign * luck))) for sign in (1.0, -1.0)]
        games += pair("a", "b", (scores[0], scores[1]), str(number))
    found = fit(collect(games))
    width = found.seat_high[2][0] - found.seat_low[2][0]

    assert width / 2.0 > 1.96 * ELO / np.sqrt(400 * 0.25) / 2.0 * 1.15


def test_large_pools_replace_far_games_by_a_quadratic() -> None:
    """Above fifty bots an unbeaten bot's lower end is that of the exact profile within a few Elo."""
    rng = np.random.default_rng(3)
    games = []
    for number in range(700):
        first, second = rng.choice(60, 2, replace=False)
        scores = (float(rng.integers(2)), float(rng.integers(2)))
        games += pair(f"p{first:02d}", f"p{second:02d}", scores, str(number))
    games += [game for other in range(12) for game in sets(f"p{other:02d}", "top", [LOST])]
    results = collect(games)
    found = fit(results)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ladder.ratings.profile.EXACT_PLAYERS", 100)
        exact = fit(results)

    assert found.high[-1] == np.inf
    assert found.low[-1] == pytest.approx(exact.low[-1], abs=8.0)


def test_leverage_is_left_out_only_where_it_is_nothing() -> None:
    """With 300 sets a bot the correction changes robust errors by less than half a percent."""
    rng = np.random.default_rng(4)
    games = []
    for first, second in (("a", "b"), ("b", "c"), ("a", "c")):
        games += sets(first, second, [(float(rng.integers(2)), float(rng.integers(2))) for _ in range(150)])
    results = collect(games)
    plain = fit(results)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ladder.ratings.intervals.FREE_LEVERAGE", 1e9)
        corrected = fit(results)

    assert plain.se_robust == pytest.approx(corrected.se_robust, rel=0.005)
    assert np.any(plain.se_robust != corrected.se_robust)


def test_large_pools_start_from_a_sample_and_end_at_the_same_ratings() -> None:
    """A fit that begins with every eighth game, in small chunks, has the ratings and intervals of a plain one."""
    results = draw(
        np.random.default_rng(8), Pool("", [-200.0, -50.0, 0.0, 100.0, 150.0], rounds(range(5), 40, 3), 300.0)
    )
    plain = fit(results)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ladder.ratings.maximum.SAMPLED_ROWS", 100)
        patch.setattr("ladder.ratings.likelihood.CHUNK", 37)
        patch.setattr("ladder.ratings.likelihood.SETS", 50)
        sampled = fit(results)

    assert sampled.theta == pytest.approx(plain.theta, abs=1e-7)
    assert sampled.elo == pytest.approx(plain.elo, abs=0.005)
    assert sampled.se_robust == pytest.approx(plain.se_robust, rel=1e-3)
    assert sampled.high == pytest.approx(plain.high, abs=0.2)
    assert sampled.log_likelihood == pytest.approx(plain.log_likelihood)


def test_score_and_information_are_derivatives_of_the_likelihood() -> None:
    """Gradient and information against differences of the value, with ties, three seat counts and repeated games."""
    games = [
        FinishedGame(("a", "b"), (1, 2)),
        FinishedGame(("b", "a"), (1, 1)),
        FinishedGame(("a", "b", "c"), (2, 1, 2)),
    ] * 2
    games += [FinishedGame(("c", "a", "d", "b"), (1, 1, 1, 4)), FinishedGame(("a", "a", "d"), (1, 3, 2))]
    likelihood = Likelihood.of(collect(games), seats=True)
    rng = np.random.default_rng(1)
    x = rng.normal(0.0, 0.5, likelihood.size)
    value = likelihood.evaluate(x)
    steps = 1e-5 * np.eye(likelihood.size)
    slopes = [
        (likelihood.evaluate(x + h).log_likelihood - likelihood.evaluate(x - h).log_likelihood) / 2e-5 for h in steps
    ]
    bends = [(likelihood.evaluate(x - h).gradient - likelihood.evaluate(x + h).gradient) / 2e-5 for h in steps]

    assert value.gradient == pytest.approx(np.array(slopes), abs=1e-6)
    assert value.information == pytest.approx(np.array(bends), abs=1e-6)


def test_scores_of_sets_add_up_to_the_gradient() -> None:
    """The sets' own scores and information are parts of the whole, whatever their number of parameters."""
    games = [
        FinishedGame(("a", "b"), (1, 2), "x"),
        FinishedGame(("b", "a"), (1, 1), "x"),
        FinishedGame(("a", "b", "c"), (2, 1, 2), "y"),
    ]
    games += [FinishedGame(("c", "b", "a"), (1, 2, 3), "y"), FinishedGame(("c", "a"), (1, 2))]
    results = collect(games)
    likelihood = Likelihood.of(results, seats=True)
    x = np.linspace(-0.5, 0.5, likelihood.size)
    gradient, square = np.zeros(likelihood.size), np.zeros((likelihood.size, likelihood.size))
    for columns, scores, information in likelihood.sets(x, np.ones(results.groups, dtype=bool)):
        np.add.at(gradient, columns, scores)
        np.add.at(square, (columns[:, :, None], columns[:, None, :]), information)
    value = likelihood.evaluate(x)

    assert gradient == pytest.approx(value.gradient)
    assert square == pytest.approx(value.information)


@pytest.mark.parametrize(
    "pool",
    [
        Pool("2 seats with luck", [-200.0, -50.0, 50.0, 200.0], rounds(range(4), 8), 300.0),
        Pool("a strong bot", [-60.0, 0.0, 60.0, 800.0], rounds(range(4), 8)),
    ],
    ids=lambda pool: pool.name,
)
def test_intervals_cover_in_a_short_simulation(pool: Pool) -> None:
    """60 runs: all bots together hold their strength in about 95% (the whole table is in the slow suite)."""
    assert 0.90 < cover(pool, 60).all <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("pool", pools(), ids=lambda pool: pool.name)
def test_intervals_cover_in_every_kind_of_pool(pool: Pool) -> None:
    """500 runs: all bots at least .93, the worst .90, dense pools at most .98, within the simulation's error."""
    found = cover(pool, 500)
    print(f"\n{HEAD}\n{line(found)}")

    assert found.misses() == []
