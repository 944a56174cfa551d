"""Copies of bots' folders that hosted processes may not read: if the host is root, bots have user ids of their own.

A folder that every user may read is shown as it is. Any other folder is copied once for this process, and again if the
folder changes; in the copy every user has the rights of the files' owner.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from functools import cache
from pathlib import Path

from referee.hosting import leash, owned, processes
from referee.hosting.limits import MIB
from referee.kernel.errors import BadSetting

LARGEST = 256 * MIB
"""Most bytes of a folder that is copied."""

_Signature = tuple[tuple[str, int, int, int], ...]


class Copies:
    """The copies that this process has made."""

    def __init__(self) -> None:
        self._open: dict[Path, int] = {}
        """Time of the last change of each folder that needs no copy, in nanoseconds."""
        self._made: dict[Path, tuple[_Signature, Path]] = {}

    def readable(self, folder: Path) -> Path:
        """The folder, or a copy that every user can read; raises BadSetting if the folder is too large to copy."""
        changed = folder.stat().st_mtime_ns
        if self._open.get(folder) == changed:
            return folder
        signature, size, open_ = _look(folder)
        if open_:
            self._open[folder] = changed
            return folder
        known = self._made.get(folder)
        if known is not None and known[0] == signature and known[1].exists():
            return known[1]
        if size > LARGEST:
            raise BadSetting(
                f"{folder}: bots run as users of their own here, which cannot read all of this folder, and it is too "
                f"large to copy: chmod -R o+rX {folder}"
            )
        own = owned.base() / processes.owner(os.getpid())
        own.mkdir(mode=0o700, exist_ok=True)
        leash.remove_later(own)
        target = Path(tempfile.mkdtemp(prefix="copy-", dir=own))
        _copy(folder, target)
        if known is not None:
            shutil.rmtree(known[1], ignore_errors=True)
        self._made[folder] = (signature, target)
        return target


@cache
def shared() -> Copies:
    """The copies of this process."""
    return Copies()


def _look(folder: Path) -> tuple[_Signature, int, bool]:
    """A signature that changes with the folder, its size in bytes, and whether every user can read all of its files."""
    entries = []
    total = 0
    found = folder.stat()
    open_ = bool(found.st_mode & 0o005 == 0o005)
    for path, folders, files in os.walk(folder):
        for name in (*folders, *files):
            found = os.lstat(os.path.join(path, name))
            entries.append((os.path.join(path, name), found.st_mtime_ns, found.st_size, found.st_mode))
            if stat.S_ISDIR(found.st_mode):
                open_ = open_ and found.st_mode & 0o005 == 0o005
            elif stat.S_ISREG(found.st_mode):
                total += found.st_size
                runs = bool(found.st_mode & 0o100)
                open_ = open_ and bool(found.st_mode & 0o004) and (not runs or bool(found.st_mode & 0o001))
    return tuple(sorted(entries)), total, open_


def _copy(folder: Path, target: Path) -> None:
    target.mkdir(mode=0o755, exist_ok=True)
    for entry in os.scandir(folder):
        place = target / entry.name
        if entry.is_symlink():
            place.symlink_to(os.readlink(entry.path))
        elif entry.is_dir():
            _copy(Path(entry.path), place)
        elif entry.is_file():
            shutil.copyfile(entry.path, place)
            place.chmod(0o755 if entry.stat().st_mode & 0o100 else 0o644)
    target.chmod(0o755)
