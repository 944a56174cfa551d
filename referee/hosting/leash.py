"""Keeps hosted processes from outliving the process that started them, however that ends.

One small process beside the host (`reaper`) is told of every hosted process, and kills what is left when the host is
gone. Bots behind walls end with their host by themselves too: bubblewrap asks the kernel for that.
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
    """For the length of the block, let a process group, everything marked with the name and everything in those
    cgroups end if this process does; the block itself ends them otherwise."""
    known = name or f"group-{group}"
    _tell({"name": known, "group": group, "folders": [str(folder) for folder in folders]})
    try:
        yield
    finally:
        _tell({"ended": known})


def remove_later(folder: Path) -> None:
    """Let a folder be removed when this process is gone."""
    _tell({"folder": str(folder)})


def _tell(what: dict[str, object]) -> None:
    with suppress(OSError):
        os.write(_reaper(os.getpid()), json.dumps(what).encode() + b"\n")


@cache
def _reaper(process: int) -> int:
    """The pipe to the reaper of this process, which is started with the first word and ends with this process."""
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
