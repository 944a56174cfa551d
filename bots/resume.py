"""Remembering a resume token across a restart of the bot's process.

A referee hands every bot a resume token, with which a new stream gets its tables back. A process that is killed takes
the token with it, so `run` keeps it in a small file of the user's own, one for each referee and name, and locks the
file while it plays: a second bot under the same name does not steal the tables of the first.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import IO

STATE_VARIABLE = "KUMITE_STATE"
"""The environment's word on where to keep such files."""

LONGEST = 256
"""Characters that a token may have; the referee's own have 32."""


class ResumeFile:
    """The resume token of one bot at one referee; without a usable file it is simply not remembered."""

    def __init__(self, address: str, name: str, folder: Path | None = None) -> None:
        """`folder` is where the file lies; by default the user's own folder for such things."""
        digest = hashlib.sha256(f"{address}\0{name}".encode()).hexdigest()
        place = folder or default_folder()
        self.path = None if place is None else place / f"resume-{digest[:32]}"
        self._file = None if self.path is None else _opened(self.path)
        self.token = "" if self._file is None else _read(self._file)
        """What was remembered; empty: nothing."""

    def keep(self, token: str) -> None:
        """Remember a token, if it is a new one."""
        if token == self.token:
            return
        self.token = token
        if self._file is not None:
            self._file.seek(0)
            self._file.write(token)
            self._file.truncate()
            self._file.flush()

    def forget(self) -> None:
        """Nothing is left to resume."""
        if self._file is not None and self.path is not None:
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> ResumeFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.token:
            self.forget()
        if self._file is not None:
            self._file.close()


def default_folder() -> Path | None:
    """Where programs keep what they need to remember for this user; None: the user has no such place."""
    given = os.environ.get(STATE_VARIABLE)
    if given:
        return Path(given)
    base = os.environ.get("XDG_STATE_HOME")
    if base:
        return Path(base) / "kumite"
    try:
        return Path.home() / ".local" / "state" / "kumite"
    except RuntimeError:  # no HOME, and no entry for this user where the system keeps them
        return None


def _read(file: IO[str]) -> str:
    """The token in a file; a file with anything else is as good as an empty one, and is written over."""
    try:
        token = file.read(LONGEST + 1)
    except UnicodeDecodeError:
        return ""
    return token if len(token) <= LONGEST and token.isprintable() else ""


if sys.platform == "win32":

    def _opened(path: Path) -> IO[str] | None:
        """Nothing is remembered where files cannot be locked this way."""
        return None

else:
    import fcntl

    def _opened(path: Path) -> IO[str] | None:
        """The file, readable by its owner only and locked; None if it cannot be had or another process holds it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="ascii")
        except (OSError, RuntimeError):
            return None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return None
        return file
