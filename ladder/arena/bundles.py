"""Bots of Python modules, shipped to workers that do not have them.

A bundle is a zip of a module or package with its digest. A worker keeps each zip in a folder that only its own user can
enter, compares it with its digest before every use, and imports from the zip itself; when a module arrives with another
digest the old one is forgotten first, so a long-lived worker always plays the bot it was sent.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import sys
import tempfile
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path

from bots.specs import resolve
from referee.kernel.errors import BadSetting


@dataclass(frozen=True, slots=True)
class Bundle:
    """A top-level module or package as a zip."""

    module: str
    digest: str
    """SHA-256 of the data, in hex."""
    data: bytes


@cache
def pack(spec: str) -> Bundle | None:
    """The bundle of a spec's module; None for a bot that comes with Kumite."""
    if not spec.startswith("py:"):
        return None
    resolve(spec)
    top = spec.split(":")[1].partition(".")[0]
    found = find_spec(top)
    if found is None or found.origin is None:
        raise BadSetting(f"{spec}: the files of module {top} are not found, so it cannot be sent to a cluster")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, name in _files(top, found.origin, found.submodule_search_locations):
            # A fixed date: the same files make the same bundle.
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    data = buffer.getvalue()
    return Bundle(top, hashlib.sha256(data).hexdigest(), data)


def _files(top: str, origin: str, folders: list[str] | None) -> list[tuple[Path, str]]:
    if not folders:
        return [(Path(origin), f"{top}.py")]
    root = Path(folders[0])
    return [(path, f"{top}/{path.relative_to(root).as_posix()}") for path in sorted(root.rglob("*.py"))]


def unpack(bundle: Bundle) -> None:
    """Make a bundle's module importable here, in place of any other of its name; raises BadSetting.

    A folder whose files do not have the bundle's digest is not used, whichever process left it there.
    """
    if hashlib.sha256(bundle.data).hexdigest() != bundle.digest:
        raise BadSetting(f"the bundle of module {bundle.module} does not have its digest {bundle.digest[:12]}…")
    place = _own_folder() / f"{bundle.digest}.zip"
    fits = _fits(place, bundle.digest)
    if not fits:
        _write(place, bundle.data)
    if fits and str(place) in sys.path:
        return
    for name in [name for name in sys.modules if name == bundle.module or name.startswith(f"{bundle.module}.")]:
        del sys.modules[name]
    if str(place) in sys.path:
        sys.path.remove(str(place))
    sys.path_importer_cache.pop(str(place), None)
    sys.path.insert(0, str(place))
    invalidate_caches()


def _fits(place: Path, digest: str) -> bool:
    """Whether a file is there and has the digest."""
    try:
        return hashlib.sha256(place.read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _write(place: Path, data: bytes) -> None:
    """Put a file in its place, whole: other workers of this user may read it at any moment."""
    handle, name = tempfile.mkstemp(dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _own_folder() -> Path:
    """A folder among the system's temporary files that only this user can enter.

    Where another user has taken its name, this process has one of its own.
    """
    folder = Path(tempfile.gettempdir()) / f"kumite-bundles-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077:
        return folder
    return _private_folder(tempfile.gettempdir())


@cache
def _private_folder(where: str) -> Path:
    return Path(tempfile.mkdtemp(prefix="kumite-bundles-", dir=where))
