"""The unix sockets of a referee that plays a database: where its own bots and its organiser find it."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple

from referee.kernel.errors import BadSetting
from referee.transport.unix import LONGEST_PATH, UNIX


class Sockets(NamedTuple):
    """The unix sockets of a referee, as its database names them."""

    play: str
    """Play and Describe alone: the only one that a bot which the host starts ever sees."""
    admin: str
    """For the organiser's own tools; only the referee's user can open it."""


def sockets(database: Path) -> Sockets:
    """Where a referee with this database listens for its own bots and its organiser.

    They lie beside the database, `cup.play.sock` and `cup.admin.sock` for `cup.sqlite`; where that path is too long for
    a socket, in a folder of the user's among the system's temporary files, under a digest of the database's path.
    """
    full = database.resolve()
    base = full.with_suffix("")
    if len(f"{base}.admin.sock".encode()) > LONGEST_PATH:
        digest = hashlib.sha256(str(full).encode()).hexdigest()[:16]
        base = _temporary_folder() / digest
    return Sockets(f"{UNIX}{base}.play.sock", f"{UNIX}{base}.admin.sock")


def make_socket_folder(place: Sockets) -> None:
    """Make the folder of the sockets, for its owner alone, unless it is there.

    Raises BadSetting for a folder among the system's temporary files that another user may have made: a user who
    can write there could put another socket in the place of the referee's.
    """
    folder = Path(place.play.removeprefix(UNIX)).parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder == _temporary_folder():
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise BadSetting(
                f"{folder} is not a folder of yours alone; remove it, or give the database a shorter path, so that its "
                f"sockets lie beside it"
            )


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"kumite-{os.getuid()}"
