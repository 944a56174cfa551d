"""Ends hosted processes when the process that started them ends, also by `kill -9`.

The host tells a small process beside it (`reaper`) of every hosted process. The reaper kills the remaining ones when
the host is gone. Bots behind walls also end by themselves: bubblewrap asks the kernel for a signal at the host's end.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from referee.hosting import reaper


@contextmanager
def leashed(group: int, name: str = "", folders: Sequence[Path] = ()) -> Iterator[None]:
    """If this process ends within the block, end a process group, every process with the mark `name`, and every process
    in the cgroups `folders`; at the end of the block the caller ends them."""
    known = name or f"group-{group}"
    _tell({"name": known, "group": group, "folders": [str(folder) for folder in folders]})
    try:
        yield
    finally:
        _tell({"ended": known})


def remove_later(folder: Path) -> None:
    """Remove a folder when this process has ended."""
    _tell({"folder": str(folder)})


def _tell(what: dict[str, object]) -> None:
    with suppress(OSError):
        os.write(_reaper(os.getpid()), json.dumps(what).encode() + b"\n")


@cache
def _reaper(process: int) -> int:
    """The pipe to the reaper of this process; the first call starts the reaper, which ends with this process."""
    reading, writing = os.pipe()
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-S", reaper.__file__],
        {},
        file_actions=[
            (os.POSIX_SPAWN_DUP2, reading, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setpgroup=0,
    )
    os.close(reading)
    return writing
