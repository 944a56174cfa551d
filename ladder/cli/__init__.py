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
from typing import Annotated, NamedTuple

import typer

from ladder.cli.allocator import choose
from ladder.cli.help_words import command_of
from ladder.escaping import visible
from referee import __version__
from referee.kernel.errors import CallerFault, KumiteError


class Command(NamedTuple):
    """Where a command is, and what the list of commands says of it."""

    module: str
    name: str
    """Its function there, or its group of commands."""
    help: str
    """The first sentence of its help, here too, so that the list of commands loads no command."""


COMMANDS = {
    "games": Command("ladder.cli.games", "games", "List the games, or show one: seats, variants, what is hidden."),
    "match": Command(
        "ladder.cli.match",
        "match",
        "Play bots against each other in this process. Ctrl-C ends several games early, with the table so far.",
    ),
    "serve": Command(
        "ladder.cli.serve",
        "serve_bots",
        "Run a referee: bots that connect are paired, seated and, with a database, rated. Ctrl-C ends it.",
    ),
    "join": Command(
        "ladder.cli.join",
        "join",
        "Connect a bot to a referee and play until it says goodbye. What the bot prints goes to the terminal.",
    ),
    "play": Command(
        "ladder.cli.play",
        "play",
        "Play a game yourself against bots, and against people by links. Ctrl-C ends it.",
    ),
    "mcp": Command(
        "ladder.cli.mcp",
        "mcp",
        "Let a language model play at a referee: a server of the Model Context Protocol, over stdio or HTTP.",
    ),
    "new": Command(
        "ladder.cli.new", "new", "Write a complete, tested bot project into a folder, and print what to do next."
    ),
    "proto": Command(
        "ladder.cli.new",
        "proto",
        "Write the files of the protocol and its manual into a folder, for stubs in any language with gRPC.",
    ),
    "matches": Command(
        "ladder.cli.matches",
        "matches",
        "List the matches of a database in the order in which they began, or show all about DB:MATCH.",
    ),
    "replay": Command(
        "ladder.cli.replay",
        "replay",
        "Tell recorded matches in words, in full or as one seat saw them; a record that does not hold is refused.",
    ),
    "verify": Command(
        "ladder.cli.verify",
        "verify",
        "Recompute recorded matches from their revealed secrets; exit code 1 if one does not hold.",
    ),
    "picture": Command("ladder.cli.picture", "picture", "Draw one position of a match as a picture, with Chromium."),
    "web": Command("ladder.cli.web", "web", "Serve the pages of a ladder: standings, matches, bots, events, games."),
    "publish": Command(
        "ladder.cli.web",
        "publish",
        "Write the pages of a ladder as files that open from a disk or any file server; only what changed is written.",
    ),
    "export": Command(
        "ladder.cli.exchange",
        "export",
        "Write the matches of a database that are over as JSON lines, for `kumite import`; a referee may be running.",
    ),
    "import": Command(
        "ladder.cli.exchange",
        "import_",
        "Take matches of other referees into a database: all of them, each verified, or nothing; then rate them.",
    ),
    "ladder": Command("ladder.cli.ladder", "app", "Rated seasons between bots."),
    "gate": Command(
        "ladder.cli.gate",
        "gate",
        "Test whether NEW is stronger than OLD, on sets of games, stopping as soon as the answer is known.",
    ),
    "check": Command(
        "ladder.cli.check",
        "check",
        "Drill a bot with a scripted referee; code 0 if it passes every step, 1 if one fails.",
    ),
    "build": Command(
        "ladder.cli.build",
        "build",
        "Build a bot by the `build` line of its bot.toml, in its folder, as you: build only what you trust.",
    ),
    "event": Command("ladder.cli.event", "app", "An event at a running referee."),
    "admin": Command("ladder.cli.admin", "app", "See and operate a running referee."),
    "token": Command("ladder.cli.token", "app", "Entrants and their tokens."),
    "rate": Command("ladder.cli.calculators", "rate", "Rate players from finishing orders of any number of players."),
    "sprt": Command(
        "ladder.cli.calculators", "sprt", "The sequential test of counted groups, or without bounds only the estimate."
    ),
    "bench": Command(
        "ladder.cli.bench",
        "bench",
        "Measure how fast the rules, the match loop, the wire and the ratings are on this machine.",
    ),
    "backup": Command(
        "ladder.cli.backup", "backup", "Copy a database and its host's key into a folder; a referee may be running."
    ),
    "doctor": Command(
        "ladder.cli.doctor",
        "doctor",
        "Try every wall that hosted bots stand behind; code 0 if all that are required stand, 1 if not.",
    ),
}
"""Each command by its word on the command line."""

COMPLETING = "_KUMITE_COMPLETE"
"""Set by a shell that asks how a line may go on."""

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
    """The command line: with all commands, with the one named, or, for another word, with the list of commands."""
    app = typer.Typer(
        name="kumite",
        help="Referee and ladders for bots that play board games with hidden information.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_kumite)
    for name, entry in COMMANDS.items():
        if command is None or command == name:
            found = getattr(import_module(entry.module), entry.name)
            if isinstance(found, typer.Typer):
                app.add_typer(found, name=name)
            else:
                app.command(name)(found)
        elif command not in COMMANDS:
            app.command(name, help=entry.help)(_not_loaded)
    return app


def _not_loaded() -> None:
    """Stands for a command in the list of commands."""
    raise AssertionError("a command that is called is loaded")


def run(arguments: Sequence[str]) -> int:
    """Carry a command line out and return its exit code.

    The words of the line are the object of the command's context, for a report that shows how it was made.
    """
    debug = "--debug" in arguments
    command = _command(arguments)
    try:
        code = command_of(application(command or _completed() or "")).main(
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


def _completed() -> str | None:
    """The command of the line that a shell wants to be completed; None: no shell does, or the line names none yet."""
    words = os.environ.get("_TYPER_COMPLETE_ARGS", os.environ.get("COMP_WORDS", "")).split()
    return _command(words[1:]) if COMPLETING in os.environ else None


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
