"""A control group (cgroup) per hosted process: version 2 where it is delegated to this process, else version 1.

    found = hierarchy()                      # None: this process may make no groups
    group = found.create("1234-5678-1", limits, extra=2)
    group.doors                              # a process enters by writing 0 to each of these files
    group.usage()
    group.kill(); group.remove()

A group is made before its process, and the process enters the group before it becomes the bot, so that the limits hold
from the bot's first instruction. In version 1 every controller has a tree of its own, and a group is a folder in each.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from referee.hosting import processes
from referee.hosting.limits import MIB, BotLimits

PREFIX = "kumite-"
"""The beginning of a group's name, before its owner and a number."""
HOST = "kumite-host"
"""Version 2: the group into which the processes of a delegated group move, because only leaves may hold processes."""
PERIOD = 100_000
"""Microseconds of one period of the CPU quota."""
MOST_FOLDERS = 20_000
"""Most folders of a tree that are searched for groups without an owner."""
_CONTROLLERS = ("memory", "pids", "cpu", "cpuacct")


class ResourceUsage(NamedTuple):
    """What the processes of a bot have used so far."""

    cpu_seconds: float
    peak_bytes: int


class Events(NamedTuple):
    """How often the kernel refused something to a group."""

    memory: int
    processes: int


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The folders in which this process may make groups."""

    version: int
    parents: Mapping[str, Path]
    """The folder of each controller; in version 2 one folder for all."""
    roots: tuple[Path, ...]
    """The roots of the trees, from which groups without an owner are searched."""

    @property
    def controllers(self) -> tuple[str, ...]:
        """The names of the controllers, which are the resources that can be limited."""
        return tuple(self.parents)

    def create(self, name: str, limits: BotLimits, *, extra: int = 0) -> Group:
        """A new group with these limits; `extra` processes are the host's own. Raises OSError on failure."""
        folders = {key: parent / f"{PREFIX}{name}" for key, parent in self.parents.items()}
        group = Group(self.version, folders)
        try:
            for folder in dict.fromkeys(folders.values()):
                folder.mkdir()
            for key, files in _settings(self.version, limits, extra).items():
                for file, value in files if key in folders else ():
                    _write(folders[key] / file, value)
        except OSError:
            group.remove()
            raise
        return group


def _settings(version: int, limits: BotLimits, extra: int) -> dict[str, list[tuple[str, str]]]:
    """The files of each controller and the text for each file; a `?` marks a file that a kernel may lack."""
    memory, quota = str(limits.memory_mib * MIB), str(limits.cores * PERIOD)
    pids = [("pids.max", str(limits.processes + extra))]
    if version == 1:
        return {
            "memory": [("memory.limit_in_bytes", memory), ("memory.memsw.limit_in_bytes?", memory)],
            "pids": pids,
            "cpu": [("cpu.cfs_period_us", str(PERIOD)), ("cpu.cfs_quota_us", quota)],
        }
    return {
        "memory": [("memory.max", memory), ("memory.swap.max?", "0"), ("memory.oom.group?", "1")],
        "pids": pids,
        "cpu": [("cpu.max", f"{quota} {PERIOD}")],
    }


def _write(path: Path, value: str) -> None:
    if path.name.endswith("?"):
        path = path.with_name(path.name[:-1])
        if not path.exists():
            return
    # Not write_text: files of a control group can be neither created nor truncated.
    handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(handle, value.encode())
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Group:
    """The group of one hosted process and of every process that it starts."""

    version: int
    folders: Mapping[str, Path]

    @property
    def doors(self) -> list[Path]:
        """The files to which a process writes 0 to enter the group."""
        return [folder / "cgroup.procs" for folder in dict.fromkeys(self.folders.values())]

    def pids(self) -> list[int]:
        """The ids of the processes in the group."""
        found: dict[int, None] = {}
        for door in self.doors:
            with suppress(OSError):
                found.update((int(line), None) for line in door.read_text().split())
        return list(found)

    def usage(self) -> ResourceUsage | None:
        """What the processes of the group have used, ended ones included; None: the group has no such counters."""
        if not {"memory", "pids"} <= set(self.folders):
            return None
        if self.version == 1:
            cpu = self._number("cpuacct", "cpuacct.usage") / 1e9
            return ResourceUsage(cpu, self._number("memory", "memory.max_usage_in_bytes"))
        cpu = self._field("cpu", "cpu.stat", "usage_usec") / 1e6
        peak = self._number("memory", "memory.peak") or self._number("memory", "memory.current")
        return ResourceUsage(cpu, peak)

    def events(self) -> Events:
        """How often the kernel killed a process for memory, and how often it refused a new process."""
        if self.version == 1:
            killed = self._field("memory", "memory.oom_control", "oom_kill")
        else:
            killed = self._field("memory", "memory.events", "oom_kill")
        return Events(killed, self._field("pids", "pids.events", "max"))

    def _number(self, controller: str, file: str) -> int:
        with suppress(OSError, ValueError, KeyError):
            return int((self.folders[controller] / file).read_text())
        return 0

    def _field(self, controller: str, file: str, key: str) -> int:
        with suppress(OSError, ValueError, KeyError):
            for line in (self.folders[controller] / file).read_text().splitlines():
                name, _, value = line.partition(" ")
                if name == key:
                    return int(value)
        return 0

    def kill(self) -> bool:
        """Kill every process in the group; returns whether there was one."""
        pids = self.pids()
        if pids and self.version == 2:
            for folder in dict.fromkeys(self.folders.values()):
                with suppress(OSError):
                    _write(folder / "cgroup.kill", "1")
        processes.kill(pids, signal.SIGKILL)
        return bool(pids)

    def remove(self) -> bool:
        """Remove the group's folders; returns whether all are gone."""
        for folder in dict.fromkeys(self.folders.values()):
            with suppress(OSError):
                folder.rmdir()
        return not any(folder.exists() for folder in self.folders.values())


