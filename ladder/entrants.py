"""What a spec on the command line or in a ladder file stands for, wherever the bot then runs.

Bundled bots and `py:` bots are objects of this process; a folder with a `bot.toml` is a process of its own.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bots.specs import BotSpec, resolve
from ladder import builds
from referee.hosting.manifest import FILE, Manifest, read
from referee.kernel.errors import BadSetting


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot, named by a spec."""

    spec: str
    name: str
    games: tuple[str, ...] | None
    """None: all."""
    local: BotSpec | None
    """How to make it in this process, or"""
    manifest: Manifest | None
    """how to start it as one of its own."""

    def check(self, game: str) -> None:
        """Raise BadSetting if it does not play that game."""
        if self.games is not None and game not in self.games:
            raise BadSetting(f"{self.spec} does not play {game} (it plays: {', '.join(self.games) or 'nothing'})")

    def digest(self) -> str:
        """Its fingerprint: a changed bot is another build."""
        return builds.digest(self.spec) if self.manifest is None else self.manifest.digest()


def find(spec: str) -> Entrant:
    """The bot that a spec names; raises UnknownName or BadSetting with one clear line."""
    return _found(spec, os.getcwd())


@lru_cache(maxsize=256)
def _found(spec: str, here: str) -> Entrant:
    """Looking a spec up takes as long as a fast bot's whole match, so it is done once for each folder."""
    folder = Path(spec).expanduser()
    if (folder / FILE).is_file() or (os.sep in spec and folder.is_dir()):
        manifest = read(folder)
        return Entrant(spec, manifest.name, manifest.games, None, manifest)
    if os.sep in spec and not spec.startswith(("py:", "remote:")):
        raise BadSetting(f"{spec}: there is no such folder; a bot of its own is a folder with a {FILE}")
    local = resolve(spec)
    return Entrant(spec, local.name, local.games, local, None)


def seat_names(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    """A name for each seat; a bot that sits there several times is numbered from its second seat on."""
    names: list[str] = []
    for entrant in entrants:
        count = sum(other.spec == entrant.spec or other.name == entrant.name for other in entrants[: len(names)])
        names.append(entrant.name if count == 0 else f"{entrant.name}+{count + 1}")
    return tuple(names)
