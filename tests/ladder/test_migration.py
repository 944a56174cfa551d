"""A file of the first version, opened by this one: everything is there, whole, and can be gone on with."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.cli import run
from ladder.config.offers import every_table
from ladder.seasons.open_season import OpenSeason
from ladder.serving.directory import EntrantDirectory
from ladder.store import schema
from ladder.store.database import Store
from ladder.store.host_key import key_path
from ladder.store.sealed import final_purpose, secret_purpose, step_purpose
from ladder.store.tokens import hashed
from referee.kernel import registry
from referee.kernel.plain import canonical
from referee.match.match import Match
from referee.match.plan import MatchPlan
from referee.match.record import Record
from referee.match.verify import verify

EDO, HONSHU = registry.game("edo_yashiki"), registry.game("honshu")
CONFIG = "edo_yashiki/2/draft=sealed,rules=standard/round_robin/none\nhonshu/2/{honshu}/swiss/1m+500ms/30s"
MOMENT = "2026-01-02T03:04:05.678+00:00"


def variant(game: str) -> dict[str, str]:
    """The default variant of a game."""
    (offer,) = every_table([game], seats=[2])
    return dict(offer.variant)


def played(game: str, seed: str, names: tuple[str, str]) -> tuple[Record, bytes]:
    """A finished match and its secret."""
    secret = fresh_secret(seed)
    record = play_match(MatchPlan(game, names, fresh_id(seed), secret, variant=variant(game)), [resolve("random")] * 2)
    return record, secret


class OldFile:
    """Writes a database with the tables of the first migration alone, as the first version of the program did."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path)
        db = Database(self.connection)
        first = Migrations(schema.migrations.name)
        first()(schema.m001_first_tables)
        first.apply(db)
        self.connection.execute("pragma foreign_keys = on")

    def insert(self, table: str, **values: object) -> None:
        """One row."""
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        self.connection.execute(f"insert into {table} ({names}) values ({marks})", tuple(values.values()))

    def season(self) -> None:
        """A planned season of two pools, with builds, groups, ratings and a run."""
        self.insert("seasons", id=7, name="night", config=self.config(), secret=bytes(32), created=MOMENT)
        for name in ("ann", "bob"):
            self.insert("bots", name=name, created=MOMENT)
            self.insert("builds", bot=name, digest=f"digest of {name}", spec="random", created=MOMENT)
        for number, game in ((3, EDO), (4, HONSHU)):
            text = canonical({**variant(game.name)}).decode()
            self.insert(
                "pools",
                id=number,
                season=7,
                game=game.name,
                seats=2,
                variant=text,
                rules_version=game.rules_version,
                components=game.digest,
            )
            lineup = {"lineup": json.dumps(["ann", "bob"]), "builds": "[1, 2]", "duplicate": 1}
            self.insert("groups", id=number + 10, pool=number, number=0, batch=0, **lineup)
        self.insert("ratings", pool=3, player="ann", elo=12.5, live=1512.0, games=2, points=1.5)
        self.insert("rating_history", pool=3, group_number=0, player="ann", live=1512.0)
        self.insert("runs", id=1, season=7, started=MOMENT, ended=MOMENT, matches=2, reason="complete")
        self.insert("run_standings", run=1, pool=3, player="ann", elo=12.5, games=2)

    @staticmethod
    def config() -> str:
        """What the first version stored of the ladder file."""
        settings = ",".join(f"{key}={value}" for key, value in sorted(variant("honshu").items()))
        return CONFIG.replace("{honshu}", settings)

    def match(self, record: Record, secret: bytes, group: int | None, rotation: int | None, *, steps: int) -> None:
        """A match; `steps` -1: all of it in one row, otherwise it is running after so many."""
        header, *lines, final = (line.decode() for line in record.lines())
        done = steps < 0
        assert record.final is not None
        assert record.final.result is not None
        self.insert(
            "matches",
            id=record.header.match,
            group_id=group,
            rotation=rotation,
            game=record.header.game,
            variant=canonical(dict(record.header.variant)).decode(),
            state="finished" if done else "running",
            rated=int(done),
            secret=secret,
            header=header,
            final=final if done else None,
            started=MOMENT,
            duration_us=record.final.at if done else None,
        )
        places = record.final.result.places
        for seat, name in enumerate(record.header.players):
            build = {"ann": 1, "bob": 2}[name] if group is not None else None
            place = places[seat] if done else None
            self.insert("seats", match=record.header.match, seat=seat, player=name, build=build, place=place)
        if done:
            self.insert("steps", match=record.header.match, n=0, line="".join(lines))
        for number in range(max(0, steps)):
            self.insert("steps", match=record.header.match, n=number, line=lines[number])


