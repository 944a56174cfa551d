"""Pairing: complete, balanced, and a function of the history alone."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.pairing.orbits import tables
from ladder.pairing.planned import (
    History,
    Lineup,
    ScheduleStanding,
    gauntlet,
    matchmaking,
    round_robin,
    spread,
    swiss,
)


def history(names: str, lineups: list[Lineup] | None = None, **points: float) -> History:
    """A pool of one-letter bots that have played these lineups."""
    played = Counter(name for lineup in lineups or [] for name in lineup)
    standings = tuple(ScheduleStanding(name, played[name], points.get(name, 0.0), error=100.0) for name in names)
    return History(standings, tuple(lineups or ()))


@pytest.mark.parametrize(("names", "seats"), [("abcde", 2), ("abcde", 3), ("abcdef", 4), ("abcde", 5)])
def test_a_round_robin_meets_every_table_once(names: str, seats: int) -> None:
    """One batch is one round: every set of bots exactly once."""
    batch = round_robin(history(names), seats, rounds=1)

    assert sorted(tuple(sorted(lineup)) for lineup in batch) == sorted(combinations(names, seats))


def test_a_round_robin_ends_after_its_rounds() -> None:
    """With all rounds played nothing is left, and each round turns the seats."""
    first = round_robin(history("abc"), 2, rounds=1)
    second = round_robin(history("abc", first), 2, rounds=2)

    assert {tuple(reversed(lineup)) for lineup in first} == set(second)
    assert round_robin(history("abc", first + second), 2, rounds=2) == []


def test_small_rounds_are_put_together_to_one_batch() -> None:
    """Two bots have one table per round; a batch holds enough of them for many workers, and no more than are wanted."""
    assert len(round_robin(history("ab"), 2, rounds=100)) == 32
    assert len(round_robin(history("ab"), 2, rounds=5)) == 5
    assert len(round_robin(history("ab", [("a", "b")] * 90), 2, rounds=100)) == 10


@given(st.integers(2, 8), st.integers(2, 5))
def test_spreading_keeps_everybody_within_two_sets(bots: int, seats: int) -> None:
    """At any moment of a round robin no bot is more than a few sets ahead of another."""
    names = "abcdefgh"[: max(bots, seats)]
    played: Counter[str] = Counter(dict.fromkeys(names, 0))
    for lineup in spread(list(combinations(names, seats)), 0):
        played.update(lineup)
        assert max(played.values()) - min(played.values()) <= 2


def test_a_gauntlet_never_pairs_two_candidates() -> None:
    """Candidates meet all opponents and never each other."""
    batch = gauntlet(history("abcxy"), 2, candidates=["x", "y"], rounds=1)

    assert {frozenset(lineup) for lineup in batch} == {frozenset((c, o)) for c in "xy" for o in "abc"}


def test_a_gauntlet_without_enough_opponents_is_refused() -> None:
    """The message names how many opponents are needed."""
    with pytest.raises(ValueError, match="at least 2 opponents"):
        gauntlet(history("axy"), 3, candidates=["x", "y"], rounds=1)


def test_swiss_pairs_equals_and_avoids_repeats() -> None:
    """After a first round winners meet winners, and nobody meets the same bot again while others are left."""
    batch = swiss(history("abcd", [("a", "b"), ("c", "d")], a=1.0, c=1.0), 2, rounds=3)

    assert {frozenset(lineup) for lineup in batch} == {frozenset("ac"), frozenset("bd")}


def test_swiss_lets_the_odd_one_sit_out_in_turn() -> None:
    """With five bots at two-seat tables everybody sits out once in five rounds."""
    played: list[Lineup] = []
    for _ in range(5):
        played += swiss(history("abcde", played), 2, rounds=5)

    assert Counter(name for lineup in played for name in lineup) == Counter(dict.fromkeys("abcde", 4))
    assert swiss(history("abcde", played), 2, rounds=5) == []


def test_matchmaking_brings_everybody_to_the_floor_first() -> None:
    """While somebody is below the floor every table seats one with the fewest sets."""
    played: list[Lineup] = []
    while min(Counter(dict.fromkeys("abcdef", 0) | Counter(n for line in played for n in line)).values()) < 4:
        played += matchmaking(history("abcdef", played), 2, sets=100, floor=4, batch=3)
    counts = Counter(name for lineup in played for name in lineup)

    assert max(counts.values()) <= 6


def test_matchmaking_prefers_the_uncertain_and_the_close() -> None:
    """Beyond the floor the least certain bot plays, and against one near to it."""
    standings = (
        ScheduleStanding("far", 9, elo=900.0, error=20.0),
        ScheduleStanding("near", 9, elo=10.0, error=20.0),
        ScheduleStanding("new", 9, elo=0.0, error=90.0),
        ScheduleStanding("old", 9, elo=-700.0, error=20.0),
    )
    batch = matchmaking(History(standings), 2, sets=1, floor=5)

    assert [set(lineup) for lineup in batch] == [{"new", "near"}]


def test_matchmaking_stops_at_its_number_of_sets() -> None:
    """The last batch is cut to what is left."""
    assert len(matchmaking(history("abc", [("a", "b")] * 6), 2, sets=8, floor=1)) == 2
    assert matchmaking(history("abc", [("a", "b")] * 8), 2, sets=8, floor=1) == []


def test_every_pairing_is_a_function_of_the_history() -> None:
    """Asking twice gives the same batch, so an interrupted season goes on as if it had not been."""
    past = history("abcdef", [("a", "b", "c"), ("d", "e", "f")], a=1.0, d=0.5)
    plans: tuple[Callable[[], list[Lineup]], ...] = (
        lambda: round_robin(past, 3, rounds=9),
        lambda: gauntlet(past, 3, candidates=["a"], rounds=9),
        lambda: swiss(past, 3, rounds=9),
        lambda: matchmaking(past, 3, sets=50, floor=3),
    )
    for plan in plans:
        assert plan() == plan()


def test_a_pool_smaller_than_its_table_is_refused() -> None:
    """The message says how many bots there are and how many are needed."""
    with pytest.raises(ValueError, match="needs 3 different bots; the pool has 2"):
        round_robin(history("ab"), 3, rounds=1)


def test_a_bot_that_comes_late_catches_up() -> None:
    """Six rounds of three bots, then a fourth: it meets each of them six times, and the others meet no more."""
    lineups: list[Lineup] = []
    while batch := round_robin(history("abc", lineups), 2, rounds=6):
        lineups += batch
    while batch := round_robin(history("abcd", lineups), 2, rounds=6):
        lineups += batch

    assert Counter(frozenset(lineup) for lineup in lineups) == {frozenset(pair): 6 for pair in combinations("abcd", 2)}


@pytest.mark.parametrize(("bots", "seats"), [(5, 2), (6, 2), (7, 3), (9, 3), (8, 4), (9, 5), (4, 4)])
def test_orbits_are_all_tables(bots: int, seats: int) -> None:
    """Every set of bots exactly once, also where a table looks the same turned round."""
    names = "abcdefghi"[:bots]
    found = [tuple(sorted(table)) for table in tables(names, seats)]

    assert sorted(found) == sorted(combinations(names, seats))


def test_a_large_round_is_laid_out_in_parts_and_is_whole_in_the_end() -> None:
    """60 bots: every pair once, no bot more than a few sets ahead at any moment, the parts lead to the end."""
    names = [f"bot{number:02}" for number in range(60)]
    standings = tuple(ScheduleStanding(name) for name in names)
    lineups: list[Lineup] = []
    while batch := round_robin(History(standings, tuple(lineups)), 2, rounds=2):
        lineups += batch
    played: Counter[str] = Counter(dict.fromkeys(names, 0))
    widest = 0
    for lineup in lineups:
        played.update(lineup)
        widest = max(widest, max(played.values()) - min(played.values()))

    assert Counter(frozenset(lineup) for lineup in lineups) == {frozenset(pair): 2 for pair in combinations(names, 2)}
    assert widest <= 4


@pytest.mark.parametrize("seats", [2, 4])
def test_a_thousand_bots_are_scheduled_without_laying_out_the_whole(seats: int) -> None:
    """The first batch of half a million tables, or of forty thousand million, in less than a second of processor."""
    pool = History(tuple(ScheduleStanding(f"bot{number:04}") for number in range(1000)))
    began = time.process_time()
    batch = round_robin(pool, seats, rounds=1)

    assert len(batch) == 2048
    assert len({frozenset(lineup) for lineup in batch}) == 2048
    assert time.process_time() - began < 1.0
