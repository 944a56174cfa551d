"""The option `--trust`, and the settings of the host under which bots of folders run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import typer

from ladder.entrants import Entrant
from referee.hosting.limits import Hosting
from referee.hosting.sandbox import best, settle

TrustOption = Annotated[
    bool, typer.Option("--trust", help="Run bots of folders without walls where this machine has none.")
]


def take_settings(trust: bool, entrants: Iterable[Entrant], hosting: Hosting | None = None) -> None:
    """Make the settings those of this process and its workers; raises BadSetting if a bot of a folder cannot be hosted.

    `hosting` is the ladder file's, `trust` the command line's.
    """
    chosen = hosting or Hosting()
    settle(replace(chosen, trust=chosen.trust or trust))
    if any(entrant.manifest is not None for entrant in entrants):
        best()
