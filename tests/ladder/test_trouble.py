"""A database that cannot be written to for a while: one kind of error, nothing half written, every retry works."""

from __future__ import annotations

import pickle
import resource
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from ladder.config.offers import TableOffer
from ladder.seasons.open_season import OpenSeason
from ladder.store.database import Store
from ladder.store.file import StoreProblem, StoreTrouble
from ladder.store.records import Selection
from referee.kernel import registry
from referee.kernel.errors import StorageTrouble
from referee.match.clock import NO_CLOCK
from referee.match.policy import Policy
from referee.match.record import Final, Record
from referee.match.verify import verify
from tests.ladder.test_store import played

EDO = registry.game("edo_yashiki")


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Another program has the file."""
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("begin immediate")
    yield
    other.execute("rollback")
    other.close()


@contextmanager
def full(store: Store) -> Iterator[None]:
    """The file cannot grow."""
    connection = store._connection
    (pages,) = connection.execute("pragma page_count").fetchone()
    connection.execute(f"pragma max_page_count = {pages}")
    connection.execute("create temp table if not exists filler (x)")
    yield
    connection.execute("pragma max_page_count = 1073741823")


@contextmanager
def read_only(store: Store) -> Iterator[None]:
    """The connection may not write."""
    store._connection.execute("pragma query_only = on")
    yield
    store._connection.execute("pragma query_only = off")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A database as a referee opens it."""
    with Store(tmp_path / "l.sqlite") as store:
        store.serving()
        yield store


@pytest.mark.parametrize("trouble", [locked, read_only])
def test_every_write_of_a_match_can_be_repeated(
    store: Store, trouble: Callable[[Store], AbstractContextManager[None]]
) -> None:
    """Each fails first and is made again: the record has the hashes of one that was never held up."""
    record, secret = played("held")
    match = record.header.match

    def twice(write: Callable[[], object]) -> object:
        with trouble(store), pytest.raises(StorageTrouble):
            write()
        return write()

    twice(lambda: store.begin(record.header, secret))
    for step in record.steps:
        twice(partial(store.step, match, step))
    assert record.final is not None
    last = twice(partial(store.end, match, record.final))

    assert store.lines(match) == list(record.lines())
    assert last == record.last_hash()
    verify(store.record(match))


def test_a_referee_does_not_wait_long_for_another_program(store: Store) -> None:
    """Its loop stands meanwhile: the error comes within a fraction of a second, in one line."""
    record, secret = played("locked")
    with locked(store):
        before = time.monotonic()
        with pytest.raises(StoreTrouble, match="another program is writing to it") as caught:
            store.begin(record.header, secret)
        waited = time.monotonic() - before

    assert waited < 2
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_grow_is_trouble_that_may_pass(store: Store) -> None:
    """SQLite's own code decides, not its words."""
    record, secret = played("full")

    def fill() -> None:
        for number in range(10_000):
            store.build(f"bot{number}", "x" * 500, "digest")

    with full(store), pytest.raises(StoreTrouble, match="disk is full"):
        fill()
    store.begin(record.header, secret)

    assert sum(1 for _ in store.played(Selection())) == 1


def test_a_log_that_cannot_be_moved_is_trouble_in_one_line(store: Store) -> None:
    """The process that fits ratings moves the log on a full disk: what it raises crosses to the referee as one line."""
    for number in range(200):
        store.build(f"bot{number}", "x" * 500, "digest")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (store.path.stat().st_size, before[1]))
    try:
        with pytest.raises(StoreTrouble) as caught:
            store.checkpoint()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    store.checkpoint()
    carried = pickle.loads(pickle.dumps(caught.value))

    assert isinstance(carried, StorageTrouble)
    assert str(carried) == str(caught.value)
    assert "\n" not in str(carried)


@pytest.mark.parametrize(("free", "pages"), [(1 << 40, 16_384), (160 << 20, 5_120), (4 << 20, 256), (0, 256)])
def test_the_log_takes_a_small_part_of_a_small_disk(
    store: Store, monkeypatch: pytest.MonkeyPatch, free: int, pages: int
) -> None:
    """A log that has filled the disk could not be moved, for the file has to grow for that: play would end."""
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    store.leave_checkpoints()

    assert store._connection.execute("pragma wal_autocheckpoint").fetchone() == (pages,)


def test_a_mistake_of_ours_is_no_trouble_that_may_pass(store: Store) -> None:
    """A match that is begun twice, or a statement that is wrong, stays wrong."""
    record, secret = played("twice")
    store.begin(record.header, secret)

    with pytest.raises(sqlite3.IntegrityError):
        store.begin(record.header, secret)
    with pytest.raises(StoreProblem) as caught, store.transaction():
        store._connection.execute("insert into nowhere values (1)")
    assert not isinstance(caught.value, StorageTrouble)


def open_season(store: Store) -> OpenSeason:
    """An open season with one table of two."""
    row = store.season("open", "", bytes(32), tempo="open", pairing_version=2)
    return OpenSeason(store, row, [TableOffer("edo_yashiki", 2, {}, NO_CLOCK, Policy(), rated=True)])


class Present:
    """A bot that is there."""

    tables = 0
    capacity = 1
    present = True

    def __init__(self, name: str) -> None:
        self.name = name

    def plays(self, *about: object) -> bool:
        return True


def test_ratings_and_groups_are_the_same_after_a_retry(store: Store) -> None:
    """A begin and an end that failed leave neither a group nor a change of ratings behind."""
    season = open_season(store)
    bots = [Present("ann"), Present("bob")]
    for bot in bots:
        season.arrived(bot.name, "1.0", bot)
    opening = season.next(bots, 0)
    assert opening is not None
    assert not isinstance(opening, int)
    header = opening.header(EDO)
    final = _end_of(opening.secret)
    with locked(store), pytest.raises(StorageTrouble):
        season.matches.begin(header, opening.secret)
    season.matches.begin(header, opening.secret)
    with locked(store), pytest.raises(StorageTrouble):
        season.matches.end(opening.match, final)
    settled = season.matches.end(opening.match, final)

    assert [rating.games for rating in settled.ratings] == [1, 1]
    assert [rating.before for rating in settled.ratings] == [settled.ratings[0].before] * 2
    assert len(store.groups(next(iter(season._pools)))) == 1


def _end_of(secret: bytes) -> Final:
    record: Record = played("other")[0]
    assert record.final is not None
    return Final(0, record.final.result, record.final.endings, True, (), secret.hex())


def test_ends_are_kept_until_they_are_confirmed(store: Store) -> None:
    """What a bot is told after a restart is what was stored, with its ratings; once confirmed it is told no more."""
    season = open_season(store)
    bots = [Present("ann"), Present("bob")]
    for bot in bots:
        season.arrived(bot.name, "1.0", bot)
    opening = season.next(bots, 0)
    assert opening is not None
    assert not isinstance(opening, int)
    header = opening.header(EDO)
    final = _end_of(opening.secret)
    season.matches.begin(header, opening.secret)
    settled = season.matches.end(opening.match, final)
    (mine,) = store.unconfirmed("ann")
    seat = opening.players.index("ann")
    with locked(store), pytest.raises(StorageTrouble):
        store.confirm([(opening.match, seat)])
    kept = store.unconfirmed("ann")
    store.confirm([(opening.match, seat)])

    assert mine == (opening.match, seat, final, settled, True)
    assert kept == [mine]
    assert store.unconfirmed("ann") == []
    assert [end.seat for end in store.unconfirmed("bob")] == [1 - seat]
