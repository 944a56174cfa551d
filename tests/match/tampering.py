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
    """The same with the chain of hashes made anew, as somebody would who knows how it is made."""
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
    _holder(copy, path)[path[-1]] = new  # type: ignore[call-overload,index]
    return copy


def without(line: dict[str, Plain], path: Path) -> dict[str, Plain]:
    """A copy of a line with one place removed."""
    copy: dict[str, Plain] = json.loads(json.dumps(line))
    del _holder(copy, path)[path[-1]]  # type: ignore[union-attr,arg-type]
    return copy


def _holder(line: Plain, path: Path) -> Plain:
    for key in path[:-1]:
        line = line[key]  # type: ignore[call-overload,index]
    return line
