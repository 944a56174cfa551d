"""Places that a command will write to, tried out before it does any work."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from referee.kernel.errors import BadSetting


def check_file(option: str, path: Path, *, replaced: bool = False) -> None:
    """Raise BadSetting if a file cannot be written there; nothing is left behind.

    A file that is there keeps its place, unless it is `replaced` by a new one: that needs a folder to write in.
    """
    folder = path.absolute().parent
    if path.is_dir():
        raise BadSetting(f"{option} {path}: that is a folder; name a file")
    if not folder.is_dir():
        raise BadSetting(f"{option} {path}: there is no folder {folder}")
    if path.exists():
        if not os.access(path, os.W_OK):
            raise BadSetting(f"{option} {path}: that file cannot be written to; name another")
        if not path.is_file() or not replaced:
            return
    _try_out(option, path, folder)


def make_folder(option: str, path: Path, mode: int = 0o777) -> Path:
    """The folder, made with this mode if there is none; raises BadSetting if no file can be created in it."""
    if path.exists() and not path.is_dir():
        raise BadSetting(f"{option} {path}: that is a file; name a folder")
    try:
        path.mkdir(mode, parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(f"{option} {path}: that folder cannot be made: {error.strerror or error}") from None
    _try_out(option, path, path)
    return path


def _try_out(option: str, path: Path, folder: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise BadSetting(f"{option} {path}: no file can be created in {folder}: {reason}; name another place") from None
