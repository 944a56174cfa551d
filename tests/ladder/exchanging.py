"""Two referees that played the same ladder file, each with a bot of its own, and what was exported from them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.match.record import Record, from_lines

ROOT = Path(__file__).parents[2]
LADDER = """
season = "night"
database = "{name}.sqlite"

[[bots]]
spec = "greedy"
[[bots]]
name = "dice"
spec = "random:seed=7"
[[bots]]
name = "{name}"
spec = "random:seed=9"

[[pools]]
game = "edo_yashiki"
rounds = 1
[[pools]]
game = "edo_yashiki"
seats = 3
rounds = 1
"""
MATCHES = 9
"""Matches of such a season: three pairs twice, one table of three in every rotation."""

Kumite = Callable[..., tuple[int, str, str]]
Line = dict[str, Any]


def environment() -> dict[str, str]:
    """What a process of this checkout needs."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def lines_of(path: str | Path) -> list[Line]:
    """The matches of an exported file."""
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def write(path: str | Path, lines: list[Line]) -> None:
    """Write matches to a file."""
    Path(path).write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def record_of(line: Line) -> Record:
    """The record of an exported match."""
    parts = (json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for part in line["record"])
    return from_lines(f"{part}\n".encode() for part in parts)


def rehash(line: Line) -> None:
    """Make every hash of an exported record anew."""
    line["record"] = [json.loads(part) for part in record_of(line).lines()]


def content(path: str) -> list[str]:
    """Everything that a database holds, as statements."""
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def refused(answer: tuple[int, str, str], *words: str) -> None:
    """Check that a command was refused with one line that has these words."""
    code, out, err = answer

    assert (code, out) == (2, ""), err
    assert err.count("\n") == 1, err
    assert all(word in err for word in words), err
