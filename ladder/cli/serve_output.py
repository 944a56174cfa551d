"""What a referee says to the people at its terminal; a terminal that is gone stops no match."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

import typer

from ladder.cli.logs import told_in_json
from referee.transport.server import Server


def say(text: str, *, err: bool = False) -> None:
    """Print a line. If that fails, the stream is dropped, and standard error told so: the matches go on.

    Where the log on standard error is JSON, a line for standard error is one of its objects.
    """
    if err and told_in_json(text):
        return
    try:
        typer.echo(text, err=err)
    except OSError as error:
        _drop(sys.stderr if err else sys.stdout)
        if not err:
            reason = "nothing reads it any more" if isinstance(error, BrokenPipeError) else error.strerror or str(error)
            say(f"the referee goes on without its standard output: {reason}", err=True)


def _drop(stream: TextIO) -> None:
    """Let what is written to a stream vanish, also what it still holds: Python would try that again at its end."""
    with suppress(OSError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def announce(server: Server) -> None:
    """Say where the referee listens."""
    say(f"referee at {', '.join(server.addresses)}; Ctrl-C ends it", err=True)
