"""A database tells no reader what is still to come: secrets, decks and tokens of what is not over are not in it."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.arena.entrants import find
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.arena.workers import in_process
from ladder.config.ladder_file import read
from ladder.config.offers import every_table
from ladder.seasons.open_season import OpenSeason
from ladder.seasons.season import Season
from ladder.store.database import Store
from ladder.store.file import StoreProblem
from ladder.store.matches import SeasonPlace
from ladder.store.records import Played
from referee.kernel import registry
from referee.match.plan import MatchPlan
from referee.match.record import Record
from referee.match.verify import verify
from referee.transport.resume import hashed

GAME = registry.game("edo_yashiki")
SEED = fresh_secret("season")
FILLER = json.dumps(list(range(3000)))
"""As many rows as take up many pages."""


def played(seed: str, secret: bytes | None = None, names: tuple[str, ...] = ("a", "b")) -> tuple[Record, bytes]:
    """A finished match and its secret."""
    luck = fresh_secret(seed) if secret is None else secret
    bots = [resolve("random")] * len(names)
    return play_match(MatchPlan(GAME.name, names, fresh_id(seed), luck), bots), luck


def everything(folder: Path) -> bytes:
    """Every byte of the database and its log; the key is not part of it."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("l.sqlite*")))


def holds(content: bytes, secret: bytes) -> bool:
    """Whether a secret can be read there, as bytes or in hex."""
    return secret in content or secret.hex().encode() in content


def decks(record: Record) -> list[bytes]:
    """What the steps say about luck: pieces of their lines, long enough not to be there by chance."""
    found = [line[line.index(b'"chance":') :][:60] for line in record.lines() if b'"chance":' in line]
    return [piece for piece in found if len(piece) > 40]


def pool_of(store: Store, season: int, seats: int = 2) -> int:
    """The id of a pool."""
    return store.pool(season, "edo_yashiki", seats, {}, "none", 1, "d").id


def test_a_running_match_tells_neither_secret_nor_luck_nor_notes(tmp_path: Path) -> None:
    """Not in its rows, not in free pages, not in the log; when it is over, all of it can be read and verified."""
    record, secret = played("running")
    assert record.final is not None
    steps = [step._replace(notes={0: "I hold the seven"}) if step.n == 3 else step for step in record.steps]
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        store.begin(record.header, secret)
        for step in steps:
            store.step(record.header.match, step)
        during = everything(tmp_path)
        with pytest.raises(StoreProblem, match="is sealed until it, and every game of its set, is over"):
            store.lines(record.header.match)
        store.end(record.header.match, record.final)
        shown = store.record(record.header.match)

        assert decks(shown)
        assert not holds(during, secret)
        assert not any(piece in during for piece in [*decks(shown), b"I hold the seven"])
        assert holds(everything(tmp_path), secret)
        assert shown.steps == tuple(steps)
        verify(shown)


def test_a_running_match_of_a_season_stores_no_secret_and_is_found_again(tmp_path: Path) -> None:
    """It derives from the host's key and the match's id; the row has neither a plain nor a sealed one."""
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        row = store.season("open", "", None, tempo="open", pairing_version=1)
        season = OpenSeason(store, row, every_table(["edo_yashiki"], seats=[2]))
        opening = opened(season)
        header = opening.header(GAME)
        season.matches.begin(header, opening.secret)
        stored = store._connection.execute("select secret, sealed_secret from matches").fetchall()
        of_season = store._connection.execute("select secret, sealed_secret from seasons").fetchall()
    with Store(tmp_path / "l.sqlite") as later:
        later.lock()
        (running,) = later.running()

    assert stored == of_season == [(None, None)]
    assert running.secret == opening.secret
    assert not holds(everything(tmp_path), opening.secret)


class Present:
    """A bot that is there and free."""

    present, tables, capacity = True, 0, 1

    def __init__(self, name: str) -> None:
        self.name = name

    def plays(self, game: str, seats: int, variant: object) -> bool:
        """Everything."""
        return True


def opened(season: OpenSeason) -> MatchPlan:
    """The match that an open season opens between ann and bob."""
    bots = [Present("ann"), Present("bob")]
    for bot in bots:
        season.arrived(bot.name, "x", bot)
    found = season.next(bots, 1)
    assert isinstance(found, MatchPlan)
    return found


