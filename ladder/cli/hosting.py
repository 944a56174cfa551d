"""What commands that start bots of folders have in common: `--trust`, and an early word where walls are missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import typer

from ladder.arena import host_settings
from ladder.arena.bot_output import aside
from ladder.arena.entrants import Entrant, find
from referee.hosting.limits import Hosting

TrustOption = Annotated[
    bool, typer.Option("--trust", help="Run bots of folders also where this machine has no walls for them.")
]


def found(specs: Iterable[str], trust: bool) -> list[Entrant]:
    """The bots of specs, settled how they are run; what their modules print goes to standard error.

    Raises UnknownName or BadSetting.
    """
    with aside():
        entrants = [find(spec) for spec in specs]
    host(entrants, trust)
    return entrants


def host(entrants: Iterable[Entrant], trust: bool, hosting: Hosting | None = None) -> None:
    """Settle how bots of folders are run; raises BadSetting if these bots cannot be hosted here."""
    settings = hosting or Hosting()
    host_settings.configure(replace(settings, trust=settings.trust or trust))
    host_settings.check(entrants)
