"""The host's files that a hosted bot sees: a list of mounts for bubblewrap, made from the host's settings.

A bot sees the runtime (read-only: /usr, the libraries, a few files of /etc, the Python that runs this program with the
packages of the kit), its own folder (read-only, at its own path, so that built programs find their parts), a private
/tmp of a fixed size, and the one socket at which the referee listens for the bot. The parent folders of these show
nothing else and cannot be listed. The host's hidden folders are covered wherever a shown folder contains them.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from referee.hosting import owned
from referee.hosting.limits import MIB, Hosting
from referee.hosting.manifest import Manifest
from referee.kernel.errors import BadSetting

SOCKET = Path("/run/kumite/play.sock")
"""The path at which a bot finds the referee's socket."""
STATE = Path("/tmp/state")
"""The path of the folder for a bot's resume token."""
KIT = Path("/run/kumite/kit")
"""The path at which a bot finds the packages of the kit if they run from a source tree."""
HOME = Path("/tmp")
_PACKAGES = ("bots", "referee", "ladder")
_SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
_ETC = tuple(Path("/etc") / name for name in ("alternatives", "java", "ld.so.cache", "localtime"))
_DEVICES = ("null", "random", "urandom", "zero")
_FIXED = (Path("/tmp"), Path("/dev"), Path("/proc"), Path("/run"))
"""Folders that the view makes itself, so that the host's folders of these names are never shown whole."""


class MountedPath(NamedTuple):
    """A folder or file of the host that a bot sees, read-only."""

    source: Path
    path: Path


def roots(hosting: Hosting, manifest: Manifest) -> list[Path]:
    """The folders of the runtime that a bot sees: the default ones, the host's, and those of its manifest."""
    allowed = [
        *_existing(_SYSTEM),
        *_existing(_ETC),
        *Path("/etc").glob("java-*"),
        *python_prefixes(),
        *hosting.runtime,
    ]
    for path in hosting.runtime:
        _check(path, hosting, "[hosting] runtime")
    for path in hosting.hidden:
        if path.resolve() in (root.resolve() for root in allowed):
            raise BadSetting(
                f"{path} is seen by every bot, and must not be: it holds the database; move that elsewhere"
            )
    for path in manifest.runtime:
        _check(path, hosting, f"{manifest.folder}: runtime")
        if not any(path.is_relative_to(root) for root in allowed):
            raise BadSetting(
                f"{manifest.folder}: runtime {str(path)!r} is not allowed by the host; "
                f"the organiser may add it to runtime in the table [hosting] of the ladder file"
            )
    return list(dict.fromkeys([*allowed, *manifest.runtime]))


def _check(path: Path, hosting: Hosting, where: str) -> None:
    forbidden = (
        Path("/"),
        Path.home(),
        Path("/home"),
        Path("/root"),
        *_FIXED,
        Path("/sys"),
        Path("/etc"),
        Path("/var"),
    )
    resolved = path.resolve()
    if not path.is_absolute() or not path.exists():
        raise BadSetting(f"{where}: {path} is not the full path of a folder")
    if resolved in forbidden or any(hidden.resolve() == resolved for hidden in hosting.hidden):
        raise BadSetting(f"{where}: {path} is never shown to a bot as a whole; name a folder in it")


@cache
def python_prefixes() -> tuple[Path, ...]:
    """The folders of the Python that runs this program, by their names and by their real paths."""
    found: dict[Path, bool] = {}
    for name in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        for path in (Path(name), Path(name).resolve()):
            found[path] = path not in (Path("/"), Path.home()) and not any(map(path.is_relative_to, _SYSTEM))
    return tuple(path for path, wanted in found.items() if wanted)


@cache
def kit() -> tuple[MountedPath, ...]:
    """The packages of this program, if they run from a source tree and not from a Python prefix."""
    found: list[MountedPath] = []
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            folder = Path(place).resolve()
            if not any(folder.is_relative_to(root) for root in (*_SYSTEM, *python_prefixes())):
                found.append(MountedPath(folder, KIT / name))
    return tuple(found)


def _beside_the_kit() -> list[Path]:
    """The entries beside the packages that are no packages: in a source tree, bots in other languages."""
    folders = [path for part in kit() for path in part.source.iterdir() if path.is_dir()]
    return [path for path in folders if path.name != "__pycache__" and not (path / "__init__.py").exists()]


def search_path() -> str:
    """The PATH of a bot: the Python that runs this program, then the system's programs."""
    places = [*(f"{prefix}/bin" for prefix in python_prefixes()), "/usr/local/bin", "/usr/bin", "/bin"]
    return ":".join(dict.fromkeys(places))


