"""`kumite serve`: a referee for bots anywhere."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, TextIO

import typer

from ladder.cli.output import VariantOption, parse_variant
from ladder.cli.places import make_folder
from ladder.store import Store
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.match import files
from referee.match.clock import Clock
from referee.match.policy import Owner, Policy
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.auth import Tokens
from referee.transport.listener import check as check_addresses
from referee.transport.lobby import Unfinished
from referee.transport.matchmaking import Wanted
from referee.transport.server import DEFAULT_BIND, Config, Server, Unrecorded, every_table, serve

MOST_FAULTS = 2**32 - 1
"""What a message can carry."""
FAILED = 3
"""Exit code where matches were ended because the referee failed."""
MOST_DIGITS = 3
"""Of a number of seats."""
SHOWN = 80
"""Characters of a bad option that an error repeats."""


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("serve")(serve_bots)


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
    faults: Annotated[
        int, typer.Option(min=0, max=MOST_FAULTS, help="Faults forgiven per seat before it is forfeited.")
    ] = 3,
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
    """Run a referee: bots that connect are seated as tables fill. Ctrl-C ends it.

    Ends with code 3 if matches were lost because the referee failed.
    """
    if db is not None and (records is not None or tokens is not None):
        raise BadSetting("--db keeps records and tokens itself; leave --records and --tokens out")
    control = Clock.parse(clock)
    if control.unlimited:
        raise BadSetting("--clock none: bots from outside need a clock, or a silent one would hold its table for ever")
    policy = Policy(faults=faults, development=development)
    told = _Told()
    config = Config(
        bind=tuple(bind or (DEFAULT_BIND,)),
        tls_cert=tls_cert,
        tls_key=tls_key,
        directory=None if tokens is None else Tokens.read(tokens),
        wanted=_tables(table, parse_variant(variant), control, policy),
        matches=matches,
        ended=told,
    )
    # Before anything is made on disk: a referee that cannot listen leaves nothing behind.
    check_addresses(config.bind, tls_cert, tls_key)
    if db is not None:
        finished = _serve_from(db, config)
    else:
        recorder = Unrecorded() if records is None else files.Journal(make_folder("--records", records))
        finished = serve(replace(config, recorder=recorder), started=_announce)
    _say(f"stopped; {finished} matches were played to their end", err=True)
    if told.failed:
        _say(f"{told.failed} of them were lost because the referee failed; the log above says why", err=True)
        raise typer.Exit(FAILED)


def _serve_from(path: Path, config: Config) -> int:
    """Serve with a database: matches are stored step by step, and those of an earlier run go on."""
    with Store(path) as store:
        store.lock()
        store.sessions.sweep()
        unfinished = tuple(Unfinished(record, secret) for record, secret in store.running())
        if unfinished:
            _say(f"{len(unfinished)} matches go on where they stopped, as their bots come back", err=True)
        admitted = store if store.tokens() else None
        if admitted is None:
            _say(
                f"open to every name: {path} has no tokens; to admit entrants only, make some with "
                f"kumite token new NAME --db {path}, and start again",
                err=True,
            )

        def started(server: Server) -> None:
            store.sessions.watch(lambda: [bot.name for bot in server.hall.sessions])
            _announce(server)

        return serve(
            replace(
                config,
                directory=admitted,
                recorder=store,
                unfinished=unfinished,
                resume_tokens=store.sessions.tokens(),
                remember=store.sessions.remember,
                resumable=True,
            ),
            started=started,
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
        if colon and not (count.isascii() and count.isdecimal() and len(count) <= MOST_DIGITS):
            shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
            raise BadSetting(f"--table {shown}: write GAME or GAME:SEATS, for example {game.name}:{game.seats.start}")
        seats = [int(count)] if colon else []
        tables.extend(every_table([name], seats=seats, variant=variant, clock=clock, policy=policy))
    return tuple(tables)


def _say(text: str, *, err: bool = False) -> None:
    """Print a line. If that fails, the stream is dropped, and standard error told so: the matches go on."""
    try:
        typer.echo(text, err=err)
    except OSError as error:
        _drop(sys.stderr if err else sys.stdout)
        if not err:
            reason = "nobody reads it any more" if isinstance(error, BrokenPipeError) else error.strerror or str(error)
            _say(f"the referee goes on without its standard output: {reason}", err=True)


def _drop(stream: TextIO) -> None:
    """Let what is written to a stream vanish, also what it still holds: Python would try that again at its end."""
    with suppress(OSError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def _announce(server: Server) -> None:
    _say(f"referee at {', '.join(server.addresses)}; Ctrl-C ends it", err=True)


@dataclass(slots=True)
class _Told:
    """Prints every match that is over, and counts those that the referee itself ended by failing."""

    failed: int = field(default=0)

    def __call__(self, agreed: Terms, final: Final) -> None:
        self.failed += final.result is None and any(ending.owner is Owner.REFEREE for ending in final.endings)
        _tell(agreed, final)


def _tell(agreed: Terms, final: Final) -> None:
    moment = time.strftime("%H:%M:%S")
    if final.result is None:
        outcome = f"stopped: {final.endings[0].message}"
    else:
        names = [*agreed.players, *final.result.automata]
        ranked = sorted(zip(final.result.places, names, final.result.points, strict=True))
        outcome = ", ".join(f"{place}. {name} ({points})" for place, name, points in ranked)
    _say(f"{moment} {agreed.game} {agreed.match[:8]}: {outcome}{'' if final.rated else ' [not rated]'}")
