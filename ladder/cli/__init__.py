"""The command `kumite`: one file per group of commands, wired together here.

Every error of ours is one line on standard error and exit code 2; `kumite --debug ...` shows the trace as well. A
command may end with a code of its own by raising `typer.Exit`.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from ladder.cli import bench, calculators, games, matches, records, serving
from referee import __version__
from referee.kernel.errors import CallerFault, KumiteError

_Complaint: type[typer.BadParameter] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""Typer's root of usage errors: its own copy of click's class or click's itself, as its version has it."""

app = typer.Typer(
    name="kumite",
    help="Referee and ladders for bots that play board games with hidden information.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kumite {__version__}")
        raise typer.Exit


@app.callback()
def kumite(
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an error.")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True)] = False,
) -> None:
    """Options that stand before the command."""


games.add_to(app)
matches.add_to(app)
serving.add_to(app)
records.add_to(app)
calculators.add_to(app)
bench.add_to(app)


def run(arguments: Sequence[str]) -> int:
    """Carry a command line out and return its exit code."""
    debug = "--debug" in arguments
    try:
        code = app(args=list(arguments), prog_name="kumite", standalone_mode=False)
    except _Complaint as error:
        if not arguments:
            typer.echo(error.format_message(), err=True)
            return 2
        return _complain(error.format_message(), debug)
    except typer.Abort:
        return 130
    except KumiteError as error:
        code = 2 if isinstance(error, CallerFault) else 3
        return _complain(str(error), debug, code)
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return _complain(what, debug)
    except KeyboardInterrupt:
        return 130
    return code if isinstance(code, int) else 0


def _complain(message: str, debug: bool, code: int = 2) -> int:
    if debug:
        traceback.print_exc()
    typer.echo(f"kumite: {' '.join(message.split())}", err=True)
    return code


def main() -> None:
    """Entry point of the console script."""
    sys.exit(run(sys.argv[1:]))