def arguments(
    manifest: Manifest,
    hosting: Hosting,
    *,
    folder: Path,
    sockets: Mapping[Path, Path],
    disk_mib: int,
    passwd: str,
    group: str,
) -> list[str]:
    """The arguments of bubblewrap that make the view; `folder` is the bot's folder or a copy of it.

    `sockets` maps paths that the bot sees to the host's sockets; `passwd` and `group` are descriptors with the contents
    of /etc/passwd and /etc/group.
    """
    lines: list[str] = ["--size", str(disk_mib * MIB), "--perms", "1777", "--tmpfs", "/tmp"]
    lines += [
        "--perms",
        "0777",
        "--dir",
        str(STATE),
        "--perms",
        "0755",
        "--dir",
        "/var",
        "--symlink",
        "/tmp",
        "/var/tmp",
    ]
    mounts, there = _mounts(manifest, hosting, folder)
    lines += mounts
    made = set(there)
    for path, source in sockets.items():
        lines += [*_parents(path, made, []), "--ro-bind", str(source), str(path)]
    lines += ["--perms", "0444", "--file", passwd, "/etc/passwd", "--perms", "0444", "--file", group, "/etc/group"]
    lines += ["--proc", "/proc", *_devices(disk_mib), "--remount-ro", "/dev", "--remount-ro", "/"]
    return [*lines, "--chdir", str(manifest.folder)]


@lru_cache(maxsize=256)
def _mounts(manifest: Manifest, hosting: Hosting, folder: Path) -> tuple[tuple[str, ...], frozenset[Path]]:
    """The mounts of the host's files, and the folders that are made for them.

    The result is cached for each bot, because computing it takes as long as bubblewrap itself.
    """
    shown = [MountedPath(path, path) for path in roots(hosting, manifest)]
    shown += [*kit(), MountedPath(folder, manifest.folder)]
    covered = _covered(shown, [*hosting.hidden, Path.home(), *_beside_the_kit()])
    lines: list[str] = []
    made: set[Path] = {Path("/"), Path("/tmp"), Path("/var")}
    real: list[Path] = []
    # Sorted by depth: a cover comes after the folder that it covers, and before what is shown inside of it.
    for part in sorted([*shown, *covered], key=lambda part: len(part.path.parts)):
        lines += _parents(part.path, made, real)
        lines += _show(part)
        real.append(part.path)
    return tuple(lines), frozenset(made)


def _covered(shown: Sequence[MountedPath], hidden: Sequence[Path]) -> list[MountedPath]:
    """The paths at which a shown folder would contain a hidden one."""
    found = {}
    for path in hidden:
        resolved = path.resolve()
        for part in shown:
            source = part.source.resolve()
            if resolved != source and resolved.is_relative_to(source) and resolved.exists():
                place = part.path / resolved.relative_to(source)
                found[place] = MountedPath(owned.empty(), place)
    return list(found.values())


def check_folder(manifest: Manifest, hosting: Hosting) -> None:
    """Raise BadSetting for a bot whose folder contains a hidden folder."""
    folder = manifest.folder
    for path in (*_SYSTEM, *_FIXED, Path("/etc"), Path.home(), *python_prefixes()):
        if path.resolve().is_relative_to(folder):
            raise BadSetting(f"{folder}: a bot needs a folder of its own, and {path} lies in this one")
    for path in hosting.hidden:
        if path.resolve().is_relative_to(folder):
            raise BadSetting(f"{folder}: a bot sees its whole folder, and {path} lies in it; move one of the two")


def _parents(path: Path, made: set[Path], real: Sequence[Path]) -> Iterator[str]:
    """The parent folders of a path that do not exist yet; they cannot be listed, except those that the view makes."""
    for parent in reversed(path.parents):
        if parent not in made and not any(map(parent.is_relative_to, real)):
            made.add(parent)
            listed = parent == Path("/etc") or parent.is_relative_to(KIT)
            yield from ("--perms", "0755" if listed else "0111", "--dir", str(parent))


def _show(part: MountedPath) -> list[str]:
    if part.source == part.path and part.source.is_symlink() and len(part.path.parts) == 2:
        return ["--symlink", os.readlink(part.source), str(part.path)]
    return ["--ro-bind", str(part.source), str(part.path)]


def _devices(disk_mib: int) -> list[str]:
    lines = ["--perms", "0755", "--tmpfs", "/dev"]
    for name in _DEVICES:
        lines += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    links = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}
    for name, target in links.items():
        lines += ["--symlink", f"/proc/self/fd{target}", f"/dev/{name}"]
    return [*lines, "--size", str(disk_mib * MIB), "--perms", "1777", "--tmpfs", "/dev/shm"]


def _existing(paths: Sequence[Path]) -> list[Path]:
    return [path for path in paths if path.exists()]
