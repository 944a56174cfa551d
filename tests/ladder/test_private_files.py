"""Files that hold what players must not know yet are their owner's alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.store.database import Store
from referee.kernel import registry
from referee.match.files import Journal, read
from referee.match.plan import MatchPlan
from referee.match.record import Record
from referee.match.verify import verify

SECRET = fresh_secret("private")


@pytest.fixture(params=[0o022, 0o027, 0o002])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """What a user may have set; none of them hides a file from the whole world and its group."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture(scope="module")
def record() -> Record:
    """A match that is over."""
    game = registry.game("edo_yashiki")
    return play_match(
        MatchPlan(game.name, ("random",) * 2, fresh_id("private"), SECRET),
        [resolve("random")] * 2,
    )


def mode(path: Path) -> int:
    """The mode of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_journal_is_private_until_its_match_is_over(tmp_path: Path, umask: int, record: Record) -> None:
    """It holds the deck so far and the notes of all seats; afterwards it is a file like any other."""
    journal = Journal(tmp_path)
    path = journal.path(record.header.match)
    journal.begin(record.header, SECRET)
    modes = [mode(path)]
    for step in record.steps:
        journal.step(record.header.match, step)
        modes.append(mode(path))
    assert record.final is not None
    journal.end(record.header.match, record.final)

    assert set(modes) == {0o600}
    assert mode(path) == 0o666 & ~umask
    assert os.umask(umask) == umask
    assert list(tmp_path.iterdir()) == [path]
    verify(read(path))


def test_a_journal_that_is_continued_is_private_again(tmp_path: Path, umask: int, record: Record) -> None:
    """Whatever its mode was when its match stopped."""
    journal = Journal(tmp_path)
    path = journal.path(record.header.match)
    journal.begin(record.header, SECRET)
    journal.step(record.header.match, record.steps[0])
    journal.close()
    path.chmod(0o644)
    journal.resume(record.header.match)
    meanwhile = mode(path)
    for step in record.steps[1:]:
        journal.step(record.header.match, step)
    assert record.final is not None
    journal.end(record.header.match, record.final)

    assert meanwhile == 0o600
    assert mode(path) == 0o666 & ~umask


def test_a_record_whose_folder_is_closed_meanwhile_stays_private_and_whole(tmp_path: Path, record: Record) -> None:
    """Opening it to others is a service; that it fails is no reason to lose the end of a match."""
    folder = tmp_path / "records"
    folder.mkdir()
    journal = Journal(folder)
    journal.begin(record.header, SECRET)
    for step in record.steps:
        journal.step(record.header.match, step)
    folder.rename(tmp_path / "elsewhere")
    assert record.final is not None
    journal.end(record.header.match, record.final)
    path = tmp_path / "elsewhere" / f"{record.header.match}.jsonl"

    assert mode(path) == 0o600
    assert read(path).final == record.final


def test_a_new_database_is_private_with_its_companions(tmp_path: Path, umask: int, record: Record) -> None:
    """The database, its log, its index, its lock and the host's key."""
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        store.begin(record.header, SECRET)
        modes = {path.name: mode(path) for path in tmp_path.iterdir()}

    assert modes == dict.fromkeys(["l.sqlite", "l.sqlite-wal", "l.sqlite-shm", "l.sqlite.lock", "l.key"], 0o600)


def test_a_database_behind_a_link_is_private_too(tmp_path: Path, umask: int) -> None:
    """A link to a place where no file is yet."""
    (tmp_path / "link").symlink_to(tmp_path / "l.sqlite")
    with Store(tmp_path / "link") as store:
        store.build("a", "random", "d")

    assert mode(tmp_path / "l.sqlite") == 0o600


def test_a_database_of_an_earlier_version_is_made_private_by_its_next_writer(tmp_path: Path, umask: int) -> None:
    """Whatever the modes of the file and its companions were; a reader leaves them as they are."""
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    with Store(tmp_path / "l.sqlite") as reader:
        reader.tokens()
        before = [mode(path) for path in tmp_path.iterdir()]
        with Store(tmp_path / "l.sqlite") as writer:
            writer.lock()
            after = [mode(path) for path in tmp_path.iterdir()]

    assert before == [0o644] * 5
    assert after == [0o600] * 5
