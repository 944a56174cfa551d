"""A database file that is safe to show: its host's key, its modes, and its check at the start of a writer.

Readers need no key. The one writer (`lock`) checks the file, closes it and its companions to others, and finds the key
or makes it. What earlier versions stored in the open is sealed then, once, and wiped from the file's free pages and its
write-ahead log. If the key of a file is lost, a new one is made; running matches and unfinished duplicate sets are void
then.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
import time
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from ladder.store.file import PRIVATE, REMEDY, DatabaseFile, StoreProblem, problem
from ladder.store.host_key import HostKey, key_path, make_key, read_key
from ladder.store.tokens import hashed

CHECK_SECONDS = 3.0
"""How long the check of a file may take; a larger file is checked as far as that goes."""
CHECK_OPERATIONS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""
LOST = "the host's key was lost while this match was not over"
"""Why a match is void whose secret cannot be known any more."""
KEY_CHECK, EARLIER = "key_check", "earlier"
"""Names in the table `host`: the mark of the file's key, and how far what earlier versions left in the open is gone."""
SEALED_ROWS, WIPED = "sealed", "wiped"
"""How far that is: nothing is left in the file itself; and nothing in its write-ahead log either."""

OPEN_SETS = (
    "select groups.id from groups left join matches on group_id = groups.id and state != 'running' "
    "where duplicate = 1 group by groups.id having count(distinct rotation) < games and count(rotation) > 0"
)
"""Duplicate sets of which some games are over and some are not."""

_logger = logging.getLogger(__name__)


def step_purpose(match: str, n: int) -> str:
    """What the lines from step `n` on of a match are sealed for."""
    return f"step/{match}/{n}"


def final_purpose(match: str) -> str:
    """What the final line of a match is sealed for."""
    return f"final/{match}"


def secret_purpose(match: str) -> str:
    """What the secret of a match is sealed for."""
    return f"secret/{match}"


def log_purpose(match: str, seat: int) -> str:
    """What the log of a seat's bot is sealed for."""
    return f"log/{match}/{seat}"


def season_purpose(season: str) -> str:
    """What the secret of a season is sealed for."""
    return f"season/{season}"


