"""The text that tells one build of a bot from the next, with a digest of the bot's source.

On a ladder a changed `Hello.software` is a new build, which is rated apart from the earlier ones. The kit's default
text therefore contains a digest of the source: a bot that is started twice sends the same text, wherever its files lie,
and a bot whose source was changed sends another. A model file or a table that the bot loads is not source; the author
of such a bot gives a text that changes with the file, `run(..., software=...)`.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from bots.bot import Bot
from bots.specs import resolve
from referee import __version__

LONGEST = 256
"""Most characters of the text."""
DIGITS = 12
"""Hex digits of the digest in the text."""
MAIN = "__main__"
FOREIGN = ("site-packages", "node_modules")
"""Folders of installed packages, whose files are not the author's."""


def software(kind: type[Bot]) -> str:
    """The text for a class of bots: module, class and a digest, such as `mybot.Cautious sha256:1234abcd5678`.

    The digest covers the file that defines the class, or every file of its package, and the same for each base class
    except the kit's own `Bot`. For a class without a file, as in a notebook, the digest covers the source of the class;
    if there is no source either, the text has no digest.
    """
    parts: dict[Path, bytes] = {}
    own: list[bytes] = []
    for ancestor in kind.__mro__:
        if ancestor in (Bot, object):
            continue
        files = _read(_class_files(ancestor))
        parts |= files
        if not files:
            own += _written(ancestor)
    return _text(_label(kind), [*parts.values(), *own])


def software_of(spec: str) -> str:
    """The text for a spec: the spec itself and its digest, such as `greedy sha256:1234abcd5678`."""
    return _cut(spec, f" sha256:{digest(spec)[:DIGITS]}")


def digest(spec: str) -> str:
    """The fingerprint of a bot: the text of its spec and the source that the bot runs.

    The source of a bundled bot is that of all bundled bots; the source of a bot of a Python module is that module's
    file, or all files of its package.
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


def _text(label: str, parts: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    found = False
    for part in parts:
        found = True
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return _cut(label, f" sha256:{total.hexdigest()[:DIGITS]}" if found else "")


def _cut(label: str, ending: str) -> str:
    """Label and ending in at most `LONGEST` characters; what UTF-8 cannot encode becomes a question mark."""
    return label.encode(errors="replace").decode()[: LONGEST - len(ending)] + ending


def _label(kind: type) -> str:
    """Module and class; a program that was started by its file gives the name of that file as its module."""
    module = kind.__module__
    if module == MAIN:
        main = sys.modules.get(MAIN)
        known = getattr(main, "__spec__", None)
        path = getattr(main, "__file__", None)
        module = known.name if known is not None else Path(path).stem if path else MAIN
    return f"{module}.{kind.__qualname__}"


def _class_files(kind: type) -> list[Path]:
    """The files of the package that defines a class, or the file of its module."""
    module = sys.modules.get(kind.__module__)
    if module is None:
        return []
    package = sys.modules.get(getattr(module, "__package__", None) or "")
    if package is not None and getattr(package, "__path__", None):
        return _folder_files(package.__path__)
    path = _file(module)
    return [] if path is None else [path]


def _file(module: ModuleType) -> Path | None:
    path = getattr(module, "__file__", None)
    return Path(path) if path and path.endswith(".py") else None


def _module_files(name: str) -> list[Path]:
    module = sys.modules.get(name)
    found = module.__spec__ if module is not None else find_spec(name)
    if found is None or found.origin is None:
        return []
    if found.submodule_search_locations:
        return _folder_files(found.submodule_search_locations)
    return [Path(found.origin)]


def _folder_files(folders: Iterable[str]) -> list[Path]:
    """The source files of a package's folders, without virtual environments and hidden folders."""
    return sorted(
        path for folder in folders for path in Path(folder).rglob("*.py") if _own(path.relative_to(folder).parts[:-1])
    )


def _own(parts: Iterable[str]) -> bool:
    return not any(part.startswith(".") or part in FOREIGN for part in parts)


def _read(files: Iterable[Path]) -> dict[Path, bytes]:
    """The bytes of each readable file."""
    found: dict[Path, bytes] = {}
    for path in files:
        try:
            found[path.resolve()] = path.read_bytes()
        except OSError:
            continue
    return found


def _written(kind: type) -> list[bytes]:
    """The source of a class without a file, as a notebook stores it."""
    try:
        return [inspect.getsource(kind).encode(errors="replace")]
    except (OSError, TypeError):
        return []
