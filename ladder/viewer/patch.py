"""Changes between two JSON values, as JSON: what a replay file holds from step to step.

A patch is one of

- `{"name": patch, ...}`: an object whose named members change, or a list whose elements with these indices change;
- `[value]`: the value takes the place of what was there, or is new;
- `[]`: the member is removed from its object;
- `[at, count, [item, ...], at, count, [item, ...], ...]`: a list in which, from each index `at` of the list as it was,
  `count` items give way to others; the indices rise.

So `{}` changes nothing. A patch of one element is always the second form, and the fourth form has a multiple of three.
`ladder/web/viewer/patch.js` applies the same patches in a browser.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Patch: TypeAlias = "dict[str, Patch] | list[Json]"

NOTHING: Patch = {}
"""The patch that changes nothing."""
MOST_EDITS = 48
"""Edits that are looked for between two lists; lists that differ more are replaced where they differ."""
_TEXT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SPLICE = 3
"""Elements of a splice in a patch: where, how many, by what."""


def diff(before: Json, after: Json) -> Patch:
    """The patch that makes `after` of `before`."""
    found = _diff(before, after)
    return NOTHING if found is None else found


def apply(before: Json, patch: Patch) -> Json:
    """What a patch makes of a value, which is left as it is; raises ValueError where the patch does not fit."""
    if isinstance(patch, dict):
        return _edited(before, patch)
    if len(patch) == 1:
        return patch[0]
    if isinstance(before, list) and patch and len(patch) % _SPLICE == 0:
        return _spliced(before, patch)
    raise ValueError(f"a patch of {len(patch)} elements does not fit a value of type {type(before).__name__}")


def _edited(before: Json, patch: dict[str, Patch]) -> Json:
    if not patch:
        return before
    if isinstance(before, list):
        items = list(before)
        for name, change in patch.items():
            items[int(name)] = apply(items[int(name)], change)
        return items
    if not isinstance(before, dict):
        raise ValueError(f"members {', '.join(patch)} are changed of a value of type {type(before).__name__}")
    members = dict(before)
    for name, change in patch.items():
        if change == []:
            del members[name]
        else:
            members[name] = apply(members.get(name), change)
    return members


def _spliced(before: list[Json], patch: list[Json]) -> list[Json]:
    items: list[Json] = []
    done = 0
    for at, count, new in zip(*(patch[n::_SPLICE] for n in range(_SPLICE)), strict=True):
        if not (isinstance(at, int) and isinstance(count, int) and isinstance(new, list) and at >= done):
            raise ValueError("a splice is an index that rises, a number of items and a list")
        items += before[done:at]
        items += new
        done = at + count
    return items + before[done:]


def _diff(before: Json, after: Json) -> Patch | None:
    """The patch between two values; None: they are equal."""
    if before is after:
        return None
    if isinstance(before, dict) and isinstance(after, dict):
        return _diff_objects(before, after)
    if isinstance(before, list) and isinstance(after, list):
        return _diff_lists(before, after)
    return None if _same(before, after) else [after]


def _same(one: Json, other: Json) -> bool:
    """Whether two values are the same in JSON, where true is not 1 and 1.0 is written differently from 1."""
    return one is other or (one == other and repr(one) == repr(other))


def _diff_objects(before: dict[str, Json], after: dict[str, Json]) -> Patch | None:
    patch: dict[str, Patch] = {}
    for name in [*before, *(name for name in after if name not in before)]:
        if name not in after:
            patch[name] = []
        elif name not in before:
            patch[name] = [after[name]]
        else:
            change = _diff(before[name], after[name])
            if change is not None:
                patch[name] = change
    return _shorter(patch, [after]) if patch else None


def _diff_lists(before: list[Json], after: list[Json]) -> Patch | None:
    if _same(before, after):
        return None
    best = _shorter(_splices(before, after), [after])
    if len(before) == len(after):
        changes = {str(n): _diff(*pair) for n, pair in enumerate(zip(before, after, strict=True))}
        best = _shorter({name: change for name, change in changes.items() if change is not None}, best)
    return best


def _shorter(one: Patch, other: Patch) -> Patch:
    return one if _length(one) <= _length(other) else other


def _length(value: object) -> int:
    return len(_TEXT(value))


def _splices(before: Sequence[Json], after: Sequence[Json]) -> list[Json]:
    """The fourth form of a patch: equal ends are left alone, and between them as few items change as can be found."""
    least = min(len(before), len(after))
    head = 0
    while head < least and _same(before[head], after[head]):
        head += 1
    tail = 0
    while tail < least - head and _same(before[-1 - tail], after[-1 - tail]):
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    patch: list[Json] = []
    x = y = 0
    for end_x, end_y, equal in [*_equal_runs(old, new), (len(old), len(new), 0)]:
        if end_x > x or end_y > y:
            patch += [head + x, end_x - x, list(new[y:end_y])]
        x, y = end_x + equal, end_y + equal
    return patch


def _equal_runs(old: Sequence[Json], new: Sequence[Json]) -> list[tuple[int, int, int]]:
    """Runs of equal items that both lists have in the same order: index in each, and length (Myers, O(ND)).

    Empty if the lists are further apart than MOST_EDITS insertions and deletions.
    """
    reached = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(min(len(old) + len(new), MOST_EDITS) + 1):
        trail.append(dict(reached))
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (
                diagonal != edits and reached.get(diagonal - 1, -1) < reached.get(diagonal + 1, -1)
            )
            x = reached[diagonal + 1] if down else reached[diagonal - 1] + 1
            y = x - diagonal
            while x < len(old) and y < len(new) and _same(old[x], new[y]):
                x, y = x + 1, y + 1
            reached[diagonal] = x
            if x >= len(old) and y >= len(new):
                return _walked_back(trail, len(old), len(new))
    return []


def _walked_back(trail: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int, int]]:
    """The runs of equal items on the path that a search for the fewest edits found."""
    runs: list[tuple[int, int, int]] = []
    for edits in range(len(trail) - 1, -1, -1):
        reached, diagonal = trail[edits], x - y
        down = diagonal == -edits or (
            diagonal != edits and reached.get(diagonal - 1, -1) < reached.get(diagonal + 1, -1)
        )
        before = diagonal + 1 if down else diagonal - 1
        start_x = reached[before] if edits else 0
        start_y = start_x - before if edits else 0
        from_x = start_x + (0 if down or not edits else 1)
        from_y = from_x - diagonal
        if x > from_x:
            runs.append((from_x, from_y, x - from_x))
        x, y = start_x, start_y
    return runs[::-1]
