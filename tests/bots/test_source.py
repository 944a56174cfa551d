"""What tells one build of a bot from the next."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bots
from bots import Bot, source
from bots.bundled.random import Random

BOT = """
from bots import Bot


class Mine(Bot):
    def decide(self, ask):
        return {}
"""
SAY = """
if __name__ == "__main__":
    from bots.source import software

    print(software(Mine))
"""


def said(*command: str, folder: Path) -> str:
    """What a program prints that says its software."""
    root = Path(bots.__file__).parents[1]
    paths = {"PYTHONPATH": str(root), "PATH": ""}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=paths, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


@pytest.mark.processes
def test_a_program_says_the_same_wherever_it_lies_and_something_else_once_it_is_changed(tmp_path: Path) -> None:
    """Module, class and digest, from the file that was started; the path has no part in it, the source has."""
    texts = []
    for folder, answer in (("here", 0), ("there", 0), ("changed", 1)):
        place = tmp_path / folder
        place.mkdir()
        (place / "mybot.py").write_text(BOT.format(answer) + SAY)
        texts.append(said(str(place / "mybot.py"), folder=tmp_path))

    assert texts[0] == texts[1] != texts[2]
    assert all(re.fullmatch(r"mybot\.Mine sha256:[0-9a-f]{12}", text) for text in texts)


@pytest.mark.processes
def test_every_file_of_a_package_counts(tmp_path: Path) -> None:
    """A helper beside the bot's module is a part of the bot, also when it is started with -m."""
    package = tmp_path / "mybots"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "strong.py").write_text(BOT.format(0) + SAY)
    (package / "values.py").write_text("DEPTH = 1\n")
    first = said("-m", "mybots.strong", folder=tmp_path)
    (package / "values.py").write_text("DEPTH = 2\n")
    second = said("-m", "mybots.strong", folder=tmp_path)

    assert first.startswith("mybots.strong.Mine sha256:")
    assert first != second


@pytest.mark.processes
def test_an_environment_inside_a_package_does_not_count(tmp_path: Path) -> None:
    """What others wrote and the author installed there is no source of the bot."""
    package = tmp_path / "mybots"
    (package / ".venv" / "lib").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "strong.py").write_text(BOT.format(0) + SAY)
    first = said("-m", "mybots.strong", folder=tmp_path)
    (package / ".venv" / "lib" / "other.py").write_text("VERSION = 2\n")

    assert first == said("-m", "mybots.strong", folder=tmp_path)


@pytest.mark.processes
def test_what_a_bot_inherits_counts(tmp_path: Path) -> None:
    """A bot that builds on another changes with it."""
    (tmp_path / "base.py").write_text(BOT.format(0))
    (tmp_path / "child.py").write_text("from base import Mine as Base\n\n\nclass Mine(Base):\n    pass\n" + SAY)
    first = said("child.py", folder=tmp_path)
    (tmp_path / "base.py").write_text(BOT.format(1))

    assert first != said("child.py", folder=tmp_path)


@pytest.mark.processes
def test_a_class_without_a_file_is_named_without_a_digest(tmp_path: Path) -> None:
    """Typed at a prompt there is no source; the text is still the same for the same class."""
    text = said("-c", BOT.format(0) + SAY, folder=tmp_path)

    assert text == "__main__.Mine"


def test_a_class_of_a_notebook_has_the_digest_of_its_own_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `inspect` finds the source of the class, that is what counts."""
    written = ["class Cell(Bot): pass"]
    monkeypatch.setattr(inspect, "getsource", lambda kind: written[0])
    cell = type("Cell", (Bot,), {"__module__": "no_such_module"})

    first = source.software(cell)
    written[0] = "class Cell(Bot): events = False"

    assert re.fullmatch(r"no_such_module\.Cell sha256:[0-9a-f]{12}", first)
    assert first != source.software(cell)


def test_the_text_of_a_spec_has_its_parameters_and_the_ladders_digest() -> None:
    """The same bot is the same build to a ladder's own matches and to a referee, and other parameters are another."""
    plain, seeded = source.software_of("random"), source.software_of("random:seed=7")

    assert plain == f"random sha256:{source.digest('random')[:12]}"
    assert seeded.startswith("random:seed=7 sha256:")
    assert plain.split()[-1] != seeded.split()[-1]


def test_a_text_is_never_too_long_nor_unsendable() -> None:
    """A long name loses its end, never the digest; what is no UTF-8 is replaced."""
    kind = type("N" * 400, (Random,), {"__module__": "spoilt\udcff"})
    text = source.software(kind)

    assert len(text) == source.LONGEST
    assert text.startswith("spoilt?.NNN")
    assert re.search(r" sha256:[0-9a-f]{12}$", text)
    assert text.isascii()
