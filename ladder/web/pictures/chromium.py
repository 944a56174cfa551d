"""Chromium without a window, for pictures: driven over a pair of pipes by its own debugging protocol.

No port is opened and no library is needed. A browser that was started by `chromium` ends with its context.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from referee.kernel.errors import BadSetting

NAMES = ("chromium", "chromium-browser", "google-chrome")
LONGEST = 60.0
"""Seconds that one command may take."""
_ABOVE = 10
"""Lowest descriptor of the pipes here, above those that the browser reads and writes: 3 and 4."""


class NoBrowser(BadSetting):
    """No Chromium can be used on this machine."""


def find() -> str | None:
    """The program, or None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """A page of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        """A command of the protocol and its answer."""
        return self._browser.call(method, values, self._session)

    def run(self, script: str) -> Any:
        """The value of an expression, awaited if it is a promise; raises BadSetting with what it threw."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            thrown = found["exceptionDetails"]
            text = thrown.get("exception", {}).get("description", thrown.get("text", ""))
            raise BadSetting(f"the drawing failed: {text.splitlines()[0] if text else 'no reason was given'}")
        return found["result"].get("value")


class Browser:
    """A running Chromium, reached through two pipes."""

    def __init__(self, sending: int, receiving: int) -> None:
        self._sending = sending
        self._receiving = receiving
        self._read = b""
        self._number = 0

    def tab(self) -> Tab:
        """A new, empty page."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        return Tab(self, session)

    def call(self, method: str, values: Mapping[str, Any], session: str | None = None) -> dict[str, Any]:
        """A command of the protocol and its answer; raises NoBrowser if the browser is gone or silent."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": values}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self._sending, data) :]
        except OSError:
            raise NoBrowser("Chromium ended before it drew the picture") from None
        until = monotonic() + LONGEST
        while True:
            answer = self._next(until)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise NoBrowser(f"Chromium refused {method}: {answer['error'].get('message')}")
                found: dict[str, Any] = answer["result"]
                return found

    def _next(self, until: float) -> dict[str, Any]:
        """The next message of the browser."""
        while b"\0" not in self._read:
            ready, _, _ = select.select([self._receiving], [], [], max(0.0, until - monotonic()))
            data = os.read(self._receiving, 1 << 16) if ready else b""
            if not data:
                raise NoBrowser("Chromium ended before it drew the picture" if ready else "Chromium does not answer")
            self._read += data
        text, _, self._read = self._read.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for the time of the context; raises NoBrowser if there is none."""
    program = find()
    if program is None:
        raise NoBrowser(f"no browser: none of {', '.join(NAMES)} is on the PATH (Debian: apt install chromium)")
    theirs_in, ours_out = map(_above, os.pipe())
    ours_in, theirs_out = map(_above, os.pipe())
    with TemporaryDirectory(prefix="kumite-browser-", ignore_cleanup_errors=True) as profile:
        pid = _start(program, profile, theirs_in, theirs_out)
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            yield Browser(ours_out, ours_in)
        finally:
            os.close(ours_out)
            os.close(ours_in)
            _end(pid)


def _above(descriptor: int) -> int:
    """The same file under a descriptor that is not one of the browser's."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _ABOVE)
    os.close(descriptor)
    return moved


def _start(program: str, profile: str, reading: int, writing: int) -> int:
    """Start the browser in a session of its own, so that its children end with it."""
    arguments = [
        program,
        "--headless",
        "--remote-debugging-pipe",
        f"--user-data-dir={profile}",
        "--no-first-run",
        "--disable-gpu",
        "--disable-extensions",
        "--disable-background-networking",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--font-render-hinting=none",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),  # Chromium refuses its sandbox to root
        "about:blank",
    ]
    actions = [
        (os.POSIX_SPAWN_DUP2, reading, 3),
        (os.POSIX_SPAWN_DUP2, writing, 4),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    return os.posix_spawn(program, arguments, os.environ, file_actions=actions, setsid=True)


def _end(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
