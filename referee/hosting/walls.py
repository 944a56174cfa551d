"""Walls around a hosted bot: bubblewrap (namespaces and mounts), a seccomp filter, limits, another user.

The start is a chain of small programs, so that everything holds before the bot's first instruction: a shell enters the
cgroup, `prlimit` sets resource limits, `bwrap` makes namespaces and mounts, loads the filter and becomes the bot. None
of these programs sees the host's environment.

- **As an ordinary user** the namespaces come from a user namespace in which the bot is user 10000. For the kernel the
  bot is still the host's user, but the view shows nothing that only this user could reach.
- **As root** there is no user namespace: bwrap mounts as root and keeps the capabilities to change the user, and
  `setpriv` gives the bot a user id of its own far above real users, one per running process, without any capability.
"""

from __future__ import annotations

import fcntl
import os
import resource
import shlex
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

from referee.hosting import copies, owned, seccomp, view
from referee.hosting.cgroups import Group
from referee.hosting.limits import MIB, BotLimits
from referee.hosting.manifest import Manifest
from referee.hosting.sandbox import CappedSandbox, Wrapped, check_command, entering
from referee.kernel.errors import BadSetting

OLDEST = (0, 8)
"""The first version of bubblewrap with --size, --perms and --disable-userns."""
FIRST_ID = 0x70000000
"""First user id of hosted processes, above the ids of people, containers and services (systemd's UIDS-GIDS)."""
IDS = 1 << 22
"""Number of user ids, the largest number of processes: a hosted process has FIRST_ID plus its process id."""
INSIDE = 10_000
"""User and group id of a bot in a user namespace."""
STACK_MIB = 8
"""Memory that each thread reserves for its stack, used or not, in MiB."""
SPARE_PROCESSES = 8
"""Processes above the limit that can start before the watchdog sees them, if no cgroup counts processes."""
PROBE_SECONDS = 10.0
FREE_DESCRIPTORS = 20
"""First descriptor for content; lower ones belong to the shell and its here-documents."""
_SHELL = "/bin/sh"
_ADDED = ("PWD", "OLDPWD", "SHLVL", "_")
"""Environment variables that a shell adds."""


class Tools(NamedTuple):
    """The programs of the chain."""

    bwrap: str
    prlimit: str
    setpriv: str


class Ids(NamedTuple):
    """The user ids of hosted processes if the host is root."""

    first: int
    number: int


class Walled(CappedSandbox):
    """A bot behind walls."""

    own_processes = 2
    """Two bwrap processes: one outside, and the first process inside."""
    contained = True

    def wrap(
        self,
        manifest: Manifest,
        variables: Mapping[str, str],
        socket: Path | None,
        group: Group | None,
        further: Sequence[Path] = (),
    ) -> Wrapped:
        """The chain that becomes the bot; raises BadSetting without walls, or if the bot's folder cannot be shown."""
        if socket is None:
            raise BadSetting(
                f"{manifest.folder}: behind walls a bot has no network; it needs a referee on a unix socket"
            )
        view.check_folder(manifest, self._hosting)
        path = view.search_path()
        check_command(manifest, path)
        limits = self.limits(manifest)
        environment = {
            "PATH": path,
            "HOME": str(view.HOME),
            "TMPDIR": str(view.HOME),
            "LANG": "C.UTF-8",
            **({"PYTHONPATH": str(view.KIT)} if view.kit() else {}),
            **variables,
            "KUMITE_ADDRESS": f"unix:{view.SOCKET}",
            "KUMITE_STATE": str(view.STATE),
        }
        ids = root_ids()
        if ids is not None:
            open_to_bots((socket, *further), ids)
        folder = copies.shared().readable(manifest.folder) if ids is not None else manifest.folder
        sockets = {view.SOCKET: socket, **{path: path for path in further}}
        mounts = view.arguments(
            manifest, self._hosting, folder=folder, sockets=sockets, disk_mib=limits.disk_mib, passwd="8", group="9"
        )
        filter_ = _pipe(seccomp.program(counted=group is not None))
        script = _script(tools(), ids, mounts, filter_, limits, group, manifest.command)
        return Wrapped((_SHELL, "-c", script), Path("/"), environment, (filter_,))


