"""Quick ratings: what is told at the end of a match, and that a fold over stored results gives the same numbers."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ladder.seasons.quick_ratings import QuickRatings, RatingChange
from ladder.store.records import ResultRow
from referee.match.outputs import SeatRating

BUILDS = {"ann": 1, "bob": 2, "cid": 3}
PLACES: dict[int, list[tuple[int, ...]]] = {
    2: [(1, 2), (2, 1), (1, 1)],
    3: [(1, 2, 3), (3, 1, 2), (1, 1, 3), (2, 1, 2)],
}
"""Some ways in which a match of so many seats may end."""


def play(ratings: QuickRatings, names: tuple[str, ...], places: tuple[int, ...]) -> RatingChange:
    """Rate a match between bots and take the change over."""
    change = ratings.change(names, [BUILDS.get(name) for name in names], places)
    ratings.take(change, names)
    return change


def result(number: int, names: tuple[str, ...], places: tuple[int, ...]) -> ResultRow:
    """A stored match that ended as number so-and-so."""
    return ResultRow(
        match=f"{number:032x}",
        group=number,
        rotation=0,
        state="finished",
        rated=True,
        end_number=number,
        started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        attempt=0,
        stopped=False,
        ruling="",
        players=names,
        builds=tuple(BUILDS.get(name) for name in names),
        places=places,
        points=(0,) * len(names),
    )


FINISHED = result(1, ("ann", "bob"), (1, 2))


FIRST = 162.2119
"""What a first win over another new bot brings by Glicko-1: 1500 ± 350 against the same becomes 1662 ± 290."""
FIRST_DEVIATION = 290.2305


def test_a_first_game_moves_both_bots_alike() -> None:
    """Two new bots of 1500 ± 350: the winner gains what the loser loses, and both are known better."""
    ann, bob = QuickRatings().change(("ann", "bob"), (1, 2), (1, 2)).ratings

    assert ann == pytest.approx(SeatRating(1500, 1500 + FIRST, FIRST_DEVIATION, 1, 0), abs=1e-3)
    assert bob == pytest.approx(SeatRating(1500, 1500 - FIRST, FIRST_DEVIATION, 1, 0), abs=1e-3)


def test_a_change_counts_only_when_it_is_taken() -> None:
    """Asked twice the answer is the same, and no rating has moved: a write that fails changes nothing."""
    ratings = QuickRatings()
    first = ratings.change(("ann", "bob"), (1, 2), (1, 2))

    assert ratings.change(("ann", "bob"), (1, 2), (1, 2)) == first
    assert ratings.ratings() == {}

    ratings.take(first, ("ann", "bob"))
    assert ratings.ratings() == pytest.approx({"#1": 1500 + FIRST, "#2": 1500 - FIRST}, abs=1e-3)


def test_a_fold_in_the_order_of_ends_gives_the_numbers_that_were_told() -> None:
    """A hundred matches at two and three seats: rebuilt from rows in any order, every rating is equal to the bit."""
    dice = random.Random(14)
    live = QuickRatings()
    told: dict[str, float] = {}
    rows = []
    for number in range(1, 101):
        names = tuple(dice.sample(sorted(BUILDS), dice.choice((2, 3))))
        places = dice.choice(PLACES[len(names)])
        change = play(live, names, places)
        told.update((f"#{BUILDS[name]}", rating.after) for name, rating in zip(names, change.ratings, strict=True))
        rows.append(result(number, names, places))
    dice.shuffle(rows)

    assert QuickRatings.of(rows).ratings() == told == live.ratings()


@pytest.mark.parametrize(
    "row",
    [
        replace(FINISHED, state="void"),
        replace(FINISHED, state="running", end_number=None),
        replace(FINISHED, rated=False),
    ],
    ids=["void", "running", "unrated"],
)
def test_a_match_that_does_not_count_is_left_out_of_the_fold(row: ResultRow) -> None:
    """Void, running and unrated matches move no rating."""
    assert QuickRatings.of([row]).ratings() == {}


def test_a_bot_has_a_rank_from_its_tenth_game_on() -> None:
    """Nine games give rank 0; with the tenth, bots are ranked among those that have ten."""
    ratings = QuickRatings()
    told = [play(ratings, ("ann", "bob"), (1, 2)).ratings for _ in range(10)]

    assert [(ann.rank, bob.rank) for ann, bob in told[:9]] == [(0, 0)] * 9
    assert [ann.games for ann, _ in told] == list(range(1, 11))
    assert [seat.rank for seat in told[9]] == [1, 2]

    newcomer, leader = play(ratings, ("cid", "ann"), (1, 2)).ratings
    assert (newcomer.games, newcomer.rank, leader.rank) == (1, 0, 1)


def test_a_bot_without_a_game_for_thirty_days_is_not_counted_in_the_ranks_of_others() -> None:
    """The best bot played 31 days ago: the next best is told rank 1; with 29 days it is told rank 2."""

    def ranks(days: int) -> list[int]:
        long_ago = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
        old = [replace(result(number, ("ann", "cid"), (1, 2)), started=long_ago) for number in range(1, 11)]
        new = [result(number, ("bob", "cid"), (1, 2)) for number in range(11, 20)]
        change = QuickRatings.of(old + new).change(("bob", "cid"), (2, 3), (1, 2))
        return [rating.rank for rating in change.ratings]

    assert ranks(31) == [1, 2]
    assert ranks(29) == [2, 3]


def test_another_build_of_a_bot_is_another_player_and_takes_its_place_in_the_ranks() -> None:
    """A new build starts at 1500 with one game and no rank; the old build is ranked no more."""
    ratings = QuickRatings()
    for _ in range(10):
        play(ratings, ("ann", "bob"), (1, 2))
    change = ratings.change(("ann", "bob"), (7, 2), (1, 2))
    new, bob = change.ratings

    assert (new.before, new.games, new.rank) == (1500, 1, 0)
    assert bob.rank == 1
    ratings.take(change, ("ann", "bob"))
    assert ratings.strength("ann")[0] == new.after - 1500


def test_an_automaton_of_the_rules_is_rated_and_not_told() -> None:
    """The rival of a solo game stands behind the seats without a build: it has a rating, and no seat to tell."""
    ratings = QuickRatings()
    change = play(ratings, ("ann", "rival"), (2, 1))

    (rating,) = change.ratings
    assert rating == pytest.approx(SeatRating(1500, 1500 - FIRST, FIRST_DEVIATION, 1, 0), abs=1e-3)
    assert ratings.ratings() == pytest.approx({"#1": 1500 - FIRST, "rival": 1500 + FIRST}, abs=1e-3)


def test_the_strength_of_a_bot_is_known_better_with_every_game() -> None:
    """Pairing sees a wide spread for a new bot, narrower with each game, never below the least."""
    ratings = QuickRatings()
    variances = [ratings.strength("ann")[1]]
    for turn in range(300):
        play(ratings, ("ann", "bob"), (1, 2) if turn % 2 else (2, 1))
        variances.append(ratings.strength("ann")[1])

    assert variances[0] == 350.0**2
    assert variances == sorted(variances, reverse=True)
    assert variances[-1] == 50.0**2
