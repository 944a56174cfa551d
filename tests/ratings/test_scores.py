"""Scores by place: of a seat against another, against its table, and what Elo expects."""

from __future__ import annotations

import pytest

from ladder.ratings.results import expectation, pair_scores, score, scores_against


@pytest.mark.parametrize(("place", "other", "expected"), [(1, 2, 1.0), (2, 2, 0.5), (4, 1, 0.0)])
def test_a_better_place_is_a_point_and_an_equal_one_half(place: int, other: int, expected: float) -> None:
    """Place 1 is best."""
    assert score(place, other) == expected


def test_a_seat_scores_against_every_other_seat_of_its_table() -> None:
    """In the order of seats, without itself; the scores of a table add up to one for each pair."""
    places = (2, 1, 2, 4)

    assert scores_against(places, 0) == [0.0, 0.5, 1.0]
    assert scores_against(places, 1) == [1.0, 1.0, 1.0]
    assert sum(sum(scores_against(places, seat)) for seat in range(4)) == 6.0


def test_the_matrix_has_the_same_scores() -> None:
    """Row by row, with nothing on the diagonal."""
    places = (3, 1, 1)

    assert pair_scores(places).tolist() == [[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 0.5, 0.0]]


def test_an_advantage_of_400_is_ten_to_one() -> None:
    """L(400) is 10/11 by definition."""
    assert expectation(400.0) == pytest.approx(10.0 / 11.0)
