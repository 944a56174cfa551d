"""`import kumite`: the names that authors use, type checkers that see them, a clear line where a folder hides ours."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bots
import kumite
from referee.kernel import registry

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]
PARTS = ("Ask", "Bot", "Option")
"""The ends of the names of each game's types."""
BOT = """
from kumite import Ask, Bot, run


class First(Bot):
    def decide(self, ask: Ask[object, object]) -> object:
        return ask.options[0]


def main() -> None:
    run(First, "localhost:7400", name="first")
    First().nothing_of_the_kind
"""


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python process that starts in a folder, as an author's does."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=240, check=False
    )


def test_the_facade_offers_what_the_kit_offers() -> None:
    """The same objects under both names, and of every game its asks, its bot and its options."""
    words = ["".join(word.capitalize() for word in name.split("_")) for name in registry.names()]
    typed = {f"{word}{part}": name for word, name in zip(words, registry.names(), strict=True) for part in PARTS}

    assert sorted(kumite.__all__) == sorted([*bots.__all__, *typed])
    assert all(getattr(kumite, name) is getattr(bots, name) for name in bots.__all__)
    for name, game in typed.items():
        assert getattr(kumite, name) is getattr(import_module(f"bots.typed.{game}"), name)


def test_a_name_that_the_facade_lacks_is_an_ordinary_error() -> None:
    """So that `hasattr` and `from kumite import x` behave as for any module."""
    with pytest.raises(AttributeError, match=r"module 'kumite' has no attribute 'walk'"):
        _ = kumite.walk


@pytest.mark.parametrize("name", kumite.PACKAGES)
@pytest.mark.parametrize("form", ["{}/__init__.py", "{}.py"])
def test_a_folder_of_the_authors_that_hides_a_package_is_named(tmp_path: Path, name: str, form: str) -> None:
    """One line that says which file or folder is in the way, and what to do."""
    hiding = tmp_path / form.format(name)
    hiding.parent.mkdir(exist_ok=True)
    hiding.touch()
    (tmp_path / "mine.py").write_text("from kumite import Bot\n")
    found = python(tmp_path, "mine.py")
    where = tmp_path / (name if "/" in form else f"{name}.py")

    assert found.returncode == 1
    said = f"ImportError: {where} hides Kumite's own package {name!r}: give your file or folder another name"
    assert found.stderr.splitlines()[-1] == said


def test_a_type_checker_sees_the_package_from_outside_the_tree(tmp_path: Path) -> None:
    """mypy, run as an author would in a folder of their own, checks a bot against the kit's types.

    What mypy has found out about the kit is kept for the next run of this test: it takes 1 s instead of 15 s then.
    """
    (tmp_path / "mine.py").write_text(BOT)
    cache = ROOT / ".mypy_cache" / "outside"
    found = python(tmp_path, "-m", "mypy", "--strict", "--cache-dir", str(cache), "mine.py")

    assert 'mine.py:12: error: "First" has no attribute "nothing_of_the_kind"  [attr-defined]' in found.stdout
    assert "Found 1 error in 1 file" in found.stdout, found.stdout
