"""How a bot's process is wrapped before it runs.

A `Sandbox` turns a manifest into what is started; `launch` knows nothing else about it. `walls.Walled` is for bots of
strangers. `Trusted` only limits resources and is for bots whose authors the host trusts as much as itself.
`best` chooses.
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
"""Variable that lets bots of folders run without walls: 1 or nothing."""


class Wrapped(NamedTuple):
    """A process ready to be started."""

    command: tuple[str, ...]
    folder: Path
    environment: dict[str, str]
    input: tuple[int, ...] = ()
    """Descriptors that the process needs at its start. They are closed when it runs."""

    @contextmanager
    def arguments(self) -> Iterator[dict[str, Any]]:
        """What `subprocess` needs to start the process; the descriptors are closed when the block is left."""
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
    """A way to run a bot."""

    @property
    def own_processes(self) -> int:
        """Processes of the sandbox's own that run beside the bot's."""

    @property
    def contained(self) -> bool:
        """Whether no process of the bot can outlive the first."""

    def limits(self, manifest: Manifest) -> BotLimits:
        """What the bot may use: what its manifest asks for, within the host's caps."""

    def wrap(
        self,
        manifest: Manifest,
        variables: Mapping[str, str],
        socket: Path | None,
        group: Group | None,
        further: Sequence[Path] = (),
    ) -> Wrapped:
        """What to start; raises BadSetting if that cannot run.

        `variables` tell the bot its referee; `socket` is the only path outside that it needs, beside `further` sockets
        that it will be sent to; the process enters the group before it becomes the bot.
        """


class CappedSandbox:
    """The part that both sandboxes have in common: the host's settings and caps."""

    def __init__(self, hosting: Hosting | None = None) -> None:
        self._hosting = hosting or Hosting()

    def limits(self, manifest: Manifest) -> BotLimits:
        """As the manifest asks, within the host's caps."""
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
        # Only the soft limit: the host's own bots may need more descriptors, and can raise it.
        lines = ["ulimit -S -c 0", *entering(group), f"exec {shlex.join(manifest.command)}"]
        return Wrapped(("/bin/sh", "-c", "\n".join(lines)), manifest.folder, {**kept, **variables})


def entering(group: Group | None) -> list[str]:
    """Lines of a shell that enters a group, or ends."""
    doors = group.doors if group is not None else []
    return [f"echo 0 >{shlex.quote(str(door))} || exit 125" for door in doors]


def check_command(manifest: Manifest, path: str) -> None:
    """Raise BadSetting if a bot's command is not there."""
    program = manifest.command[0]
    place = str(manifest.folder / program) if os.sep in program else program
    if shutil.which(place, path=path) is None:
        reason = "it may not be executed" if os.path.exists(place) else "there is no such program"
        built = f"; it is built by: {shlex.join(manifest.build)}" if manifest.build else ""
        raise BadSetting(f"{manifest.folder}: cannot start {program}: {reason}{built}")


def trusts(hosting: Hosting) -> bool:
    """Whether the host trusts bots of folders: by its settings or by the variable KUMITE_TRUST."""
    return hosting.trust or os.environ.get(TRUST, "") not in ("", "0")


def walled() -> bool:
    """Whether this machine has walls: identity, bubblewrap and seccomp."""
    from referee.hosting import walls

    return sys.platform == "linux" and not walls.missing()


def best(hosting: Hosting | None = None) -> Sandbox:
    """Walls where this machine has them, otherwise `Trusted` where the host says so.

    Raises BadSetting with the one line that says what is missing, what installs or allows it, and how to do without.
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
