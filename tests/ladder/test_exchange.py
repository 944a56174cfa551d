"""Matches of one referee's file in another's: verified, stored altogether or not at all, and rated with the rest."""

from __future__ import annotations

import gc
import hashlib
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from ladder.arena.play import fresh_secret
from ladder.arena.workers import in_process
from ladder.cli import run
from ladder.config import ladder_file
from ladder.exchange import importing
from ladder.exchange.importing import Import, NamePolicy
from ladder.exchange.match_lines import FORMAT
from ladder.seasons.published_standings import season_standings
from ladder.seasons.season import Season
from ladder.seasons.standings import fold
from ladder.store.database import Store
from ladder.store.matches import SeasonPlace
from ladder.store.records import Played, Selection
from referee.kernel import registry
from referee.match.record import Record, from_lines
from referee.match.verify import verify as really_verify
from tests.ladder.exchanging import LADDER, MATCHES, Kumite, content, lines_of, refused, write
from tests.ladder.test_migration import OldFile
from tests.ladder.test_migration import played as played_before


def standings(kumite: Kumite, path: str) -> Any:
    """The standings of a database for a program; pools, which each file lists as they were made, by their seats."""
    code, out, err = kumite("ladder", "standings", path, "--json")
    assert code == 0, err
    found = json.loads(out)
    found["pools"].sort(key=lambda pool: pool["seats"])
    return found


def test_an_export_holds_every_record_and_its_place(at_referees: Kumite) -> None:
    """One line for each match, whose record is the stored one to the byte."""
    lines = lines_of("north.jsonl")
    with Store("north.sqlite") as store:
        stored = {line["match"]: b"".join(store.lines(line["match"])) for line in lines}

    assert len(lines) == MATCHES
    assert {line["format"] for line in lines} == {FORMAT}
    for line in lines:
        chain = from_lines(stored[line["match"]].splitlines(keepends=True))
        assert line["record"][-1]["hash"] == chain.hashes[-1]
        assert line["place"]["season"]["name"] == "night"
        assert line["place"]["pool"]["clock"] == "none"
        assert line["place"]["group"]["duplicate"] is True
        assert [seat["player"] for seat in line["seats"]] == list(chain.header.players)
    assert sorted(line["place"]["rotation"] for line in lines) == [0, 0, 0, 0, 1, 1, 1, 1, 2]


