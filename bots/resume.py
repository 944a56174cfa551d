"""The file that keeps a resume token across a restart of the bot's process.

A referee gives every bot a resume token, with which a new stream gets the bot's tables back. A killed process loses
the token, so `run` stores the token in a small file of the user, one for each referee and name. The file is locked
while the bot plays, so that a second bot with the same name does not take the tables of the first.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import IO

STATE_VARIABLE = "KUMITE_STATE"
"""The variable that names the folder of these files."""

LONGEST = 256
"""Most characters of a token; a referee's own tokens have 32."""


class ResumeFile:
    """The resume token of one bot at one referee; without a usable file the token lasts as long as the process."""

    def __init__(self, address: str, name: str, folder: Path | None = None) -> None:
        """`folder` holds the file; the default is `default_folder()`."""
        digest = hashlib.sha256(f"{address}\0{name}".encode()).hexdigest()
        place = folder or default_folder()
        self.path = None if place is None else place / f"resume-{digest[:32]}"
        self._file = None if self.path is None else _opened(self.path)
        self.token = "" if self._file is None else _read(self._file)
        """The stored token; empty: none."""

    def keep(self, token: str) -> None:
        """Store a token that differs from the stored one."""
        if token == self.token:
            return
        self.token = token
        if self._file is not None:
            self._file.seek(0)
            self._file.write(token)
            self._file.truncate()
            self._file.flush()

    def forget(self) -> None:
        """Remove the file, because the bot has no match to resume."""
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
    """The folder for the state of this user's programs; None: the user has no home folder."""
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
    """The token in a file; empty if the file holds anything else, which the next token overwrites."""
    try:
        token = file.read(LONGEST + 1)
    except UnicodeDecodeError:
        return ""
    return token if len(token) <= LONGEST and token.isprintable() else ""


if sys.platform == "win32":

    def _opened(path: Path) -> IO[str] | None:
        """None: without `fcntl` the file cannot be locked, so no token is stored."""
        return None

else:
    import fcntl

    def _opened(path: Path) -> IO[str] | None:
        """The file, readable by its owner only and locked; None if opening or locking the file fails."""
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
