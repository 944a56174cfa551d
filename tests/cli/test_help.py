"""Help: `-h` everywhere, kinds of values in words, at most 80 columns, completion of commands and options."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
import typer

from ladder.cli import COMMANDS, application, run
from ladder.cli.help_words import command_of, in_words

pytestmark = pytest.mark.processes


def lines() -> Iterator[list[str]]:
    """Every command, and every command of a group."""
    whole = command_of(application())
    for name, command in whole.commands.items():
        yield [name]
        for inner in getattr(command, "commands", {}):
            yield [name, inner]


@pytest.mark.parametrize("line", list(lines()), ids=" ".join)
def test_help_fits_a_terminal_and_speaks_in_words(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """No line is longer than 80 characters, and no kind of value is a name of Python."""
    assert run([*line, "-h"]) == 0
    told = capsys.readouterr().out

    assert told.startswith("Usage: kumite")
    assert [text for text in told.splitlines() if len(text) > 80] == []
    assert [word for word in ("<str>", "<int>", "<int range>", "<float>", "list[") if word in told] == []


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("<str>", "<text>"), ("<list[str]>", "<text>..."), ("<int range>", "<number>"), ("<path>", "<path>")],
)
def test_kinds_in_words(kind: str, expected: str) -> None:
    """Python's names are replaced, others stay."""
    assert in_words(kind) == expected


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [("kumite mat", 1, {"match", "matches"}), ("kumite match --se", 2, {"--seed"}), ("kumite ladder ru", 2, {"run"})],
)
def test_a_shell_completes_commands_and_options(line: str, word: int, expected: set[str]) -> None:
    """What bash is told for a line that has begun."""
    done = subprocess.run(
        [sys.executable, "-m", "ladder"],
        env={**os.environ, "_KUMITE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(word)},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert set(done.stdout.split()) == expected


def test_the_list_of_commands_has_all() -> None:
    """A command that is not in the list could not be found."""
    found = typer.main.get_command(application("")).commands  # type: ignore[attr-defined]

    assert set(found) == set(COMMANDS)
