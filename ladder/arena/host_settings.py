"""How this process hosts bots of folders: the settings of its host, and the sandbox that follows from them.

A command sets them before it plays (`configure`); worker processes are told by the process that starts them. House
bots (bundled and `py:`) are trusted: as processes they run as the host's user.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from ladder.arena.entrants import Entrant, EntrantKind
from referee.hosting import sandbox
from referee.hosting.limits import Hosting
from referee.hosting.sandbox import Sandbox, Trusted

_present: list[Hosting] = [Hosting()]
_replacements: list[Sandbox] = []
_said: set[str] = set()


def configure(hosting: Hosting) -> None:
    """Host bots of folders by these settings from now on."""
    _present[0] = hosting
    _chosen.cache_clear()


def settings() -> Hosting:
    """The present settings."""
    return _present[0]


def sandbox_for(entrant: Entrant) -> Sandbox:
    """How a process of a bot is run; raises BadSetting where walls are missing and the host does not trust bots."""
    if entrant.manifest is None:
        return Trusted()
    return _replacements[-1] if _replacements else _chosen()


def check(entrants: Iterable[Entrant]) -> None:
    """Raise BadSetting if one of these bots cannot be hosted here; warn once if hosted bots have no walls."""
    if not any(entrant.kind is EntrantKind.HOSTED for entrant in entrants):
        return
    chosen = _chosen()
    text = "warning: bots of folders run without walls, with everything that this user may do (kumite doctor says why)"
    if isinstance(chosen, Trusted) and text not in _said:
        _said.add(text)
        print(text, file=sys.stderr, flush=True)


@contextmanager
def replaced(chosen: Sandbox | None) -> Iterator[None]:
    """For the length of the block, run bots of folders in this sandbox; None: in the one that the settings choose."""
    if chosen is not None:
        _replacements.append(chosen)
    try:
        yield
    finally:
        if chosen is not None:
            _replacements.remove(chosen)


@cache
def _chosen() -> Sandbox:
    return sandbox.best(_present[0])
