"""What a host process makes and must remove: folders with sockets in them, groups, processes.

    with folder() as place:                  # /run/kumite/1234-567890-4026531836/7kq2x1, removed with the block
        ...
    sweep()                                  # removes what ended host processes have left

Every name contains the owner's process id and start time (`processes.owner`), so that the next host process recognises
what a killed one has left. The reaper removes the same at once, unless the reaper was killed as well.
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
    """What ended host processes had left."""

    folders: int
    groups: int
    processes: int


def new_name() -> str:
    """A name for a process and its group: the owner's name and a number that is used once."""
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
    """The folder of all that host processes of this user make; raises BadSetting if another user may write there."""
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
    """An empty folder, to be shown in place of another."""
    place = base() / "empty"
    place.mkdir(mode=0o755, exist_ok=True)
    return place


@cache
def sweep_once(pid: int) -> Swept:
    """Sweep at the first call of a process."""
    return sweep()


def sweep() -> Swept:
    """Remove folders, groups and processes of ended host processes."""
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
    """Hosted processes of ended host processes."""
    found = []
    for pid in processes.everything():
        owner = processes.mark_of(pid).rpartition("-")[0]
        if owner and not processes.lives(owner):
            found.append(pid)
    return found
