"""Patches between JSON values: what they make is exactly what they were made from."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.viewer.patch import Json, apply, diff

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.0, 1.0, 0.5]), st.text(max_size=3))
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=8), st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)),
    max_leaves=24,
)
LISTS = st.lists(st.integers(0, 4), max_size=40)


def written(value: Json) -> str:
    """A value as JSON, where the order of members says nothing."""
    return json.dumps(value, sort_keys=True)


@given(VALUES, VALUES)
def test_a_patch_makes_exactly_the_later_value(before: Json, after: Json) -> None:
    """True stays true and no 1, 1.0 stays 1.0; what the patch was applied to is as it was."""
    kept = written(before)
    patch = json.loads(json.dumps(diff(before, after)))

    assert written(apply(before, patch)) == written(after)
    assert written(before) == kept


@given(LISTS, LISTS)
def test_lists_that_differ_in_the_middle_give_way_there(before: list[Json], after: list[Json]) -> None:
    """Insertions and deletions anywhere, several at once; the patch is never longer than the list itself."""
    patch = diff(before, after)

    assert apply(before, patch) == after
    assert len(json.dumps(patch)) <= len(json.dumps([after]))


@given(VALUES)
def test_the_patch_between_equal_values_changes_nothing(value: Json) -> None:
    """It is the empty object, which a file leaves out."""
    assert diff(value, json.loads(json.dumps(value))) == {}


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"b": [3]}),
        ({"a": 1, "long": "enough to stay"}, {"long": "enough to stay"}, {"a": []}),
        ([1, 2, 3, 4, 5, 6], [1, 2, 9, 9, 5, 6], [2, 2, [9, 9]]),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], [2, 3, 4, 5, 6, 7, 8, 9, 10], [0, 1, [], 9, 0, [10]]),
        (
            [{"kind": "a", "n": 1}, {"kind": "b", "n": 2}],
            [{"kind": "a", "n": 1}, {"kind": "b", "n": 3}],
            {"1": {"n": [3]}},
        ),
        (1, True, [True]),
    ],
)
def test_each_form_of_a_patch(before: Json, after: Json, patch: Json) -> None:
    """The forms that the module describes, one by one."""
    assert diff(before, after) == patch
    assert written(apply(before, diff(before, after))) == written(after)


@pytest.mark.parametrize(
    ("before", "patch"),
    [(1, []), ({}, [0, 1, []]), ([1], [0, 1]), (1, {"a": [1]}), ([1, 2], [1, 1, [], 0, 1, []])],
)
def test_a_patch_that_does_not_fit_is_refused(before: Json, patch: Any) -> None:
    """A patch of another value is a mistake, not a guess."""
    with pytest.raises(ValueError, match=r"patch|members|splice"):
        apply(before, patch)
