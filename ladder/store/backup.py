"""Copies a database and its host's key while a referee writes to it."""

from __future__ import annotations

import os
import secrets
import sqlite3
from pathlib import Path
from typing import NamedTuple

from ladder.store.file import PRIVATE, StoreProblem, problem
from ladder.store.host_key import key_path, name_file, read_key, write_private
from ladder.store.sealed import KEY_CHECK


class BackupFiles(NamedTuple):
    """The files of a backup."""

    database: Path
    key: Path | None
    """None: the database has no key yet, because no match was ever played in it."""


def back_up(database: Path, folder: Path) -> BackupFiles:
    """Copy a database and its key into a folder, under the names they have; raises StoreProblem.

    The copy is one moment of the database, with everything that was committed before. A file of that name is never
    replaced, and none is left half written: each gets its name when it is complete, the key first.
    """
    source = database.resolve()
    targets = BackupFiles(folder / source.name, folder / key_path(source).name)
    for path in targets:
        if path is not None and path.exists():
            raise StoreProblem(f"{path} is there already, and a backup replaces nothing; name another folder")
    part = folder / f".{source.name}.{secrets.token_hex(8)}.part"
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
        known = _copy(source, part)
        key = _copy_key(source, targets, known)
        if not name_file(part, targets.database):
            raise StoreProblem(f"{targets.database} was made meanwhile, and a backup replaces nothing")
    except OSError as error:
        raise StoreProblem(f"{folder}: no backup can be made there: {error.strerror or error}") from None
    finally:
        for left in (part, *(Path(f"{part}{end}") for end in ("-journal", "-wal", "-shm"))):
            left.unlink(missing_ok=True)
    return BackupFiles(targets.database, key)


def _copy(source: Path, part: Path) -> str | None:
    """Copy a database into an empty file; returns the mark of its key, None if it has none."""
    try:
        # Read only: looking must not bring an older file up to date, nor leave a new one behind.
        origin = sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)
        copy = sqlite3.connect(part)
        try:
            # All pages in one step, which is one read transaction: in WAL mode the writer goes on meanwhile.
            origin.backup(copy)
            tables = {row[0] for row in copy.execute("select name from sqlite_master where type = 'table'")}
            if "_sqlite_migrations" not in tables:
                raise StoreProblem(f"{source}: this file is no database of kumite")
            found = copy.execute("pragma quick_check(1)").fetchone()[0]
            if found != "ok":
                raise StoreProblem(f"{source}: the file is damaged ({' '.join(str(found).split())})")
            row = None
            if "host" in tables:
                row = copy.execute("select value from host where name = ?", (KEY_CHECK,)).fetchone()
        finally:
            copy.close()
            origin.close()
    except sqlite3.DatabaseError as error:
        raise problem(source, error) from None
    with part.open("rb") as file:
        os.fsync(file.fileno())
    return None if row is None else str(row[0])


def _copy_key(source: Path, targets: BackupFiles, known: str | None) -> Path | None:
    """Copy the key of a database; `known` is the mark of the key that belongs to it."""
    path = key_path(source)
    found = read_key(path)
    if known is None:
        return None
    if found is None or found.check != known:
        what = "is missing" if found is None else "is another one's"
        raise StoreProblem(f"the key {path} of {source} {what}: a backup without the right key could not go on")
    if targets.key is None or not write_private(targets.key, path.read_bytes()):
        raise StoreProblem(f"{targets.key} was made meanwhile, and a backup replaces nothing")
    return targets.key
