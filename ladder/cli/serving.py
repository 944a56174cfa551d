"""`kumite serve` and `kumite join`: a referee for bots anywhere, and a bot of this machine that goes to one."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import grpc
import typer

from bots.client import ADDRESS, run
from bots.specs import resolve
from ladder.cli.output import VariantOption, parse_variant
from ladder.store import Store
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.match import files
from referee.match.clock import Clock
from referee.match.policy import Policy
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.auth import Tokens, bad_name
from referee.transport.limits import Limits
from referee.transport.lobby import Unfinished
from referee.transport.matchmaking import Wanted
from referee.transport.server import DEFAULT_BIND, Config, Server, Unrecorded, every_table, serve

MOST_TABLES = 2**32 - 1
"""What a hello can say."""


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("serve")(serve_bots)
    app.command("join")(join)


def serve_bots(
    bind: Annotated[
        list[str] | None, typer.Option(help=f"host:port or unix:/path; repeat for more. {DEFAULT_BIND} if left out.")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME[:SEATS]",
            help="Tables to fill; repeat for more. If left out, every game with two or more seats.",
        ),
    ] = None,
    variant: VariantOption = None,
    clock: Annotated[str, typer.Option(help="Bank+increment/cap such as 10s+100ms/5s.")] = "60s+500ms/30s",
    faults: Annotated[int, typer.Option(min=0, help="Faults forgiven per seat before it is forfeited.")] = 3,
    development: Annotated[bool, typer.Option(help="End a match at its first fault, with an explanation.")] = False,
    matches: Annotated[int | None, typer.Option(min=1, help="Stop after so many matches.")] = None,
    records: Annotated[Path | None, typer.Option(help="Keep the record of every match in this folder.")] = None,
    db: Annotated[
        Path | None,
        typer.Option(help="Keep matches in this database and go on with those that were running; its tokens admit."),
    ] = None,
    tokens: Annotated[Path | None, typer.Option(help="Admit only the entrants of this TOML file.")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="Certificate chain, PEM.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Private key, PEM.")] = None,
) -> None:
    """Run a referee: bots that connect are seated as tables fill. Ctrl-C ends it."""
    control = Clock.parse(clock)
    if control.unlimited:
        raise BadSetting("--clock none: bots from outside need a clock, or a silent one would hold its table for ever")
    policy = Policy(faults=faults, development=development)
    config = Config(
        bind=tuple(bind or (DEFAULT_BIND,)),
        tls_cert=tls_cert,
        tls_key=tls_key,
        directory=None if tokens is None else Tokens.read(tokens),
        wanted=_tables(table, parse_variant(variant), control, policy),
        matches=matches,
        recorder=Unrecorded() if records is None else files.Journal(_folder(records)),
        ended=_tell,
    )
    if db is None:
        finished = serve(config, started=_announce)
    elif records is not None or tokens is not None:
        raise BadSetting("--db keeps records and tokens itself; leave --records and --tokens out")
    else:
        finished = _serve_from(db, config)
    typer.echo(f"stopped; {finished} matches were played to their end", err=True)


def _serve_from(path: Path, config: Config) -> int:
    """Serve with a database: matches are stored step by step, and those of an earlier run go on."""
    with Store(path) as store:
        store.lock()
        unfinished = tuple(Unfinished(record, secret) for record, secret in store.running())
        if unfinished:
            typer.echo(f"{len(unfinished)} matches go on where they stopped, as their bots come back", err=True)
        admitted = store if store.tokens() else None
        if admitted is None:
            typer.echo(
                f"open to every name: {path} has no tokens; to admit entrants only, make some with "
                f"kumite token new NAME --db {path}, and start again",
                err=True,
            )
        return serve(
            replace(
                config,
                directory=admitted,
                recorder=store,
                unfinished=unfinished,
                resume_tokens=store.resume_tokens(),
                remember=store.remember,
            ),
            started=_announce,
        )


def _tables(wanted: list[str] | None, variant: dict[str, str], clock: Clock, policy: Policy) -> tuple[Wanted, ...]:
    if not wanted:
        # A bot that is alone waits for another one instead of playing solo games without end.
        everything = every_table(variant=variant, clock=clock, policy=policy)
        return tuple(table for table in everything if table.seats > 1)
    tables: list[Wanted] = []
    for text in wanted:
        name, colon, count = text.partition(":")
        game = registry.game(name)
        if colon and not count.isdecimal():
            raise BadSetting(f"--table {text}: write GAME or GAME:SEATS, for example {game.name}:{game.seats.start}")
        seats = [int(count)] if colon else []
        tables.extend(every_table([name], seats=seats, variant=variant, clock=clock, policy=policy))
    return tuple(tables)


def _folder(path: Path) -> Path:
    if path.exists() and not path.is_dir():
        raise BadSetting(f"--records {path}: that is a file; name a folder")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _announce(server: Server) -> None:
    typer.echo(f"referee at {', '.join(server.addresses)}; Ctrl-C ends it", err=True)


def _tell(agreed: Terms, final: Final) -> None:
    moment = time.strftime("%H:%M:%S")
    if final.result is None:
        outcome = f"stopped: {final.endings[0].message}"
    else:
        names = [*agreed.players, *final.result.automata]
        ranked = sorted(zip(final.result.places, names, final.result.points, strict=True))
        outcome = ", ".join(f"{place}. {name} ({points})" for place, name, points in ranked)
    typer.echo(f"{moment} {agreed.game} {agreed.match[:8]}: {outcome}{'' if final.rated else ' [not rated]'}")


def join(
    bot: Annotated[str, typer.Argument(help="greedy, random:seed=7, py:module:Class.")],
    address: Annotated[
        str, typer.Option(envvar="KUMITE_ADDRESS", help="host:port or unix:/path of the referee.")
    ] = ADDRESS,
    name: Annotated[
        str | None, typer.Option(envvar="KUMITE_NAME", help="Name at the referee; the spec itself if left out.")
    ] = None,
    token: Annotated[str | None, typer.Option(envvar="KUMITE_TOKEN", help="Token from the organiser.")] = None,
    game: Annotated[list[str] | None, typer.Option(help="Play only this game; repeat for more.")] = None,
    tables: Annotated[int, typer.Option(min=1, max=MOST_TABLES, help="Tables at a time.")] = 1,
    matches: Annotated[int | None, typer.Option(min=1, help="Leave after so many matches.")] = None,
    tls_ca: Annotated[Path | None, typer.Option(help="Use TLS and trust this certificate authority, PEM.")] = None,
    quiet: Annotated[bool, typer.Option(help="Say nothing but errors.")] = False,
) -> None:
    """Connect a bot to a referee and play until it says goodbye."""
    spec = resolve(bot)
    wrong = None if name is None else bad_name(name, Limits().name_characters)
    if wrong is not None:
        raise BadSetting(f"--name: {wrong}")
    for wanted in game or ():
        registry.game(wanted)
        spec.check(wanted)
    credentials = None if tls_ca is None else grpc.ssl_channel_credentials(tls_ca.read_bytes())
    run(
        spec.make,
        address,
        name=name or spec.name,
        token=token,
        games=tuple(game) if game else spec.games,
        tables=tables,
        matches=matches,
        seed=spec.seed,
        credentials=credentials,
        quiet=quiet,
    )
