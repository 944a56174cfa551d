"""What a hosted process uses, and whether that is more than it may.

A cgroup counts exactly and holds the limits itself; the watchdog then only asks it what happened. Without one it adds
up what /proc says of the bot's processes, which sees memory and processes a moment late.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from referee.hosting import processes
from referee.hosting.cgroups import Group, Usage
from referee.hosting.limits import MIB, BotLimits

COUNTED_SECONDS = 0.1
"""Time between two looks where a cgroup counts."""
UNCOUNTED_SECONDS = 0.03
"""Time between two looks at /proc."""
LOOKS = 10
"""Every so many looks at /proc one is for memory that is shared, and need not be mapped in to be held."""
FILES_PER_MIB = 256
"""Files that a bot may have for each MiB of its disk: one per page."""
_DISKS = ("tmp", "dev/shm")


class Watchdog:
    """The use of one hosted process and of everything that it started."""

    def __init__(self, pid: int, limits: BotLimits, group: Group | None, own: int, members: Callable[[], list[int]]):
        """`own` processes are the sandbox's; `members` tells all, where there is no group."""
        self._pid = pid
        self._limits = limits
        self._group = group
        self._own = own
        self._members = members
        self._usage = Usage(0.0, 0)
        self._inside: int | None = None
        self._looks = 0
        self.exceeded: str | None = None
        """The limit that was exceeded, with its figure; None: none."""

    @property
    def seconds(self) -> float:
        """Time between two looks."""
        return UNCOUNTED_SECONDS if self._group is None else COUNTED_SECONDS

    @property
    def usage(self) -> Usage:
        """What was used until the last look."""
        return self._usage

    def charge(self, cpu_seconds: float, peak_bytes: int = 0) -> None:
        """Take note of what the system said of the process when it ended: no less was used."""
        self._usage = Usage(max(self._usage.cpu_seconds, cpu_seconds), max(self._usage.peak_bytes, peak_bytes))

    def look(self, printed: int = 0) -> str | None:
        """Count once; returns the limit that is exceeded, if one is. `printed` is the bot's output in bytes."""
        found = self._look()
        limits = self._limits
        if found is None and self._usage.cpu_seconds > limits.cpu_seconds:
            found = f"used more than its {limits.cpu_seconds} s of CPU time"
        if found is None and printed > limits.output_mib * MIB:
            found = f"printed more than its {limits.output_mib} MiB of output"
        if found is None and self._own and self._disk_full():
            found = f"wrote more than its {limits.disk_mib} MiB of disk"
        self.exceeded = self.exceeded or found
        return self.exceeded

    def _look(self) -> str | None:
        memory = f"used more than its {self._limits.memory_mib} MiB of memory"
        many = f"started more than its {self._limits.processes} processes and threads"
        usage = self._group.usage() if self._group is not None else None
        if usage is not None and self._group is not None:
            self.charge(*usage)
            events = self._group.events()
            return memory if events.memory else many if events.processes else None
        pids = self._members()
        tree = processes.use(pids)
        bound = self._limits.memory_mib * MIB
        self.charge(tree.cpu_seconds, tree.memory)
        if tree.threads - self._own > self._limits.processes:
            return many
        self._looks += 1
        if self._looks % LOOKS == 0 and max((processes.shared_anonymous([pid]) for pid in pids), default=0) > bound:
            return memory
        # Pages that forked processes share are counted for each of them; a second look counts them once.
        if tree.memory > bound and (len(pids) == 1 or processes.proportional(pids) > bound):
            return memory
        return None

    def _disk_full(self) -> bool:
        """Whether one of the private disks has no room or too many files.

        They are looked at through the first process inside, whose view of files the bot cannot change.
        """
        if self._inside is None:
            children = processes.descendants(self._pid)
            if len(children) <= 1:
                return False
            self._inside = children[0]
        for disk in _DISKS:
            with suppress(OSError):
                found = os.statvfs(f"/proc/{self._inside}/root/{disk}")
                size = found.f_blocks * found.f_frsize
                if size != self._limits.disk_mib * MIB:
                    continue
                if found.f_bavail == 0 or found.f_files - found.f_ffree > self._limits.disk_mib * FILES_PER_MIB:
                    return True
        return False
