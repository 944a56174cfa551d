"""Resume tokens in the database: all that a restart needs, and not every name that ever said hello."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.config.offers import every_table
from ladder.seasons.open_season import OpenSeason
from ladder.serving.directory import EntrantDirectory
from ladder.serving.served_season import ServedSeason
from ladder.store.database import Store
from ladder.store.sessions import SWEEP
from referee.kernel import registry
from referee.match.clock import SECOND
from referee.match.plan import MatchPlan
from referee.match.playtime import PlayTime
from referee.match.record import Record
from referee.transport.connections import Connections
from referee.transport.limits import Limits
from referee.transport.resume import hashed
from referee.transport.server import Config
from referee.v1 import play_pb2 as pb

pytestmark = pytest.mark.processes

BOTS = 20
"""Number of bots that the referee remembers."""
SECRET = fresh_secret("sessions")


class Door:
    """A referee whose bots are remembered in a database; time passes with every hello."""

    def __init__(self, store: Store) -> None:
        self._at = SECOND
        self.connections = Connections(
            PlayTime(lambda: self._at), limits=Limits(bots=BOTS), remember=store.sessions.remember
        )
        store.sessions.watch(lambda: [bot.name for bot in self.connections.sessions])

    def hello(self, name: str, *, stays: bool = False) -> str:
        """A bot comes, and leaves at once unless it stays; returns the hash of its resume token."""
        self._at += SECOND
        stream = self.connections.open("", self._at, lambda: None)
        request = pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=name))
        self.connections.receive(stream, request.SerializeToString(), self._at)
        session = self.connections.session(name)
        assert session is not None
        if not stays:
            self.connections.left(stream, self._at)
        return hashed(session.resume.token)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    with Store(tmp_path / "l.sqlite") as opened:
        yield opened


@pytest.fixture(scope="module")
def record() -> Record:
    """A match between ann and bob."""
    game, bots, names = registry.game("edo_yashiki"), [resolve("random")] * 2, ("ann", "bob")
    return play_match(MatchPlan(game.name, names, fresh_id("sessions"), SECRET), bots)


def test_names_that_come_and_go_do_not_fill_the_database(store: Store) -> None:
    """However many there are: never more rows than the referee remembers and have come since the last look."""
    door = Door(store)
    most = 0
    for number in range(4 * SWEEP):
        door.hello(f"passer-by-{number}")
        most = max(most, len(store.sessions.tokens()))

    assert SWEEP <= most <= BOTS + SWEEP


def test_a_bot_that_waits_for_its_table_keeps_its_token(store: Store, record: Record) -> None:
    """It has no match when the table is swept, gets its seat later, and can come back after a restart."""
    door = Door(store)
    tokens = {name: door.hello(name, stays=True) for name in ("ann", "bob")}
    for number in range(2 * SWEEP):
        door.hello(f"passer-by-{number}")
    store.begin(record.header, SECRET)
    store.sessions.sweep()

    assert store.sessions.tokens() == tokens


def test_a_restart_keeps_the_tokens_of_unfinished_matches_and_untold_ends_only(store: Store, record: Record) -> None:
    """Before the match, in the middle of it, when it is over, and when each bot has read that."""
    for name in ("ann", "bob", "eve"):
        store.sessions.remember(name, f"hash-of-{name}")
    store.begin(record.header, SECRET)
    store.sessions.sweep()
    assert store.sessions.tokens() == {"ann": "hash-of-ann", "bob": "hash-of-bob"}

    for step in record.steps:
        store.step(record.header.match, step)
    assert record.final is not None
    store.end(record.header.match, record.final)
    store.confirm([(record.header.match, 0)])
    store.sessions.sweep()
    assert store.sessions.tokens() == {"bob": "hash-of-bob"}

    store.confirm([(record.header.match, 1)])
    store.sessions.sweep()
    assert store.sessions.tokens() == {}


def test_nothing_is_swept_before_it_is_known_who_is_there(store: Store) -> None:
    """Bots that are recalled for unfinished matches are remembered before the referee accepts streams."""
    for number in range(SWEEP + 1):
        store.sessions.remember(f"bot-{number}", "token")

    assert len(store.sessions.tokens()) == SWEEP + 1


def test_a_served_database_is_swept_at_the_start(tmp_path: Path) -> None:
    """A served season hands on no token that is of no use, and remembers those of its bots."""
    with Store(tmp_path / "l.sqlite") as store:
        store.sessions.remember("long-gone", "token")
        row = store.season("open", "", bytes(32), tempo="open", pairing_version=1)
        season = OpenSeason(store, row, every_table(["honshu"], seats=[2]))
        config = ServedSeason(store, season, EntrantDirectory(store), Config()).prepared()
        config.remember("ann", "hash-of-ann")

        assert config.resume_tokens == {}
        assert store.sessions.tokens() == {"ann": "hash-of-ann"}
