"""Reaching what was played: matches of a database listed and looked into; records of files, folders and databases."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.cli import run
from ladder.cli.databases import since_moment
from ladder.store.database import Store
from ladder.store.matches import SeasonPlace
from ladder.store.records import Played
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.match.plan import MatchPlan
from referee.match.record import Record
from tests.ladder.test_migration import OldFile
from tests.ladder.test_migration import played as played_before

Kumite = Callable[..., tuple[int, str, str]]

DB = "cup.sqlite"
BOTS = """
from bots import Bot


class Crasher(Bot):
    def decide(self, ask):
        raise RuntimeError("no\\x1b[31m idea")


class First(Bot):
    def decide(self, ask):
        return 0
"""
LADDER = """
season = "cup"
database = "cup.sqlite"

[[bots]]
name = "crasher"
spec = "py:doubtful:Crasher"
[[bots]]
name = "first"
spec = "py:doubtful:First"
[[bots]]
spec = "random"

[[pools]]
game = "edo_yashiki"
rounds = 1
[[pools]]
game = "honshu"
bots = ["first", "random"]
rounds = 1
clock = "60s"
"""


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a season that was played, and the module of its bots."""
    folder = tmp_path_factory.mktemp("season")
    (folder / "doubtful.py").write_text(BOTS)
    (folder / "cup.toml").write_text(LADDER)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(folder)
        assert run(["ladder", "run", "cup.toml", "--workers", "0"]) == 0
    return folder


@pytest.fixture
def kumite(season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kumite:
    """Runs a command line in a copy of that folder; returns exit code, output and errors."""
    shutil.copytree(season, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    capsys.readouterr()

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def listed(kumite: Kumite, *words: str, db: str = DB) -> list[Any]:
    """The matches that a command line lists."""
    code, out, err = kumite("matches", db, *words, "--json")
    assert code == 0, err
    found: list[Any] = json.loads(out)
    return found


def refused(answer: tuple[int, str, str], *words: str) -> None:
    """Check that a command was refused with one line that has these words."""
    code, out, err = answer

    assert (code, out) == (2, ""), err
    assert err.count("\n") == 1, err
    assert all(word in err for word in words), err


def played(seed: str, names: tuple[str, str] = ("ann", "bob")) -> tuple[Record, bytes]:
    """A finished match and its secret."""
    secret = fresh_secret(seed)
    bots = [resolve("random")] * 2
    game = registry.game("edo_yashiki")
    return play_match(MatchPlan(game.name, names, fresh_id(seed), secret), bots), secret


def test_every_match_is_a_line(kumite: Kumite) -> None:
    """In the order in which they began, with places, points and what went wrong; a ladder file names its database."""
    code, out, err = kumite("matches", "cup.toml")
    rows = listed(kumite)

    assert (code, len(out.splitlines()), err) == (0, 8, "8 matches\n")
    assert [line.split()[0] for line in out.splitlines()] == [row["match"][:12] for row in rows]
    assert [row["started"] for row in rows] == sorted(row["started"] for row in rows)
    assert "2. crasher " in out
    assert "(forfeited, 4 faults)" in out


def test_matches_are_chosen_by_bot_pool_faults_and_time(kumite: Kumite) -> None:
    """Each option alone, and together."""
    everything = listed(kumite)

    assert len(everything) == 8
    assert len(listed(kumite, "--bot", "crasher")) == 4
    assert len(listed(kumite, "--pool", "honshu")) == len(listed(kumite, "--pool", "honshu:2:1m")) == 2
    assert len(listed(kumite, "--pool", "edo_yashiki:2:draft=sealed")) == 6
    assert listed(kumite, "--pool", "edo_yashiki:2:draft=turn_order") == []
    assert listed(kumite, "--pool", "honshu:2:5s") == []
    assert listed(kumite, "--faults") == listed(kumite, "--bot", "crasher")
    assert listed(kumite, "--since", "1h") == everything
    assert listed(kumite, "--since", "2020-01-01T00:00:00Z") == everything
    assert listed(kumite, "--since", "0s") == []
    assert len(listed(kumite, "--bot", "random", "--pool", "edo_yashiki", "--faults", "--since", "2d")) == 2


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--bot", "rando"), "unknown bot of cup.sqlite 'rando'; did you mean 'random'?"),
        (("--pool", "honsu"), "unknown pool of cup.sqlite 'honsu'; did you mean 'honshu:2'?"),
        (("--pool", "honshu:5"), "unknown pool of cup.sqlite 'honshu:5'"),
        (("--pool", "honshu:x"), "write GAME, GAME:SEATS or GAME:SEATS:CLOCK"),
        (("--since", "yesterday"), "write how long ago"),
        (("--since", "2026-11-20T19:00:00"), "a time needs its offset, such as 2026-11-20T19:00:00+01:00"),
        (("--since", "2026-11-20"), "a time needs its offset, such as 2026-11-20T00:00:00+01:00"),
        (("--since", "999999999d"), "write how long ago"),
        (("--since", ""), "write how long ago"),
    ],
)
def test_a_choice_that_cannot_be_meant_is_one_line(kumite: Kumite, words: tuple[str, str], text: str) -> None:
    """It says what would be right; `export` takes the same options."""
    refused(kumite("matches", DB, *words), text)
    refused(kumite("export", DB, *words), text)


