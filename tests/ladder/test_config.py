"""The ladder file: every mistake is found and said with its line."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ladder.config import read
from referee.kernel.errors import CallerFault

BOTS = '[[bots]]\nspec = "greedy"\n[[bots]]\nname = "r"\nspec = "random"\n'
POOL = '[[pools]]\ngame = "edo_yashiki"\n'


def test_defaults_fill_a_short_file(tmp_path: Path) -> None:
    """Bots and one pool are enough: all bots play the game's smallest table in a round robin."""
    path = tmp_path / "l.toml"
    path.write_text(BOTS + POOL)
    ladder = read(path)

    assert ladder.database == tmp_path / "ladder.sqlite"
    assert ladder.pools[0].bots == ("greedy", "r")
    assert (ladder.pools[0].seats, ladder.pools[0].pairing) == (2, "round_robin")
    assert ladder.pools[0].variant == {"rules": "standard", "draft": "sealed"}


def test_the_date_makes_a_season_of_every_night(tmp_path: Path) -> None:
    """{date} in the season's name is the day of the run."""
    path = tmp_path / "l.toml"
    path.write_text('season = "night-{date}"\n' + BOTS + POOL)

    assert read(path, date(2026, 11, 16)).season == "night-2026-11-16"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "no [[bots]]"),
        (BOTS, 1, "no [[pools]]"),
        (BOTS + '[[pools]]\ngame = "chess"\n', 7, "edo_yashiki"),
        (BOTS + POOL + "seets = 2\n", 8, "did you mean 'seats'"),
        (BOTS + POOL + "seats = 9\n", 8, "2 to 5 seats"),
        (BOTS + POOL + "seats = 3\n", 8, "3 different bots; 2 play"),
        (BOTS + POOL + "seats = 'two'\n", 8, "whole number"),
        (BOTS + POOL + "variant = {rules = 'odd'}\n", 8, "specialists, standard"),
        (BOTS + POOL + "pairing = 'knockout'\n", 8, "round_robin"),
        (BOTS + POOL + "clock = 'fast'\n", 8, "10s+100ms/5s"),
        (BOTS + POOL + "pairing = 'gauntlet'\n", 6, "candidates"),
        (BOTS + POOL + "bots = ['greedy', 'x']\n", 8, "unknown bot 'x'"),
        (BOTS + POOL + "rounds = 0\n", 8, "above 0"),
        (BOTS + POOL + POOL, 9, "the same game"),
        (BOTS + '[[bots]]\nname = "r"\nspec = "random"\n' + POOL, 7, "two bots are called 'r'"),
        (BOTS + '[[bots]]\nspec = "randum"\n' + POOL, 7, "did you mean 'random'"),
        (BOTS + POOL + "[watch]\nbots = ['nobody']\n", 9, "unknown bot 'nobody'"),
        (BOTS + POOL + "[watch]\ndrop = -1\n", 9, "0 or more"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    """File, line, key and what is allowed."""
    path = tmp_path / "l.toml"
    path.write_text(text)
    with pytest.raises(CallerFault) as caught:
        read(path)

    assert f"l.toml, line {line}, " in str(caught.value)
    assert words in str(caught.value)


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    """The parser's own line and column are passed on."""
    path = tmp_path / "l.toml"
    path.write_text("season = \n")
    with pytest.raises(CallerFault, match=r"l\.toml: .*line 1"):
        read(path)