def test_luck_does_not_come_again_after_an_older_state_was_put_back(tmp_path: Path) -> None:
    """The next match of an open season has another id and secret than the one that was played after the backup."""
    found = []
    for _ in range(2):
        with Store(tmp_path / "l.sqlite") as store:
            row = store.season("open", "", None, tempo="open", pairing_version=1)
            found.append(opened(OpenSeason(store, row, every_table(["edo_yashiki"], seats=[2]))))

    assert found[0].match != found[1].match
    assert found[0].secret != found[1].secret


def test_a_seeded_season_is_sealed_and_keeps_its_luck(tmp_path: Path) -> None:
    """The seed's secret is not in the file, and what is derived from it is the same with and without the key's help."""
    with Store(tmp_path / "l.sqlite") as store:
        row = store.season("s", "c", SEED, tempo="planned", pairing_version=1)
    with Store(tmp_path / "l.sqlite") as store:
        again = store.season("s", "c", None, tempo="planned", pairing_version=1)
        secret = store.season_secret(again.id)

    assert row == again
    assert secret == SEED
    assert not holds(everything(tmp_path), SEED)


def test_seasons_without_a_seed_have_secrets_of_their_own(tmp_path: Path) -> None:
    """Two seasons of one file differ, and so do seasons of one name under other keys."""
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with Store(tmp_path / name / "l.sqlite") as store:
            for season in ("s", "t"):
                row = store.season(season, "c", None, tempo="planned", pairing_version=1)
                found.append(store.season_secret(row.id))
                assert store.season_secret(row.id) == found[-1]

    assert len(set(found)) == 4


def test_a_duplicate_set_is_readable_when_its_last_game_is_stored(tmp_path: Path) -> None:
    """The games of a set share one secret: the record of the first would tell the luck of the others."""
    first, secret = played("dup-0")
    second, _ = played("dup-1", secret)
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        build = store.build("a", "random", "d")
        pool = pool_of(store, store.season("s", "c", SEED, tempo="planned", pairing_version=1).id)
        store.schedule(pool, 0, [("a", "b")], {"a": build, "b": build}, [True])
        group = store.groups(pool)[0].id
        store.save(SeasonPlace(group, 0, 0, (build, build)), secret, Played.of(first), sealed=True)
        half = everything(tmp_path)
        results = [(result.state, result.places != ()) for result in store.results(pool)]
        with pytest.raises(StoreProblem, match="sealed"):
            store.record(first.header.match)
        store.save(SeasonPlace(group, 1, 0, (build, build)), secret, Played.of(second))
        store.reveal([group])

        assert results == [("finished", True)]
        assert not holds(half, secret)
        assert not any(piece in half for piece in decks(first))
        assert store.lines(first.header.match) == list(first.lines())
        assert store.sealed_groups(pool, 99) == []
        rows = store._connection.execute("select secret, sealed_secret from matches").fetchall()
        assert rows == [(secret, None)] * 2


@pytest.mark.parametrize("stop", [1, 5, 100])
def test_a_season_that_is_stopped_between_the_games_of_a_set_seals_it(ladder_file: Path, stop: int) -> None:
    """Every readable game belongs to a whole set, however many were stored; at the end all are readable and verify."""
    ladder = read(ladder_file)

    def run(matches: int) -> None:
        with Store(ladder.database) as store, in_process() as workers:
            store.lock()
            season = Season(ladder, store, SEED, lambda spec: find(spec).digest())
            season.run(workers, until=lambda progress: progress.played >= matches, told=lambda progress: None)

    def sets() -> dict[int, tuple[int, list[bool]]]:
        """By set: how many games it has, and of each stored one whether it is readable."""
        connection = sqlite3.connect(ladder.database)
        rows = connection.execute(
            "select group_id, games, secret is not null, substr(final, 1, 1) = '{', substr(line, 1, 1) = '{' "
            "from matches join groups on groups.id = group_id join steps on match = matches.id where duplicate = 1"
        ).fetchall()
        connection.close()
        found: dict[int, tuple[int, list[bool]]] = {}
        for group, games, *readable in rows:
            assert len(set(readable)) == 1
            found.setdefault(group, (games, []))[1].append(bool(readable[0]))
        return found

    run(stop)
    halfway = sets()
    assert halfway
    for games, readable in halfway.values():
        assert readable == [len(readable) == games] * len(readable)
    if stop == 1:
        assert [readable for _, readable in halfway.values()] == [[False]]
    run(10_000)

    whole = sets()
    assert all(readable == [True] * games for games, readable in whole.values())
    with Store(ladder.database) as store:
        for (match,) in store._connection.execute("select id from matches").fetchall():
            verify(store.record(match))


