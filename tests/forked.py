"""Python processes forked from one that has loaded Kumite: each starts within 20 ms instead of 600 ms.

For tests that signal, kill or wait for a process of `kumite` and do not look at how it starts; `README.md` and the
demo ladder are run with the real command, other pages and examples with `tests.forked_command`. All forked processes
share one hash seed: a test that must notice a result that depends on the order of a set starts its processes with
`subprocess`.
"""

from __future__ import annotations

import atexit
import os
import runpy
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping
from multiprocessing import get_context, reduction
from pathlib import Path
from typing import Protocol

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "ladder.cli.admin",
        "ladder.cli.event",
        "ladder.cli.join",
        "ladder.cli.ladder",
        "ladder.cli.match",
        "ladder.cli.matches",
        "ladder.cli.serve",
        "referee.codec.encoding",
        "referee.games.edo_yashiki",
        "referee.games.honshu",
        "referee.games.ninjato",
        "referee.games.white_castle",
    ]
)


class _Descriptor(Protocol):
    """A file descriptor on its way to the new process."""

    def detach(self) -> int:
        """The descriptor as the new process has it."""


class Forked:
    """A Python process with the part of `subprocess.Popen` that tests use."""

    def __init__(
        self, *words: str, folder: Path, environment: Mapping[str, str], out: Path | int, err: Path | int
    ) -> None:
        """Run Python with these words (`-m ladder ...` or `script.py ...`); `out` and `err` are files or descriptors.

        A file is emptied first, and both may be the same one.
        """
        for file in (out, err):
            if isinstance(file, Path):
                file.write_bytes(b"")
        given = [reduction.DupFd(file) if isinstance(file, int) else str(file) for file in (out, err)]
        self.args = [sys.executable, *words]
        self._process = _CONTEXT.Process(target=_run, args=(list(words), str(folder), dict(environment), given))
        self._process.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def sentinel(self) -> int:
        """A descriptor that can be read when the process has ended."""
        return self._process.sentinel

    @property
    def returncode(self) -> int | None:
        """The exit code, a negative signal number, or None while the process runs or was not waited for."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit code, or None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once the process has ended."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, if the process still runs."""
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL, if the process still runs."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Send SIGTERM, if the process still runs."""
        self.send_signal(signal.SIGTERM)


def _run(words: list[str], folder: str, environment: dict[str, str], outputs: list[str | _Descriptor]) -> None:
    """In the new process: take on folder, environment and outputs, do what `python *words` does, and end."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, output in enumerate(outputs, 1):
        os.dup2(os.open(output, os.O_WRONLY | os.O_APPEND) if isinstance(output, str) else output.detach(), number)
    code = 0
    try:
        _execute(words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    # The end of an ordinary Python process: first the threads, then what is registered for the end. A process of
    # multiprocessing has it the other way round, which would leave a pool of workers without the word to stop.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _execute(words: list[str]) -> None:
    if words[:2] == ["-m", "ladder"]:
        from ladder.cli import run

        sys.argv = ["kumite", *words[2:]]
        sys.exit(run(words[2:]))
    elif words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        sys.path.insert(0, os.getcwd())
        runpy.run_path(words[0], run_name="__main__")
