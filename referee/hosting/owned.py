"""What a host process makes and must not leave behind: folders, sockets in them, groups, processes.

    with folder() as place:                  # /run/kumite/1234-567890-4026531836/7kq2x1, gone at the end of the block
        ...
    sweep()                                  # removes what belongs to host processes that are gone

Everything is named by its owner's process id and start time (`processes.owner`), so that the next host process can tell
what was left by one that was killed. The reaper does the same at once, unless it was killed as well.
"""

from __future__ import annotations

import itertools
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from referee.hosting import cgroups, processes
from referee.kernel.errors import BadSetting

_numbers = itertools.count(1)


class Swept(NamedTuple):
    """How much was left behind by host processes that are gone."""

    folders: int
    groups: int
    processes: int


def new_name() -> str:
    """A name for a process and its group: the owner's and a number, never used twice."""
    return f"{processes.owner(os.getpid())}-{next(_numbers)}"


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder for this user alone, for the length of the block."""
    sweep_once(os.getpid())
    own = base() / processes.owner(os.getpid())
    own.mkdir(mode=0o700, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="", dir=own))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):
            own.rmdir()


def base() -> Path:
    """The folder of everything that host processes of this user make; raises BadSetting if another may write there."""
    user = os.getuid()
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if user == 0 and sys.platform == "linux" and os.access("/run", os.W_OK):
        place = Path("/run/kumite")
    elif user != 0 and runtime and os.access(runtime, os.W_OK):
        place = Path(runtime) / "kumite"
    else:
        place = Path(tempfile.gettempdir()) / f"kumite-run-{user}"
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != user or found.st_mode & 0o077:
        raise BadSetting(f"{place} is not a folder of yours alone; remove it, and it is made anew")
    return place


def empty() -> Path:
    """A folder in which nothing is, to be shown in the place of another."""
    place = base() / "empty"
    place.mkdir(mode=0o755, exist_ok=True)
    return place


@cache
def sweep_once(pid: int) -> Swept:
    """Sweep, the first time that a process asks for it."""
    return sweep()


def sweep() -> Swept:
    """Remove folders, groups and processes whose host processes are gone."""
    groups = list(cgroups.left_behind())
    killed = 0
    for group in groups:
        killed += len(group.pids())
        group.kill()
    orphans = _orphans()
    processes.kill(orphans)
    removed = [group.remove() for group in groups]
    gone = [place for place in base().iterdir() if not processes.lives(place.name)]
    for place in gone:
        shutil.rmtree(place, ignore_errors=True)
    return Swept(len(gone), sum(removed), killed + len(orphans))


def _orphans() -> list[int]:
    """Hosted processes of host processes that are gone."""
    found = []
    for pid in processes.everything():
        owner = processes.mark_of(pid).rpartition("-")[0]
        if owner and not processes.lives(owner):
            found.append(pid)
    return found
