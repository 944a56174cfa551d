"""What the kit's documentation shows is run here."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Protocol, cast

import pytest

import bots
import bots.bot
import bots.client
import bots.specs
from bots import Bot, run
from bots.seated_bot import SeatedBot
from bots.specs import BotSpec, resolve
from ladder.config.offers import every_table
from referee.match.clock import TimeControl
from referee.transport.auth import Tokens
from tests.bots.duel import duel
from tests.bots.test_ismcts import question
from tests.certificates import certificate
from tests.transport.house import House

README = Path(bots.__file__).with_name("README.md")


def blocks(module: object) -> list[str]:
    """The indented blocks of a module's docstring."""
    found: list[list[str]] = []
    inside = False
    for line in (inspect.getdoc(module) or "").splitlines():
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


def defined(name: str, names: dict[str, object]) -> type[Bot]:
    """The class of bots that a program has defined under a name."""
    kind = names[name]
    assert isinstance(kind, type)
    assert issubclass(kind, Bot)
    return kind


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

    assert duel(tricks, BotSpec("first", None, defined("First", names)), "random", 3).games.total == 6


def test_every_spec_in_the_documentation_resolves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of specs name bots."""
    source = "from bots import Bot\n\nclass Cautious(Bot):\n    def __init__(self, depth: int = 1):\n        pass\n"
    (tmp_path / "mybots.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)

    specs = [line.split()[0] for line in blocks(bots.specs)[0].splitlines()]

    assert [resolve(spec).name for spec in specs] == specs
    assert len(specs) == 4


def programs() -> dict[str, str]:
    """The Python programs of the kit's manual, each by the name of the bot that it defines."""
    found = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    return {name: text for text in found for name in re.findall(r"^class (\w+)\(\w*Bot\):", text, re.MULTILINE)}


def commands(heading: str) -> list[str]:
    """The commands of one chapter of the kit's manual."""
    chapter = README.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [line for block in re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL) for line in block.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's folder: `mybots.py` with every bot of the manual, and the programs that have names."""
    for variable in ("KUMITE_TOKEN", "KUMITE_TLS", "KUMITE_NAME", "KUMITE_ADDRESS"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "mybots.py").write_text("\n\n".join(programs().values()), encoding="utf-8")
    named = re.findall(r"```python\n# (\S+\.py)\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    for name, text in named:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Carry a command out as a reader would, in the folder."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(README.parents[1]), "KUMITE_STATE": str(folder)}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.processes
def test_the_commands_of_the_manual_enter_a_competition(folder: Path) -> None:
    """With token and TLS, as they stand there, each plays as alice, whose token it has, and ends with code 0."""
    files = certificate(folder)
    (folder / "alice.token").write_text("secret-of-alice\n")
    directory = Tokens.of([("alice", "secret-of-alice"), ("bob", "secret-of-bob")])
    wanted = every_table(["edo_yashiki"], seats=[2], clock=TimeControl.parse("60s"))
    lines = commands("At a referee")

    assert [line.split()[0] for line in lines] == ["KUMITE_TOKEN=$(cat", "kumite"]
    for line in lines:
        with House(
            "127.0.0.1:0",
            tls_cert=files.chain,
            tls_key=files.key,
            wanted=wanted,
            matches=1,
            directory=directory,
        ) as house:
            address = house.address.replace("127.0.0.1", "localhost")
            bob = {"token": "secret-of-bob", "tls": files.roots, "matches": 1, "quiet": True}
            opponent = threading.Thread(target=run, args=(resolve("random").make, address), kwargs=bob)
            opponent.start()
            done = shell(line.replace("cup.example.org:7400", address), folder)
            opponent.join(60)

        assert done.returncode == 0, done.stderr
        assert "kumite: alice connected" in done.stderr
        assert "(edo_yashiki) is over: place " in done.stderr


