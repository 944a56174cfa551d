"""What the help of commands says of their options: `-h` beside `--help`, and kinds of values in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import typer

DISPLAY = "display_type"
"""The method of typer's parameters that writes a kind of value."""
KINDS = {"str": "text", "int": "number", "float": "number", "int range": "number", "float range": "number"}
"""Names of Python's types, and what people call them."""
_LIST = re.compile(r"list\[(.*)\]")


def command_of(app: typer.Typer) -> Any:
    """The command line of an application, with kinds of values in words."""
    command = typer.main.get_command(app)
    _reword(command)
    return command


def in_words(kind: str) -> str:
    """A kind of value as typer writes it, in words: `<list[str]>` becomes `<text>...`."""
    bare = kind.strip("<>")
    found = _LIST.fullmatch(bare)
    if found:
        return f"<{KINDS.get(found[1], found[1])}>..."
    return f"<{KINDS.get(bare, bare)}>"


def _reword(command: Any) -> None:
    for parameter in command.params:
        told: Callable[[Any], str] | None = getattr(parameter, DISPLAY, None)
        if told is not None:
            setattr(parameter, DISPLAY, _reworded(told))
    for inner in getattr(command, "commands", {}).values():
        _reword(inner)


def _reworded(told: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda context: in_words(told(context))