class SealedFile(DatabaseFile):
    """A database file with its host's key."""

    @cached_property
    def key(self) -> HostKey:
        """The host's key, made when it is first needed; raises StoreProblem if the file was sealed with another."""
        path = key_path(self.path)
        known = self._noted(KEY_CHECK)
        found = read_key(path)
        if found is None:
            if known is not None:
                raise StoreProblem(
                    f"{self.path}: its key {path} is missing; put it back from a backup, or start the referee without "
                    f"it: running matches are void then"
                )
            found = make_key(path)
        if known is None:
            self._note(KEY_CHECK, found.check)
        elif known != found.check:
            raise StoreProblem(
                f"{path} is not the key of {self.path}: put the right one back, or remove it to go on with a new one; "
                f"running matches are void then"
            )
        return found

    def lock(self) -> None:
        """Become the one writer, see `DatabaseFile.lock`, of a file that is whole, private and has its key."""
        super().lock()
        self._make_private()
        self.check()
        with self.explained():
            if self._noted(KEY_CHECK) is not None and read_key(key_path(self.path)) is None:
                self._replace_key()
            if self.key and self._noted(EARLIER) != WIPED:
                self._close_earlier()
        self._make_private()

    def in_the_open(self) -> bool:
        """Whether an earlier version wrote the file, so that what is not over may not be sealed in it yet."""
        return self._noted(EARLIER) is None

    def check(self, seconds: float = CHECK_SECONDS) -> None:
        """Raise StoreProblem if the file is damaged, as far as that shows within so many seconds."""
        deadline = time.monotonic() + seconds
        self._connection.set_progress_handler(lambda: time.monotonic() > deadline, CHECK_OPERATIONS)
        try:
            found = self._connection.execute("pragma quick_check(1)").fetchone()[0]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise problem(self.path, error) from None
            found = "ok"
        except sqlite3.DatabaseError as error:
            raise problem(self.path, error) from None
        finally:
            self._connection.set_progress_handler(None, 0)
        if found != "ok":
            reason = " ".join(str(found).split())
            raise StoreProblem(f"{self.path}: the file is damaged ({reason}); {REMEDY}")

    def _noted(self, name: str) -> str | None:
        row = self._connection.execute("select value from host where name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def _note(self, name: str, value: str) -> None:
        self._connection.execute("insert or replace into host values (?, ?)", (name, value))

    def _make_private(self) -> None:
        """Close the database, its companions and the key to all but their owner; earlier versions left them open."""
        full = self.path.resolve()
        for path in (full, *(Path(f"{full}{end}") for end in ("-wal", "-shm", ".lock")), key_path(full)):
            with suppress(FileNotFoundError):
                found = path.stat()
                if not stat.S_IMODE(found.st_mode) & 0o077:
                    continue
                if found.st_uid == os.geteuid():
                    path.chmod(PRIVATE)
                else:
                    _logger.warning("%s can be read by others, and only its owner can change that: chmod 600", path)

    def _replace_key(self) -> None:
        """Go on without the key that is lost: what cannot be read any more is void."""
        run = self._connection.execute
        with self.transaction():
            run("update matches set sealed_secret = null where state = 'void' and final is null")
            rows = run("select id from matches where state = 'running' or sealed_secret is not null").fetchall()
            end = run("select coalesce(max(end_number), 0) from matches").fetchone()[0]
            for number, (match,) in enumerate(rows, end + 1):
                run("delete from steps where match = ?", (match,))
                run(
                    "update seats set place = null, points = null, ending = null, faults = null where match = ?",
                    (match,),
                )
                # An empty final line, not none: the match had begun, and a planned season plays it again.
                run(
                    "update matches set state = 'void', rated = 0, reason = ?, final = '', sealed_secret = null, "
                    "end_number = coalesce(end_number, ?) where id = ?",
                    (LOST, number, match),
                )
            run("update bot_logs set log = null")
            run("delete from host where name = ?", (KEY_CHECK,))
        path = key_path(self.path)
        count = "1 match that was not over is void" if len(rows) == 1 else f"{len(rows)} unfinished matches are void"
        _logger.warning("%s: its key %s is lost, and a new one was made; %s", self.path, path, count)

    def _close_earlier(self) -> None:
        """Seal what earlier versions stored in the open, and leave no trace of it in the file and its log."""
        if self._noted(EARLIER) is None:
            with self.transaction():
                self._seal_earlier()
            self._connection.execute("vacuum")
            self._note(EARLIER, SEALED_ROWS)
        busy = self._connection.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
        if not busy:
            self._note(EARLIER, WIPED)

    def _seal_earlier(self) -> None:
        run = self._connection.execute
        for name, token in run("select name, resume_token from sessions where resume_token is not null").fetchall():
            run("update sessions set resume_token = null, resume_hash = ? where name = ?", (hashed(token), name))
        for season, name, secret in run("select id, name, secret from seasons where secret is not null").fetchall():
            sealed = self.key.seal(secret, season_purpose(name))
            run("update seasons set secret = null, sealed_secret = ? where id = ?", (sealed, season))
        rows = run(
            f"select id from matches where secret is not null and (state = 'running' or group_id in ({OPEN_SETS}))"
        )
        for (match,) in rows.fetchall():
            self._seal_match(match)

    def _seal_match(self, match: str) -> None:
        """Seal a match that is stored in the open."""
        run = self._connection.execute
        secret, final = run("select secret, final from matches where id = ?", (match,)).fetchone()
        for n, line in run("select n, line from steps where match = ?", (match,)).fetchall():
            sealed_line = self.key.seal_text(line, step_purpose(match, n))
            run("update steps set line = ? where match = ? and n = ?", (sealed_line, match, n))
        run(
            "update matches set secret = null, sealed_secret = ?, final = ? where id = ?",
            (
                self.key.seal(secret, secret_purpose(match)),
                None if final is None else self.key.seal_text(final, final_purpose(match)),
                match,
            ),
        )
