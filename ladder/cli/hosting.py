"""What commands that start bots of folders have in common: `--trust`, and an early word where walls are missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import typer

from ladder import host_settings
from ladder.entrants import Entrant
from referee.hosting.limits import Hosting

TrustOption = Annotated[
    bool, typer.Option("--trust", help="Run bots of folders also where this machine has no walls for them.")
]


def host(entrants: Iterable[Entrant], trust: bool, hosting: Hosting | None = None) -> None:
    """Settle how bots of folders are run; raises BadSetting if these bots cannot be hosted here."""
    found = hosting or Hosting()
    host_settings.configure(replace(found, trust=found.trust or trust))
    host_settings.check(entrants)