def test_a_lost_key_voids_what_was_not_over_with_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Running matches and games of open sets cannot be read any more; what was over stays, and matches go on."""
    running, secret = played("lost-running")
    over, other = played("lost-over")
    half, third = played("lost-half")
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        build = store.build("a", "random", "d")
        row = store.season("s", "c", None, tempo="planned", pairing_version=1)
        sealed = store.season("t", "c", SEED, tempo="planned", pairing_version=1)
        pool = pool_of(store, row.id)
        store.schedule(pool, 0, [("a", "b")], {"a": build, "b": build}, [True])
        store.save(SeasonPlace(store.groups(pool)[0].id, 0, 0, (build, build)), third, Played.of(half), sealed=True)
        store.save(SeasonPlace(), other, Played.of(over))
        store.begin(running.header, secret)
        store.step(running.header.match, running.steps[0])
    (tmp_path / "l.key").unlink()

    with Store(tmp_path / "l.sqlite") as reader:
        assert reader.find_season("s").name == "s"
        with pytest.raises(StoreProblem, match=r"its key .*l\.key is missing; put it back from a backup"):
            reader.season_secret(row.id)
    with caplog.at_level(logging.WARNING), Store(tmp_path / "l.sqlite") as store:
        store.lock()
        states = dict(store._connection.execute("select id, state from matches").fetchall())
        (result,) = store.results(pool)

        assert [record.getMessage().count("\n") for record in caplog.records] == [0]
        assert "is lost, and a new one was made; 2 unfinished matches are void" in caplog.text
        assert states == {running.header.match: "void", half.header.match: "void", over.header.match: "finished"}
        assert (result.stopped, result.attempt) == (True, 0)
        assert store.running() == []
        verify(store.record(over.header.match))
        assert len(store.season_secret(row.id)) == 32
        with pytest.raises(StoreProblem, match=r"season 't' .* is sealed with another key .* under another name"):
            store.season_secret(sealed.id)
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        assert len(caplog.records) == 1


def test_the_key_of_another_database_is_refused(tmp_path: Path) -> None:
    """A wrong key would void every running match; the line says what to do, and the file is left as it is."""
    record, secret = played("wrong")
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        store.begin(record.header, secret)
    right = (tmp_path / "l.key").read_bytes()
    (tmp_path / "l.key").write_text("ab" * 32)
    with (
        pytest.raises(StoreProblem, match=r"l\.key is not the key of .*l\.sqlite: put the right one back"),
        Store(tmp_path / "l.sqlite") as store,
    ):
        store.lock()
    (tmp_path / "l.key").write_bytes(right)
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()

        assert [running.secret for running in store.running()] == [secret]


def test_what_an_earlier_version_left_in_the_open_is_sealed_by_the_next_writer(tmp_path: Path) -> None:
    """Season, running match, half a set and resume token: gone from every byte of file and log, and usable."""
    season = fresh_secret("old season")
    running, luck = played("old-running")
    half, shared = played("old-half")
    whole, told = played("old-whole")
    path = tmp_path / "l.sqlite"
    with Store(path) as store:
        # As a plain SQLite does it: what is deleted stays in the file until its place is needed.
        store._connection.execute("pragma secure_delete = off")
        store._connection.execute("create table old_seasons as select ? as secret from json_each(?)", (season, FILLER))
        store._connection.execute("drop table old_seasons")
        build = store.build("a", "random", "d")
        row = store.season("s", "c", None, tempo="planned", pairing_version=1)
        pool = pool_of(store, row.id)
        store.schedule(pool, 0, [("a", "b")] * 2, {"a": build, "b": build}, [True, False])
        first, second = store.groups(pool)
        store.save(SeasonPlace(first.id, 0, 0, (build, build)), shared, Played.of(half))
        store.save(SeasonPlace(second.id, 0, 0, (build, build)), told, Played.of(whole))
        store._connection.execute("update seasons set secret = ?", (season,))
        store._connection.execute("insert into sessions values ('a', 'resume-me-please', null, 'now')")
        in_the_open(store, running, luck)
        store._connection.execute("delete from host")
        # Another program has the file open, so the log stays when this one closes it.
        reader = sqlite3.connect(path)
        reader.execute("select * from sqlite_master").fetchall()
    (tmp_path / "l.key").unlink(missing_ok=True)
    before = everything(tmp_path)
    with Store(path) as store:
        store.lock()
        after = everything(tmp_path)

        for secret in (season, luck, shared):
            assert holds(before, secret)
            assert not holds(after, secret)
        for piece in (*decks(running), *decks(half), b"resume-me-please"):
            assert piece in before
            assert piece not in after
        assert holds(after, told)
        assert store.season_secret(row.id) == season
        (found,) = store.running()
        assert (found.secret, found.record.steps) == (luck, running.steps)
        assert store.sessions.tokens() == {"a": hashed("resume-me-please")}
        store.reveal([first.id])
        assert store.lines(half.header.match) == list(half.lines())
    reader.close()


def in_the_open(store: Store, record: Record, secret: bytes) -> None:
    """Store a running match as earlier versions did."""
    store.begin(record.header, secret)
    lines = list(record.lines())[1:-1]
    match = record.header.match
    store._connection.execute("update matches set secret = ?, sealed_secret = null where id = ?", (secret, match))
    store._connection.executemany(
        "insert into steps values (?, ?, ?)", [(match, n, line.decode()) for n, line in enumerate(lines)]
    )


def test_a_sealed_line_at_another_place_is_not_taken(tmp_path: Path) -> None:
    """Exchanging two steps of a running match is found: each is sealed for its own number."""
    record, secret = played("moved")
    with Store(tmp_path / "l.sqlite") as store:
        store.begin(record.header, secret)
        for step in record.steps[:3]:
            store.step(record.header.match, step)
        store._connection.execute(
            "update steps set line = (select line from steps other where other.n = 3 - steps.n) where n in (1, 2)"
        )
        with pytest.raises(StoreProblem, match="does not open with the host's key"):
            store.running()


def test_ratings_and_records_need_no_key(tmp_path: Path) -> None:
    """A database whose key is kept elsewhere can be shown: standings, finished records and tokens."""
    record, secret = played("shown")
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        store.save(SeasonPlace(), secret, Played.of(record))
    (tmp_path / "l.key").unlink()
    with Store(tmp_path / "l.sqlite") as store:
        verify(store.record(record.header.match))

        assert store.tokens() == []
        assert not (tmp_path / "l.key").exists()


def test_a_damaged_file_is_refused_with_one_line(tmp_path: Path) -> None:
    """At the start of a writer, before anything is played; the line says what to do."""
    path = tmp_path / "l.sqlite"
    with Store(path) as store:
        store.lock()
        for number in range(40):
            store.build(f"bot-{number}", "random" * 500, "d")
    content = bytearray(path.read_bytes())
    pages = len(content) // 4096
    for page in range(pages // 2, pages):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(bytes(content))

    with pytest.raises(StoreProblem, match=r"the file is damaged .*from a backup") as caught, Store(path) as store:
        store.lock()
    assert "\n" not in str(caught.value)


def test_the_check_of_a_huge_file_ends_in_time(tmp_path: Path) -> None:
    """It is a check as far as the time goes: a file that takes longer is not refused for that."""
    with Store(tmp_path / "l.sqlite") as store:
        with store.transaction():
            for number in range(3000):
                store._connection.execute(
                    "insert into bots (name, created) values (?, ?)", (f"bot-{number}", "x" * 2000)
                )
        store.check(0.0)
        store.check()
