"""Matchmaking as a design: fair at the start, sparing with what is known, never worse than a round robin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from ladder.pairing.design import TableDesign, pair_weight, variance_of_result
from ladder.pairing.planned import History, Lineup, ScheduleStanding, matchmaking_designed, round_robin
from tests.ladder.matchmaking_simulation import PLANS, Season, errors, seasons


def history(names: str, lineups: Sequence[Lineup] | None = None, **elo: float) -> History:
    """A pool of one-letter bots that have played these lineups; a bot without a set has no rating."""
    played = Counter(name for lineup in lineups or [] for name in lineup)
    standings = tuple(
        ScheduleStanding(name, played[name], 0.0, elo.get(name, 0.0), 50.0 if played[name] else float("inf"))
        for name in names
    )
    return History(standings, tuple(lineups or ()))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_bot_comes_to_the_floor_first(seats: int) -> None:
    """While a bot is below the floor every table seats one with the fewest sets."""
    played: list[Lineup] = []
    counts: Counter[str] = Counter(dict.fromkeys("abcdefgh", 0))
    while min(counts.values()) < 4:
        lineup = matchmaking_designed(history("abcdefgh", played), seats, sets=100, floor=4, batch=1)[0]
        assert min(counts[name] for name in lineup) == min(counts.values())
        played.append(lineup)
        counts.update(lineup)

    assert max(counts.values()) <= 7


def test_equal_bots_meet_equally_often() -> None:
    """Two rounds of six bots that are level: every pair met twice or nearly so, as in a round robin."""
    played: list[Lineup] = []
    while len(played) < 30:
        played += matchmaking_designed(history("abcdef", played), 2, sets=30, floor=1, batch=5)
    met = Counter(frozenset(lineup) for lineup in played)

    assert set(Counter(name for lineup in played for name in lineup).values()) == {10}
    assert min(met.values()) >= 1
    assert max(met.values()) <= 3


def test_a_little_known_bot_plays_much_but_not_always_the_same_opponent() -> None:
    """A bot with one set among bots with ten: most tables of a batch seat it, with several opponents."""
    known = [(one, other) for one in "abcd" for other in "abcd" if one < other]
    past = [*(known * 4), ("a", "z")]
    batch = matchmaking_designed(history("abcdz", past), 2, sets=100, floor=1)
    opponents = [next(name for name in lineup if name != "z") for lineup in batch if "z" in lineup]

    assert len(opponents) >= 4
    assert len(set(opponents)) >= 3


def test_bots_that_are_surely_far_apart_do_not_meet() -> None:
    """Six bots 300 Elo apart, each from the next: after many sets those at the ends meet their neighbours alone."""
    past = [(one, other) for one in "abcdef" for other in "abcdef" if one < other] * 12
    ratings = {name: 300.0 * place for place, name in enumerate("abcdef")}
    batch = matchmaking_designed(history("abcdef", past, **ratings), 2, sets=1000, floor=1)

    assert all(abs(ratings[one] - ratings[other]) <= 600.0 for one, other in batch)


def test_a_bot_without_a_rating_counts_as_average() -> None:
    """Ratings are near 1500; a bot that has none yet is not taken for one at 0, and is paired at once."""
    past: list[Lineup] = [("a", "b"), ("b", "c"), ("a", "c")] * 3
    batch = matchmaking_designed(history("abcn", past, a=1520.0, b=1500.0, c=1480.0), 2, sets=99, floor=0, batch=1)

    assert "n" in batch[0]


def test_playing_a_table_is_adding_its_information() -> None:
    """The covariance after a table is the inverse of the information with it."""
    elo = {"a": 0.0, "b": 60.0, "c": -40.0, "d": 10.0}
    before, after = TableDesign(elo, 3, [("a", "b", "c")]), TableDesign(elo, 3, [("a", "b", "c")])
    after.add(("b", "c", "d"))
    added = np.linalg.inv(after._covariance) - np.linalg.inv(before._covariance)

    assert added.sum(axis=1) == pytest.approx(np.zeros(4), abs=1e-9)
    assert added[0] == pytest.approx(np.zeros(4), abs=1e-9)
    # Nothing is sure yet, so all pairs may be level.
    assert -added[1, 2] == pytest.approx(pair_weight(3) * float(variance_of_result(np.zeros(1))[0]))
    assert after._square == pytest.approx(after._covariance @ after._covariance)


def test_a_season_ends_at_its_number_of_sets() -> None:
    """The last batch is cut to what is left, and the same history gives the same batch."""
    past: list[Lineup] = [("a", "b")] * 6

    assert len(matchmaking_designed(history("abc", past), 2, sets=8, floor=1)) == 2
    assert matchmaking_designed(history("abc", past * 2), 2, sets=8, floor=1) == []
    assert matchmaking_designed(history("abc", past), 2, sets=20, floor=1) == matchmaking_designed(
        history("abc", past), 2, sets=20, floor=1
    )


@pytest.mark.parametrize("spread", [0.0, 200.0, 400.0])
def test_ratings_are_surer_than_after_a_round_robin(spread: float) -> None:
    """Nine bots, 54 sets, known ratings: the sum of variances is at most that of one and a half rounds, less if far."""
    names = "abcdefghi"
    ratings = {name: spread * place for place, name in enumerate(names)}
    made: list[Lineup] = []
    while len(made) < 54:
        made += matchmaking_designed(history(names, made, **ratings), 2, sets=54, floor=1)
    plain = round_robin(history(names), 2, rounds=1)
    plain += round_robin(history(names, plain), 2, rounds=2)
    sums = [float(np.trace(TableDesign(dict(ratings), 2, lineups[:54])._covariance)) for lineups in (made, plain)]

    assert sums[0] <= 1.005 * sums[1]
    assert spread == 0.0 or sums[0] < 0.97 * sums[1]


@pytest.mark.slow
@pytest.mark.parametrize("season", seasons(), ids=lambda season: season.name)
def test_matchmaking_is_at_least_as_good_as_a_round_robin(season: Season) -> None:
    """100 runs: neither the mean error nor the worst is larger, beyond twice the simulation's own error."""
    plain, made = (errors(season, plan, 100) for plan in PLANS.values())

    assert made.mean <= plain.mean + 2.0 * float(np.hypot(made.mean_error, plain.mean_error))
    assert made.worst <= plain.worst + 2.0 * float(np.hypot(made.worst_error, plain.worst_error))


def test_a_table_of_one_seats_one_bot() -> None:
    """Solo games against the rules' own rival: every bot plays, and alone."""
    lineups = matchmaking_designed(history("abc"), 1, sets=100, floor=4)

    assert {len(lineup) for lineup in lineups} == {1}
    assert {name for lineup in lineups for name in lineup} == set("abc")
