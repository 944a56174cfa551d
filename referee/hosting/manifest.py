"""`bot.toml`: the settings of a bot in a folder.

    name = "gopher"                       # the bot's name in tables
    command = ["./gopher"]                # the command that starts the bot in its folder
    build = ["go", "build", "-o", "gopher", "."]   # optional: the command that builds the bot, with the user's rights
    games = ["honshu", "ninjato"]         # optional: the games that the bot plays; default: all

    runtime = ["/opt/julia"]              # optional: folders beside /usr that the bot needs, if the host allows them

    [limits]                              # optional: what the bot asks for; the host may allow less
    start_seconds = 20                    # seconds from the start to the hello
    memory_mib = 1024                     # memory of all its processes together
    processes = 64                        # processes and threads
    cores = 2
    cpu_seconds = 36000
    disk_mib = 64                         # size of its /tmp
    output_mib = 64                       # output from the beginning of a match to that of the next
    log_kib = 256                         # last part of its output that is kept
    open_files = 1024                     # descriptors of each process

The environment of the process names its referee: `KUMITE_ADDRESS` (a gRPC target such as `unix:/run/bots.sock`),
`KUMITE_NAME` (the name for the hello), `KUMITE_TOKEN` (the bearer token; empty: none) and `KUMITE_STATE` (a folder for
the resume token). The process cannot write to the bot's folder.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from referee.hosting.limits import DEFAULT, BotLimits, read_limits
from referee.kernel import registry
from referee.kernel.bounded import read_text
from referee.kernel.errors import BadSetting, UnknownName

FILE = "bot.toml"
_KEYS = ("name", "command", "build", "games", "runtime", "limits")
_SKIPPED = (".git", "__pycache__", "node_modules", "target", "build")


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot in a folder of its own."""

    folder: Path
    name: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None
    """The games that the bot plays; None: all."""
    limits: BotLimits = DEFAULT
    runtime: tuple[Path, ...] = ()
    """Folders beside the default ones that the bot needs to see, if the host allows them."""

    def digest(self) -> str:
        """Fingerprint of the folder's files: a changed folder is a new build of the bot."""
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
    limits = read_limits(f"{path}: ", tables.get("limits", {}), DEFAULT)
    runtime = tuple(Path(part) for part in _texts(path, tables, "runtime"))
    return Manifest(folder.resolve(), name, command, _texts(path, tables, "build"), games, limits, runtime)


def _texts(path: Path, tables: dict[str, object], key: str) -> tuple[str, ...]:
    value = tables.get(key, [])
    if not isinstance(value, list) or not all(isinstance(part, str) and part for part in value):
        raise BadSetting(f"{path}: {key} must be a list of texts")
    if any("\0" in part for part in value):
        raise BadSetting(f"{path}: {key} has a NUL in it, which no command can hold; leave it out")
    return tuple(value)
