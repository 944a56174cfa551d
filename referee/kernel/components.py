"""Component data: cards, tiles and boards as TOML beside the game's code, read once at import.

The facts of a game live in its `components.toml`, never in code. `read` returns the parsed tables and their digest,
which goes into every record, so that a match can only be replayed with the components it was played with.
"""

from __future__ import annotations

import hashlib
import tomllib
from importlib.resources import files
from typing import Any, NamedTuple


class Components(NamedTuple):
    """The data of one game."""

    tables: dict[str, Any]
    digest: str
    """SHA-256 of the file's bytes, line ends as LF."""


def read(package: str) -> Components:
    """The `components.toml` of a game's package."""
    data = files(package).joinpath("components.toml").read_bytes().replace(b"\r\n", b"\n")
    return Components(tomllib.loads(data.decode()), hashlib.sha256(data).hexdigest())
