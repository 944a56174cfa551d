"""Bots of Python modules, shipped to workers that do not have them.

A bundle is a zip of a module or package with its digest. A worker keeps each digest once, in a folder of its own, and
imports from there; when a module arrives with another digest the old one is forgotten first, so a long-lived worker
always plays the bot it was sent.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from bots.specs import resolve
from referee.kernel.errors import BadSetting


@dataclass(frozen=True, slots=True)
class Bundle:
    """A top-level module or package as a zip."""

    module: str
    digest: str
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
    """Make a bundle's module importable here, in place of any other of its name."""
    folder = Path(tempfile.gettempdir()) / "kumite-bundles" / bundle.digest
    if str(folder) in sys.path:
        return
    if not folder.exists():
        part = Path(tempfile.mkdtemp(prefix="kumite-bundle-"))
        with zipfile.ZipFile(io.BytesIO(bundle.data)) as archive:
            archive.extractall(part)
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.rename(folder)
        except OSError:
            # Another worker of this machine was quicker; its copy has the same digest.
            if not folder.exists():
                raise
    for name in [name for name in sys.modules if name == bundle.module or name.startswith(f"{bundle.module}.")]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
