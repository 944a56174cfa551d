"""Compares what a hosted process uses with its limits.

A cgroup counts exactly and enforces the limits itself; the watchdog then only reads what happened. Without a cgroup the
watchdog adds up what /proc says of the bot's processes, and sees memory and processes a moment late.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from referee.hosting import processes
from referee.hosting.cgroups import Group, ResourceUsage
from referee.hosting.limits import MIB, BotLimits

COUNTED_SECONDS = 0.1
"""Seconds between two looks at a cgroup."""
UNCOUNTED_SECONDS = 0.03
"""Seconds between two looks at /proc."""
LOOKS = 10
"""Every tenth look at /proc also counts shared memory, which a process can hold without mapping it."""
FILES_PER_MIB = 256
"""Most files on the bot's disk for each MiB of its size: one per page."""
_DISKS = ("tmp", "dev/shm")


class Watchdog:
    """What one hosted process and everything that it started have used."""

    def __init__(self, pid: int, limits: BotLimits, group: Group | None, own: int, members: Callable[[], list[int]]):
        """`own` is the number of the sandbox's processes; `members` lists all processes if there is no group."""
        self._pid = pid
        self._limits = limits
        self._group = group
        self._own = own
        self._members = members
        self._usage = ResourceUsage(0.0, 0)
        self._inside: int | None = None
        self._looks = 0
        self.exceeded: str | None = None
        """The exceeded limit with its figure; None: no limit was exceeded."""

    @property
    def seconds(self) -> float:
        """Seconds between two looks."""
        return UNCOUNTED_SECONDS if self._group is None else COUNTED_SECONDS

    @property
    def usage(self) -> ResourceUsage:
        """What was used until the last look."""
        return self._usage

    def charge(self, cpu_seconds: float, peak_bytes: int = 0) -> None:
        """Raise the usage to the figures that the system reported at the end of the process."""
        self._usage = ResourceUsage(max(self._usage.cpu_seconds, cpu_seconds), max(self._usage.peak_bytes, peak_bytes))

    def look(self, printed: int = 0) -> str | None:
        """Count once; returns the exceeded limit, None: none. `printed` is the bot's output in bytes."""
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
        # Pages that forked processes share count for each process; `proportional` counts them once.
        if tree.memory > bound and (len(pids) == 1 or processes.proportional(pids) > bound):
            return memory
        return None

    def _disk_full(self) -> bool:
        """Whether one of the private disks has no room or too many files.

        The disks are read through the first process inside, whose mounts the bot cannot change.
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
