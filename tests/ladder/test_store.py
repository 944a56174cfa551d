"""The database: whole, migrated, closed to strangers, open to Datasette."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.cli import run
from ladder.store import schema
from ladder.store.database import Store
from ladder.store.file import StoreProblem
from ladder.store.matches import SeasonPlace
from ladder.store.records import Played
from referee.kernel import registry
from referee.kernel.errors import UnknownName
from referee.kernel.game import settle_variant
from referee.match.plan import MatchPlan
from referee.match.record import Record
from referee.match.verify import verify

EDO = registry.game("edo_yashiki")


def played(seed: str) -> tuple[Record, bytes]:
    """A finished match and its secret."""
    secret = fresh_secret(seed)
    record = play_match(MatchPlan(EDO.name, ("a", "b"), fresh_id(seed), secret), [resolve("random")] * 2)
    return record, secret


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """It is refused, and not one byte of it changes; an empty file is as good as none."""
    path = tmp_path / "photos.sqlite"
    db = Database(path)
    db.table("photos").insert({"name": "cat"})
    db.conn.commit()
    db.close()
    before = path.read_bytes()

    with pytest.raises(StoreProblem, match="database of another program"):
        Store(path)
    assert path.read_bytes() == before

    (tmp_path / "empty.sqlite").touch()
    with Store(tmp_path / "empty.sqlite") as store:
        assert store.tokens() == []


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    """A file that has seen a migration we do not know was written by a newer program, and says so."""
    with Store(tmp_path / "l.sqlite"):
        pass
    db = Database(tmp_path / "l.sqlite")
    db.table("_sqlite_migrations").insert({"migration_set": "kumite", "name": "m999_future", "applied_at": "later"})
    db.conn.commit()
    db.close()

    with pytest.raises(StoreProblem, match=r"newer version of kumite.*m999_future"):
        Store(tmp_path / "l.sqlite")


def test_an_older_file_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of an earlier version gets the tables that it lacks, and what its owner put into it stays."""
    with Store(tmp_path / "l.sqlite") as store:
        store.build("a", "random", "d")
    with sqlite3.connect(tmp_path / "l.sqlite") as connection:
        connection.execute("create table own (x)")
    connection.close()
    later = Migrations(schema.migrations.name)
    later()(schema.m001_first_tables)
    later()(schema.m002_one_ladder)
    later()(schema.m003_host)
    later()(schema.m004_one_scale)
    later()(schema.m005_import_sources)
    later()(schema.m006_events)
    later()(schema.m007_bot_logs)
    later()(schema.m008_rulings)

    @later()
    def m999_more(db: Database) -> None:
        db.table("more").create({"x": int})

    monkeypatch.setattr(schema, "migrations", later)
    with Store(tmp_path / "l.sqlite") as store:
        assert store.build("a", "random", "d") == 1

    db = Database(tmp_path / "l.sqlite")
    assert {"own", "more", "matches", "steps", "ratings"} <= set(db.table_names())
    assert schema.unknown(db) == []
    db.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """One clear line."""
    (tmp_path / "l.sqlite").write_text("x" * 5000)

    with pytest.raises(StoreProblem, match="no database of kumite"):
        Store(tmp_path / "l.sqlite")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The path and what to look at."""
    with pytest.raises(StoreProblem, match="does its folder exist"):
        Store(tmp_path / "no" / "l.sqlite")


def test_a_locked_database_is_said_to_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program holds the file: the message says to wait for it."""
    monkeypatch.setattr("ladder.store.file.BUSY_SECONDS", 0.01)
    with Store(tmp_path / "l.sqlite") as store:
        other = sqlite3.connect(tmp_path / "l.sqlite", isolation_level=None)
        other.execute("begin exclusive")
        with pytest.raises(StoreProblem, match="another program is writing"):
            store.build("a", "random", "d")
        other.execute("rollback")
        other.close()

        assert store.build("a", "random", "d") == 1


class Contested(Database):
    """A file whose mode somebody else is changing at the moment."""

    def __init__(self, times: int) -> None:
        super().__init__(memory=True)
        self.times = times

    def enable_wal(self) -> None:
        if self.times:
            self.times -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error


