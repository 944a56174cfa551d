"""The reference of the command line: written from the commands, whole, and up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest
import typer

from ladder.cli import COMMANDS
from tools import cli_reference
from tools.cli_reference import Command


class Colour(StrEnum):
    """Values of an option."""

    RED = "red"
    BLUE = "blue"


def example(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The file.", metavar="FILE[:PART]")],
    names: Annotated[list[str] | None, typer.Argument(help="Names | more.")] = None,
    colour: Annotated[Colour, typer.Option(help="The colour.")] = Colour.BLUE,
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=5000, help="How many.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    token: Annotated[str | None, typer.Option(envvar="TOKEN", help="The token.")] = None,
    game: Annotated[str, typer.Option(help="The game.")] = ...,
) -> None:
    """Do something.

    Twice, if
    need be.
    """


def test_a_command_is_described_by_its_signature() -> None:
    """Arguments and options with their names, values, bounds, defaults and texts."""
    assert cli_reference.section(Command(("do", "it"), example)).splitlines() == [
        "## kumite do it",
        "",
        "`kumite do it [OPTIONS] FILE[:PART] [NAMES...]`",
        "",
        "Do something.",
        "",
        "Twice, if need be.",
        "",
        "| argument or option | value | meaning |",
        "|---|---|---|",
        "| `FILE[:PART]` | path | The file. |",
        r"| `NAMES...` | text | Names \| more. |",
        "| `--colour` | red or blue | The colour. Default: blue. |",
        "| `--count, -n` | number, 1 to 5,000 | How many. Default: 3. |",
        "| `--json` |  | Print JSON. |",
        "| `--token` | text | The token. Also read from the variable TOKEN. |",
        "| `--game` | text | The game. Needed. |",
    ]


def test_the_page_is_up_to_date() -> None:
    """`make docs` would change nothing."""
    assert cli_reference.PAGE.read_text(encoding="utf-8") == cli_reference.page(), "run `make docs`"


def test_the_page_has_every_command() -> None:
    """Each command, and each one of a group."""
    titles = re.findall(r"^## kumite (\S+)", cli_reference.page(), re.MULTILINE)

    assert set(titles) == set(COMMANDS)


@pytest.mark.processes
@pytest.mark.parametrize("words", [("match",), ("ladder", "run"), ("token", "new")], ids=" ".join)
def test_the_page_names_the_options_that_the_help_of_a_command_shows(words: tuple[str, ...]) -> None:
    """What a terminal shows is what the page has."""
    done = subprocess.run(
        [sys.executable, "-m", "ladder", *words, "--help"], capture_output=True, text=True, check=True, timeout=120
    )
    shown = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", done.stdout, re.MULTILINE)) - {"--help"}
    (command,) = (found for found in cli_reference.commands() if found.words == words)
    written = set(re.findall(r"--[\w-]+", " ".join(part.spelled for part in cli_reference.parameters(command))))

    assert shown <= written
    assert {name.removeprefix("--no-") for name in written - shown} <= {name.removeprefix("--") for name in shown}
