"""`bot.toml`: what a folder with a bot says about itself.

    name = "gopher"                       # what tables call it
    command = ["./gopher"]                # how it is started, in its folder
    build = ["go", "build", "-o", "gopher", "."]   # optional: how it is made, by those who trust it
    games = ["honshu", "ninjato"]         # optional: all games if left out

    [limits]                              # optional
    start_seconds = 20                    # from its start to its hello
    memory_mib = 1024
    processes = 64
    log_kib = 256                         # what is kept of its output

The process finds its referee in its environment: `KUMITE_ADDRESS` (a gRPC target such as `unix:/run/bots.sock`),
`KUMITE_NAME` (the name to say in its hello), `KUMITE_TOKEN` (the bearer token to send; empty: none) and
`KUMITE_STATE` (a folder in which it may keep its resume token).
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from referee.kernel import registry
from referee.kernel.bounded import read_text
from referee.kernel.errors import BadSetting, UnknownName

FILE = "bot.toml"
_KEYS = ("name", "command", "build", "games", "limits")
_SKIPPED = (".git", "__pycache__", "node_modules", "target", "build")


@dataclass(frozen=True, slots=True)
class BotLimits:
    """What a hosted bot may use."""

    start_seconds: int = 20
    memory_mib: int = 1024
    processes: int = 64
    log_kib: int = 256


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot in a folder of its own."""

    folder: Path
    name: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None
    """None: all."""
    limits: BotLimits = BotLimits()

    def digest(self) -> str:
        """Fingerprint of the folder's files: a changed bot is another build."""
        total = hashlib.sha256()
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder)
            if path.is_file() and not any(part in _SKIPPED for part in inside.parts):
                total.update(f"{inside.as_posix()}\0{path.stat().st_size}\0".encode())
                total.update(path.read_bytes())
        return total.hexdigest()


def read(folder: Path) -> Manifest:
    """The manifest of a folder; raises BadSetting or UnknownName with the file, the key and what would be right."""
    path = folder / FILE
    try:
        tables = tomllib.loads(read_text(path))
    except FileNotFoundError:
        raise BadSetting(f"{folder} is no bot: it has no {FILE}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSetting(f"{path}: {error}") from None
    for key in tables:
        if key not in _KEYS:
            raise UnknownName(f"{path}: {UnknownName.of('key', key, _KEYS)}")
    name = tables.get("name", folder.resolve().name)
    if not isinstance(name, str) or not name or "\0" in name:
        raise BadSetting(f"{path}: name must be a text without NUL")
    games = _texts(path, tables, "games") if "games" in tables else None
    for game in games or ():
        if game not in registry.GAMES:
            raise UnknownName(f"{path}: {UnknownName.of('game', game, registry.names())}")
    command = _texts(path, tables, "command")
    if not command:
        raise BadSetting(f'{path}: command is missing; write it as a list, command = ["./mybot"]')
    return Manifest(folder.resolve(), name, command, _texts(path, tables, "build"), games, _limits(path, tables))


def _texts(path: Path, tables: dict[str, object], key: str) -> tuple[str, ...]:
    value = tables.get(key, [])
    if not isinstance(value, list) or not all(isinstance(part, str) and part for part in value):
        raise BadSetting(f"{path}: {key} must be a list of texts")
    if any("\0" in part for part in value):
        raise BadSetting(f"{path}: {key} has a NUL in it, which no command can hold; leave it out")
    return tuple(value)


def _limits(path: Path, tables: dict[str, object]) -> BotLimits:
    given = tables.get("limits", {})
    if not isinstance(given, dict):
        raise BadSetting(f"{path}: limits must be a table")
    known = BotLimits.__dataclass_fields__
    for key, value in given.items():
        if key not in known:
            raise UnknownName(f"{path}: {UnknownName.of('limit', key, known)}")
        if type(value) is not int or value < 1:
            raise BadSetting(f"{path}: limits.{key} must be a whole number above 0")
    return BotLimits(**given)
