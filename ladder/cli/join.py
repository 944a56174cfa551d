"""`kumite join`: a bot of this machine that goes to a referee anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from bots import tls as security
from bots.client import ADDRESS, MOST_TABLES, run
from bots.match_logs import FILE_BYTES, MOST_FILES, MatchLogs
from bots.source import software_of
from bots.specs import BotSpec, resolve
from ladder.cli.token_file import token_in
from ladder.cli.writable import make_folder
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.transport.auth import bad_name
from referee.transport.limits import Limits


def join(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="greedy, random:seed=7, py:module:Class.")],
    address: Annotated[
        str, typer.Option(envvar="KUMITE_ADDRESS", help="host:port or unix:/path of the referee.")
    ] = ADDRESS,
    name: Annotated[
        str | None,
        typer.Option(
            envvar="KUMITE_NAME",
            help="Name at the referee; the spec itself if left out. With a token the token is the name: --name is "
            "then sent to insist on it, KUMITE_NAME is not sent.",
        ),
    ] = None,
    token: Annotated[str | None, typer.Option(envvar="KUMITE_TOKEN", help="Token from the organiser.")] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="File whose first line is the token; keeps it out of the list of processes.")
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Play only this game; repeat for more.")] = None,
    tables: Annotated[int, typer.Option(min=1, max=MOST_TABLES, help="Tables at a time.")] = 1,
    matches: Annotated[int | None, typer.Option(min=1, help="Leave after so many matches.")] = None,
    people: Annotated[bool, typer.Option("--people", help="Play at tables where a person sits, too.")] = False,
    tls: Annotated[bool, typer.Option("--tls", help="Use TLS and trust the authorities of this system.")] = False,
    tls_ca: Annotated[Path | None, typer.Option(help="Use TLS and trust this certificate authority, PEM.")] = None,
    quiet: Annotated[bool, typer.Option(help="Say nothing but errors.")] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help=f"Keep what the bot prints beside the terminal, in DIR/match-ID.log: of each match at most "
            f"{FILE_BYTES >> 10} KiB, the first and the last half, of the newest {MOST_FILES} matches.",
        ),
    ] = None,
) -> None:
    """Connect a bot to a referee and play until it says goodbye. What the bot prints goes to the terminal."""
    # From here on, so that what the bot's module keeps of standard output and error when it is loaded is kept as well.
    with nullcontext() if log is None else MatchLogs(make_folder("--log", log, 0o700)) as logs:
        spec = _resolved(bot, name, game or ())
        if tls_ca is not None:
            security.read_roots(tls_ca)
        run(
            spec.make,
            address,
            name=name or spec.name,
            token=token if token_file is None else _token(token_file, _typed(context, "token")),
            insist=_typed(context, "name"),
            games=tuple(game) if game else spec.games,
            tables=tables,
            matches=matches,
            plays_people=True if people else None,
            software=software_of(spec.name),
            seed=spec.seed,
            tls=tls_ca or tls or None,
            quiet=quiet,
            logs=logs,
        )


def _resolved(bot: str, name: str | None, games: Sequence[str]) -> BotSpec:
    """The bot, if it and the options fit each other; raises BadSetting or UnknownName."""
    spec = resolve(bot)
    wrong = None if name is None else bad_name(name, Limits().name_characters)
    if wrong is not None:
        raise BadSetting(f"--name: {wrong}")
    for wanted in games:
        registry.game(wanted)
        spec.check(wanted)
    return spec


def _typed(context: typer.Context, parameter: str) -> bool:
    """Whether an option stands on the command line, rather than in the environment or nowhere."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def _token(path: Path, twice: bool) -> str:
    """The token in a file; raises BadSetting if there is none, or one on the command line as well (`twice`)."""
    if twice:
        raise BadSetting("a bot has one token: give --token or --token-file, not both")
    return token_in(path, f"--token-file {path}: its first line is empty; the token must stand there")
