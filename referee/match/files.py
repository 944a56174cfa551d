"""Records as files of JSON lines.

`write` puts a finished record down as a whole or not at all. `Journal` is a recorder that appends each line as it
comes, so that a process killed at any moment leaves a readable prefix behind: at worst its last line is cut off, and
`read` passes over that. A record without its final line is unfinished: it can be replayed as far as it goes.

An unfinished record tells what its players must not know of each other yet. Until a match is over only the owner of its
journal can read it; then it becomes a file like any other.
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
"""What a journal's file names end with."""
MAY_PASS = frozenset(
    {errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS, errno.ESTALE}
)
"""What the host can mend while the referee waits: no room, a device that fails, too many open files."""
PRIVATE = 0o600
"""The mode of the file of a match that is going on."""


def write(record: Record, path: Path) -> None:
    """Write a record to a file: complete under its name, or not there. A pipe or device is written to, not replaced."""
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
    """The record in a file; raises BadRecord with the file and what is wrong with it."""
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
        """Create the match's file, for its owner alone; it must not exist. The secret comes with the final line."""
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
        """Append a step. If that raises, nothing has changed."""
        self._add(match, lambda chain: chain.step(step))

    def end(self, match: str, final: Final) -> Settled:
        """Append the final line and close the file, which from now on is as readable as the umask lets new files be."""
        self._add(match, lambda chain: chain.final(final))
        file, chain = self._open.pop(match)
        with file, suppress(OSError):  # a record that stays private is whole all the same
            os.fchmod(file.fileno(), _usual_mode(self._folder))
        return Settled(chain.hash)

    def _add(self, match: str, line: Callable[[Chain], bytes]) -> None:
        """Append the line that the chain of a match makes. If that raises, nothing has changed."""
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
        with suppress(OSError):  # it belongs to somebody else, who lets us write
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
    """Turn what the system says about a file into StorageTrouble, where it may pass."""
    try:
        yield
    except OSError as error:
        if error.errno in MAY_PASS:
            raise StorageTrouble(f"{path}: {error.strerror}") from None
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)


def _usual_mode(folder: Path) -> int:
    """The mode that new files get in a folder. One is made to see it: to read the umask is to change it for all."""
    path = folder / f".{secrets.token_hex(8)}.part"
    made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        return stat.S_IMODE(os.fstat(made).st_mode)
    finally:
        os.close(made)
        path.unlink()