def test_a_time_is_one_with_an_offset_or_so_long_ago() -> None:
    """As it is stored: in UTC."""
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)

    assert since_moment("2026-11-20T19:00:00+01:00", now) == "2026-11-20T18:00:00.000+00:00"
    assert since_moment("1.5h", now) == "2026-11-20T10:30:00.000+00:00"
    assert since_moment("2d", now) == "2026-11-18T12:00:00.000+00:00"
    with pytest.raises(BadSetting, match="offset"):
        since_moment("2026-11-20T19:00", now)


def test_one_match_is_shown_with_its_seats_and_faults(kumite: Kumite) -> None:
    """Endings, who answers for them, and the first message, safe for a terminal."""
    match = listed(kumite, "--faults")[0]["match"]
    code, out, err = kumite("matches", f"{DB}:{match[:9]}")
    about = json.loads(kumite("matches", f"{DB}:{match[:9]}", "--json")[1])
    (seat,) = [seat for seat in about["seats"] if seat["player"] == "crasher"]

    assert (code, err) == (0, "")
    assert f"match {match}" in out
    assert "crashed at ask 1, owned by the bot: " in out
    assert "\x1b" not in out
    assert (seat["ending"], seat["faults"], seat["owner"]) == ("forfeited", 4, "bot")
    assert (seat["fault"]["kind"], seat["fault"]["owner"]) == ("crashed", "bot")
    assert "idea" in seat["fault"]["message"]
    assert (about["season"], about["rated"], about["source"]) == ("cup", True, None)
    assert about["hash"] == json.loads(kumite("verify", f"{DB}:{match}", "--json")[1])[0]["hash"]


def test_a_match_is_named_by_a_beginning_that_only_it_has(kumite: Kumite) -> None:
    """Several, none and nothing are one line each, with candidates."""
    match = listed(kumite)[3]["match"]
    for command in ("matches", "replay", "verify"):
        assert kumite(command, f"{DB}:{match[:14]}")[0] == 0
        refused(kumite(command, f"{DB}:zz"), "no match begins with 'zz' in cup.sqlite; the latest are ")
        refused(kumite(command, f"{DB}:"), "write the beginning of a match's id behind the colon")
    connection = sqlite3.connect(DB)
    connection.execute("pragma foreign_keys = off")
    for number in range(2):
        connection.execute(
            "insert into matches (id, game, variant, state, header, started) values (?, '', '{}', 'void', '', '')",
            (f"twin{number}",),
        )
    connection.commit()
    connection.close()
    refused(kumite("verify", f"{DB}:twin"), "several matches begin with 'twin' in cup.sqlite: twin0, twin1")


def test_a_database_a_folder_and_a_file_are_verified_alike(kumite: Kumite) -> None:
    """Every record of each is checked, and the lines say so."""
    assert kumite("match", "edo_yashiki", "random", "random", "--games", "3", "--record", "kept")[0] == 0
    kumite("export", DB, "--out", "cup.jsonl")
    one = sorted(Path("kept").iterdir())[0]
    found = [kumite("verify", place) for place in (DB, "kept", str(one), "cup.jsonl")]
    together = kumite("verify", DB, "kept", str(one), "cup.jsonl", "--json")

    assert [code for code, _, _ in found] == [0, 0, 0, 0]
    assert [out.count(": holds: ") for _, out, _ in found] == [8, 3, 1, 8]
    assert found[0][1].endswith("8 of 8 records hold\n")
    assert [verdict["holds"] for verdict in json.loads(together[1])] == [True] * 20


