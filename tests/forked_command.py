"""A command `kumite` for shell scripts whose processes are forked from one that has loaded Kumite.

The real command takes 0.5 s of CPU before its first line runs, and the organiser's page shows fifty of them: 58 s of
CPU with the real command, 21 s with this one. `README.md` is run with the real command.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from ast import literal_eval
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType

from tests.forked import Forked

CLIENT = """#!{python} -IS
import os, signal, socket, sys

link = socket.socket(socket.AF_UNIX)
link.connect({address!r})
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, frame: link.send(bytes([number])))
request = repr((sys.argv[1:], os.getcwd(), dict(os.environ))).encode() + b"\\0"
socket.send_fds(link, [request[:1]], [1, 2])
link.sendall(request[1:])
answer = link.recv(1)
os._exit(answer[0] if answer else 255)
"""
"""Hands its words, folder, environment and outputs over, passes signals on, and ends with the code of the process."""


class ForkedCommand:
    """A folder for the front of PATH with `kumite` in it, while the block runs."""

    def __init__(self, folder: Path) -> None:
        """Make the folder."""
        folder.mkdir()
        self.folder = folder
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / "s"))
        self._listener.listen(16)
        script = folder / "kumite"
        script.write_text(CLIENT.format(python=sys.executable, address=str(folder / "s")))
        script.chmod(0o755)

    def __enter__(self) -> ForkedCommand:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Wakes the thread that waits for the next command.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._run, args=(link,), daemon=True).start()

    def _run(self, link: socket.socket) -> None:
        with link:
            request, outputs, _, _ = socket.recv_fds(link, 1, 2)
            while not request.endswith(b"\0"):
                request += link.recv(1 << 16)
            words, folder, environment = literal_eval(request[:-1].decode())
            # The code of a process can be read once, and starting one looks at the others.
            with self._lock:
                out, err = outputs
                process = Forked("-m", "ladder", *words, folder=Path(folder), environment=environment, out=out, err=err)
            for output in outputs:
                os.close(output)
            threading.Thread(target=self._pass_signals, args=(link, process), daemon=True).start()
            wait([process.sentinel])
            with self._lock:
                code = process.wait()
            with suppress(OSError):
                link.send(bytes([code if code >= 0 else 128 - code]))
                link.shutdown(socket.SHUT_RDWR)

    def _pass_signals(self, link: socket.socket, process: Forked) -> None:
        """Signals that the client was sent reach the process; one whose client is gone is killed."""
        while not wait([process.sentinel], 0):
            try:
                number = link.recv(1)
            except OSError:
                number = b""
            with suppress(ProcessLookupError):
                os.kill(process.pid, number[0] if number else signal.SIGKILL)
            if not number:
                return