@pytest.fixture(scope="module")
def matches() -> dict[str, tuple[Record, bytes]]:
    """Matches that the old file holds."""
    return {
        "z first": played("edo_yashiki", "z first", ("ann", "bob")),
        "a second": played("edo_yashiki", "a second", ("bob", "ann")),
        "third": played("honshu", "third", ("ann", "bob")),
        "running": played("edo_yashiki", "running", ("ann", "bob")),
    }


@pytest.fixture
def path(tmp_path: Path, matches: dict[str, tuple[Record, bytes]]) -> Path:
    """A file of the first version: a season, three finished matches, a served one that runs, tokens, a session."""
    where = tmp_path / "old.sqlite"
    old = OldFile(where)
    old.season()
    old.match(*matches["z first"], 13, 0, steps=-1)
    old.match(*matches["running"], None, None, steps=5)
    old.match(*matches["a second"], 13, 1, steps=-1)
    old.match(*matches["third"], 14, 0, steps=-1)
    old.insert("tokens", hash=hashed("token of ann"), bot="ann", created=MOMENT)
    old.insert("tokens", hash=hashed("token of bob"), bot="bob", created=MOMENT, revoked=MOMENT)
    for name in ("ann", "bob"):
        old.insert("sessions", name=name, resume_token=f"resume {name}", created=MOMENT)
    old.connection.commit()
    old.connection.close()
    return where


def test_everything_of_an_old_file_is_there(path: Path, matches: dict[str, tuple[Record, bytes]]) -> None:
    """Season, pools, groups, results, ratings, runs, tokens and resume tokens, and every reference is whole."""
    with Store(path) as store:
        season = store.find_season("night")
        first, second = store.pools(season.id)
        (group,) = store.groups(first.id)
        results = store.results(first.id)
        broken = store._connection.execute("pragma foreign_key_check").fetchall()
        whole = store._connection.execute("pragma integrity_check").fetchall()

        assert (season.id, season.tempo, season.pairing_version) == (7, "planned", 1)
        assert store.season_secret(season.id) == bytes(32)
        assert season.config == OldFile.config()
        assert (first.id, second.id) == (3, 4)
        assert (first.rated, first.edition, first.archived) == (True, 0, None)
        assert (group.id, group.lineup, group.builds, group.duplicate, group.games) == (
            13,
            ("ann", "bob"),
            (1, 2),
            True,
            2,
        )
        assert [result.players for result in results] == [("ann", "bob"), ("bob", "ann")]
        assert [result.rated and result.attempt == 0 for result in results] == [True, True]
        assert [(row.player, row.elo) for row in store.ratings(3)] == [("ann", 1512.5)]
        assert [row.reason for row in store.runs()] == ["complete"]
        assert [(row.name, row.owner, row.role, bool(row.revoked)) for row in store.tokens()] == [
            ("ann", "", "entrant", False),
            ("bob", "", "entrant", True),
        ]
        assert EntrantDirectory(store).entrant("token of ann") == "ann"
        assert (broken, whole) == ([], [("ok",)])
        for name in ("z first", "a second", "third"):
            record = store.record(matches[name][0].header.match)
            verify(record)
            assert record.final == matches[name][0].final
        store.lock()
        assert store.sessions.tokens() == {name: hashed(f"resume {name}") for name in ("ann", "bob")}


def test_pools_get_the_clock_of_their_season(path: Path) -> None:
    """Also one with a slash in it: the clock is the whole rest of its line."""
    with Store(path) as store:
        assert [pool.clock for pool in store.pools(7)] == ["none", "1m+500ms/30s"]


