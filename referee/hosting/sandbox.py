"""How a bot's process is wrapped before it runs.

A `Sandbox` turns a manifest into the command line and the limits under which it is started; `launch` knows nothing
else about it. `Trusted` only limits resources and is for bots whose authors you trust.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from referee.hosting.manifest import Manifest

MIB = 1 << 20
_PASSED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")


class Wrapped(NamedTuple):
    """A process ready to be started."""

    command: tuple[str, ...]
    folder: Path
    environment: dict[str, str]


class Sandbox(Protocol):
    """A way to run a bot."""

    def wrap(self, manifest: Manifest, variables: Mapping[str, str], socket: Path | None) -> Wrapped:
        """What to start. `variables` tell the bot its referee; `socket` is the only path outside that it needs."""

    def limit(self, manifest: Manifest, pid: int) -> None:
        """Bound what a process that was just started may use."""


class Trusted:
    """No walls: the bot runs as you, in its folder, with a clean environment and bounded memory and processes."""

    def wrap(self, manifest: Manifest, variables: Mapping[str, str], socket: Path | None) -> Wrapped:
        kept = {key: os.environ[key] for key in _PASSED if key in os.environ}
        return Wrapped(manifest.command, manifest.folder, {**kept, **variables})

    def limit(self, manifest: Manifest, pid: int) -> None:
        # The address space is many times what managed runtimes really use: Go, Java and Node reserve it in advance.
        reserved = manifest.limits.memory_mib * MIB * 64
        resource.prlimit(pid, resource.RLIMIT_AS, (reserved, reserved))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
