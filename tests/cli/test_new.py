"""`kumite new` and `kumite proto`: what they write, and what they refuse in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.cli import new, run
from referee.hosting.manifest import read
from referee.kernel import registry
from tests.bots.duel import duel

ROOT = Path(__file__).parents[2]
OTHERS = ["go", "rust", "typescript", "java", "cpp"]
Said = Callable[..., tuple[int, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """Runs a command in an empty folder; returns its code and everything that it printed."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> tuple[int, str]:
        code = run(words)
        out, err = capsys.readouterr()
        return code, out + err

    return command


@pytest.mark.parametrize("game", registry.names())
def test_a_new_python_bot_plays_its_game(
    game: str, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a typed bot of the game, its documents name the game, and it wins over random play."""
    code, out = said("new", "python", "mine", "--game", game)
    folder = tmp_path / "mine"
    spec = f"fresh_{game}"
    (tmp_path / f"{spec}.py").write_text((folder / "mybot.py").read_text())
    monkeypatch.syspath_prepend(tmp_path)
    score = duel(game, resolve(f"py:{spec}:MyBot"), "random", 4)

    assert code == 0
    assert f"kumite match {game} py:mybot:MyBot greedy" in out
    assert {path.name for path in folder.iterdir()} == {
        ".gitignore", "README.md", "mybot.py", "pyproject.toml", "test_mybot.py",
    }  # fmt: skip
    for path in folder.iterdir():
        words = path.read_text()
        assert not any(word in words for word in ("TITLE", "NAME", "GAME")), path.name
    assert registry.game(game).title in (folder / "README.md").read_text()
    assert score.games.won > score.games.lost


@pytest.mark.parametrize("language", OTHERS)
def test_a_new_project_is_the_one_of_the_repository_with_the_protocol(
    language: str, said: Said, tmp_path: Path
) -> None:
    """Every file but what was built there; the protocol's files lie in `proto`, and every path leads to them."""
    code, _ = said("new", language, "mine")
    folder, source = tmp_path / "mine", ROOT / "bots" / language
    built = {line.strip("/") for line in (source / ".gitignore").read_text().split()}
    wanted = {
        path.relative_to(source)
        for path in source.rglob("*")
        if path.is_file() and path.relative_to(source).parts[0] not in built
    }
    written = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    protocol = {Path("proto") / path for _, path in new.proto_files()}

    assert code == 0
    assert written == wanted | protocol
    assert len(protocol) == 9
    assert read(folder).name == language
    for path in written:
        text = (folder / path).read_bytes()
        assert b"../../proto" not in text, path
        assert f"cd bots/{language}".encode() not in text, path
    assert any(b"proto" in (folder / path).read_bytes() for path in wanted)


def test_the_protocol_is_written_as_it_is(said: Said, tmp_path: Path) -> None:
    """All proto files and the manual, byte for byte."""
    code, _ = said("proto", "wire")
    written = {path.relative_to(tmp_path / "wire") for path in (tmp_path / "wire").rglob("*") if path.is_file()}

    assert code == 0
    assert written == {
        Path("README.md"),
        *(path.relative_to(ROOT / "proto") for path in (ROOT / "proto" / "referee").rglob("*.proto")),
    }
    for path in written:
        assert (tmp_path / "wire" / path).read_bytes() == (ROOT / "proto" / path).read_bytes()


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["new", "python", "full"], "full is not empty: name a folder that is empty or not there yet"),
        (["proto", "full"], "full is not empty: name a folder that is empty or not there yet"),
        (["new", "go", "mine", "--game", "honshu"], "--game is for python: the project in go plays every game"),
        (["new", "python", "mine", "--game", "honsu"], "did you mean 'honshu'?"),
        (["new", "cobol", "mine"], "'python', 'go', 'rust', 'typescript', 'java', 'cpp'"),
        (["new", "python", "full/file"], "that is a file; name a folder"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(words: list[str], wrong: str, said: Said, tmp_path: Path) -> None:
    """Code 2, what would be right, and nothing is written or changed."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    code, told = said(*words)

    assert code == 2
    assert wrong in told
    assert told.count("\n") == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "file"]
    assert (tmp_path / "full" / "file").read_text() == "mine"