def test_ends_are_numbered_in_the_order_in_which_matches_were_stored(
    path: Path, matches: dict[str, tuple[Record, bytes]]
) -> None:
    """By row, not by id; the running match has no number, and the next end gets the next one."""
    with Store(path) as store:
        rows = dict(store._connection.execute("select id, end_number from matches").fetchall())
        numbers = {name: rows[record.header.match] for name, (record, _) in matches.items()}
        assert numbers == {"z first": 1, "a second": 2, "third": 3, "running": None}
        assert store._next_end() == 4


def test_a_running_match_of_an_old_file_is_gone_on_with(path: Path, matches: dict[str, tuple[Record, bytes]]) -> None:
    """It belongs to no season: it is restored, played to its end, stored whole, and moves no rating."""
    record, secret = matches["running"]
    with Store(path) as store:
        row = store.season("open", "", bytes(32), tempo="open", pairing_version=2)
        season = OpenSeason(store, row, every_table(["edo_yashiki"], seats=[2]))
        (running,) = store.running()

        assert (running.group, running.pool, running.secret) == (None, None, secret)
        assert season.restore(running, 1_000_000) is False
        Match.restore(EDO, running.record.header, running.secret, running.record.steps, 1_000_000)
        for step in record.steps[5:]:
            season.matches.step(record.header.match, step)
        assert record.final is not None
        settled = season.matches.end(record.header.match, record.final)
        season.ended(record.header.match, 2_000_000)

        assert settled.ratings == ()
        verify(store.record(record.header.match))
        assert store.running() == []


def test_an_old_file_is_migrated_once(path: Path) -> None:
    """Opened again, nothing changes; the first version would refuse it, for it knows the name of what it has seen."""
    with Store(path):
        pass
    with Store(path) as store:
        dump = list(store._connection.iterdump())
    with Store(path) as store:
        assert list(store._connection.iterdump()) == dump
        db = Database(store._connection)
        assert [migration.name for migration in schema.migrations.applied(db)][:2] == [
            "m001_first_tables",
            "m002_one_ladder",
        ]


def test_a_file_with_broken_references_is_left_as_it_is(path: Path) -> None:
    """The migration is undone altogether, so that the first version can still read the file."""
    connection = sqlite3.connect(path)
    connection.execute("pragma foreign_keys = off")
    connection.execute("insert into seats (match, seat, player) values ('gone', 0, 'ann')")
    connection.commit()
    before = list(connection.iterdump())
    connection.close()
    with pytest.raises(Exception, match="refer to rows that are missing"):
        Store(path)

    connection = sqlite3.connect(path)
    assert list(connection.iterdump()) == before
    connection.close()


def test_the_standings_of_an_old_file_are_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`ladder standings` opens it, folds its results, and names the clock."""
    assert run(["ladder", "standings", str(path), "--season", "night", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)

    assert [pool["clock"] for pool in shown["pools"]] == ["none", "1m+500ms/30s"]
    assert {player["player"]: player["games"] for player in shown["pools"][0]["players"]} == {"ann": 2, "bob": 2}
    assert not any(player["unproven"] for player in shown["pools"][0]["players"])


def test_a_planned_season_of_an_old_file_goes_on_with_its_schedule(tmp_path: Path) -> None:
    """Half of it stored by the first version's tables: the rest has the ids and secrets that it would have had."""
    ladder = tmp_path / "night.toml"
    ladder.write_text(
        'season = "night"\n[[bots]]\nspec = "greedy"\n[[bots]]\nspec = "random"\n'
        '[[pools]]\ngame = "edo_yashiki"\nrounds = 4\n'
    )
    (tmp_path / "whole").mkdir()
    other = tmp_path / "whole" / "night.toml"
    other.write_text(ladder.read_text())
    words = ["--workers", "0", "--seed", "s"]
    assert run(["ladder", "run", str(other), *words]) == 0
    assert run(["ladder", "run", str(ladder), *words, "--matches", "3"]) == 0
    _take_back(tmp_path / "ladder.sqlite")
    assert run(["ladder", "run", str(ladder), *words]) == 0

    found = []
    for folder in (tmp_path, tmp_path / "whole"):
        with Store(folder / "ladder.sqlite") as store:
            rows = store._connection.execute("select id, secret from matches order by id").fetchall()
            found.append([(secret, *luck_and_answers(store.record(match))) for match, secret in rows])
    assert found[0] == found[1]
    assert len(found[0]) == 8