def test_programs_that_open_a_new_file_at_one_moment_wait_for_each_other() -> None:
    """SQLite itself does not wait when the mode of a file is changed; we do, within bounds."""
    twice = Contested(2)
    schema.enable_wal(twice, 10.0)

    assert twice.times == 0
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        schema.enable_wal(Contested(10**9), 0.05)


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """When the file cannot grow the transaction is undone, the message says so, and the rest is still there."""
    record, secret = played("full")
    with Store(tmp_path / "l.sqlite") as store:
        season = store.season("s", "c", b"x" * 32, tempo="planned", pairing_version=1)
        pool = store.pool(season.id, "edo_yashiki", 2, {}, "none", 1, "d")
        build = store.build("a", "random", "d")
        store.schedule(pool.id, 0, [("a", "b")], {"a": build, "b": build}, [True])
        group = store.groups(pool.id)[0]
        pages = store._connection.execute("pragma page_count").fetchone()[0]
        store._connection.execute(f"pragma max_page_count = {pages + 1}")
        with pytest.raises(StoreProblem, match="disk is full"):
            store.save(SeasonPlace(group.id, 0, 0, (build, build)), secret, Played.of(record))
        assert store.results(pool.id) == []
        store._connection.execute("pragma max_page_count = 1000000")
        store.save(SeasonPlace(group.id, 0, 0, (build, build)), secret, Played.of(record))

        assert [result.match for result in store.results(pool.id)] == [record.header.match]


def test_a_hosted_match_is_read_back_line_by_line(tmp_path: Path) -> None:
    """All steps lie in one row; what is read back is the file that anybody can verify."""
    record, secret = played("pieces")
    with Store(tmp_path / "l.sqlite") as store:
        pool = store.pool(
            store.season("s", "c", b"x" * 32, tempo="planned", pairing_version=1).id,
            "edo_yashiki",
            2,
            {},
            "none",
            1,
            "d",
        )
        build = store.build("a", "random", "d")
        store.schedule(pool.id, 0, [("a", "b")], {"a": build, "b": build}, [True])
        store.save(SeasonPlace(store.groups(pool.id)[0].id, 0, 0, (build, build)), secret, Played.of(record))

        assert store.lines(record.header.match) == list(record.lines())
        assert store.record(record.header.match).steps == record.steps


def test_a_match_is_stored_alike_however_it_was_played(tmp_path: Path) -> None:
    """At once when it is over, or from its beginning: the tables hold the same, the automaton's place included."""
    game = registry.game("white_castle")
    secret = fresh_secret("alike")
    record = play_match(
        MatchPlan(
            game.name,
            ("random",),
            fresh_id("alike"),
            secret,
            variant=settle_variant(game, 1, {}),
        ),
        [resolve("random")],
    )
    found = []
    for hosted in (True, False):
        with Store(tmp_path / f"{hosted}.sqlite") as store:
            if hosted:
                store.save(SeasonPlace(), secret, Played.of(record))
            else:
                assert record.final is not None
                store.begin(record.header, secret)
                for step in record.steps:
                    store.step(record.header.match, step)
                store.end(record.header.match, record.final)
            rows = store._connection.execute(
                "select id, state, rated, reason, header, final, duration_us, seat, player, place, points, ending, "
                "faults from matches join seats on match = id order by seat"
            )
            found.append((rows.fetchall(), store.lines(record.header.match)))

    assert found[0] == found[1]
    assert [row[8] for row in found[0][0]] == ["random", "rival"]


def test_the_history_follows_groups_that_come_late(tmp_path: Path) -> None:
    """A group that is whole later than its successors changes what follows it, and nothing before."""
    first, second, third = (0, "a", 10.0), (1, "a", 20.0), (2, "a", 30.0)
    with Store(tmp_path / "l.sqlite") as store:
        pool = store.pool(
            store.season("s", "c", b"x" * 32, tempo="planned", pairing_version=1).id,
            "edo_yashiki",
            2,
            {},
            "none",
            1,
            "d",
        )

        def stored() -> list[tuple[int, str, float]]:
            rows = store._connection.execute("select group_number, player, live from rating_history")
            return sorted(rows.fetchall())

        for history in ([first], [first, third], [first, second, (2, "a", 31.0)], [first, second], []):
            store.save_ratings(pool.id, [], 0, history)
            assert stored() == history


