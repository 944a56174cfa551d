"""`kumite serve`: a referee for bots anywhere, with a season if it has a database or a ladder file."""

from __future__ import annotations

import ipaddress
import os
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.hosting import TrustOption, host
from ladder.cli.logs import LogJsonOption, LogLevel, LogLevelOption, logging_to_stderr
from ladder.cli.output import VariantOption, parse_variant
from ladder.cli.serve_output import announce, say
from ladder.cli.web_beside import WebChoice, WebMetricsOption, WebOption, WebTrustProxyOption, pages_beside
from ladder.cli.writable import make_folder
from ladder.config import ladder_file
from ladder.config.offers import TableOffer, named_tables
from ladder.seasons.open_tables import CasualTables
from referee.kernel.bounded import read_bytes
from referee.kernel.errors import BadSetting
from referee.match import files
from referee.match.clock import TimeControl
from referee.match.policy import Owner, Policy
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.auth import Tokens
from referee.transport.listener import check as check_addresses
from referee.transport.server import DEFAULT_BIND, Config, Unrecorded, serve
from referee.transport.unix import UNIX

if TYPE_CHECKING:
    from ladder.serving.served_season import ServedSeason
    from ladder.store.database import Store

MOST_FAULTS = 2**32 - 1
"""What a message can carry."""
FAILED = 3
"""Exit code where matches were ended because the referee failed."""
OPEN_SEASON = "open"
"""The season of a referee that has a database and no ladder file."""
MILLISECOND = 1000

BindOption = Annotated[
    list[str] | None, typer.Option(help=f"host:port or unix:/path; repeat for more. {DEFAULT_BIND} if left out.")
]
OpenOption = Annotated[
    bool,
    typer.Option(
        "--open", help="Admit any name without a token, also from other machines; names with a token need it."
    ),
]
ClosedOption = Annotated[bool, typer.Option("--closed", help="Admit tokens only, even while there are none.")]
DevelopmentOption = Annotated[
    bool, typer.Option(help="End a match at its first fault, with an explanation; nothing is rated.")
]
PeopleOption = Annotated[
    bool, typer.Option("--people", help="Let people play in the browser, against each other and against own bots.")
]
CertOption = Annotated[Path | None, typer.Option(help="Certificate chain, PEM.")]
KeyOption = Annotated[Path | None, typer.Option(help="Private key, PEM.")]


def serve_bots(
    file: Annotated[
        Path | None, typer.Argument(metavar="[LADDER.toml]", help="A ladder file: its season is played here.")
    ] = None,
    bind: BindOption = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME[:SEATS]",
            help="Tables to fill; repeat for more. If left out, every game with two or more seats.",
        ),
    ] = None,
    variant: VariantOption = None,
    clock: Annotated[str | None, typer.Option(help="Bank+increment/cap; 60s+500ms/30s if left out.")] = None,
    faults: Annotated[
        int, typer.Option(min=0, max=MOST_FAULTS, help="Faults forgiven per seat before it is forfeited.")
    ] = 3,
    development: DevelopmentOption = False,
    matches: Annotated[int | None, typer.Option(min=1, help="Stop after so many matches.")] = None,
    records: Annotated[Path | None, typer.Option(help="Keep the record of every match in this folder.")] = None,
    db: Annotated[
        Path | None,
        typer.Option(help="Play the open season of this database: matches are stored, rated, and survive a restart."),
    ] = None,
    tokens: Annotated[Path | None, typer.Option(help="Admit only the entrants of this TOML file.")] = None,
    open_names: OpenOption = False,
    closed: ClosedOption = False,
    tls_cert: CertOption = None,
    tls_key: KeyOption = None,
    trust: TrustOption = False,
    people: PeopleOption = False,
    web: WebOption = None,
    web_trust_proxy: WebTrustProxyOption = False,
    web_metrics: WebMetricsOption = False,
    log_level: LogLevelOption = LogLevel.INFO,
    log_json: LogJsonOption = False,
) -> None:
    """Run a referee: bots that connect are paired, seated and, with a database, rated. Ctrl-C ends it.

    With a database its bots are told to come back, and the next start goes on where this one stopped; a second Ctrl-C
    within a second ends it for good. Ends with code 3 if matches were lost because the referee failed.
    """
    admit, told = Admit(open_names, closed), Teller()
    admit.check_options()
    config = Config(
        bind=tuple(bind or (DEFAULT_BIND,)), tls_cert=tls_cert, tls_key=tls_key, matches=matches, ended=told
    )
    policy = Policy(faults=faults, development=development)
    pages = WebChoice(web, web_trust_proxy, web_metrics, people)
    if file is not None:
        others = {"records": records, "tokens": tokens, "people": people or None}
        _refuse_beside_file(table=table, variant=variant, clock=clock, db=db, **others)
        play = partial(_serve_file, file, config, admit, policy, trust, pages)
    else:
        control, settings = _clock(clock), parse_variant(variant)
        offers = named_tables(table or (), variant=settings, clock=control, policy=policy, rated=not development)
        play = partial(_serve_tables, offers, config, admit, db=db, records=records, tokens=tokens, web=pages)
    with logging_to_stderr(log_level, log_json):
        _tell_stopped(play(), told)


