"""The database file itself: opening, migrating, locking, transactions, and what went wrong in one line."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from json import JSONDecodeError
from pathlib import Path
from typing import IO, Self
from urllib.parse import quote

from sqlite_utils import Database

from ladder.store import schema
from referee.kernel.errors import CallerFault, StorageTrouble

PRIVATE = 0o600
"""The mode of the database and its companions: for their owner alone."""
BUSY_SECONDS = 10.0
"""How long a writer waits for another program that has the file locked."""
SERVING_BUSY_SECONDS = 0.05
"""How long a referee waits for that: its loop stands meanwhile, so it tries again later instead."""
MAY_PASS = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    }
)
"""SQLite's codes for what is no fault of a statement: what the host can mend while the referee waits."""
PRIMARY = 0xFF
"""The part of SQLite's code that names the kind of an error; the rest tells more about it."""

REMEDY = "put the database and its key back from a backup, or save what can be read with sqlite3 FILE .recover"
"""What to do with a damaged file."""

UNREADABLE = "a text in it cannot be read"
"""Said in place of what SQLite says of such a text: SQLite repeats the text, which may not be known yet."""

MOST_LOG_PAGES = 16_384
"""Pages that the write-ahead log may have before its writer moves them itself."""
FEWEST_LOG_PAGES = 256
PAGE_BYTES = 4096
LOG_SHARE = 8
"""Of the disk's room the log may have one part in so many: a log that fills a small disk cannot be moved any more."""


class StoreProblem(CallerFault):
    """The database cannot be used as it is; the message says why and what to do."""


class StoreTrouble(StoreProblem, StorageTrouble):
    """The database can be used again when the cause is gone: a full disk, a lock, a read or write that failed."""


def moment() -> str:
    """The time now in UTC, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class DatabaseFile:
    """An open database file. The tables that build on it share its connection."""

    def __init__(self, path: Path | str, *, reading: bool = False, any_thread: bool = False) -> None:
        """Open a file, or create it; raises StoreProblem with one clear line.

        `reading`: nothing is created, migrated or written, and every attempt to write fails. `any_thread`: the caller
        sees to it that one thread at a time uses the connection.
        """
        self.path = Path(path)
        with suppress(OSError):  # SQLite meets the same obstacle, and it is explained then
            if not reading and not self.path.exists():
                # For its owner alone; SQLite gives the file's companions the same mode.
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, PRIVATE))
        place = f"file:{quote(str(self.path.absolute()))}?mode={'ro' if reading else 'rwc'}"
        try:
            with self.explained():
                self._connection = sqlite3.connect(
                    place, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=not any_thread
                )
                self._db = Database(self._connection)
                if reading:
                    self._prepare_reading()
                else:
                    self._prepare()
        except sqlite3.Error as error:
            raise problem(self.path, error) from None
        self._lock: IO[str] | None = None

    def _prepare_reading(self) -> None:
        if schema.foreign(self._db):
            raise StoreProblem(f"{self.path} is the database of another program; use another file")
        self._connection.execute("pragma query_only = on")
        newer = schema.unknown(self._db)
        if newer:
            raise StoreProblem(f"{self.path} was written by a newer version of kumite; update kumite")
        if schema.migrations.pending(self._db):
            raise StoreProblem(
                f"{self.path} was written by an earlier version of kumite; run kumite ladder standings {self.path} "
                f"once, which brings it up to date"
            )

    def _prepare(self) -> None:
        if schema.foreign(self._db):
            raise StoreProblem(f"{self.path} is the database of another program; use another file")
        schema.enable_wal(self._db, BUSY_SECONDS)
        for pragma in ("foreign_keys = off", "synchronous = normal", f"busy_timeout = {int(BUSY_SECONDS * 1000)}"):
            self._connection.execute(f"pragma {pragma}")
        newer = schema.unknown(self._db)
        if newer:
            raise StoreProblem(
                f"{self.path} was written by a newer version of kumite (it has {', '.join(newer)}); "
                f"update kumite, or use another file"
            )
        if schema.migrations.pending(self._db):
            # Two programs may open a new file at the same moment: the second one looks again when it has its turn.
            with self.transaction():
                schema.migrations.apply(self._db)
        self._connection.execute("pragma foreign_keys = on")

    def lock(self) -> None:
        """Become the one writer for as long as the store is open; raises StoreProblem if there is another.

        The lock lies beside the file and dies with the process, also if the process is killed; readers do not need it.
        """
        # Beside the file itself: one that is named by a link has the same lock.
        path = Path(f"{self.path.resolve()}.lock")
        try:
            self._lock = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE), "w")
        except OSError as error:
            raise StoreProblem(f"{path}: the lock cannot be made: {error.strerror or error}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreProblem(f"{self.path}: another kumite is playing this ladder; wait for it or end it") from None

    def close(self) -> None:
        """Close the file; what was not committed is rolled back."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything in the block or nothing of it; blocks may nest. Raises StoreTrouble where that may pass."""
        if self._connection.in_transaction:
            yield
            return
        with self.explained():
            self._connection.execute("begin immediate")
            try:
                yield
                self._connection.execute("commit")
            except BaseException:
                with suppress(sqlite3.Error):  # some errors have rolled it back already
                    self._connection.rollback()
                raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn what SQLite raises into one line: StoreTrouble where it may pass, else StoreProblem or as it is."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code is not None and code & PRIMARY in MAY_PASS:
                raise problem(self.path, error, StoreTrouble) from None
            if isinstance(error, sqlite3.OperationalError):
                raise problem(self.path, error) from None
            raise
        except (UnicodeDecodeError, JSONDecodeError):
            raise StoreProblem(f"{self.path}: the file is damaged ({UNREADABLE}); {REMEDY}") from None

    def serving(self) -> None:
        """From now on wait for other programs only for a moment, as a referee must; StoreTrouble says to try again."""
        self._connection.execute(f"pragma busy_timeout = {int(SERVING_BUSY_SECONDS * 1000)}")

    def checkpoint(self) -> None:
        """Move what is in the write-ahead log into the database file, as far as no reader or writer is in the way.

        Raises StoreTrouble if the file cannot be written.
        """
        with self.explained():
            self._connection.execute("pragma wal_checkpoint(passive)")

    def leave_checkpoints(self) -> None:
        """Let another process move the write-ahead log, until it has `MOST_LOG_PAGES`, or fewer on a small disk."""
        room = shutil.disk_usage(self.path.resolve().parent).free // (LOG_SHARE * PAGE_BYTES)
        self._connection.execute(f"pragma wal_autocheckpoint = {max(FEWEST_LOG_PAGES, min(MOST_LOG_PAGES, room))}")

    def data_version(self) -> int:
        """A number that changes when another program has written to the file."""
        with self.explained():
            return int(self._connection.execute("pragma data_version").fetchone()[0])


def problem(path: Path, error: sqlite3.Error, kind: type[StoreProblem] = StoreProblem) -> StoreProblem:
    """What SQLite complains of, in one line that says what to do."""
    text = str(error)
    if "locked" in text:
        text = f"another program is writing to it; wait for it or end it ({text})"
    elif "full" in text:
        text = f"the disk is full; free some room and run the same command again, nothing is lost ({text})"
    elif "malformed" in text:
        text = f"the file is damaged ({text}); {REMEDY}"
    elif "decode" in text:
        text = f"the file is damaged ({UNREADABLE}); {REMEDY}"
    elif "not a database" in text:
        text = "this file is no database of kumite"
    elif "unable to open" in text:
        text = "cannot be opened: does its folder exist, and may you write there?"
    return kind(f"{path}: {text}")
