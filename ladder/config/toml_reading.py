"""Reading a TOML file so that every mistake is an error that names the file, the line, the key and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from referee.kernel.errors import BadSetting, UnknownName


class TomlReader:
    """Checks the values of one file; knows where each key stands."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self._lines = _positions(text)

    def flag(self, entry: dict[str, Any], key: str, table: str, number: int, default: bool) -> bool:
        """True or false."""
        value = entry.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(table, number, key, f"{key} must be true or false")
        return value

    def listed(self, tables: dict[str, Any], key: str) -> list[dict[str, Any]]:
        """A list of tables, `[[key]]`; empty if there is none."""
        value = tables.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.wrong("", 0, key, f"write each of them under its own [[{key}]]")
        return value

    def names(self, entry: dict[str, Any], key: str, table: str, number: int, known: Iterable[str]) -> tuple[str, ...]:
        """A list of known names, each once; empty if the key is left out."""
        value = entry.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.wrong(table, number, key, f"{key} must be a list of names")
        for name in value:
            if name not in known:
                raise self.wrong(table, number, key, str(UnknownName.of("bot", name, known)))
        if len(set(value)) < len(value):
            raise self.wrong(table, number, key, f"{key} names a bot twice")
        return tuple(value)

    def text(self, entry: dict[str, Any], key: str, table: str, number: int, default: str | None = None) -> str:
        """A text that is not empty."""
        value = entry.get(key, default)
        if not isinstance(value, str) or not value:
            raise self.wrong(table, number, key, f"{key} must be a text" if key in entry else f"{key} is missing")
        return value

    def whole(self, entry: dict[str, Any], key: str, table: str, number: int, default: int) -> int:
        """A whole number above 0."""
        value = entry.get(key, default)
        if type(value) is not int or value < 1:
            raise self.wrong(table, number, key, f"{key} must be a whole number above 0")
        return value

    def known(self, entry: dict[str, Any], table: str, number: int, keys: tuple[str, ...]) -> None:
        """Raise BadSetting for a key that is none of these."""
        for key in entry:
            if key not in keys:
                raise self.wrong(table, number, key, str(UnknownName.of("key", key, keys)))

    def wrong(self, table: str, number: int, key: str, text: str) -> BadSetting:
        """The error for a key: file, line, key and what is wrong with it."""
        line = self._lines.get((table, number, key)) or self._lines.get((table, number, "")) or 1
        where = f"{table}.{key}" if table else key
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
