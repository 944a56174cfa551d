"""What `/proc` tells about processes: their owners, the processes of a bot, and what they use.

A host process is named by its process id, its start time and its pid namespace, so that a later process with the same
id, and a process of a container, have other names. On systems without `/proc` a process is named by its id alone, and
its use of resources is unknown.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
MARK = "KUMITE_PROCESS"
"""Environment variable of every hosted process: the owner's name and a number."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Stat(NamedTuple):
    """The used fields of `/proc/PID/stat`."""

    parent: int
    state: str
    cpu_seconds: float
    """User and system time of the process and of its ended children."""
    threads: int
    start: int
    """Clock ticks from the start of the system to the start of the process."""


class Tree(NamedTuple):
    """What the processes of a bot use together."""

    threads: int
    cpu_seconds: float
    memory: int
    """Bytes of memory that no other process shares."""


def stat(pid: int) -> Stat | None:
    """The fields of a process; None: there is no such process."""
    try:
        text = (PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    # The name of the program stands in brackets and may contain any character, brackets too.
    parts = text.rpartition(")")[2].split()
    cpu = sum(int(parts[index]) for index in (11, 12, 13, 14)) / _TICKS
    return Stat(int(parts[1]), parts[0], cpu, int(parts[17]), int(parts[19]))


@cache
def namespace() -> int:
    """The number of this process's pid namespace; a process id has a meaning only within one namespace."""
    try:
        return (PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return 0


@cache
def owner(pid: int) -> str:
    """The name of a process as an owner: id, start time and namespace, such as `1234-567890-4026531836`."""
    found = stat(pid)
    return f"{pid}-{found.start if found is not None else 0}-{namespace()}"


def lives(name: str) -> bool:
    """Whether the process with that name (`owner`) still runs.

    An unreadable name counts as running, and so does a name of another pid namespace, whose processes cannot be seen.
    """
    pid, start, space = [*name.split("-"), "", "", ""][:3]
    if not pid.isdigit() or not start.isdigit() or space != str(namespace()):
        return True
    found = stat(int(pid))
    if found is not None:
        return found.start == int(start) and found.state not in "ZX"
    if PROC.joinpath("self").exists():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def everything() -> Iterator[int]:
    """Every process id in this pid namespace."""
    with suppress(OSError):
        for name in os.listdir(PROC):
            if name.isdigit():
                yield int(name)


def descendants(pid: int) -> list[int]:
    """The processes that a process started, directly or through others; parents come first."""
    found: list[int] = []
    pending = [pid]
    while pending:
        for child in _children(pending.pop()):
            found.append(child)
            pending.append(child)
    return found


def _children(pid: int) -> list[int]:
    folder = PROC / str(pid) / "task"
    try:
        return [int(child) for task in os.listdir(folder) for child in (folder / task / "children").read_text().split()]
    except OSError:
        # The process has ended, or the kernel does not list children.
        return [other for other in everything() if (found := stat(other)) is not None and found.parent == pid]


def mark_of(pid: int) -> str:
    """The mark of a hosted process; empty: the process has none, or its environment cannot be read."""
    prefix = f"{MARK}=".encode()
    with suppress(OSError):
        for part in (PROC / str(pid) / "environ").read_bytes().split(b"\0"):
            if part.startswith(prefix):
                return part.removeprefix(prefix).decode("utf-8", "replace")
    return ""


def marked(name: str) -> list[int]:
    """The processes with this mark."""
    return [pid for pid in everything() if mark_of(pid) == name]


def use(pids: Iterable[int]) -> Tree:
    """What these processes use together."""
    threads, cpu, memory = 0, 0.0, 0
    for pid in pids:
        found = stat(pid)
        if found is None:
            continue
        threads += found.threads
        cpu += found.cpu_seconds
        with suppress(OSError, ValueError):
            for line in (PROC / str(pid) / "status").read_text().splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    memory += int(line.split()[1]) * 1024
    return Tree(threads, cpu, memory)


def proportional(pids: Iterable[int]) -> int:
    """Memory in bytes; pages that several processes share count once. Slower and more exact than `use`."""
    total = 0
    for pid in pids:
        with suppress(OSError):
            for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total


def shared_anonymous(pids: Iterable[int]) -> int:
    """Bytes of memory that processes share without a file, mapped or not."""
    total = 0
    for pid in pids:
        with suppress(OSError, ValueError):
            for line in (PROC / str(pid) / "maps").read_text(errors="replace").splitlines():
                if line.endswith("/dev/zero (deleted)"):
                    low, _, high = line.partition(" ")[0].partition("-")
                    total += int(high, 16) - int(low, 16)
    return total


def kill(pids: Iterable[int], number: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to each process that still runs."""
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, number)