def test_the_union_is_rated_the_same_whichever_is_imported_into_which(at_referees: Kumite) -> None:
    """North into south, south into north, and both into an empty file: the same standings to the last digit."""
    assert at_referees("import", "both.sqlite", "south.jsonl", "north.jsonl", "--merge")[0] == 0
    assert at_referees("import", "north.sqlite", "south.jsonl", "--merge")[0] == 0
    assert at_referees("import", "south.sqlite", "north.jsonl", "--merge")[0] == 0
    found = [standings(at_referees, f"{name}.sqlite") for name in ("north", "south", "both")]

    assert found[0] == found[1] == found[2]
    for pool, games in zip(found[0]["pools"], (8, 6), strict=True):
        counts = {player["player"]: player["games"] for player in pool["players"]}
        assert counts == {"greedy": games, "dice": games, "north": games // 2, "south": games // 2}


def test_matches_of_one_moment_have_one_order_in_every_file(at_referees: Kumite) -> None:
    """All began at the same millisecond at both referees: time alone does not order them, and the standings agree."""
    for name in ("north", "south"):
        connection = sqlite3.connect(f"{name}.sqlite")
        connection.execute("update matches set started = '2026-11-01T00:00:00.000+00:00'")
        connection.commit()
        connection.close()
        assert at_referees("export", f"{name}.sqlite", "--out", f"{name}.jsonl")[0] == 0
    assert at_referees("import", "both.sqlite", "north.jsonl", "south.jsonl", "--merge")[0] == 0
    assert at_referees("import", "north.sqlite", "south.jsonl", "--merge")[0] == 0
    assert at_referees("import", "south.sqlite", "north.jsonl", "--merge")[0] == 0
    found = [standings(at_referees, f"{name}.sqlite") for name in ("north", "south", "both")]

    assert found[0] == found[1] == found[2]


def evening(path: Path, software: str, seeds: str) -> None:
    """Play matches of an open season at a referee: ann with this software, and bob."""
    game = registry.game("edo_yashiki")
    with Store(path) as store:
        store.lock()
        season = store.season("open", "", None, tempo="open", pairing_version=1)
        builds = (
            store.build("ann", software, hashlib.sha256(software.encode()).hexdigest(), remote=True),
            store.build("bob", "x", "x", remote=True),
        )
        for seed in seeds:
            record, secret = played_before("edo_yashiki", f"{software}/{seed}", ("ann", "bob"))
            pool = store.pool(season.id, game.name, 2, record.header.variant, "none", game.rules_version, game.digest)
            group = store.add_group(pool.id, store.next_group(pool.id), 0, ("ann", "bob"), builds, False, 1)
            store.save(SeasonPlace(group, 0, 0, builds), secret, Played.of(record))
    assert run(["export", str(path), "--out", f"{path}.jsonl"]) == 0


def test_builds_of_one_bot_have_the_same_numbers_either_way(at_referees: Kumite) -> None:
    """A bot that had three builds at two referees: the last is rated under its name, the others by number."""
    for path, software in (("a", "first"), ("b", "second"), ("a", "third"), ("b", "second")):
        evening(Path(path), software, "12" if path == "a" else "34" if not Path("b").exists() else "56")
    at_referees("import", "both", "b.jsonl", "a.jsonl", "--merge")
    at_referees("import", "a", "b.jsonl", "--merge")
    at_referees("import", "b", "a.jsonl", "--merge")
    found = [standings(at_referees, path) for path in ("a", "b", "both")]

    assert found[0] == found[1] == found[2]
    games = {player["player"]: player["games"] for player in found[0]["pools"][0]["players"]}
    assert games == {"ann": 4, "ann@1": 2, "ann@3": 2, "bob": 8}
    assert len(json.loads(at_referees("matches", "b", "--bot", "ann@1", "--json")[1])) == 2
    refused(at_referees("matches", "b", "--bot", "ann@9"), "'ann' has 3 builds in b, not 9")


def test_the_ratings_are_the_fold_over_the_union(at_referees: Kumite) -> None:
    """What the import stored is what a fold over the stored results gives, and more than either file's own."""
    at_referees("import", "north.sqlite", "south.jsonl", "--merge")
    with Store("north.sqlite") as store:
        season = store.find_season("night")
        for pool in store.pools(season.id):
            table = fold(store, pool.id)
            assert store.stamp(pool.id) == pool.published
            assert store.ratings(pool.id) == table.rows()
        shown = season_standings(store, season)
        live = [player.rating.live for pool in shown for player in pool.players]

    assert sum(player.rating.games for pool in shown for player in pool.players) == 2 * (6 * 2 + 3 * 3)
    assert max(live) > 1500 > min(live)


def test_the_order_of_the_files_and_of_their_lines_does_not_matter(at_referees: Kumite) -> None:
    """Line by line backwards and in two halves: the same standings."""
    lines = lines_of("south.jsonl")[::-1]
    write("late.jsonl", lines[:4])
    write("early.jsonl", lines[4:])
    at_referees("import", "one.sqlite", "south.jsonl")
    assert at_referees("import", "two.sqlite", "late.jsonl")[0] == 0
    assert at_referees("import", "two.sqlite", "early.jsonl")[0] == 0

    assert standings(at_referees, "one.sqlite") == standings(at_referees, "two.sqlite")


def test_an_import_is_done_once(at_referees: Kumite) -> None:
    """A second one changes nothing, asks nothing and says so."""
    first = at_referees("import", "north.sqlite", "south.jsonl", "--merge")
    before = content("north.sqlite")
    second = at_referees("import", "north.sqlite", "south.jsonl", "--json")

    assert first[0] == second[0] == 0
    assert "imported 9 matches" in first[1]
    assert "a record cannot prove who sat where" in first[1]
    assert {key: json.loads(second[1])[key] for key in ("imported", "known")} == {"imported": 0, "known": 9}
    assert content("north.sqlite") == before


def test_equal_names_are_asked_about(at_referees: Kumite) -> None:
    """Without --merge or --prefix nothing happens, and the one line explains both."""
    before = content("north.sqlite")

    refused(
        at_referees("import", "north.sqlite", "south.jsonl"), "'dice', 'greedy'", "--merge", "--prefix", "north.sqlite"
    )
    refused(at_referees("import", "new.sqlite", "south.jsonl", "north.jsonl"), "'dice', 'greedy'", "--merge")
    assert content("north.sqlite") == before
    assert not list(Path().glob("new.*"))


def test_a_prefix_keeps_bots_apart(at_referees: Kumite) -> None:
    """The bots of the file have names of their own; the record still says what they were called when they played."""
    assert at_referees("import", "north.sqlite", "south.jsonl", "--prefix", "s-")[0] == 0
    (pool, _) = standings(at_referees, "north.sqlite")["pools"]
    code, out, _ = at_referees("matches", "north.sqlite", "--bot", "s-greedy", "--json")

    names = {player["player"] for player in pool["players"]}
    assert names == {"greedy", "dice", "north", "s-greedy", "s-dice", "s-south"}
    assert (code, len(json.loads(out))) == (0, 7)
    assert at_referees("verify", "north.sqlite")[0] == 0


def test_what_bots_were_called_once_they_are_called_again(at_referees: Kumite) -> None:
    """More matches of the same referee need no word about names, and another word is refused."""
    lines = lines_of("south.jsonl")
    write("first.jsonl", [line for line in lines if "south" not in {seat["player"] for seat in line["seats"]}])
    assert at_referees("import", "north.sqlite", "first.jsonl", "--prefix", "s-")[0] == 0

    refused(
        at_referees("import", "north.sqlite", "south.jsonl", "--prefix", "t-"), "was imported as 's-", "leave --prefix"
    )
    assert at_referees("import", "north.sqlite", "south.jsonl")[0] == 0
    names = {player["player"] for pool in standings(at_referees, "north.sqlite")["pools"] for player in pool["players"]}
    assert names == {"greedy", "dice", "north", "s-greedy", "s-dice", "s-south"}


def test_a_match_says_where_it_came_from(at_referees: Kumite) -> None:
    """Referee, file and its digest, and when; also after a way over a third file."""
    at_referees("import", "middle.sqlite", "south.jsonl")
    at_referees("export", "middle.sqlite", "--out", "middle.jsonl")
    at_referees("import", "north.sqlite", "middle.jsonl", "--merge")
    match = lines_of("south.jsonl")[0]
    code, out, _ = at_referees("matches", f"north.sqlite:{match['match'][:10]}", "--json")
    _, text, _ = at_referees("matches", f"north.sqlite:{match['match'][:10]}")
    source = json.loads(out)["source"]

    assert code == 0
    assert source["referee"] == match["referee"]
    assert source["file"] == "middle.jsonl"
    assert source["digest"] == hashlib.sha256(Path("middle.jsonl").read_bytes()).hexdigest()
    assert f"played by referee {match['referee']}" in text
    assert lines_of("middle.jsonl") == lines_of("south.jsonl")
    assert "9 were there already" in at_referees("import", "north.sqlite", "south.jsonl")[1]


def test_a_season_that_goes_on_plays_its_own_schedule(at_referees: Kumite) -> None:
    """Imported sets count for ratings and for no round: two rounds more are two rounds more."""
    at_referees("import", "north.sqlite", "south.jsonl", "--merge")
    text = Path("north.toml").read_text().replace("rounds = 1\n", "rounds = 2\n", 1)
    Path("north.toml").write_text(text)
    code, out, err = at_referees("ladder", "run", "north.toml", "--workers", "0", "--json")
    assert code == 0, err
    found = json.loads(out)

    assert (found["matches"], found["complete"]) == (6, True)
    assert sum(player["games"] for player in found["pools"][0]["players"]) == 2 * (6 + 6 + 6)
    assert at_referees("verify", "north.sqlite")[1].endswith("24 of 24 records hold\n")


def test_two_referees_with_one_seed_do_not_get_into_each_others_way(tmp_path: Path) -> None:
    """Their matches have the same ids: what was imported is not played once more, and the season is completed."""
    (tmp_path / "x.toml").write_text(LADDER.format(name="x"))
    ladder = ladder_file.read(tmp_path / "x.toml")

    def play(name: str) -> None:
        with Store(tmp_path / f"{name}.sqlite") as store, in_process() as workers:
            store.lock()
            season = Season(ladder, store, fresh_secret("same"), lambda spec: spec)
            season.run(workers, until=lambda progress: name == "x" and progress.played >= 2, told=lambda p: None)

    play("x")
    play("y")
    assert run(["export", str(tmp_path / "y.sqlite"), "--out", str(tmp_path / "y.jsonl")]) == 0
    mine = {row["match"] for row in _listed(tmp_path / "x.sqlite")}
    lines = [line for line in lines_of(str(tmp_path / "y.jsonl")) if line["match"] not in mine]
    write(str(tmp_path / "rest.jsonl"), lines)
    assert run(["import", str(tmp_path / "x.sqlite"), str(tmp_path / "rest.jsonl"), "--merge"]) == 0
    with Store(tmp_path / "x.sqlite") as store, in_process() as workers:
        store.lock()
        season = Season(ladder, store, None, lambda spec: spec)
        progress = season.run(workers, until=lambda progress: False, told=lambda progress: None)

    assert progress.complete
    assert progress.played == MATCHES - len(mine)


def _listed(path: Path) -> list[Any]:
    with Store(path) as store:
        return [{"match": row.id} for row in store.played(Selection())]


def test_only_what_is_over_is_exported_and_sets_are_whole(at_referees: Kumite) -> None:
    """A set with a game that is yet to be played is left out; --since takes a set whose last game is late enough."""
    Path("half.toml").write_text(LADDER.format(name="half"))
    assert at_referees("ladder", "run", "half.toml", "--workers", "0", "--matches", "1")[0] == 0
    code, out, err = at_referees("export", "half.sqlite")

    assert (code, out) == (0, "")
    assert "exported 0 matches; left out: " in err
    assert "of sets that are not over" in err
    first = lines_of("north.jsonl")[0]
    connection = sqlite3.connect("north.sqlite")
    connection.execute("update matches set started = '2026-01-01T00:00:00.000+00:00' where id = ?", (first["match"],))
    connection.commit()
    connection.close()
    at_referees("export", "north.sqlite", "--since", "1h", "--out", "late.jsonl")
    assert first["match"] in {line["match"] for line in lines_of("late.jsonl")}


def test_files_of_earlier_versions_are_exported_and_imported_into(at_referees: Kumite) -> None:
    """A file of the first version gives its finished matches and keeps the set that is not over; it takes others."""
    old = OldFile(Path("old.sqlite"))
    old.season()
    old.match(*played_before("edo_yashiki", "z first", ("ann", "bob")), 13, 0, steps=-1)
    old.match(*played_before("edo_yashiki", "a second", ("bob", "ann")), 13, 1, steps=-1)
    old.match(*played_before("honshu", "third", ("ann", "bob")), 14, 0, steps=-1)
    old.match(*played_before("edo_yashiki", "running", ("ann", "bob")), None, None, steps=5)
    old.connection.commit()
    old.connection.close()
    code, out, err = at_referees("export", "old.sqlite")
    Path("old.jsonl").write_text(out)

    assert (code, len(out.splitlines())) == (0, 2)
    assert "left out: 1 running, 1 of sets that are not over" in err
    assert at_referees("import", "north.sqlite", "old.jsonl")[0] == 0
    assert at_referees("import", "old.sqlite", "south.jsonl")[0] == 0
    assert at_referees("verify", "old.sqlite")[1].endswith("11 of 11 records hold\n")


def test_a_void_match_stays_void(at_referees: Kumite) -> None:
    """A match that its referee made void although it has a result does not count elsewhere, nor does its set."""
    connection = sqlite3.connect("south.sqlite")
    (match,) = connection.execute(
        "select matches.id from matches join seats on match = matches.id where player = 'south' limit 1"
    ).fetchone()
    connection.execute("update matches set state = 'void', rated = 0, reason = 'cheated' where id = ?", (match,))
    connection.commit()
    connection.close()
    at_referees("export", "south.sqlite", "--out", "void.jsonl")
    at_referees("import", "new.sqlite", "void.jsonl")
    code, out, _ = at_referees("matches", "new.sqlite", "--faults", "--json")

    assert code == 0
    assert [(row["match"], row["state"], row["reason"]) for row in json.loads(out)] == [(match, "void", "cheated")]
    games = [
        [
            {player["player"]: player["games"] for player in pool["players"]}
            for pool in standings(at_referees, name)["pools"]
        ]
        for name in ("new.sqlite", "south.sqlite")
    ]
    assert games[0] == games[1]


def test_one_record_is_in_memory_at_a_time(at_referees: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many a file has."""
    alive: list[int] = []

    def verify(record: Record) -> None:
        alive.append(sum(isinstance(thing, Record) for thing in gc.get_objects()))
        really_verify(record)

    monkeypatch.setattr(importing, "verify", verify)
    with Store("new.sqlite") as store:
        store.lock()
        taken = Import(store, [Path("south.jsonl"), Path("north.jsonl")], NamePolicy(merge=True)).run()

    assert (taken.imported, len(alive)) == (2 * MATCHES, 2 * MATCHES)
    assert max(alive) - alive[0] <= 1


@pytest.mark.slow
def test_ten_thousand_matches(tmp_path: Path) -> None:
    """Exported and imported within minutes, to the same standings."""
    (tmp_path / "big.toml").write_text(LADDER.format(name="big").replace("rounds = 1", "rounds = 1112"))
    assert run(["ladder", "run", str(tmp_path / "big.toml")]) == 0
    started = time.monotonic()
    assert run(["export", str(tmp_path / "big.sqlite"), "--out", str(tmp_path / "big.jsonl")]) == 0
    assert run(["import", str(tmp_path / "copy.sqlite"), str(tmp_path / "big.jsonl")]) == 0

    assert time.monotonic() - started < 600
    with Store(tmp_path / "copy.sqlite") as store:
        assert sum(1 for _ in store.played(Selection())) == 1112 * 9
