"""Reads files of users within bounds: an endless or binary file raises an error of one line instead of filling
memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from referee.kernel.errors import BadSetting

LARGEST = 4 * 2**20
"""Most bytes of a settings, token or certificate file."""
LONGEST_LINE = 2**20
"""Most bytes of one line in a file of lines."""


class Lines(Protocol):
    """A source of lines, such as a file in binary mode."""

    def readline(self, size: int, /) -> bytes:
        """The next line, or its first `size` bytes; empty at the end."""


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a file; raises BadSetting if the file has more than `largest`, and OSError."""
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise BadSetting(f"{path}: more than {largest} bytes; this is not the file that was meant")
    return data


def read_text(path: Path, largest: int = LARGEST) -> str:
    """The text of a file; raises BadSetting if the file has more than `largest` bytes, OSError, UnicodeDecodeError."""
    return read_bytes(path, largest).decode("utf-8").replace("\r\n", "\n")


def lines(file: Lines, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a file; raises BadSetting at a line of more than `longest` bytes."""
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise BadSetting(f"line {number} has more than {longest} bytes; this is not the file that was meant")
        yield line
