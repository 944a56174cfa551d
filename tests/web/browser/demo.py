"""A database with everything that pages show: two nights of a season, two events, long notes, hostile names."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ladder.cli import run
from ladder.store.database import Store

BOTS = """
[[bots]]
spec = "greedy"

[[bots]]
name = "first"
spec = "random:seed=1"

[[bots]]
name = "second"
spec = "random:seed=2"

[[bots]]
name = "noting"
spec = "py:tests.web.browser.noting:Noting"
"""
MORE = """
[[bots]]
name = "fourth"
spec = "random:seed=4"

[[bots]]
name = "fifth"
spec = "random:seed=5"
"""
SEASON = """
season = "autumn"
database = "demo.sqlite"
{bots}
[[pools]]
game = "edo_yashiki"
rounds = {rounds}

[[pools]]
game = "edo_yashiki"
seats = 3
rounds = 1
"""
EVENT = """
season = "{name}"
database = "demo.sqlite"

[event]
format = "{format}"
{bots}
[[pools]]
game = "edo_yashiki"
"""
HOSTILE = {
    "first": "<script>alert(1)</script>",
    "second": "\u202eright\u2066to left",
    "noting": "漢" * 64,
    "fourth": "W" * 64,
    "fifth": "\"'&<b>",
}
"""By stored name: the name under which the hostile copy shows the bot."""


def play(folder: Path) -> Path:
    """The database of a season of two runs, a knockout and a Swiss event, played in this process."""
    for rounds in (1, 2):
        _ladder(folder, "season", SEASON.format(bots=BOTS, rounds=rounds))
    _ladder(folder, "cup", EVENT.format(name="evening-cup", format="knockout", bots=BOTS + MORE))
    _ladder(folder, "swiss", EVENT.format(name="evening-swiss", format="swiss", bots=BOTS + MORE))
    return folder / "demo.sqlite"


def hostile(source: Path, target: Path) -> Path:
    """A copy of a database whose bots have names that try to break pages."""
    with sqlite3.connect(source) as one, sqlite3.connect(target) as other:
        one.backup(other)
    with Store(target) as store:
        for bot, shown in HOSTILE.items():
            store.hide(bot, shown)
    return target


def _ladder(folder: Path, name: str, text: str) -> None:
    file = folder / f"{name}.toml"
    file.write_text(text)
    more = ["--seed", "pages"] if name == "season" else ["--bind", "127.0.0.1:0"]
    status = run(["ladder", "run", str(file), "--workers", "0", *more])
    if status:
        raise RuntimeError(f"{file} ended with status {status}")
