"""Where the prints of bots in this process go: standard error, never among what a command prints for a program.

`aside` turns standard output away while bots run: `print`, C code and child processes alike, because the file
descriptor itself is another one meanwhile. A worker process turns it away for good.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_OUT, _ERR = 1, 2


@contextmanager
def aside() -> Iterator[None]:
    """While this lasts, what is printed to standard output goes to standard error."""
    python = sys.stdout
    _flush(python)
    try:
        kept = os.dup(_OUT)
    except OSError:  # a process without standard output
        kept = None
    if kept is not None:
        _turn()
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        _flush(python)  # a bot may have kept Python's own standard output and printed there
        if sys.stdout is sys.stderr:
            sys.stdout = python
        if kept is not None:
            os.dup2(kept, _OUT)
            os.close(kept)


def turn_aside() -> None:
    """From now on what this process prints to standard output goes to standard error."""
    _flush(sys.stdout)
    _turn()
    sys.stdout = sys.stderr


def _turn() -> None:
    with suppress(OSError):  # a process without standard error
        os.dup2(_ERR, _OUT)


def _flush(stream: object) -> None:
    with suppress(Exception):
        stream.flush()  # type: ignore[attr-defined]