def luck_and_answers(record: Record) -> tuple[object, ...]:
    """All of a record but what depends on the speed of the machine."""
    assert record.final is not None
    steps = [(step.n, step.answers, step.chance) for step in record.steps]
    return record.header, steps, record.final.result, record.final.secret


def _unseal(path: Path) -> None:
    """Store secrets and records in the open."""
    with Store(path) as store:
        run_sql, key = store._connection.execute, store.key
        for season in [row[0] for row in run_sql("select id from seasons").fetchall()]:
            run_sql("update seasons set secret = ? where id = ?", (store.season_secret(season), season))
        sealed = run_sql("select id, sealed_secret, final from matches where secret is null").fetchall()
        for match, secret, final in sealed:
            opened = (key.unseal(secret, secret_purpose(match)), key.unseal_text(final, final_purpose(match)), match)
            run_sql("update matches set secret = ?, final = ? where id = ?", opened)
            for n, line in run_sql("select n, line from steps where match = ?", (match,)).fetchall():
                plain = key.unseal_text(line, step_purpose(match, n))
                run_sql("update steps set line = ? where match = ? and n = ?", (plain, match, n))


def _take_back(path: Path) -> None:
    """Write the rows of a file into the tables of the first version, which sealed nothing."""
    _unseal(path)
    new = sqlite3.connect(path)
    rows = {
        table: (columns, new.execute(f"select {columns} from {table} order by rowid").fetchall())
        for table, columns in (
            ("bots", "name, created"),
            ("builds", "id, bot, digest, spec, created"),
            ("seasons", "id, name, config, secret, created"),
            ("pools", "id, season, game, seats, variant, rules_version, components"),
            ("groups", "id, pool, number, batch, lineup, builds, duplicate"),
            (
                "matches",
                "id, group_id, rotation, game, variant, state, rated, reason, secret, header, final, started, "
                "duration_us",
            ),
            ("runs", "id, season, started, ended, matches, reason"),
        )
    }
    for table, columns in (
        ("seats", "match, seat, player, build, place, points, ending, faults"),
        ("steps", "match, n, line"),
    ):
        rows[table] = (columns, new.execute(f"select {columns} from {table}").fetchall())
    new.close()
    for file in (*path.parent.glob(f"{path.name}*"), key_path(path)):
        file.unlink()
    old = OldFile(path)
    for table, (columns, entries) in rows.items():
        marks = ", ".join("?" * len(columns.split(", ")))
        old.connection.executemany(f"insert into {table} ({columns}) values ({marks})", entries)
    old.connection.commit()
    old.connection.close()


def test_quick_ratings_of_an_older_file_are_folded_anew(path: Path) -> None:
    """Seats that were told online Elo get Glicko's numbers, in the order of ends; others get none."""
    with Store(path) as store:
        store._connection.execute("delete from _sqlite_migrations where name = 'm004_one_scale'")
        for column in ("deviation", "wins", "draws", "losses", "faults", "island", "exact"):
            store._connection.execute(f"alter table ratings drop column {column}")
        store._connection.execute(
            "update seats set rating_before = 1500, rating_after = 1520, rating_deviation = 0, rating_games = 1 "
            "where match in (select id from matches where end_number = 1)"
        )
    with Store(path) as store:
        told = store._connection.execute(
            "select end_number, rating_before, round(abs(rating_after - 1500)), round(rating_deviation) from seats "
            "join matches on id = match where rating_after is not null order by seat"
        ).fetchall()
        untold = store._connection.execute(
            "select count(*) from seats join matches on id = match where end_number = 2 and rating_after is not null"
        ).fetchone()

    assert told in ([(1, 1500, 162, 290)] * 2, [(1, 1500, 0, 290)] * 2)
    assert untold == (0,)
