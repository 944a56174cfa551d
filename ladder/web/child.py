"""The pages beside a referee: a child process that may crash, be killed and be started again, and touches no match.

The referee binds the address once and hands the listening socket to each child, so an address in use is one line at the
start of the referee, and connections wait while no child runs. The child ends when its standard input ends, which the
system sees to even where the referee is killed. A thread of its own supervises the child: the referee's loop never
waits for it.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from socket import socket
from typing import IO

FIRST_PAUSE = 0.5
"""Seconds before a child that has ended is started again; doubled each time (back-off)."""
LONGEST_PAUSE = 60.0
STEADY_SECONDS = 60.0
"""A child that ran for so long begins the back-off anew."""
GRACE = 5.0
"""Seconds that a child has to end when the referee ends."""
LONGEST_LINE = 1000
"""Characters of a child's line that reach the log."""
LINES_PER_SECOND = 20
"""Lines of a child that reach the log; the rest is counted."""

_logger = logging.getLogger(__name__)


class WebChild:
    """Keeps a process with the pages of a database running, from `start` to `stop`."""

    def __init__(self, database: Path, place: socket, words: Sequence[str] = ()) -> None:
        """`words` are further options of `kumite web`."""
        self._command = [sys.executable, "-m", "ladder", "web", str(database), "--inherited", str(place.fileno())]
        self._words = list(words)
        self._place = place
        self._stopping = threading.Event()
        self._changing = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._supervise, name="pages", daemon=True)

    def start(self, *words: str) -> None:
        """Start the first child; `words` are options that were not known before the referee listened."""
        self._words += words
        self._thread.start()

    def stop(self) -> None:
        """End the child and its supervision, within `GRACE` seconds."""
        self._stopping.set()
        with self._changing:
            process = self._process
        if process is not None:
            self._end(process)
        if self._thread.is_alive():
            self._thread.join(GRACE)
        self._place.close()

    def _supervise(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            began = time.monotonic()
            reason = self._run_once()
            if self._stopping.is_set():
                return
            pause = FIRST_PAUSE if time.monotonic() - began > STEADY_SECONDS else pause
            _logger.warning(
                "the pages ended (%s) and start again in %g s; no match is touched",
                reason,
                pause,
                extra={"event": "pages"},
            )
            self._stopping.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _run_once(self) -> str:
        """Run one child to its end; returns how the child ended."""
        with self._changing:
            if self._stopping.is_set():
                return "the referee ends"
            try:
                # A session of its own: Ctrl-C at the terminal is for the referee, which then ends the child.
                process = self._process = subprocess.Popen(
                    [*self._command, *self._words],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    pass_fds=(self._place.fileno(),),
                    start_new_session=True,
                )
            except OSError as error:
                return f"no process could be started: {error.strerror}"
        with process:
            if process.stdout is not None:
                _log_lines(process.stdout)
        code = process.returncode
        return f"killed by signal {-code}" if code < 0 else f"code {code}"

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(OSError):  # the child is gone already
            process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _log_lines(lines: IO[bytes]) -> None:
    """Put what a child prints into the log, `LINES_PER_SECOND` at most."""
    second, count, left_out = time.monotonic(), 0, 0
    while line := lines.readline(LONGEST_LINE):
        text = line.decode(errors="replace").rstrip()
        now = time.monotonic()
        if now - second >= 1:
            if left_out:
                _logger.warning("%d lines of the pages were left out", left_out, extra={"event": "pages"})
            second, count, left_out = now, 0, 0
        count += 1
        if count > LINES_PER_SECOND:
            left_out += 1
        elif text:
            _logger.warning("%s", text, extra={"event": "pages"})
    if left_out:
        _logger.warning("%d lines of the pages were left out", left_out, extra={"event": "pages"})
