"""Reading a TOML file so that every mistake is an error that names the file, the line, the key and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder.times import seconds
from referee.kernel.errors import BadSetting, CallerFault, UnknownName


@dataclass(frozen=True, slots=True)
class TomlTable:
    """One table of a file: its entries, and where each of its keys stands."""

    path: Path
    positions: dict[tuple[str, int, str], int]
    """The line of each table (key "") and of each key, by the table's name and number."""
    entries: dict[str, Any]
    name: str = ""
    """Empty: the keys above the first table header."""
    number: int = 0
    """Among the tables of the same name."""

    @classmethod
    def whole_file(cls, path: Path, text: str, entries: dict[str, Any]) -> TomlTable:
        """The outermost table of a file with that text."""
        return cls(path, _positions(text), entries)

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def table(self, key: str, example: str) -> TomlTable:
        """The table `[key]`, empty if it is left out. `example` shows in the error what the table looks like."""
        value = self.entries.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"{key} must be a table: {example}")
        return TomlTable(self.path, self.positions, value, key)

    def tables(self, key: str) -> list[TomlTable]:
        """The tables `[[key]]`; empty if there is none."""
        value = self.entries.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entries, dict) for entries in value):
            raise self.wrong(key, f"write each of them under its own [[{key}]]")
        return [TomlTable(self.path, self.positions, entries, key, number) for number, entries in enumerate(value)]

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.entries.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, f"{key} must be true or false")
        return value

    def names(self, key: str, known: Collection[str]) -> tuple[str, ...]:
        """A list of names of bots, each one of `known` and once; empty if the key is left out."""
        value = self.entries.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.wrong(key, f"{key} must be a list of names")
        for name in value:
            self.check_known("bot", key, name, known)
        if len(set(value)) < len(value):
            raise self.wrong(key, f"{key} names a bot twice")
        return tuple(value)

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty."""
        value = self.entries.get(key, default)
        if not isinstance(value, str) or not value:
            raise self.wrong(key, f"{key} must be a text" if key in self else f"{key} is missing")
        return value

    def word(self, key: str, known: Iterable[str], default: str | None = None) -> str:
        """A text that is one of `known`."""
        value = self.text(key, default)
        self.check_known(key, key, value, [str(each) for each in known])
        return value

    def seconds(self, key: str, default: str | None = None) -> float:
        """A span of time, in seconds."""
        found = seconds(self.text(key, default))
        if found is None:
            raise self.wrong(key, f'{key} is a time such as "90s", "10m" or "2h"')
        return found

    def whole(self, key: str, default: int, most: int | None = None) -> int:
        """A whole number from 1 to `most`; None: without a bound."""
        value = self.entries.get(key, default)
        if type(value) is not int or value < 1:
            raise self.wrong(key, f"{key} must be a whole number above 0")
        if most is not None and value > most:
            raise self.wrong(key, f"{key} is at most {most}")
        return value

    def decimal(self, key: str, default: float) -> float | None:
        """A number with or without a fraction; None: the value is none."""
        value = self.entries.get(key, default)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    def only(self, keys: Collection[str]) -> None:
        """Raise BadSetting for a key that is none of `keys`."""
        for key in self.entries:
            self.check_known("key", key, key, keys)

    def check_known(self, kind: str, key: str, name: str, known: Collection[str]) -> None:
        """Raise BadSetting if the name of a `kind` under `key` is none of `known`."""
        if name not in known:
            raise self.wrong(key, str(UnknownName.of(kind, name, known)))

    @contextmanager
    def blamed(self, key: str) -> Iterator[None]:
        """Name the file, the line and the key in an error that a value causes in the block."""
        try:
            yield
        except CallerFault as error:
            raise self.wrong(key, str(error)) from None

    def wrong(self, key: str, text: str) -> BadSetting:
        """The error for a key: file, line, key and what is wrong with it."""
        line = (
            self.positions.get((self.name, self.number, key)) or self.positions.get((self.name, self.number, "")) or 1
        )
        where = f"{self.name}.{key}" if self.name else key
        return BadSetting(f"{self.path}, line {line}, {where}: {text}")


def _positions(text: str) -> dict[tuple[str, int, str], int]:
    """The line of every table header (key "") and of every key in it."""
    found: dict[tuple[str, int, str], int] = {}
    counts: dict[str, int] = {}
    table, number = "", 0
    for line_number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*([\w-]+)", line)
        key = re.match(r"\s*([\w-]+)\s*=", line)
        if header:
            table = header[1]
            number = counts.get(table, 0)
            counts[table] = number + 1
            found[table, number, ""] = line_number
            found.setdefault(("", 0, table), line_number)
        elif key:
            found.setdefault((table, number, key[1]), line_number)
    return found