def _tell_stopped(finished: int, told: Teller) -> None:
    """Say how many matches were played; ends with `FAILED` if some were lost because the referee failed."""
    say(f"stopped; {finished} matches were played to their end", err=True)
    if told.failed:
        say(f"{told.failed} of them were lost because the referee failed; the log above says why", err=True)
        raise typer.Exit(FAILED)


def _serve_tables(
    offers: Sequence[TableOffer],
    config: Config,
    admit: Admit,
    *,
    db: Path | None,
    records: Path | None,
    tokens: Path | None,
    web: WebChoice,
) -> int:
    """Serve the tables of the command line."""
    if db is not None and (records is not None or tokens is not None):
        raise BadSetting("--db keeps records and tokens itself; leave --records and --tokens out")
    if admit.closed and db is None and tokens is None:
        raise BadSetting("--closed needs tokens: name a database with --db, or a file with --tokens")
    if web.bind is not None and db is None:
        raise BadSetting("--web shows a season: name its database with --db, or a ladder file")
    if db is not None:
        return _serve_open(db, offers, config, admit, web)
    return _serve_casually(offers, config, admit, records, tokens)


def _refuse_beside_file(**options: object) -> None:
    for name, value in options.items():
        if value is not None and value != []:
            raise BadSetting(f"--{name} and a ladder file exclude each other: the file says what is played, and where")


def _clock(text: str | None) -> TimeControl:
    clock = TimeControl.parse(text or ladder_file.CONNECTED_CLOCK)
    if clock.unlimited:
        raise BadSetting("--clock none: bots from outside need a clock, or a silent one would hold its table for ever")
    return clock


@dataclass(frozen=True, slots=True)
class Admit:
    """Which names a referee admits, as its command line says."""

    open_names: bool = False
    closed: bool = False

    def check_options(self) -> None:
        """Raise BadSetting if the command line contradicts itself."""
        if self.open_names and self.closed:
            raise BadSetting("--open and --closed exclude each other: names without a token are admitted, or not")

    @property
    def needs_tokens(self) -> bool | None:
        """Whether every bot needs a token; None: if there is one."""
        return True if self.closed else False if self.open_names else None

    def check(self, bind: Sequence[str], needs_token: bool, where: str) -> None:
        """Raise BadSetting for a referee that other machines reach, that wants no tokens, and was not meant to."""
        if needs_token or self.open_names:
            return
        for address in bind:
            if not is_local(address):
                raise BadSetting(
                    f"{address} can be reached from other machines, and {where} has no tokens: any name could play. "
                    f"Make tokens with kumite token new NAME, or say --closed, or --open if that is meant"
                )


def is_local(address: str) -> bool:
    """Whether only this machine reaches an address."""
    if address.startswith(UNIX):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return all(ipaddress.ip_address(entry[4][0]).is_loopback for entry in found)
    except (OSError, ValueError, UnicodeError):
        return False  # the address is refused with a reason when it is opened


def check_listening(config: Config) -> None:
    """Raise BadSetting if a referee cannot listen as it is told to."""
    for path in (config.tls_cert, config.tls_key):
        if path is not None:
            with suppress(OSError):  # the check of the certificate explains a file that cannot be read
                read_bytes(path)
    check_addresses(config.bind, config.tls_cert, config.tls_key)


def warn_of_readers(config: Config, *, tokens: bool) -> None:
    """Warn of secrets that others could read: tokens on their way without TLS, and the file of the TLS key."""
    far = [address for address in config.bind if not is_local(address)]
    if tokens and far and config.tls_cert is None:
        say(
            f"warning: tokens travel to {', '.join(far)} in the open; give --tls-cert and --tls-key, or let a proxy "
            f"with TLS stand before an address of this machine",
            err=True,
        )
    if config.tls_key is not None and config.tls_key.stat().st_mode & 0o077:
        say(f"warning: {config.tls_key} can be read by others; make it private: chmod 600", err=True)


