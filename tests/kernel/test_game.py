"""The functions of the contract itself: settling a variant and ranking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kernel.errors import BadSetting, UnknownName
from referee.kernel.game import rank, settle_variant
from tests.conformance.toy import GAME as TOY


def test_a_variant_is_filled_up_with_defaults() -> None:
    """Every setting has a value afterwards; what was chosen stays."""
    assert settle_variant(TOY, 2, {}) == {"market": "plain", "rounds": "short"}
    assert settle_variant(TOY, 2, {"rounds": "long"}) == {"market": "plain", "rounds": "long"}


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 100])
def test_a_table_of_the_wrong_size_is_refused(seats: int) -> None:
    """The message names the game, its seats and what was asked."""
    with pytest.raises(BadSetting, match=f"Night Market is for 2 to 4 seats, not {seats}"):
        settle_variant(TOY, seats, {})


def test_an_unknown_setting_is_refused_with_the_nearest_name() -> None:
    """A slip of the pen is answered with what was probably meant."""
    with pytest.raises(UnknownName, match="did you mean 'market'"):
        settle_variant(TOY, 2, {"markt": "plain"})


def test_an_unknown_value_is_refused_with_the_list_of_values() -> None:
    """The message shows what the setting can be."""
    with pytest.raises(UnknownName, match=r"'endless' \(there are: long, short\)"):
        settle_variant(TOY, 2, {"rounds": "endless"})


def test_a_setting_for_other_tables_is_refused_unless_it_is_the_default() -> None:
    """A rule for three or four seats can be named at a table of two only as its default."""
    with pytest.raises(BadSetting, match="needs a table of 3, 4 seats, not 2"):
        settle_variant(TOY, 2, {"market": "double"})

    assert settle_variant(TOY, 2, {"market": "plain"})["market"] == "plain"
    assert settle_variant(TOY, 3, {"market": "double"})["market"] == "double"


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=8))
def test_places_count_the_better_ones_and_equal_keys_share(keys: list[tuple[int, int]]) -> None:
    """A place is one more than the number of better keys, as walking down the sorted list finds it."""
    expected, place = {}, 1
    for key in sorted(set(keys), reverse=True):
        expected[key] = place
        place += keys.count(key)

    assert tuple(expected[key] for key in keys) == rank(keys)


def test_the_places_of_an_example() -> None:
    """Two who share the second place, and nobody third."""
    assert rank([(9,), (12,), (9,), (3,)]) == (2, 1, 2, 4)
