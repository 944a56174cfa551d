"""Records as files of JSON lines.

`write` writes a whole record or no file. `Journal` is a recorder that appends each line when the line is made, so a
process that is killed leaves a readable prefix: at worst the last line is cut off, and `read` leaves that line out. A
record without its final line is unfinished and can be replayed up to its last step.

An unfinished record holds what the players must not know of each other yet. So until the match is over only the owner
of the file can read it; after the end the file has the usual mode.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from referee.kernel.bounded import lines
from referee.kernel.errors import BadRecord, BadSetting, BrokenRecord, StorageTrouble
from referee.match.outputs import Settled
from referee.match.record import Chain, Final, Header, Record, Step, check_chain, from_lines

SUFFIX = ".jsonl"
"""The end of the file names of a journal."""
MAY_PASS = frozenset(
    {errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS, errno.ESTALE}
)
"""Errors that an administrator can mend while the referee waits: a full or failing disk, too many open files."""
PRIVATE = 0o600
"""The mode of the file of a match that is going on."""


def write(record: Record, path: Path) -> None:
    """Write a record to a file, which is complete or not there. A pipe or a device is written to, not replaced."""
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            file.writelines(record.lines())
        return
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            file.writelines(record.lines())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read(path: Path) -> Record:
    """The record in a file; raises BadRecord, which names the file and the fault."""
    try:
        with path.open("rb") as file:
            return from_lines(lines(file))
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read: {error.strerror or error}") from None
    except (BadRecord, BadSetting) as error:
        raise BadRecord(f"{path}: {error}") from None


class Journal:
    """A recorder that keeps each match in a file of its own, `<match id>.jsonl` in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, tuple[BinaryIO, Chain]] = {}

    def begin(self, header: Header, secret: bytes) -> None:
        """Create the match's file, readable by its owner alone, and write the header; the file must not exist.

        The secret is written with the final line.
        """
        path = self.path(header.match)
        chain = Chain()
        with _explained(path):
            # Unbuffered: a line is one write, so a killed process can only cut off the last one.
            file = open(path, "xb", buffering=0, opener=_private)  # noqa: SIM115
            try:
                _append(file, chain.header(header))
            except OSError:
                file.close()
                path.unlink()
                raise
        self._open[header.match] = file, chain

    def step(self, match: str, step: Step) -> None:
        """Append a step; if this raises, file and chain are as before."""
        self._add(match, lambda chain: chain.step(step))

    def end(self, match: str, final: Final) -> Settled:
        """Append the final line, close the file and give it the mode that new files have by the umask."""
        self._add(match, lambda chain: chain.final(final))
        file, chain = self._open.pop(match)
        with file, suppress(OSError):  # without the usual mode the record is complete too
            os.fchmod(file.fileno(), _usual_mode(self._folder))
        return Settled(chain.hash)

    def _add(self, match: str, line: Callable[[Chain], bytes]) -> None:
        """Append the line that the chain of a match makes; if this raises, file and chain are as before."""
        file, chain = self._open[match]
        before = chain.hash
        try:
            with _explained(self.path(match)):
                _append(file, line(chain))
        except BaseException:
            chain.hash = before
            raise

    def resume(self, match: str) -> Record:
        """Read an unfinished match and continue its file after the last whole line."""
        path = self.path(match)
        record = read(path)
        if record.finished:
            raise BadRecord(f"{path}: the match is over")
        try:
            check_chain(record)
        except BrokenRecord as error:
            raise BrokenRecord(f"{path}: {error}") from None
        *before, last = record.lines()
        file = path.open("r+b", buffering=0)
        with suppress(OSError):  # the file belongs to another user and is writable for this one
            os.fchmod(file.fileno(), PRIVATE)
        self._open[match] = file, Chain(record.hashes[-1])
        file.seek(sum(map(len, before)))
        file.truncate()
        file.write(last)
        return record

    def close(self) -> None:
        """Close the files of matches that are still running; they stay unfinished."""
        for file, _ in self._open.values():
            file.close()
        self._open.clear()

    def path(self, match: str) -> Path:
        """The file of a match; raises BadRecord for an id that is no plain file name."""
        if not match or not all(sign.isascii() and (sign.isalnum() or sign in "-_") for sign in match):
            raise BadRecord(f"a match id has only letters, digits, - and _: {match[:40]!r}")
        return self._folder / f"{match}{SUFFIX}"


def _append(file: BinaryIO, line: bytes) -> None:
    """Write a whole line at the end of a file, or leave the file as it was and raise OSError."""
    end = file.tell()
    try:
        rest = memoryview(line)
        while rest:
            rest = rest[file.write(rest) :]
    except OSError:
        with suppress(OSError):
            file.seek(end)
            file.truncate()
        raise


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise StorageTrouble instead of an OSError of a file that may pass (`MAY_PASS`)."""
    try:
        yield
    except OSError as error:
        if error.errno in MAY_PASS:
            raise StorageTrouble(f"{path}: {error.strerror}") from None
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)


def _usual_mode(folder: Path) -> int:
    """The mode of new files in a folder, read from a temporary file: `os.umask` cannot read without changing."""
    path = folder / f".{secrets.token_hex(8)}.part"
    made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        return stat.S_IMODE(os.fstat(made).st_mode)
    finally:
        os.close(made)
        path.unlink()
