"""`kumite backup` as an organiser meets it: what is copied, what is refused, and with which words."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.cli import run
from ladder.store.database import Store
from referee.kernel import registry
from referee.match.plan import MatchPlan

Kumite = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kumite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in an empty folder; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def secret() -> bytes:
    """Of the match that is running."""
    return fresh_secret("backup")


@pytest.fixture
def writer(tmp_path: Path, secret: bytes) -> Store:
    """A database `cup.sqlite` with a running match, open and locked by its writer."""
    store = Store(tmp_path / "cup.sqlite")
    store.lock()
    game = registry.game("edo_yashiki")
    record = play_match(
        MatchPlan(game.name, ("random",) * 2, fresh_id("backup"), secret),
        [resolve("random")] * 2,
    )
    store.begin(record.header, secret)
    for step in record.steps[:4]:
        store.step(record.header.match, step)
    return store


def test_database_and_key_are_copied_while_a_referee_has_them_open(
    kumite: Kumite, writer: Store, tmp_path: Path, secret: bytes
) -> None:
    """Everything that was committed is in the copy, which is its owner's alone; what was running can be continued."""
    code, out, err = kumite("backup", "cup.sqlite", "nightly/monday")
    folder = tmp_path / "nightly" / "monday"

    assert (code, err) == (0, "")
    assert out.splitlines() == ["database: nightly/monday/cup.sqlite", "key: nightly/monday/cup.key"]
    assert sorted(path.name for path in folder.iterdir()) == ["cup.key", "cup.sqlite"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    writer.build("later", "random", "d")
    with Store(folder / "cup.sqlite") as copy:
        copy.lock()
        (running,) = copy.running()
    assert (running.secret, len(running.record.steps)) == (secret, 4)
    writer.close()


def test_a_backup_replaces_nothing(kumite: Kumite, writer: Store, tmp_path: Path) -> None:
    """Neither a database nor a key; the folder is left as it was."""
    (tmp_path / "copies").mkdir()
    for name in ("cup.sqlite", "cup.key"):
        (tmp_path / "copies" / name).write_text("mine")
        code, _, err = kumite("backup", "cup.sqlite", "copies")

        assert code == 2
        assert err == f"kumite: copies/{name} is there already, and a backup replaces nothing; name another folder\n"
        assert [path.read_text() for path in (tmp_path / "copies").iterdir()] == ["mine"]
        (tmp_path / "copies" / name).unlink()
    writer.close()


def test_a_ladder_file_names_its_database(kumite: Kumite, writer: Store, tmp_path: Path) -> None:
    """And programs read where the copies lie."""
    (tmp_path / "cup.toml").write_text(
        'season = "s"\ndatabase = "cup.sqlite"\n[[bots]]\nspec = "greedy"\n[[bots]]\nspec = "random"\n'
        '[[pools]]\ngame = "edo_yashiki"\n'
    )
    code, out, _ = kumite("backup", "cup.toml", "copies", "--json")

    assert code == 0
    assert json.loads(out) == {"database": "copies/cup.sqlite", "key": "copies/cup.key"}
    writer.close()


def test_a_database_without_a_key_is_copied_alone(kumite: Kumite) -> None:
    """Nothing was ever sealed in it."""
    kumite("token", "new", "ann", "--db", "cup.sqlite")
    code, out, _ = kumite("backup", "cup.sqlite", "copies")

    assert code == 0
    assert out.splitlines()[1] == "key: none, for nothing is sealed in it yet"
    assert [path.name for path in Path("copies").iterdir()] == ["cup.sqlite"]


def test_a_backup_without_the_right_key_is_refused(kumite: Kumite, writer: Store, tmp_path: Path) -> None:
    """It could not go on with what is running; nothing is left behind."""
    writer.close()
    (tmp_path / "cup.key").write_text("ab" * 32)
    wrong = kumite("backup", "cup.sqlite", "copies")
    (tmp_path / "cup.key").unlink()
    missing = kumite("backup", "cup.sqlite", "copies")

    assert [wrong[0], missing[0]] == [2, 2]
    assert "cup.sqlite is another one's: a backup without the right key" in wrong[2]
    assert "cup.sqlite is missing: a backup without the right key" in missing[2]
    assert list((tmp_path / "copies").iterdir()) == []


def test_what_cannot_be_copied_is_said_in_one_line(kumite: Kumite, tmp_path: Path) -> None:
    """No file, a folder, no database, another program's database, a file where the folder should be."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.sqlite").write_text("x" * 5000)
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("create table photos (name)")
    other.commit()
    other.close()
    found = [kumite("backup", name, "copies") for name in ("none", "folder", "text.sqlite", "other.sqlite")]
    found.append(kumite("backup", "other.sqlite", "text.sqlite"))

    assert [code for code, _, _ in found] == [2] * 5
    assert all(err.count("\n") == 1 for _, _, err in found)
    for (_, _, err), words in zip(
        found,
        ("there is no such file", "that is no database", "no database of kumite", "no database of kumite", "a folder"),
        strict=True,
    ):
        assert words in err
    assert list((tmp_path / "copies").iterdir()) == []


def test_a_damaged_database_is_one_line_for_every_command(kumite: Kumite, writer: Store, tmp_path: Path) -> None:
    """Whoever meets the damage first, a reader or the check of a writer."""
    with writer.transaction():
        for number in range(400):
            writer.build(f"bot-{number}", "random" * 100, "d")
    writer.season("open", "", None, tempo="open", pairing_version=1)
    writer.close()
    content = bytearray((tmp_path / "cup.sqlite").read_bytes())
    for start in range(4 * 4096, len(content), 4096):
        content[start : start + 100] = b"\xff" * 100
    (tmp_path / "cup.sqlite").write_bytes(bytes(content))
    found = [
        kumite("ladder", "standings", "cup.sqlite"),
        kumite("token", "list", "--db", "cup.sqlite"),
        kumite("serve", "--db", "cup.sqlite", "--bind", "unix:r"),
        kumite("backup", "cup.sqlite", "copies"),
    ]

    assert [code for code, _, _ in found] == [2] * 4
    assert all(err.count("\n") == 1 for _, _, err in found), found
    assert all("malformed" in err or "damaged" in err for _, _, err in found), found
    assert list((tmp_path / "copies").iterdir()) == []
