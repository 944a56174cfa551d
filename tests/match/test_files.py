"""Records as files: whole or not there, appended line by line, continued after a crash."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import BinaryIO

import pytest

from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadRecord, BrokenRecord, StorageTrouble
from referee.match import files
from referee.match.inprocess import play_on
from referee.match.match import Match
from referee.match.outputs import Asked
from referee.match.record import Record
from referee.match.replay import replay
from referee.match.verify import verify
from tests.match.tables import new_match
from tests.match.toy import GAME


def first(asked: Asked) -> int:
    """A bot that takes the first option."""
    return 0


def kept(match: Match, journal: files.Journal) -> Record:
    """Play a match, or play it on, and note it down in a journal."""
    if not match.begun:
        journal.begin(match.terms, match.secret)
    record = play_on(match, [first] * len(match.terms.players), lambda: 0)
    for step in record.steps:
        journal.step(match.terms.match, step)
    assert record.final is not None
    journal.end(match.terms.match, record.final)
    return record


def test_a_written_record_is_read_back(tmp_path: Path) -> None:
    """What was played is what the file holds, and nothing else is left in the folder."""
    record = play_on(new_match(2), [first, first])
    path = tmp_path / "match.jsonl"
    files.write(record, path)
    again = files.read(path)

    assert (again.header, again.steps, again.final) == (record.header, record.steps, record.final)
    assert list(tmp_path.iterdir()) == [path]
    verify(again, GAME)


def test_a_record_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    """Neither half a file nor a temporary one; an older file of that name stays."""
    path = tmp_path / "match.jsonl"
    path.write_text("older")
    record = play_on(new_match(2), [first, first])
    unencodable = record.steps[0]._replace(notes={0: "half a character \ud800"})
    broken = type(record)(record.header, (unencodable, *record.steps[1:]), record.final)

    with pytest.raises(UnicodeEncodeError):
        files.write(broken, path)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_unreadable_files_are_named_in_one_line(tmp_path: Path) -> None:
    """Missing, a folder, empty, no record: the path and what is wrong."""
    empty = tmp_path / "empty"
    empty.touch()
    cases = {tmp_path / "missing": "cannot be read", tmp_path: "cannot be read", empty: "no header line"}

    for path, complaint in cases.items():
        with pytest.raises(BadRecord, match=complaint) as caught:
            files.read(path)
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)


def test_a_journal_holds_the_same_lines_as_the_record(tmp_path: Path) -> None:
    """Appending step by step and writing at the end give one file."""
    journal = files.Journal(tmp_path)
    match = new_match(3)
    record = kept(match, journal)

    assert journal.path(match.terms.match).read_bytes() == b"".join(record.lines())


def test_a_killed_process_leaves_a_readable_prefix(tmp_path: Path) -> None:
    """Cut anywhere behind the header, the file is an unfinished record that replays as far as it goes."""
    journal = files.Journal(tmp_path)
    match = new_match(2)
    record = kept(match, journal)
    path = journal.path(match.terms.match)
    data = path.read_bytes()
    header = data.index(b"\n") + 1
    for end in range(header, len(data) - 1, 37):
        path.write_bytes(data[:end])
        prefix = files.read(path)

        assert record.steps[: len(prefix.steps)] == prefix.steps
        assert len(list(replay(prefix, GAME))) == len(prefix.steps)
        assert not prefix.finished
        with pytest.raises(BadRecord, match="unfinished"):
            verify(prefix, GAME)


def test_a_journal_is_continued_after_the_last_whole_line(tmp_path: Path) -> None:
    """A match cut off in the middle or at the end of a line, restored and played on, has the same file in the end."""
    match = new_match(2)
    journal = files.Journal(tmp_path)
    whole = kept(match, journal)
    path = journal.path(match.terms.match)
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    for rest in (b"", lines[3][:20], lines[3][:-1], lines[3]):
        path.write_bytes(b"".join(lines[:3]) + rest)
        again = files.Journal(tmp_path)
        prefix = again.resume(match.terms.match)
        restored = Match.restore(GAME, prefix.header, secret_from_seed("toy"), prefix.steps, at=0)
        played = kept(restored, again)

        assert (*prefix.steps, *played.steps) == whole.steps
        assert path.read_bytes() == data


def test_a_tampered_journal_is_not_continued(tmp_path: Path) -> None:
    """Its hashes must fit before anything is added, and the file stays as it was."""
    match = new_match(2)
    journal = files.Journal(tmp_path)
    kept(match, journal)
    path = journal.path(match.terms.match)
    lines = path.read_bytes().splitlines(keepends=True)
    tampered = b"".join([lines[0], lines[1], lines[2].replace(b'"at":0', b'"at":1')])
    path.write_bytes(tampered)

    with pytest.raises(BrokenRecord, match="step 1: the hash does not fit"):
        files.Journal(tmp_path).resume(match.terms.match)
    assert path.read_bytes() == tampered


def test_a_finished_match_cannot_be_resumed(tmp_path: Path) -> None:
    """Its file has an end."""
    journal = files.Journal(tmp_path)
    match = new_match(2)
    kept(match, journal)

    with pytest.raises(BadRecord, match="is over"):
        journal.resume(match.terms.match)


def test_a_journal_closes_what_is_still_running(tmp_path: Path) -> None:
    """The files stay unfinished and can be resumed."""
    journal = files.Journal(tmp_path)
    match = new_match(2)
    journal.begin(match.terms, match.secret)
    journal.close()

    again = files.Journal(tmp_path)
    assert again.resume(match.terms.match).steps == ()
    again.close()


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a b", "x\0", "ü"])
def test_a_match_id_that_is_no_file_name_is_refused(name: str, tmp_path: Path) -> None:
    """An id cannot lead out of the folder."""
    with pytest.raises(BadRecord, match="letters, digits"):
        files.Journal(tmp_path).path(name)


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """A record may go into a pipe; what stands under the name is still a pipe afterwards."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        record = play_on(new_match(2), [first, first])
        files.write(record, path)
        written = os.read(reader, 1_000_000)
    finally:
        os.close(reader)

    assert path.is_fifo()
    assert written == b"".join(record.lines())


class Choking:
    """A file on a disk that takes half of what is written, then nothing."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.room: int | None = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, data: bytes) -> int:
        if self.room is None:
            return self._file.write(data)
        if self.room == 0:
            self.room = len(data) // 2
            raise OSError(errno.ENOSPC, "No space left on device")
        room, self.room = self.room, 0
        return self._file.write(data[:room])


def test_a_journal_that_could_not_write_a_line_can_write_it_again(tmp_path: Path) -> None:
    """Half a line is taken back, the hash stays that of the line before, and the file is the same in the end."""
    journal = files.Journal(tmp_path)
    record = play_on(new_match(2), [first, first])
    journal.begin(record.header, bytes(32))
    match = record.header.match
    for step in record.steps:
        file, chain = journal._open[match]
        choking = Choking(file)
        journal._open[match] = choking, chain  # type: ignore[assignment]
        for _ in range(3):
            with pytest.raises(StorageTrouble, match="No space left"):
                journal.step(match, step)
        choking.room = None
        journal.step(match, step)
        journal._open[match] = file, chain
    assert record.final is not None
    journal.end(match, record.final)

    assert journal.path(match).read_bytes() == b"".join(record.lines())
