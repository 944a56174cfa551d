"""The records that an argument names: of a file, a folder, a database, or one match of a database.

A file may be a record, or matches that `kumite export` wrote. Records are read one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import typer

from ladder.cli.databases import existing_database, locate
from ladder.escaping import visible
from ladder.exchange.match_lines import MARK, read_file
from ladder.store.database import Store
from ladder.store.records import MatchRow, Selection
from referee.kernel.errors import BadRecord, BadSetting
from referee.match import files
from referee.match.record import Record

SQLITE = b"SQLite format 3\0"
"""How a database begins."""


class Found(NamedTuple):
    """A record that can be read."""

    name: str
    """The file, or DB:MATCH."""
    read: Callable[[], Record]
    """Raises BadRecord that begins with the name, or StoreProblem."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The records that an argument names."""

    found: Iterator[Found]
    """The records in their order."""
    many: bool
    """Whether the argument names a place that may hold several."""
    left_out: Sequence[str] = ()
    """A line about the records that are left out; complete when `found` has come to its end."""

    def report(self) -> None:
        """Print what was left out to standard error."""
        for line in self.left_out:
            typer.echo(visible(line), err=True)


@contextmanager
def reach(text: str) -> Iterator[Reached]:
    """The records that an argument names; raises BadSetting, UnknownName or StoreProblem in one line."""
    place = locate(text)
    path = place.path
    if place.match is not None or _begins(path, SQLITE):
        with Store(existing_database(path)) as store, store.explained():
            if place.match is not None:
                yield Reached(iter([_of_store(store, store.full_id(place.match), name=text)]), many=False)
            else:
                left_out: list[str] = []
                yield Reached(_in_store(store, left_out), many=True, left_out=left_out)
    elif path.is_dir():
        paths = sorted(path.glob(f"*{files.SUFFIX}"))
        if not paths:
            raise BadSetting(f"{path}: this folder has no records; their names end with {files.SUFFIX}")
        yield Reached((found for file in paths for found in _in_file(file)), many=True)
    else:
        yield Reached(_in_file(path), many=_begins(path, MARK))


def _begins(path: Path, mark: bytes) -> bool:
    """Whether a plain file begins so; one that cannot be read does not, and is complained of when it is read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(mark)) == mark
    except OSError:
        return False


def _in_file(path: Path) -> Iterator[Found]:
    """The record of a file, or each of those that were exported to it."""
    if not _begins(path, MARK):
        yield Found(str(path), partial(files.read, path))
        return
    with path.open("rb") as file:
        try:
            for entry in read_file(file):
                yield Found(f"{path}:{entry.match}", partial(_given, entry.record))
        except BadRecord as error:
            yield Found(str(path), partial(_refuse, type(error)(f"{path}: {error}")))


def _given(record: Record) -> Record:
    return record


def _refuse(error: BadRecord) -> Record:
    raise error


def _of_store(store: Store, match: str, name: str) -> Found:
    def read() -> Record:
        try:
            return store.shown_record(match)
        except BadRecord as error:
            raise type(error)(f"{name}: {error}") from None

    return Found(name, read)


def _in_store(store: Store, left_out: list[str]) -> Iterator[Found]:
    """The matches of a database whose records have an end, and how many have none."""
    unreadable = 0
    for row in store.played(Selection()):
        if _readable(row):
            yield _of_store(store, row.id, f"{store.path}:{row.id}")
        else:
            unreadable += 1
    if unreadable:
        verb = "is" if unreadable == 1 else "are"
        noun = "match" if unreadable == 1 else "matches"
        left_out.append(
            f"{store.path}: {unreadable} {noun} {verb} left out: running, of sets that are not over, or without an end"
        )


def _readable(row: MatchRow) -> bool:
    return row.ended and not row.sealed and row.state != "running"
