"""A token in the first line of a file, which keeps the token out of the list of processes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import typer

from referee.kernel.errors import BadSetting

LONGEST_TOKEN = 4096
"""Characters of the first line of a token file."""


def token_in(path: Path, missing: str) -> str:
    """The token in a file; raises BadSetting with the text `missing` if the first line is empty.

    A file that other users can read gets a warning on standard error.
    """
    with path.open(encoding="utf-8", errors="replace") as file:
        token = file.readline(LONGEST_TOKEN).strip()
        mode = os.fstat(file.fileno()).st_mode
    if not token:
        raise BadSetting(missing)
    if stat.S_ISREG(mode) and mode & 0o077:
        typer.echo(f"kumite: warning: {path} can be read by others; make it private: chmod 600", err=True)
    return token
