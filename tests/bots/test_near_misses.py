"""A text that names no bot is answered with the spec that was probably meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.near_misses import classes, meant
from bots.specs import resolve
from ladder.arena.entrants import find
from referee.kernel.errors import CallerFault

SOURCE = """
import bots
from kumite import Bot

class Mine(Bot):
    raise SystemExit("this file must not be run")

class Wide(bots.Bot):
    pass

class Helper:
    pass
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots, as the current one."""
    (tmp_path / "mybot.py").write_text(SOURCE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "inner.py").write_text(SOURCE)
    (tmp_path / "plain.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("class (:\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("mybot.py", "mybot.py: did you mean py:mybot:Mine or py:mybot:Wide?"),
        ("mybot", "mybot: did you mean py:mybot:Mine or py:mybot:Wide?"),
        ("mybot:Wide", "mybot:Wide: did you mean py:mybot:Wide?"),
        ("mybot:Mine:depth=3", "mybot:Mine:depth=3: did you mean py:mybot:Mine:depth=3?"),
        ("py:mybot.py:Mine", "py:mybot.py:Mine: did you mean py:mybot:Mine?"),
        ("py:mybot", "py:mybot: did you mean py:mybot:Mine or py:mybot:Wide?"),
        ("sub/inner.py", "sub/inner.py: did you mean py:sub.inner:Mine or py:sub.inner:Wide?"),
        ("./mybot.py", "./mybot.py: did you mean py:mybot:Mine or py:mybot:Wide?"),
        ("sub.inner:Mine", "sub.inner:Mine: did you mean py:sub.inner:Mine?"),
        ("plain.py", "plain.py has no class whose base is Bot"),
        ("broken.py", "broken.py has no class whose base is Bot"),
        ("absent.py", "there is no file absent.py; a bot of your own is written py:module:Class"),
        ("gredy", "did you mean 'greedy'?"),
    ],
)
def test_the_line_says_what_was_meant(spec: str, expected: str) -> None:
    """Wherever a spec is written, its error names the right one; the file itself is never run."""
    with pytest.raises(CallerFault) as caught:
        find(spec)

    assert expected in str(caught.value)


def test_a_file_elsewhere_is_named_with_its_folder(folder: Path) -> None:
    """Modules are found from the current folder, so the line says where to start the command."""
    assert meant(f"{folder}/mybot.py").endswith(
        f"did you mean, in the folder {folder}, py:mybot:Mine or py:mybot:Wide?"
    )


def test_bundled_bots_are_no_near_misses(folder: Path) -> None:
    """A file of the name of a bundled bot does not stand in its way."""
    (folder / "greedy.py").write_text(SOURCE)

    assert resolve("greedy").name == "greedy"


def test_endless_and_binary_files_have_no_classes(folder: Path) -> None:
    """Only source files of ordinary size are read."""
    (folder / "binary.py").write_bytes(b"\0\xff" * 100)

    assert classes(Path("/dev/zero")) == classes(folder / "binary.py") == classes(folder) == []
