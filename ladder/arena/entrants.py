"""What a spec on the command line or in a ladder file stands for, wherever the bot then runs.

A *house* bot (bundled, or `py:`) is an object of this process; a *hosted* bot is a folder with a `bot.toml`, run as a
process; a *remote* bot (`remote:NAME`) connects by itself. All three stand in the same season, pools and ratings.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from bots import source
from bots.near_misses import meant
from bots.specs import BUNDLED, BotSpec, resolve
from referee.hosting.manifest import FILE, Manifest, read
from referee.hosting.sandbox import walled
from referee.kernel.errors import BadSetting

REMOTE = "remote:"
"""What the spec of a remote bot begins with."""


class EntrantKind(StrEnum):
    """Where a bot runs."""

    HOUSE = "house"
    HOSTED = "hosted"
    REMOTE = "remote"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot, named by a spec."""

    spec: str
    name: str
    games: tuple[str, ...] | None
    """The games that it plays; None: all, or not known before it connects."""
    local: BotSpec | None
    """How a house bot is made in this process; None: the bot is no house bot."""
    manifest: Manifest | None
    """How a hosted bot is started as a process; None: the bot is not hosted."""

    @property
    def kind(self) -> EntrantKind:
        """Where the bot runs."""
        if self.local is not None:
            return EntrantKind.HOUSE
        return EntrantKind.REMOTE if self.manifest is None else EntrantKind.HOSTED

    @property
    def remembers(self) -> bool:
        """Whether a house bot declares that its objects share what they saw."""
        return self.local is not None and self.local.remembers

    def check(self, game: str) -> None:
        """Raise BadSetting if it does not play that game."""
        if self.games is not None and game not in self.games:
            raise BadSetting(f"{self.spec} does not play {game} (it plays: {', '.join(self.games) or 'nothing'})")

    def digest(self) -> str:
        """Its fingerprint: a changed bot is another build."""
        return source.digest(self.spec) if self.manifest is None else self.manifest.digest()


def find(spec: str) -> Entrant:
    """The house or hosted bot that a spec names; raises UnknownName or BadSetting with one clear line."""
    return _found(spec, os.getcwd())


def find_entrant(spec: str) -> Entrant:
    """The bot of a ladder file that a spec names, remote ones included; raises UnknownName or BadSetting."""
    if not spec.startswith(REMOTE):
        return find(spec)
    name = spec.removeprefix(REMOTE)
    if not name:
        raise BadSetting(f"{spec!r} names no bot: write remote:NAME, with the name under which the bot connects")
    return Entrant(spec, name, None, None, None)


@lru_cache(maxsize=256)
def _found(spec: str, here: str) -> Entrant:
    """Looking a spec up takes as long as a fast bot's whole match, so it is done once for each folder."""
    folder = _folder(spec)
    if folder is not None:
        manifest = read(folder)
        return Entrant(spec, manifest.name, manifest.games, None, manifest)
    local = resolve(spec)
    return Entrant(spec, local.name, local.games, local, None)


def _folder(spec: str) -> Path | None:
    """The folder that a spec names, if it names one; raises BadSetting where it must and there is none."""
    head = spec.strip().partition(":")[0]
    if head in ("", "py", "remote"):
        return None
    try:
        folder = Path(spec).expanduser()
    except RuntimeError:
        raise BadSetting(f"{spec}: there is no such home folder") from None
    if (folder / FILE).is_file() or (folder.is_dir() and (os.sep in spec or head not in BUNDLED)):
        return folder
    if os.sep in spec or spec.startswith((".", "~")):
        raise BadSetting(meant(spec) or f"{spec}: there is no such folder; a bot of its own is a folder with a {FILE}")
    return None


def may_share_deals(entrants: Iterable[Entrant]) -> bool:
    """Whether these bots may meet one deal several times, in other seats.

    A bot is told the secret when a match is over. A hosted bot behind walls cannot hand it on: each game of a set is
    played by a process of its own, and these share nothing. Without walls, and where a bot is remote, every game has a
    deal of its own. House bots are trusted not to keep anything between their objects unless they declare it.
    """
    entrants = list(entrants)
    if any(entrant.remembers for entrant in entrants):
        return False
    kinds = {entrant.kind for entrant in entrants}
    return kinds <= {EntrantKind.HOUSE} or (kinds <= {EntrantKind.HOUSE, EntrantKind.HOSTED} and walled())


def seat_names(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    """A name for each seat; a bot that sits there several times is numbered from its second seat on."""
    names: list[str] = []
    for entrant in entrants:
        count = sum(other.spec == entrant.spec or other.name == entrant.name for other in entrants[: len(names)])
        names.append(entrant.name if count == 0 else f"{entrant.name}+{count + 1}")
    return tuple(names)