def _script(
    chain: Tools,
    ids: Ids | None,
    mounts: list[str],
    filter_: int,
    limits: BotLimits,
    group: Group | None,
    command: tuple[str, ...],
) -> str:
    """The script of the shell that begins the chain."""
    user = f"$(({ids.first} + $$ % {ids.number}))" if ids is not None else str(INSIDE)
    members = str(ids.first) if ids is not None else str(INSIDE)
    bounds = {"core": 0, "nofile": limits.open_files, "cpu": limits.cpu_seconds + 1, "memlock": MIB}
    processes = limits.processes + (0 if group is None else limits.processes) + SPARE_PROCESSES
    if group is None:
        bounds["data"] = (2 * limits.memory_mib + STACK_MIB * limits.processes) * MIB
    if ids is not None:
        bounds["nproc"] = processes
    outer = [chain.prlimit, *(_bound(key, value) for key, value in bounds.items()), "--"]
    wall = [chain.bwrap, "--new-session", "--die-with-parent", "--hostname", "bot", "--seccomp", str(filter_)]
    for name in _ADDED:
        wall += ["--unsetenv", name]
    wall += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if ids is None:
        wall += ["--unshare-user", "--disable-userns", "--uid", user, "--gid", members, "--cap-drop", "ALL"]
        # The limit counts per user namespace, so it is set inside; outside it would count all processes of the host's
        # user.
        inner = f"{chain.prlimit} {_bound('nproc', processes)} --" if _counts_inside() else ""
    else:
        wall += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
        inner = f'{chain.setpriv} --reuid "$user" --regid {members} --clear-groups --inh-caps=-all --bounding-set=-all'
        inner += " --no-new-privs --"
    whole = f"{shlex.join([*outer, *wall, *mounts, '--'])} {inner} {shlex.join(command)}"
    return "\n".join(
        [
            *entering(group),
            f"user={user}",
            f"exec {whole} 8<<PASSWD 9<<GROUP",
            f"bot:x:$user:{members}:bot:{view.HOME}:/bin/sh",
            "PASSWD",
            f"bot:x:{members}:",
            "GROUP",
            "",
        ]
    )


def _bound(name: str, value: int) -> str:
    """An option of prlimit; the value is at most the present hard limit, which cannot be raised."""
    _, hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))
    low = value if hard == resource.RLIM_INFINITY else min(value, hard)
    return f"--{name}={low}:{low}"


def _pipe(content: bytes) -> int:
    """A descriptor from which the content, at most a pipe's size, can be read once; its number is above the shell's."""
    reading, writing = os.pipe()
    try:
        os.write(writing, content)
        return fcntl.fcntl(reading, fcntl.F_DUPFD_CLOEXEC, FREE_DESCRIPTORS)
    finally:
        os.close(writing)
        os.close(reading)


def _counts_inside() -> bool:
    """Whether the kernel counts the processes of a user per user namespace (Linux 5.14 and later)."""
    release = os.uname().release.split(".")
    return (int(release[0]), int(release[1].split("-")[0])) >= (5, 14)


def open_to_bots(sockets: Sequence[Path], ids: Ids) -> None:
    """Let the group of all hosted bots connect to sockets that not every user may use."""
    for socket in sockets:
        found = socket.stat()
        if stat.S_ISSOCK(found.st_mode) and not found.st_mode & stat.S_IWOTH:
            os.chown(socket, -1, ids.first)
            os.chmod(socket, stat.S_IMODE(found.st_mode) | stat.S_IRGRP | stat.S_IWGRP)


