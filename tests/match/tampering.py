"""Changing a record in every possible place, one at a time, to see whether it is noticed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from referee.kernel.plain import Plain, canonical
from referee.match.record import link

Path = tuple[str | int, ...]
Lines = list[dict[str, Plain]]


def parsed(lines: list[bytes]) -> Lines:
    """The lines as objects, hashes included."""
    return [json.loads(line) for line in lines]


def written(lines: Lines) -> list[bytes]:
    """The objects as lines again, hashes as they stand."""
    return [canonical(line) + b"\n" for line in lines]


def rehashed(lines: Lines) -> list[bytes]:
    """The same with the chain of hashes computed anew, as a forger would."""
    last = ""
    for line in lines:
        line.pop("hash", None)
        line["hash"] = last = link(last, line)
    return written(lines)


def places(value: Plain, path: Path = ()) -> Iterator[Path]:
    """Every place inside a value: fields, items and leaves."""
    if isinstance(value, dict):
        for key in value:
            yield (*path, key)
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield (*path, index)
            yield from places(value[index], (*path, index))


def changes(value: Plain) -> list[Plain]:
    """Other values of the same sort, and none of them equal."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, str):
        return [value + "x", value[:-1]] if value else ["x"]
    if value is None:
        return ["bot"]
    if isinstance(value, list):
        return [value + value[-1:], value[:-1]] if value else [[0]]
    return [{**value, "0x": 1}]


def changed(line: dict[str, Plain], path: Path, new: Plain) -> dict[str, Plain]:
    """A copy of a line with another value in one place."""
    copy: dict[str, Plain] = json.loads(json.dumps(line))
    holder, key = _holder(copy, path), path[-1]
    if isinstance(holder, list):
        assert isinstance(key, int)
        holder[key] = new
    else:
        assert isinstance(key, str)
        holder[key] = new
    return copy


def without(line: dict[str, Plain], path: Path) -> dict[str, Plain]:
    """A copy of a line with one place removed."""
    copy: dict[str, Plain] = json.loads(json.dumps(line))
    holder, key = _holder(copy, path), path[-1]
    if isinstance(holder, list):
        assert isinstance(key, int)
        del holder[key]
    else:
        assert isinstance(key, str)
        del holder[key]
    return copy


def _holder(line: dict[str, Plain], path: Path) -> list[Plain] | dict[str, Plain]:
    """The list or object that holds a place directly."""
    holder: list[Plain] | dict[str, Plain] = line
    for key in path[:-1]:
        if isinstance(holder, list):
            assert isinstance(key, int)
            inner = holder[key]
        else:
            assert isinstance(key, str)
            inner = holder[key]
        assert isinstance(inner, list | dict)
        holder = inner
    return holder