def test_a_broken_record_among_others_is_found(kumite: Kumite) -> None:
    """In a database and in a folder: the others are checked, and the code is 1."""
    match = listed(kumite)[2]["match"]
    connection = sqlite3.connect(DB)
    connection.execute(
        "update matches set final = replace(final, '\"places\":[', '\"places\":[9,') where id = ?", (match,)
    )
    connection.commit()
    connection.close()
    kumite("match", "edo_yashiki", "random", "random", "--games", "2", "--record", "kept")
    (Path("kept") / "x.jsonl").write_text("{}\n")
    code, out, err = kumite("verify", DB, "kept")

    assert code == 1
    assert err.count("\n") == 2, err
    assert f"{DB}:{match}: " in err
    assert "kept/x.jsonl: " in err
    assert out.endswith("9 of 11 records hold\n")
    refused(kumite("replay", f"{DB}:{match}"), f"{DB}:{match}: ")


def test_a_folder_without_records_is_one_line(kumite: Kumite) -> None:
    """It says how names of records end."""
    Path("empty").mkdir()

    for command in ("replay", "verify"):
        refused(kumite(command, "empty"), "this folder has no records; their names end with .jsonl")


def test_a_database_and_a_folder_are_told_match_by_match(kumite: Kumite) -> None:
    """For people one after the other; for a program as a list, and one match as an object, as it always was."""
    kumite("match", "edo_yashiki", "random", "random", "--games", "2", "--record", "kept")
    match = listed(kumite)[0]["match"]
    lists = [json.loads(kumite("replay", place, "--json")[1]) for place in (DB, "kept")]
    one = json.loads(kumite("replay", f"{DB}:{match[:10]}", "--json")[1])
    code, out, _ = kumite("replay", DB, "--seat", "1")

    assert [len(found) for found in lists] == [8, 2]
    assert one == lists[0][0]
    assert one["header"]["match"] == match
    assert (code, out.count("\nend, ")) == (0, 8)
    refused(kumite("replay", f"{DB}:{match[:10]}", "--seat", "7"), "--seat 7: the seats of this match are 0 to 1")


def test_what_is_not_over_is_not_shown(kumite: Kumite) -> None:
    """A running match and a game of a set that is not over: names and times alone, from every command."""
    running, secret = played("running")
    first, luck = played("first of a set")
    with Store("open.sqlite") as store:
        store.lock()
        store.begin(running.header, secret)
        for step in running.steps[:5]:
            store.step(running.header.match, step._replace(notes={0: "I hold the seven"}))
        row = store.season("s", "", None, tempo="planned", pairing_version=2)
        game = registry.game("edo_yashiki")
        pool = store.pool(row.id, "edo_yashiki", 2, first.header.variant, "none", game.rules_version, game.digest)
        group = store.add_group(pool.id, 0, 0, ["ann", "bob"], [0, 0], True, 2)
        store.save(SeasonPlace(group, 0), luck, Played.of(first), sealed=True)
    rows = listed(kumite, db="open.sqlite")
    texts = [json.dumps(rows)]
    for match, state in ((running.header.match, "running"), (first.header.match, "over")):
        target = f"open.sqlite:{match[:10]}"
        code, out, err = kumite("matches", target)
        assert (code, err) == (0, "")
        assert f"; {state}: its record is sealed until" in out
        texts += [out, kumite("matches", target, "--json")[1]]
        refused(kumite("replay", target), "is sealed until it, and every game of its set, is over")
        code, out, err = kumite("verify", target)
        assert (code, out) == (1, "")
        assert "is sealed until" in err
    code, out, err = kumite("export", "open.sqlite")
    assert (code, out) == (0, "")
    assert err == "exported 0 matches; left out: 1 running, 1 of sets that are not over\n"
    for command in ("replay", "verify"):
        code, out, err = kumite(command, "open.sqlite")
        assert (code, out) == (0, "")
        assert err == ("open.sqlite: 2 matches are left out: running, of sets that are not over, or without an end\n")

    assert {row["state"] for row in rows} == {"running", "sealed"}
    everything = "".join(texts)
    for hidden in (secret.hex(), luck.hex(), "I hold the seven", '"chance"', '"answers"', "sealed:"):
        assert hidden not in everything