@cache
def root_ids() -> Ids | None:
    """The user ids of hosted processes if the host is root, within this user namespace; None: the host is not root."""
    if os.geteuid() != 0:
        return None
    try:
        ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        ranges = []
    if any(first <= FIRST_ID and first + count >= FIRST_ID + IDS for first, _, count in ranges):
        return Ids(FIRST_ID, IDS)
    # A container with few ids: hosted processes get the upper half of the last range.
    first, count = max(((first, count) for first, _, count in ranges), default=(0, 1))
    return Ids(first + count // 2, count - count // 2) if count > 1 else None


@cache
def tools() -> Tools:
    """The programs of the chain; raises BadSetting with the first missing one."""
    found = []
    for name, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux")):
        place = shutil.which(name) or shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
        if place is None:
            raise BadSetting(f"{name} is not installed: {install(package)}")
        found.append(place)
    return Tools(*found)


def install(package: str) -> str:
    """The command that installs a package on this system."""
    lines = {"apt-get": "apt-get install -y", "dnf": "dnf install -y", "pacman": "pacman -S", "apk": "apk add"}
    manager = next((name for name in lines if shutil.which(name)), "apt-get")
    return f"{'' if os.geteuid() == 0 else 'sudo '}{lines[manager]} {package}"


@cache
def version() -> tuple[int, ...]:
    """The version of bubblewrap."""
    done = subprocess.run([tools().bwrap, "--version"], capture_output=True, text=True, timeout=PROBE_SECONDS)
    return tuple(int(part) for part in done.stdout.split()[-1].split(".") if part.isdigit())


@cache
def missing() -> str:
    """The missing part of the walls, and the command that installs or allows it; empty: all parts are there."""
    try:
        tools()
        if version() < OLDEST:
            shown = ".".join(map(str, version()))
            return f"bubblewrap {shown} is too old, {OLDEST[0]}.{OLDEST[1]} is needed: {install('bubblewrap')}"
        seccomp.program()
    except BadSetting as error:
        return str(error)
    done = probe(("true",))
    if done.returncode == 0:
        return ""
    said = " ".join(done.stdout.split()) or f"code {done.returncode}"
    return f"bubblewrap cannot make its walls here ({said}): {_allowed_by(said)}"


def _allowed_by(said: str) -> str:
    """What allows bubblewrap to make namespaces, by its error text."""
    apparmor = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    clone = Path("/proc/sys/kernel/unprivileged_userns_clone")
    most = Path("/proc/sys/user/max_user_namespaces")
    if os.geteuid() == 0:
        return "root needs CAP_SYS_ADMIN for it; in a container, run that with --privileged, or host as a plain user"
    if _reads(apparmor, "1"):
        return "AppArmor forbids user namespaces: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
    if _reads(clone, "0"):
        return "user namespaces are switched off: sudo sysctl -w kernel.unprivileged_userns_clone=1"
    if _reads(most, "0"):
        return "user namespaces are switched off: sudo sysctl -w user.max_user_namespaces=15000"
    return f"{said}; a container must allow user namespaces and an own /proc"


def _reads(path: Path, value: str) -> bool:
    try:
        return path.read_text().strip() == value
    except OSError:
        return False


class Probing(Protocol):
    """Runs a program behind the walls and returns its exit code and output."""

    def __call__(self, command: tuple[str, ...], group: Group | None = None) -> subprocess.CompletedProcess[str]: ...


def probe(command: tuple[str, ...], group: Group | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program behind the walls, in an empty folder."""
    with probing() as run:
        return run(command, group)


@contextmanager
def probing() -> Iterator[Probing]:
    """A function that runs programs behind the walls, all in the same empty folder."""
    with owned.folder() as place:
        folder = place / "bot"
        folder.mkdir(mode=0o755)
        socket = place / "play.sock"
        socket.touch()

        def run(command: tuple[str, ...], group: Group | None = None) -> subprocess.CompletedProcess[str]:
            wrapped = Walled().wrap(Manifest(folder, "probe", command), {}, socket, group)
            with wrapped.arguments() as start:
                return subprocess.run(**start, text=True, errors="replace", timeout=PROBE_SECONDS)

        yield run
