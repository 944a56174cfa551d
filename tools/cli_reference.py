"""Writes `docs/cli.md`, the reference of the command line: `python -m tools.cli_reference`.

Names, values, defaults and texts are those that Typer was given: the signature of each command's function and the
`typer.Argument` and `typer.Option` of its parameters. `make docs` calls this script; a test compares the page with what
the script would write.
"""

from __future__ import annotations

import enum
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from ladder.cli import application

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
HEAD = """# The command line

Written by `make docs` from the commands themselves; change their help texts instead of this page.
`kumite COMMAND --help` shows the same in a terminal.

An error is one line on standard error that says what is wrong and what would be right, and exit code 2;
`kumite --debug COMMAND` adds the trace. Commands whose exit codes mean more say so below. Code 3 with a trace is a
fault of Kumite. `kumite --version` prints the version.
"""
WORDS: dict[object, str] = {str: "text", int: "number", float: "number", Path: "path"}
"""What a value is called where no other name is given."""


class Command(NamedTuple):
    """One command with the words that lead to it."""

    words: tuple[str, ...]
    carry_out: Callable[..., object]

    @property
    def title(self) -> str:
        """What is typed first."""
        return " ".join(("kumite", *self.words))


class Parameter(NamedTuple):
    """One argument or option of a command."""

    info: ArgumentInfo | OptionInfo
    name: str
    kind: object
    """The type of a value."""
    default: object
    """`inspect.Parameter.empty`: the parameter must be given."""
    repeats: bool

    @property
    def is_option(self) -> bool:
        """Whether it has a name on the command line."""
        return isinstance(self.info, OptionInfo)

    @property
    def needed(self) -> bool:
        """Whether the command fails without it."""
        return self.default is inspect.Parameter.empty

    @property
    def spelled(self) -> str:
        """How it is typed: the name of an argument, the names of an option."""
        if not isinstance(self.info, OptionInfo):
            name = re.sub(r"^\[(.*)\]$", r"\1", self.info.metavar or self.name.upper())
            return f"{name}..." if self.repeats else name
        # Inside `Annotated` the first name of an option stands where its default would.
        first = [self.info.default] if isinstance(self.info.default, str) else []
        names = [*first, *(self.info.param_decls or ())]
        if not any(name.startswith("--") for name in names):
            long = self.name.replace("_", "-")
            names.insert(0, f"--{long}/--no-{long}" if self.kind is bool else f"--{long}")
        return ", ".join(name for pair in names for name in pair.split("/"))

    @property
    def value(self) -> str:
        """What stands behind an option, or what an argument is."""
        if self.kind is bool:
            return ""
        if self.is_option and self.info.metavar:
            return self.info.metavar
        choices = _choices(self.kind)
        return " or ".join(choices) if choices else WORDS[self.kind] + self._bounds()

    def _bounds(self) -> str:
        low, high = self.info.min, self.info.max
        if low is not None and high is not None:
            return f", {low:,} to {high:,}"
        if low is not None:
            return f", at least {low:,}"
        return f", at most {high:,}" if high is not None else ""

    @property
    def meaning(self) -> str:
        """Its help text, and what is taken if it is left out."""
        text = " ".join((self.info.help or "").split())
        if self.info.envvar:
            text = f"{text} Also read from the variable {self.info.envvar}."
        if self.needed:
            return f"{text} Needed." if self.is_option else text
        shown = self.default.value if isinstance(self.default, enum.Enum) else self.default
        if shown in (None, "", False) or isinstance(shown, (list, tuple)):
            return text
        return f"{text} Default: {'yes' if shown is True else shown}.".strip()


def _choices(kind: object) -> list[str]:
    """The values of an enumeration or literal type; empty: any."""
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return [str(member.value) for member in kind]
    return [str(value) for value in get_args(kind)] if get_origin(kind) is Literal else []


def commands(app: typer.Typer | None = None, words: tuple[str, ...] = ()) -> Iterator[Command]:
    """Every command, in the order in which `kumite --help` lists them."""
    app = application() if app is None else app
    for command in app.registered_commands:
        if command.callback is not None:
            yield Command((*words, command.name or command.callback.__name__.replace("_", "-")), command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from commands(group.typer_instance, (*words, str(group.name or group.typer_instance.info.name)))


def parameters(command: Command) -> Iterator[Parameter]:
    """The arguments and options of a command, in the order of its signature."""
    hints = get_type_hints(command.carry_out, include_extras=True)
    for name, parameter in inspect.signature(command.carry_out).parameters.items():
        hint, default = hints[name], parameter.default
        if hint is typer.Context:
            continue
        info = next((extra for extra in _extras(hint) if isinstance(extra, (ArgumentInfo, OptionInfo))), None)
        kind, repeats = _value_type(hint)
        if isinstance(default, (ArgumentInfo, OptionInfo)):
            info, default = default, default.default
        if info is None:
            info = typer.Argument() if default is inspect.Parameter.empty else typer.Option()
        if not info.hidden:
            yield Parameter(info, name, kind, inspect.Parameter.empty if default is ... else default, repeats)


def _extras(hint: object) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _value_type(hint: object) -> tuple[object, bool]:
    """The type of one value, and whether there may be several."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (UnionType, typing.Union):
        (hint,) = (part for part in get_args(hint) if part is not NoneType)
    if get_origin(hint) in (list, tuple):
        return get_args(hint)[0], True
    return hint, False


def usage(command: Command) -> str:
    """The command with its arguments; those that may be left out stand in brackets."""
    found = list(parameters(command))
    shown = [part.spelled if part.needed else f"[{part.spelled}]" for part in found if not part.is_option]
    options = ["[OPTIONS]"] if any(part.is_option for part in found) else []
    return " ".join((command.title, *options, *shown))


def section(command: Command) -> str:
    """What the page says of one command."""
    text = inspect.getdoc(command.carry_out) or ""
    rows = [
        f"| `{_cell(part.spelled)}` | {_cell(part.value)} | {_cell(part.meaning)} |" for part in parameters(command)
    ]
    table = ["", "| argument or option | value | meaning |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"## {command.title}", "", f"`{usage(command)}`", "", _prose(text), *table])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _prose(text: str) -> str:
    """A help text with each paragraph on one line."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.replace("\b", "").split("\n\n"))


def page() -> str:
    """The whole page."""
    found = list(commands())
    links = [f"- [`{command.title}`](#{command.title.replace(' ', '-')})" for command in found]
    return "\n\n".join([HEAD.strip(), "\n".join(links), *(section(command) for command in found)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