@cache
def hierarchy() -> Hierarchy | None:
    """The folders in which this process may limit memory and processes; None: there are none."""
    return find().found


class HierarchySearch(NamedTuple):
    """The hierarchy that was found, or the reason why there is none."""

    found: Hierarchy | None
    reason: str = ""


@cache
def find(own: Path = Path("/proc/self/cgroup"), mounts: Path = Path("/proc/self/mountinfo")) -> HierarchySearch:
    """Search for folders in which a group can be made, by making one."""
    try:
        places = _places(own.read_text(), mounts.read_text())
    except OSError:
        return HierarchySearch(None, "this system has no cgroups")
    reasons = []
    for hierarchy_ in (_second(places), _first(places)):
        if isinstance(hierarchy_, str):
            reasons.append(hierarchy_)
            continue
        probe = f"{processes.owner(os.getpid())}-probe"
        try:
            hierarchy_.create(probe, BotLimits()).remove()
        except OSError as error:
            reasons.append(f"cgroup v{hierarchy_.version}: {error.filename}: {error.strerror}")
            continue
        return HierarchySearch(hierarchy_)
    return HierarchySearch(None, "; ".join(reasons))


class _Place(NamedTuple):
    """The group of this process in one tree."""

    version: int
    controllers: tuple[str, ...]
    root: Path
    folder: Path


def _places(own: str, mounts: str) -> list[_Place]:
    """The groups of this process in every mounted tree."""
    trees: list[tuple[int, tuple[str, ...], Path, str]] = []
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            _, _, _, inner, point, *_ = left.split(" ")
            controllers = tuple(options.rpartition(" ")[2].split(","))
            trees.append((2 if kind == "cgroup2" else 1, controllers, Path(point), inner))
    found = []
    for line in own.splitlines():
        _, names, group = line.split(":", 2)
        for version, controllers, top, inner in trees:
            if version == (1 if names else 2) and (not names or set(names.split(",")) <= set(controllers)):
                # A container mounts a tree from one of its folders on.
                below = group[len(inner) :] if inner != "/" and group.startswith(inner) else group
                found.append(_Place(version, tuple(names.split(",")), top, top / below.lstrip("/")))
                break
    return found


def _second(places: list[_Place]) -> Hierarchy | str:
    """Version 2: below this process's own group if that is delegated; below the root group if the host is root."""
    place = next((place for place in places if place.version == 2), None)
    if place is None:
        return "cgroup v2 is not mounted"
    tried = [place.folder, place.root] if os.geteuid() == 0 else [place.folder]
    # An earlier call moved this process into HOST, so new groups are made beside HOST.
    tried = [folder.parent if folder.name == HOST else folder for folder in tried]
    reason = ""
    for parent in dict.fromkeys(tried):
        try:
            missing = _enable(parent)
        except OSError as error:
            reason = f"cgroup v2: {parent} is not delegated to this user ({error.strerror})"
            continue
        if not missing:
            return Hierarchy(2, dict.fromkeys(("memory", "pids", "cpu"), parent), (place.root,))
        reason = f"cgroup v2: {parent} lacks {', '.join(missing)}"
    return reason


def _enable(parent: Path) -> list[str]:
    """Enable the controllers for the groups below a folder; returns the controllers that are missing."""
    there = (parent / "cgroup.controllers").read_text().split()
    missing = [name for name in ("memory", "pids", "cpu") if name not in there]
    on = (parent / "cgroup.subtree_control").read_text().split()
    wanted = [name for name in ("memory", "pids", "cpu") if name not in on]
    if missing or not wanted:
        return missing
    change = " ".join(f"+{name}" for name in wanted)
    try:
        _write(parent / "cgroup.subtree_control", change)
    except OSError:
        leaf = parent / HOST
        leaf.mkdir(exist_ok=True)
        for pid in (parent / "cgroup.procs").read_text().split():
            with suppress(OSError):
                _write(leaf / "cgroup.procs", pid)
        _write(parent / "cgroup.subtree_control", change)
    return []


def _first(places: list[_Place]) -> Hierarchy | str:
    """Version 1: below this process's own group of each controller."""
    parents: dict[str, Path] = {}
    roots = []
    for name in _CONTROLLERS:
        for place in places:
            if place.version == 1 and name in place.controllers:
                parents[name] = place.folder
                roots.append(place.root)
    missing = [name for name in ("memory", "pids") if name not in parents]
    if missing:
        return f"cgroup v1 has no {', '.join(missing)}"
    return Hierarchy(1, parents, tuple(dict.fromkeys(roots)))


def left_behind() -> Iterator[Group]:
    """The groups in the trees whose owners have ended."""
    found = hierarchy()
    if found is None:
        return
    for root in found.roots:
        count = 0
        for path, names, _ in os.walk(root):
            count += len(names)
            for name in names:
                own = name.removeprefix(PREFIX).rpartition("-")[0]
                if name.startswith(PREFIX) and name != HOST and not processes.lives(own):
                    yield Group(found.version, {"any": Path(path) / name})
            if count > MOST_FOLDERS:
                break