def _serve_casually(
    offers: Sequence[TableOffer], config: Config, admit: Admit, records: Path | None, tokens: Path | None
) -> int:
    """Serve without a database: nothing is rated, and nothing survives the end."""
    directory = None if tokens is None else Tokens.read(tokens)
    # Before anything is made on disk: a referee that cannot listen leaves nothing behind.
    check_listening(config)
    admit.check(config.bind, directory is not None, "this referee")
    warn_of_readers(config, tokens=directory is not None)
    recorder = Unrecorded() if records is None else files.Journal(make_folder("--records", records))
    pairing = CasualTables(offers)
    return serve(replace(config, directory=directory, recorder=recorder, pairing=pairing), started=announce)


def _serve_open(path: Path, offers: Sequence[TableOffer], config: Config, admit: Admit, web: WebChoice) -> int:
    """Serve the open season of a database."""
    from ladder.config.people import PeopleSettings, opponents
    from ladder.pairing.planned import VERSION
    from ladder.seasons.open_season import OpenSeason
    from ladder.serving.directory import EntrantDirectory
    from ladder.serving.served_season import ServedSeason
    from ladder.store.database import Store

    check_listening(config)
    with pages_beside(path, web, tls=config.tls_cert is not None) as started, Store(path) as store:
        store.lock()
        directory = EntrantDirectory(store, closed=admit.needs_tokens)
        admit.check(config.bind, directory.needs_token, str(path))
        warn_of_readers(config, tokens=bool(store.valid_tokens()))
        row = store.season(OPEN_SEASON, "", None, tempo="open", pairing_version=VERSION)
        season = OpenSeason(store, row, offers, owner=directory.owner)
        allowed = PeopleSettings(bots=opponents()) if web.people else None
        service = ServedSeason(store, season, directory, config, started=started, people=allowed)
        _explain(directory.needs_token, admit, path, len(store.running()))
        finished = service.run()
    tell_held(service)
    return finished


def _serve_file(path: Path, config: Config, admit: Admit, policy: Policy, trust: bool, web: WebChoice) -> int:
    """Serve the season of a ladder file."""
    from ladder.arena.workers import local_processes
    from ladder.events.starting import check_start
    from ladder.serving.season_file import prepare
    from ladder.store.database import Store

    ladder = ladder_file.read(path)
    check_start(ladder)
    host([bot.entrant for bot in ladder.bots], trust, ladder.hosting)
    check_listening(config)
    with (
        pages_beside(ladder.database, web, tls=config.tls_cert is not None) as started,
        Store(ladder.database) as store,
        local_processes(os.cpu_count() or 1) as workers,
    ):
        store.lock()
        service = prepare(
            ladder, store, config, closed=admit.needs_tokens, policy=policy, patience=None, workers=workers
        )
        admit.check(config.bind, service.directory.needs_token, str(ladder.database))
        warn_of_readers(config, tokens=bool(store.valid_tokens()))
        service.started = started
        _explain(service.directory.needs_token, admit, ladder.database, len(store.running()))
        finished = service.run()
        tell_event(ladder, store)
    tell_held(service)
    return finished


def tell_event(ladder: ladder_file.Ladder, store: Store) -> None:
    """Print the sheet of an event that is over, or where it stands."""
    if ladder.event is not None:
        from ladder.cli.event import print_sheet
        from ladder.events.report import report

        print_sheet(report(store, ladder.season))


def _explain(needs_token: bool, admit: Admit, path: Path, running: int) -> None:
    if running:
        what = "match goes on where it" if running == 1 else "matches go on where they"
        say(f"{running} {what} stopped, as their bots come back", err=True)
    if not needs_token and not admit.open_names:
        say(
            f"open to every name: {path} has no tokens; to admit entrants only, make some with "
            f"kumite token new NAME --db {path}, or start with --closed",
            err=True,
        )


def tell_held(service: ServedSeason) -> None:
    """Say how long the referee's loop was held at most to find a table, to rate an end, and to store it."""
    matches = service.season.matches
    held = {
        "pairing": service.longest_pairing,
        "rating": matches.longest_rating,
        "storing an end": matches.longest_storing,
    }
    said = ", ".join(f"{what} {time / MILLISECOND:.1f} ms" for what, time in held.items())
    say(f"longest hold of the loop: {said}", err=True)


@dataclass(slots=True)
class Teller:
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
    say(f"{moment} {agreed.game} {agreed.match[:8]}: {outcome}{'' if final.rated else ' [not rated]'}")
