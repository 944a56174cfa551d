"""Bot specs: what they name, and what they say when they name nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bots.bundled.random import Random
from bots.specs import BUNDLED, resolve
from referee.kernel.errors import BadSetting, UnknownName

MODULE = """
from bots import Bot

class Cautious(Bot):
    games = ("edo_yashiki",)

    def __init__(self, depth: int = 2, risk: float = 0.5, bold: bool = False, label="none", limit: int | None = None):
        self.settings = (depth, risk, bold, label, limit)

    def decide(self, ask):
        return 0

class Needy(Bot):
    def __init__(self, model):
        self.model = model

class Stranger:
    pass
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory of the test, with a module of bots; nothing of it stays imported."""
    (tmp_path / "mybots.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("import nowhere_to_be_found\n")
    (tmp_path / "wrong.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("mybots", "broken", "wrong"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.parametrize("name", sorted(BUNDLED))
def test_every_bundled_bot_can_be_made(name: str) -> None:
    """A bundled name resolves to a bot that carries the seed it was made with."""
    spec = resolve(name)
    bot = spec.make("abc")

    assert name == spec.name
    assert bot.seed == "abc"
    assert bot is not spec.make("abc")


def test_a_spec_may_fix_the_seed() -> None:
    """The spec's seed counts by itself, and together with the match's where there is one."""
    spec = resolve("random:seed=7")

    assert isinstance(spec.make(), Random)
    assert [spec.make().seed, spec.make("m1/0").seed] == ["7", "7/m1/0"]
    assert spec.name == "random:seed=7"


def test_a_class_of_a_module_in_the_current_directory_is_a_bot(here: Path) -> None:
    """`py:module:Class` finds it, with its games, and converts parameters by their annotations."""
    plain = resolve("py:mybots:Cautious")
    tuned = resolve("py:mybots:Cautious:depth=3, risk=0.25,bold=yes,label=a:b,limit=4")

    assert plain.games == ("edo_yashiki",)
    assert vars(plain.make())["settings"] == (2, 0.5, False, "none", None)
    assert vars(tuned.make())["settings"] == (3, 0.25, True, "a:b", 4)


def test_a_bot_says_which_games_it_plays(here: Path) -> None:
    """`check` lets known games pass and names the others; a bot without a list plays everything."""
    spec = resolve("py:mybots:Cautious")
    spec.check("edo_yashiki")
    resolve("random").check("anything")

    with pytest.raises(BadSetting, match=r"py:mybots:Cautious does not play honshu \(it plays: edo_yashiki\)"):
        spec.check("honshu")


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("gredy", "unknown bot 'gredy'; did you mean 'greedy'? (there are: greedy, ismcts, py:module:Class, random)"),
        ("random:sed=7", "unknown parameter of random 'sed'; did you mean 'seed'? (there are: seed)"),
        ("random:seed", "random:seed: 'seed' is no parameter; write name=value, several separated by commas"),
        ("random:seed=1,seed=2", "random:seed=1,seed=2: parameter 'seed' is given twice"),
        ("py:mybots", "py:mybots: did you mean py:mybots:Cautious or py:mybots:Needy?"),
        ("py:mybots:Cautious:depth=x", "Cautious's depth is a whole number, not 'x'"),
        ("py:mybots:Cautious:risk=x", "Cautious's risk is a number, not 'x'"),
        ("py:mybots:Cautious:bold=x", "Cautious's bold is true or false, not 'x'"),
        ("py:mybots:Needy", "Needy needs the parameter model: write model=VALUE"),
        ("py:broken:Bot", "py:broken:Bot: importing broken failed: No module named 'nowhere_to_be_found'"),
        ("py:wrong:Bot", "py:wrong:Bot: importing wrong failed: ZeroDivisionError: division by zero"),
        ("remote:alice", "remote:alice: bots that are connected to a server play there, not in this process"),
        (
            "./folder",
            "./folder: a bot in a folder is a process of its own, which joins by itself when it is started with "
            "KUMITE_ADDRESS; kumite match, gate, ladder and check start a folder that has a bot.toml",
        ),
    ],
)
def test_a_bad_spec_is_one_clear_line(here: Path, spec: str, line: str) -> None:
    """Each way to get a spec wrong has a message that says what would be right."""
    with pytest.raises((UnknownName, BadSetting)) as caught:
        resolve(spec)

    assert line == str(caught.value)


def test_a_missing_module_or_class_is_named_with_where_it_was_sought(here: Path) -> None:
    """The message shows the directory, the module's file and the classes there are."""
    with pytest.raises(UnknownName) as module:
        resolve("py:mybot:Cautious")
    with pytest.raises(UnknownName) as misspelt:
        resolve("py:mybots:Cautius")
    with pytest.raises(UnknownName) as stranger:
        resolve("py:mybots:Stranger")

    assert f"py:mybot:Cautious: no module 'mybot', neither installed nor in {here}" == str(module.value)
    assert f"unknown Bot class of module mybots ({here / 'mybots.py'}) 'Cautius'" in str(misspelt.value)
    assert "did you mean 'Cautious'? (there are: Cautious, Needy)" in str(misspelt.value)
    assert "unknown Bot class" in str(stranger.value)


def test_a_folder_is_recognised_by_being_there(here: Path) -> None:
    """A bare name that is a directory is taken for a bot folder; a bundled name always wins."""
    (here / "mine").mkdir()
    (here / "random").mkdir()

    with pytest.raises(BadSetting, match="mine: a bot in a folder is a process of its own"):
        resolve("mine")
    assert resolve("random").name == "random"
