"""Files of results for `kumite rate`: JSON lines or CSV; a mistake is named by its line and by what would be right."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from ladder.ratings.results import FinishedGame, check
from referee.kernel.bounded import lines
from referee.kernel.errors import BadSetting

JSON_EXAMPLE = '{"players": ["a", "b", "c"], "places": [1, 2, 2]}'
CSV_EXAMPLE = (
    "the header player1,player2,place1,place2,group (as many as seats) or players,places,group (a;b;c,1;2;2,g)"
)
_NUMBERED = re.compile(r"(player|seat|place)_?([1-9][0-9]?)", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,3}", re.ASCII)


def read_games(file: Path) -> Iterator[FinishedGame]:
    """The games of a file, `-` for standard input; an error names the line and what is wrong with it."""
    count = 0
    with sys.stdin.buffer if str(file) == "-" else file.open("rb") as source:
        numbered = _numbered(file, source)
        first = next((line for line in numbered if line[1].strip()), None)
        if first is not None:
            rest = chain([first], numbered)
            for game in _csv(file, rest) if _is_csv(file, first[1]) else _json(file, rest):
                count += 1
                yield game
    if not count:
        raise BadSetting(f"{file}: no games in it; a line is {JSON_EXAMPLE}, or in CSV {CSV_EXAMPLE}")


def _numbered(file: Path, source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; raises BadSetting, which names the file, at one that is too long."""
    try:
        yield from enumerate(lines(source), 1)
    except BadSetting as error:
        raise BadSetting(f"{file}: {error}") from None


def _is_csv(file: Path, first: bytes) -> bool:
    """By the name of the file, else by its first line."""
    if file.suffix.lower() in (".csv", ".json", ".jsonl", ".ndjson"):
        return file.suffix.lower() == ".csv"
    return b"player" in first.lower() and not first.lstrip().startswith((b"{", b"["))


def _json(file: Path, rows: Iterable[tuple[int, bytes]]) -> Iterator[FinishedGame]:
    for number, line in rows:
        if line.strip():
            try:
                yield _entry(json.loads(line.rstrip()))
            except RecursionError:
                text = f"brackets within brackets without end; a line is {JSON_EXAMPLE}"
                raise BadSetting(f"{file}, line {number}: {text}") from None
            except json.JSONDecodeError as error:
                text = f"no JSON from character {error.pos + 1} on ({error.msg}); a line is {JSON_EXAMPLE}"
                raise BadSetting(f"{file}, line {number}: {text}") from None
            except UnicodeDecodeError:
                raise BadSetting(f"{file}, line {number}: no text in UTF-8; a line is {JSON_EXAMPLE}") from None
            except (ValueError, TypeError) as error:
                raise BadSetting(f"{file}, line {number}: {error}") from None


def _entry(entry: object) -> FinishedGame:
    if not isinstance(entry, dict):
        raise TypeError(f"not an object; a line is {JSON_EXAMPLE}")
    unknown = sorted(set(entry) - {"players", "places", "group"})
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; there are players, places and group")
    players, places, group = entry.get("players"), entry.get("places"), entry.get("group")
    if not isinstance(players, list) or not all(isinstance(name, str) and name for name in players):
        raise TypeError(f"players must be a list of names, as in {JSON_EXAMPLE}")
    "".join(players).encode()  # a name with half a character could not be printed
    if not isinstance(places, list) or not all(type(place) is int for place in places):
        raise TypeError(f"places must be a list of whole numbers, as in {JSON_EXAMPLE}")
    if group is not None and not isinstance(group, (str, int)):
        raise TypeError("group must be a text or a number")
    game = FinishedGame(tuple(players), tuple(places), None if group is None else str(group))
    check(game)
    return game


def _csv(file: Path, numbered: Iterable[tuple[int, bytes]]) -> Iterator[FinishedGame]:
    number = 0

    def texts() -> Iterator[str]:
        nonlocal number
        for number, line in numbered:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")

    rows = csv.reader(texts(), strict=True, skipinitialspace=True)
    try:
        columns = _CsvColumns([cell.strip().lower() for cell in next(rows)])
        for row in rows:
            if any(cell.strip() for cell in row):
                yield columns.game([cell.strip() for cell in row])
    except UnicodeDecodeError:
        raise BadSetting(f"{file}, line {number}: no text in UTF-8; there is {CSV_EXAMPLE}") from None
    except (ValueError, csv.Error) as error:
        raise BadSetting(f"{file}, line {number}: {error}") from None


class _CsvColumns:
    """What the columns of a CSV file are, by its header."""

    def __init__(self, header: Sequence[str]) -> None:
        self.width = len(header)
        self.lists = {name: header.index(name) for name in ("players", "places") if name in header}
        self.group = next((header.index(name) for name in ("group", "set") if name in header), None)
        self.players: dict[int, int] = {}
        self.places: dict[int, int] = {}
        for at, name in enumerate(header):
            found = _NUMBERED.fullmatch(name)
            if found is not None:
                (self.places if found[1] == "place" else self.players)[int(found[2])] = at
            elif name not in ("players", "places", "group", "set"):
                raise ValueError(f"unknown column {name!r}; there is {CSV_EXAMPLE}")
        if len(set(header)) < len(header):
            raise ValueError(f"a column is there twice; there is {CSV_EXAMPLE}")
        seats = set(range(1, len(self.players) + 1))
        whole = len(self.lists) == 2 and not self.players and not self.places
        if not whole and (self.lists or len(seats) < 2 or not set(self.players) == set(self.places) == seats):
            raise ValueError(f"columns {','.join(header)} do not say who played and placed how; there is {CSV_EXAMPLE}")

    def game(self, row: Sequence[str]) -> FinishedGame:
        """The game of one row."""
        if len(row) != self.width:
            raise ValueError(f"{len(row)} cells where the header has {self.width}")
        if self.lists:
            players, places = (re.split(r"[;|]|\s+", row[self.lists[name]]) for name in ("players", "places"))
        else:
            seats = [seat for seat in sorted(self.players) if row[self.players[seat]] or row[self.places[seat]]]
            players = [row[self.players[seat]] for seat in seats]
            places = [row[self.places[seat]] for seat in seats]
        if not all(players):
            raise ValueError("a place without a player's name")
        wrong = [place for place in places if not _WHOLE.fullmatch(place)]
        if wrong:
            raise ValueError(f"place {wrong[0][:80]!r} is no whole number")
        group = row[self.group] if self.group is not None else ""
        game = FinishedGame(tuple(players), tuple(map(int, places)), group or None)
        check(game)
        return game
