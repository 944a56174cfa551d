"""The wrapping of a bot's process.

A `Sandbox` turns a manifest into the command that `launch` starts. `walls.Walled` is for bots of unknown authors.
`Trusted` only limits resources and is for bots whose authors the host trusts as much as itself. `best` chooses.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from referee.hosting.cgroups import Group
from referee.hosting.limits import BotLimits, Hosting
from referee.hosting.manifest import Manifest
from referee.kernel.errors import BadSetting

_PASSED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
TRUST = "KUMITE_TRUST"
"""The variable that, set to 1, lets bots of folders run without walls."""


class Wrapped(NamedTuple):
    """A command and everything else that is needed to start the process."""

    command: tuple[str, ...]
    folder: Path
    environment: dict[str, str]
    input: tuple[int, ...] = ()
    """Descriptors that the process inherits at its start and that the host then closes."""

    @contextmanager
    def arguments(self) -> Iterator[dict[str, Any]]:
        """The arguments for `subprocess`; at the end of the block the descriptors are closed."""
        try:
            yield {
                "args": self.command,
                "cwd": self.folder,
                "env": self.environment,
                "stdin": subprocess.DEVNULL,
                "stdout": subprocess.PIPE,
                "stderr": subprocess.STDOUT,
                "pass_fds": self.input,
                "start_new_session": True,
            }
        finally:
            for descriptor in self.input:
                os.close(descriptor)


class Sandbox(Protocol):
    """A way to run a bot's process."""

    @property
    def own_processes(self) -> int:
        """Number of the sandbox's own processes, which run beside the bot's."""

    @property
    def contained(self) -> bool:
        """Whether every process of the bot ends with the first one."""

    def limits(self, manifest: Manifest) -> BotLimits:
        """The limits that the bot's manifest asks for, within the host's caps."""

    def wrap(
        self,
        manifest: Manifest,
        variables: Mapping[str, str],
        socket: Path | None,
        group: Group | None,
        further: Sequence[Path] = (),
    ) -> Wrapped:
        """The command to start; raises BadSetting if the bot cannot run.

        `variables` name the referee to the bot. `socket` is the referee's socket, `further` are sockets to which the
        referee may redirect the bot. The process enters `group` before it becomes the bot.
        """


class CappedSandbox:
    """The common part of both sandboxes: the host's settings and caps."""

    def __init__(self, hosting: Hosting | None = None) -> None:
        self._hosting = hosting or Hosting()

    def limits(self, manifest: Manifest) -> BotLimits:
        """The limits that the manifest asks for, within the host's caps."""
        return manifest.limits.capped(self._hosting.caps)


class Trusted(CappedSandbox):
    """No walls: the bot runs as the host's user, in its folder, with a clean environment and limited resources."""

    own_processes = 0
    contained = False

    def wrap(
        self,
        manifest: Manifest,
        variables: Mapping[str, str],
        socket: Path | None,
        group: Group | None,
        further: Sequence[Path] = (),
    ) -> Wrapped:
        """The bot's own command, started in its folder."""
        kept = {key: os.environ[key] for key in _PASSED if key in os.environ}
        check_command(manifest, kept.get("PATH", os.defpath))
        # Only the soft limit is set: the host's own bots may need more descriptors and can raise it.
        lines = ["ulimit -S -c 0", *entering(group), f"exec {shlex.join(manifest.command)}"]
        return Wrapped(("/bin/sh", "-c", "\n".join(lines)), manifest.folder, {**kept, **variables})


def entering(group: Group | None) -> list[str]:
    """Lines of a shell script that enters a group, or ends if entering fails."""
    doors = group.doors if group is not None else []
    return [f"echo 0 >{shlex.quote(str(door))} || exit 125" for door in doors]


def check_command(manifest: Manifest, path: str) -> None:
    """Raise BadSetting if a bot's command does not exist."""
    program = manifest.command[0]
    place = str(manifest.folder / program) if os.sep in program else program
    if shutil.which(place, path=path) is None:
        reason = "it may not be executed" if os.path.exists(place) else "there is no such program"
        built = f"; it is built by: {shlex.join(manifest.build)}" if manifest.build else ""
        raise BadSetting(f"{manifest.folder}: cannot start {program}: {reason}{built}")


def trusts(hosting: Hosting) -> bool:
    """Whether the host trusts bots of folders, by its settings or by the variable KUMITE_TRUST."""
    return hosting.trust or os.environ.get(TRUST, "") not in ("", "0")


def walled() -> bool:
    """Whether this machine has walls: identity, bubblewrap and seccomp."""
    from referee.hosting import walls

    return sys.platform == "linux" and not walls.missing()


def best(hosting: Hosting | None = None) -> Sandbox:
    """Walls if this machine has them, otherwise `Trusted` if the host trusts bots of folders.

    Otherwise raises BadSetting with one line: what is missing, what installs or allows it, and how to do without walls.
    """
    from referee.hosting import walls

    settings = hosting or Hosting()
    if sys.platform != "linux":
        missing = "bots of folders need Linux to be hosted"
    else:
        missing = walls.missing()
    if not missing:
        return walls.Walled(settings)
    if trusts(settings):
        return Trusted(settings)
    raise BadSetting(
        f"{missing}. A bot whose author you trust as yourself runs without walls with --trust, {TRUST}=1 or "
        f"trust = true in the table [hosting] of the ladder file"
    )