@pytest.mark.processes
def test_the_commands_of_the_manual_measure_and_drill_a_bot(folder: Path) -> None:
    """The gate comes to a verdict, whichever, and the bot passes its drill."""
    lines = commands("The bundled opponents")

    assert [line.split()[1] for line in lines] == ["gate", "check"]
    gate, check = (shell(line, folder) for line in lines)
    assert gate.returncode in (0, 1, 2), gate.stderr
    assert "estimate" in gate.stdout
    assert check.returncode == 0, check.stdout + check.stderr


@pytest.mark.processes
def test_the_line_that_prints_the_build_of_a_bot_works(folder: Path) -> None:
    """It is the text that the bot would send."""
    (command,) = re.findall(r"`(python -c [^`]+)`", README.read_text(encoding="utf-8"))
    done = shell(command, folder)

    assert re.fullmatch(r"mybots\.Builder sha256:[0-9a-f]{12}\n", done.stdout), done.stderr


def documented(name: str) -> BotSpec:
    """A bot of the manual, made by nothing but its own program."""
    names: dict[str, object] = {"__name__": "mybots"}
    exec(programs()[name], names)
    kind = defined(name, names)
    return BotSpec(name, kind.games, kind)


class Sampler(Protocol):
    """How the program of the manual makes its search."""

    def __call__(self, *, seconds: float, most: int) -> Bot: ...


def test_the_manual_has_a_bot_of_every_sort() -> None:
    """The shortest, a typed one, a random one, a heuristic, a search, a greedy one, one with hooks, one for batches."""
    assert list(programs()) == ["First", "Layer", "Careless", "Builder", "Sampler", "Grabber", "Diary", "Network"]


@pytest.mark.parametrize("name", ["First", "Careless", "Network"])
def test_the_bots_of_the_manual_play(name: str, tricks: str) -> None:
    """They run as they stand there."""
    assert duel(tricks, documented(name), "random", 3).games.total == 6


@pytest.mark.processes
def test_the_hooks_of_the_manual_are_called(folder: Path) -> None:
    """In a whole match the bot is seated, hears of events, and says its place at the end."""
    done = shell("kumite match edo_yashiki py:mybots:Diary random --seed s", folder)

    assert done.returncode == 0, done.stderr
    assert re.search(r"^edo_yashiki: place [12] after [1-9]\d* events$", done.stdout + done.stderr, re.MULTILINE)


def test_the_typed_bot_of_the_manual_plays_its_game() -> None:
    """Every kind of decision of Honshu is answered, with two seats."""
    assert duel("honshu", documented("Layer"), "random", 1).games.total == 2


@pytest.mark.parametrize("variant", [{}, {"draft": "turn_order"}, {"rules": "specialists"}], ids=str)
def test_the_heuristic_of_the_manual_beats_random_play(variant: dict[str, str]) -> None:
    """Under every rule of its game it wins over random play."""
    score = duel("edo_yashiki", documented("Builder"), "random", 3, variant=variant)

    assert (score.games.won, score.games.lost) == (6, 0)


@pytest.mark.parametrize("game", ["edo_yashiki", "honshu", "ninjato", "white_castle"])
def test_the_greedy_bot_of_the_manual_beats_random_play(game: str) -> None:
    """With points after an answer alone, in every game."""
    score = duel(game, documented("Grabber"), "random", 4)

    assert score.games.won > score.games.lost


@pytest.mark.parametrize("game", ["edo_yashiki", "honshu", "ninjato", "white_castle"])
def test_the_search_of_the_manual_plays_every_game(game: str) -> None:
    """It answers and leaves a note, at decisions of many seats and of one."""
    ask = question(game, 2, 7)
    sampler = cast("Sampler", documented("Sampler").factory)
    player = SeatedBot(sampler(seconds=0.0, most=2), ask.table)

    index = player.decide(ask)

    assert 0 <= index < ask.count
    assert re.fullmatch(r"mean place \d\.\d\d in 1 worlds", player.note)


def test_every_spec_in_the_manual_resolves() -> None:
    """The bundled opponents that it lists are there."""
    specs = re.findall(
        r"^\| `([^`]+)` \|", README.read_text(encoding="utf-8").partition("## The bundled")[2], re.MULTILINE
    )

    assert [resolve(spec).make(1) is not None for spec in specs] == [True] * 4
