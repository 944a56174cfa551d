"""What a bot's author, user or machine can get wrong around a connection: one clear line, or no harm at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bots import Bot, run
from bots.bot import offered
from bots.resume import STATE_VARIABLE, ResumeFile, default_folder
from referee.kernel.errors import BadSetting
from tests.transport.house import GoodBot, House

NOT_A_TOKEN = [b"\xff\xfe", b"two\nlines", b"x" * 100_000]


class First(Bot):
    """Takes the first option."""

    def decide(self, ask: object) -> int:
        """The first."""
        return 0


@pytest.mark.parametrize("data", NOT_A_TOKEN)
def test_a_spoilt_resume_file_is_as_good_as_none(tmp_path: Path, data: bytes) -> None:
    """Nothing is remembered from it, and the next token is kept in its place."""
    with ResumeFile("host:1", "ann", tmp_path) as file:
        file.keep("some token")
    assert file.path is not None
    file.path.write_bytes(data)

    with ResumeFile("host:1", "ann", tmp_path) as spoilt:
        found = spoilt.token
        spoilt.keep("another")

    assert (found, file.path.read_text()) == ("", "another")


def test_a_user_without_a_home_remembers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container the user may be a mere number; that is no reason not to play."""

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in (STATE_VARIABLE, "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    with ResumeFile("host:1", "ann") as file:
        file.keep("mine")
        file.forget()

    assert default_folder() is None
    assert (file.path, file.token) == (None, "mine")


@pytest.mark.parametrize("games", ["edo_yashiki", 3, ("honshu", 4)])
def test_games_that_are_no_names_are_refused(games: object) -> None:
    """A text in place of a tuple would be taken letter by letter."""
    kind = type("Mine", (First,), {"games": games})

    with pytest.raises(BadSetting, match=r"Mine.games must be a tuple of names, such as games = \('edo_yashiki',\)"):
        offered(kind)


def test_a_list_of_games_is_as_good_as_a_tuple() -> None:
    """What can be understood is."""
    kind = type("Mine", (First,), {"games": ["honshu"]})

    assert offered(kind) == ("honshu",)
    assert offered(First) is None


def test_more_tables_than_a_hello_can_say_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The number would not fit into the message."""
    with pytest.raises(SystemExit) as caught:
        run(First, tables=2**32)

    assert caught.value.code == 2
    assert "at most 4294967295 tables" in capsys.readouterr().err


def test_a_taken_name_comes_with_the_way_to_another(capsys: pytest.CaptureFixture[str]) -> None:
    """The refusal says which option and which argument name a bot."""
    with House("127.0.0.1:0") as house, GoodBot(house.address, "ann"), pytest.raises(SystemExit) as caught:
        run(First, house.address, name="ann", quiet=True)
    shown = capsys.readouterr().err

    assert caught.value.code == 2
    assert "--name NAME" in shown
    assert shown.count("\n") == 1


@pytest.mark.processes
def test_the_bot_of_the_readme_knows_its_referee_without_an_argument(tmp_path: Path) -> None:
    """Without an address the snippet goes to the usual one, and says that nobody answers there."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    snippet = readme.split("# mybot.py\n")[1].split("```")[0]
    patient = "import bots.client\nbots.client.run.__kwdefaults__['patience'] = 0.0\n"
    elsewhere = "bots.client.run.__defaults__ = ('unix:nowhere',)\n"
    (tmp_path / "mybot.py").write_text(patient + elsewhere + snippet)
    done = subprocess.run(
        [sys.executable, "mybot.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 2, done.stderr
    assert "no referee answers at unix:nowhere" in done.stderr