def test_a_served_match_is_stored_step_by_step(tmp_path: Path) -> None:
    """What the recorder is told is in the file at once, and a second reader finds the match running with its secret."""
    record, secret = played("served")
    path = tmp_path / "l.sqlite"
    with Store(path) as writer:
        writer.begin(record.header, secret)
        for step in record.steps[:5]:
            writer.step(record.header.match, step)
        with Store(path) as reader:
            (running,) = reader.running()
        found = running.record
        assert (found.steps, found.final, running.secret) == (record.steps[:5], None, secret)
        for step in record.steps[5:]:
            writer.step(record.header.match, step)
        assert record.final is not None
        writer.end(record.header.match, record.final)
        assert writer.running() == []

        verify(writer.record(record.header.match[:8]))


def test_tokens_are_stored_hashed_and_can_be_revoked(tmp_path: Path) -> None:
    """The token opens the door, the file does not hold it, and revoking closes the door."""
    path = tmp_path / "l.sqlite"
    with Store(path) as store:
        token = store.new_token("alice")
        assert store.entrant(token) == "alice"
        assert store.entrant("guess") is None
        assert store.revoke("alice") == 1
        assert store.entrant(token) is None
        with pytest.raises(UnknownName, match="alice"):
            store.revoke("bob")

    assert token.encode() not in path.read_bytes()


def test_the_token_commands_work_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """new prints a token once, list shows who has one, revoke ends it, a bad name is refused."""
    monkeypatch.chdir(tmp_path)
    assert run(["token", "new", "alice"]) == 0
    assert len(capsys.readouterr().out.strip()) > 40
    assert run(["token", "revoke", "alice"]) == 0
    capsys.readouterr()
    assert run(["token", "list", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["name"] == "alice"
    assert row["revoked"] is not None

    assert run(["token", "new", "no name!"]) == 2


@pytest.mark.filterwarnings("default")
def test_datasette_opens_the_file_with_our_queries(
    ladder_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every canned query of the shipped metadata runs in a real Datasette on a real ladder."""
    from datasette.app import Datasette  # here: it takes a second to load, and no other test has use for it

    monkeypatch.chdir(ladder_file.parent)
    assert run(["ladder", "run", "ladder.toml", "--workers", "0", "--matches", "6"]) == 0
    capsys.readouterr()
    assert run(["ladder", "metadata", "ladder.toml"]) == 0
    metadata = json.loads(capsys.readouterr().out)
    site = Datasette([str(ladder_file.parent / "ladder.sqlite")], metadata=metadata)

    async def rows(query: str) -> list[object]:
        found = await site.client.get(f"/ladder/{query}.json?_shape=array&player=greedy&first=greedy&second=first")
        assert found.status_code == 200, query
        return list(found.json())

    counts = {query: len(asyncio.run(rows(query))) for query in metadata["databases"]["ladder"]["queries"]}
    assert counts.pop("faults") == 0
    assert all(counts.values()), counts
    page = asyncio.run(site.client.get("/ladder.json")).json()
    about = metadata["databases"]["ladder"]["tables"]
    assert {table["name"] for table in page["tables"] if not table["hidden"]} == {
        name for name in about if not about[name].get("hidden")
    }


def test_the_metadata_describes_every_table_and_every_column_that_is_shown(tmp_path: Path) -> None:
    """Internal tables are hidden and described; nothing is described that is not there."""
    text = files("ladder.store").joinpath("datasette.json").read_text(encoding="utf-8")
    about = json.loads(text)["databases"]["ladder"]["tables"]
    with Store(tmp_path / "new.sqlite"), closing(sqlite3.connect(tmp_path / "new.sqlite")) as connection:
        names = [row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")]
        columns = {name: {row[1] for row in connection.execute(f"pragma table_info({name})")} for name in names}

    assert set(about) == set(names)
    assert all(table["description"] for table in about.values())
    hidden = {name for name, table in about.items() if table.get("hidden")}
    assert hidden >= {"steps", "tokens", "sessions", "host", "bot_logs", "audit"}
    assert {name: set(about[name]["columns"]) for name in set(names) - hidden} == {
        name: columns[name] for name in set(names) - hidden
    }
