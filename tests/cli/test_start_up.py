"""What a command loads before it does anything: modules are counted, not seconds, so a busy machine changes nothing."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
import typer

from ladder.cli import COMMANDS

pytestmark = pytest.mark.processes

HEAVY = ("numpy", "scipy", "grpc", "google.protobuf", "sqlite_utils", "starlette", "uvicorn", "trio", "networkx")
"""Libraries that take longer to load than the commands below take in all."""
LIST = """
import sys
from ladder.cli import run
assert run({arguments!r}) == 0
print("\\n".join(sys.modules), file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """The modules that a command had loaded when it ended."""
    done = subprocess.run(
        [sys.executable, "-c", LIST.format(arguments=list(arguments))], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_the_list_of_commands_loads_no_command() -> None:
    """`kumite --help` loads the command line and nothing that a command needs."""
    found = loaded("--help")

    assert {name for name in found if name.startswith("ladder.")} == {
        "ladder.cli",
        "ladder.cli.allocator",
        "ladder.cli.help_words",
        "ladder.escaping",
    }
    assert not {name for name in found if name.startswith(("bots", "referee.games", "referee.match"))}
    assert found.isdisjoint(HEAVY)


@pytest.mark.parametrize("line", [("games",), ("games", "honshu"), ("match", "edo_yashiki", "random", "random")])
def test_a_light_command_loads_no_heavy_library(line: tuple[str, ...]) -> None:
    """Listing games and a match of bundled bots need neither numpy nor grpc, a database or a server."""
    assert loaded(*line).isdisjoint(HEAVY)


def test_a_match_loads_one_game() -> None:
    """The rules of the other games stay unread."""
    found = loaded("match", "edo_yashiki", "random", "random")

    assert "referee.games.edo_yashiki.game" in found
    assert not {name for name in found if name.startswith(("referee.games.honshu", "referee.games.ninjato"))}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    """The sentence in the list of commands is the first one of the command's own help."""
    entry = COMMANDS[name]
    found = getattr(import_module(entry.module), entry.name)
    told = found.info.help if isinstance(found, typer.Typer) else found.__doc__

    assert told is not None
    assert " ".join(told.split("\n\n")[0].split()) == entry.help
