"""Fingerprints of bots: a bot whose code changed is another build."""

from __future__ import annotations

import hashlib
import sys
from importlib.util import find_spec
from pathlib import Path

from bots.specs import resolve
from referee import __version__


def digest(spec: str) -> str:
    """The fingerprint of what a spec stands for: its text and the source it runs.

    A bundled bot is the spec and the source of all bundled bots; a bot of a Python module is that module's file, or
    all files of its package.
    """
    resolve(spec)
    total = hashlib.sha256(f"{spec}\0".encode())
    if spec.startswith("py:"):
        for path in _module_files(spec.split(":")[1]):
            total.update(path.read_bytes())
    else:
        total.update(__version__.encode())
        for path in _module_files("bots.bundled"):
            total.update(path.read_bytes())
    return total.hexdigest()


def _module_files(name: str) -> list[Path]:
    module = sys.modules.get(name)
    found = module.__spec__ if module is not None else find_spec(name)
    if found is None or found.origin is None:
        return []
    if found.submodule_search_locations:
        return sorted(path for folder in found.submodule_search_locations for path in Path(folder).rglob("*.py"))
    return [Path(found.origin)]
