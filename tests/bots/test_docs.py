"""What the kit's documentation shows is run here."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest

import bots
import bots.bot
import bots.client
import bots.specs
from bots import Bot
from bots.specs import BotSpec, resolve
from tests.bots.duel import duel


def blocks(module: object) -> list[str]:
    """The indented blocks of a module's docstring."""
    found: list[list[str]] = []
    inside = False
    for line in inspect.getdoc(module).splitlines():
        if line.startswith("    "):
            if not inside:
                found.append([])
            found[-1].append(line)
            inside = True
        elif line and inside:
            inside = False
        elif inside:
            found[-1].append("")
    return [textwrap.dedent("\n".join(lines)) for lines in found]


def test_the_first_example_is_a_complete_bot(monkeypatch: pytest.MonkeyPatch, tricks: str) -> None:
    """The package's example imports what it needs, plays a game, and hands itself to `run` as documented."""
    calls = []
    monkeypatch.setattr(bots.client, "run", lambda *given, **named: calls.append((given, named)))
    names: dict[str, object] = {}

    exec(blocks(bots)[0], names)

    ((bot, address), named) = calls[0]
    assert issubclass(bot, Bot)
    assert (address, named) == (bots.client.ADDRESS, {"name": "first"})
    assert duel(tricks, BotSpec("first", None, bot), "random", 3).games.total == 6


def test_the_class_in_the_bots_module_plays(tricks: str) -> None:
    """The example above `Bot` is a bot."""
    names: dict[str, object] = {"Bot": Bot}

    exec(blocks(bots.bot)[0], names)

    assert duel(tricks, BotSpec("first", None, names["First"]), "random", 3).games.total == 6


def test_every_spec_in_the_documentation_resolves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of specs name bots."""
    source = "from bots import Bot\n\nclass Cautious(Bot):\n    def __init__(self, depth: int = 1):\n        pass\n"
    (tmp_path / "mybots.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)

    specs = [line.split()[0] for line in blocks(bots.specs)[0].splitlines()]

    assert [resolve(spec).name for spec in specs] == specs
    assert len(specs) == 4
