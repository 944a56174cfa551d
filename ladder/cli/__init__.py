"""The command `kumite`: one file per group of commands, wired together here.

Every error of ours is one line on standard error and exit code 2; `kumite --debug ...` shows the trace as well. A
command may end with a code of its own by raising `typer.Exit`. Any other exception is a bug: its trace is shown and the
code is 3, since for some commands 1 is an answer. Only the module of the command that is called is
loaded: a bot that joins a referee does not wait for the statistics.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated

import typer

from ladder.cli.allocator import choose
from ladder.escaping import visible
from referee import __version__
from referee.kernel.errors import CallerFault, KumiteError

COMMANDS = {
    "games": ("ladder.cli.games", "games"),
    "match": ("ladder.cli.match", "match"),
    "serve": ("ladder.cli.serve", "serve_bots"),
    "join": ("ladder.cli.join", "join"),
    "matches": ("ladder.cli.matches", "matches"),
    "replay": ("ladder.cli.replay", "replay"),
    "verify": ("ladder.cli.replay", "verify"),
    "picture": ("ladder.cli.picture", "picture"),
    "web": ("ladder.cli.web", "web"),
    "publish": ("ladder.cli.web", "publish"),
    "export": ("ladder.cli.exchange", "export"),
    "import": ("ladder.cli.exchange", "import_"),
    "ladder": ("ladder.cli.ladder", "app"),
    "gate": ("ladder.cli.gate", "gate"),
    "check": ("ladder.cli.check", "check"),
    "build": ("ladder.cli.build", "build"),
    "event": ("ladder.cli.event", "app"),
    "admin": ("ladder.cli.admin", "app"),
    "token": ("ladder.cli.token", "app"),
    "rate": ("ladder.cli.calculators", "rate"),
    "sprt": ("ladder.cli.calculators", "sprt"),
    "bench": ("ladder.cli.bench", "bench"),
    "backup": ("ladder.cli.backup", "backup"),
    "doctor": ("ladder.cli.doctor", "doctor"),
}
"""Each command: its module, and the name of its function there, or of its group of commands."""

BUG = 3
"""The code for what must not happen."""

PIPE_CLOSED = 141
"""The code where the reader of standard output, such as `head`, had seen enough: that of SIGPIPE in a shell."""

USAGE = {"gate": 3}
"""The code for a wrong command line, where 2 means something else: to the gate it is an inconclusive test."""

ONE_THREAD = ("rate", "sprt", "bench", "web", "publish")
"""Commands that compute on one thread: with busy cores a second one slows the linear algebra of ratings down."""
THREADS = "OPENBLAS_NUM_THREADS"
"""Where the library of numpy and scipy reads its number of threads, when it is loaded."""

_Complaint: type[typer.BadParameter] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""Typer's root of usage errors: its own copy of click's class or click's itself, as its version has it."""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kumite {__version__}")
        raise typer.Exit


def _kumite(
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an error.")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True)] = False,
) -> None:
    """Options that stand before the command."""


def application(command: str | None = None) -> typer.Typer:
    """The command line, with all commands or only the one named."""
    app = typer.Typer(
        name="kumite",
        help="Referee and ladders for bots that play board games with hidden information.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_kumite)
    for name in [command] if command in COMMANDS else COMMANDS:
        module, attribute = COMMANDS[name]
        found = getattr(import_module(module), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def run(arguments: Sequence[str]) -> int:
    """Carry a command line out and return its exit code.

    The words of the line are the object of the command's context, for a report that shows how it was made.
    """
    debug = "--debug" in arguments
    command = _command(arguments)
    try:
        code = application(command)(
            args=list(arguments), prog_name="kumite", standalone_mode=False, obj=tuple(arguments)
        )
    except _Complaint as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message(), err=True)
            return 2
        return _complain(error.format_message(), debug, USAGE.get(command or "", 2))
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except KumiteError as error:
        return _complain(str(error), debug, 2 if isinstance(error, CallerFault) else 3)
    except BrokenPipeError:
        _leave_output()
        return PIPE_CLOSED
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), debug)
    except Exception as error:
        if type(error).__module__ == "sqlite3":  # not imported here: most commands have no database
            return _complain(f"the database cannot be used: {error}", debug)
        traceback.print_exc()
        typer.echo(f"kumite: unexpected {type(error).__name__}: please report it with the lines above", err=True)
        return BUG
    return code if isinstance(code, int) else 0


def _command(arguments: Sequence[str]) -> str | None:
    return next((argument for argument in arguments if not argument.startswith("-")), None)


def _leave_output() -> None:
    """Let what is still to be written go nowhere, so that the end of the program does not complain of it."""
    with suppress(OSError, ValueError):  # a standard output that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, debug: bool, code: int = 2) -> int:
    if debug:
        traceback.print_exc()
    typer.echo(f"kumite: {visible(' '.join(message.split()))}", err=True)
    return code


def main() -> None:
    """Entry point of the console script."""
    choose(sys.argv[1:])
    if _command(sys.argv[1:]) in ONE_THREAD:
        os.environ.setdefault(THREADS, "1")
    sys.exit(run(sys.argv[1:]))
