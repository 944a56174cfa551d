"""Keeps child processes from outliving the process that started them, however that ends.

Processes of this program watch their parent themselves (`end_with_parent`). Bots are programs of their own: one small
process beside this one (`ladder.reaper`) ends their process groups when this one is gone.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from ladder import reaper

SECONDS = 1.0
"""Time between two looks at the parent."""


def end_with_parent(parent: int) -> None:
    """End this process soon after its parent, whose process id is given, has ended; at once if that has happened."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="kumite-parent", daemon=True).start()


@contextmanager
def ended_with_this_process(group: int) -> Iterator[None]:
    """For the length of the block, let a process group end if this process does; the block itself ends it otherwise."""
    pipe = _reaper(os.getpid())
    with suppress(OSError):
        os.write(pipe, f"+{group}\n".encode())
    try:
        yield
    finally:
        with suppress(OSError):
            os.write(pipe, f"-{group}\n".encode())


@cache
def _reaper(process: int) -> int:
    """The pipe to the reaper of this process, which is started with the first group and ends with this process."""
    reading, writing = os.pipe()
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-S", reaper.__file__],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, reading, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setpgroup=0,
    )
    os.close(reading)
    return writing