def test_what_an_earlier_version_stored_in_the_open_is_not_shown_either(kumite: Kumite) -> None:
    """A file of the first version that no referee has sealed yet: the same."""
    running, third = (played_before(game, game, ("ann", "bob")) for game in ("edo_yashiki", "honshu"))
    old = OldFile(Path("old.sqlite"))
    old.season()
    old.match(*running, None, None, steps=5)
    old.match(*third, 14, 0, steps=-1)
    old.connection.commit()
    old.connection.close()

    assert {row["state"] for row in listed(kumite, db="old.sqlite")} == {"running", "sealed"}
    assert kumite("export", "old.sqlite")[1] == kumite("replay", "old.sqlite")[1] == ""
    for record, secret in (running, third):
        target = f"old.sqlite:{record.header.match}"
        assert secret.hex() not in kumite("matches", target, "--json")[1]
        refused(kumite("replay", target), "is sealed until")


@pytest.mark.parametrize("command", ["matches", "export", "replay", "verify"])
def test_a_file_that_is_no_database_of_ours_is_one_line(kumite: Kumite, command: str) -> None:
    """Another program's, one of a newer version, a damaged one, none at all."""
    match = listed(kumite)[0]["match"]
    connection = sqlite3.connect("foreign.sqlite")
    connection.execute("create table own (x)")
    connection.commit()
    connection.close()
    shutil.copy(DB, "newer.sqlite")
    connection = sqlite3.connect("newer.sqlite")
    connection.execute("insert into _sqlite_migrations (migration_set, name, applied_at) values ('kumite', 'm999', '')")
    connection.commit()
    connection.close()
    data = bytearray(Path(DB).read_bytes())
    for page in range(2, len(data) // 4096, 2):
        data[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    Path("hurt.sqlite").write_bytes(data)

    refused(kumite(command, "foreign.sqlite"), "foreign.sqlite is the database of another program")
    refused(kumite(command, "newer.sqlite"), "was written by a newer version of kumite")
    code, _, err = kumite(command, "hurt.sqlite")
    assert (code, err.count("\n")) == (2, 1), err
    assert "Traceback" not in err
    assert "hurt.sqlite: the file is damaged" in err
    if command != "export":
        refused(kumite(command, f"foreign.sqlite:{match[:8]}"), "foreign.sqlite is the database of another program")
        Path("text.sqlite").write_text("x" * 5000)
        refused(kumite(command, "text.sqlite:abc"), "text.sqlite: this file is no database of kumite")


def test_a_file_that_is_missing_is_not_made(kumite: Kumite) -> None:
    """By no command that reads."""
    for command in ("matches", "export"):
        refused(kumite(command, "nowhere.sqlite"), "nowhere.sqlite: there is no such file")
    refused(kumite("replay", "nowhere.sqlite:abc"), "nowhere.sqlite:abc: cannot be read")

    assert not list(Path().glob("nowhere*"))


def test_several_games_are_kept_in_a_folder(kumite: Kumite) -> None:
    """A record for each, under its match's id; one game goes into a folder that is there, too."""
    code, out, _ = kumite("match", "edo_yashiki", "random", "greedy", "--games", "3", "--record", "new/kept")
    records = sorted(Path("new/kept").iterdir())
    one = kumite("match", "edo_yashiki", "random", "greedy", "--record", "new/kept")

    assert (code, one[0]) == (0, 0)
    assert "records: new/kept  (kumite replay new/kept; kumite verify new/kept)" in out
    assert len(records) == 3
    assert len(list(Path("new/kept").iterdir())) == 4
    assert all(json.loads(path.read_text().splitlines()[0])["match"] == path.stem for path in records)
    assert kumite("verify", "new/kept")[1].endswith("4 of 4 records hold\n")
    refused(
        kumite("match", "edo_yashiki", "random", "random", "--games", "2", "--record", "cup.toml"),
        "--record cup.toml: that is a file; name a folder",
    )


@pytest.mark.processes
def test_a_reader_that_has_seen_enough_is_no_error(kumite: Kumite) -> None:
    """`kumite matches DB | head -n 1` ends without a complaint."""
    kumite("match", "edo_yashiki", "random", "random", "--games", "2", "--record", "kept")
    command = f"{sys.executable} -m ladder replay {DB} | head -n 1"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, timeout=60, check=True
    )

    assert (done.stdout.count("\n"), done.stderr) == (1, "")
