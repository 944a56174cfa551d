"""Files of users, read within bounds: an endless or binary file is an error of one line, not a full memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from referee.kernel.errors import BadSetting

LARGEST = 4 * 2**20
"""Bytes of a settings, token or certificate file."""
LONGEST_LINE = 2**20
"""Bytes of one line of a file of lines."""


class Lines(Protocol):
    """What can be read line by line, such as a file in binary mode."""

    def readline(self, size: int, /) -> bytes:
        """The next line, or its first `size` bytes; empty at the end."""


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """What a file holds; raises BadSetting if that is more than so many bytes, and OSError."""
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise BadSetting(f"{path}: more than {largest} bytes; this is not the file that was meant")
    return data


def read_text(path: Path, largest: int = LARGEST) -> str:
    """What a text file holds; raises BadSetting if that is too much, OSError and UnicodeDecodeError."""
    return read_bytes(path, largest).decode("utf-8").replace("\r\n", "\n")


def lines(file: Lines, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a file; raises BadSetting at one of more than so many bytes."""
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise BadSetting(f"line {number} has more than {longest} bytes; this is not the file that was meant")
        yield line
