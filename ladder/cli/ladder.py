"""`kumite ladder`: play a season, see where it stands, and compare two nights."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from ladder import times
from ladder.arena.entrants import find
from ladder.arena.workers import Workers, cluster, in_process, local_processes
from ladder.cli.hosting import TrustOption, host
from ladder.cli.logs import LogJsonOption, LogLevel, LogLevelOption, logging_to_stderr
from ladder.cli.output import AsJson, print_json
from ladder.cli.serve import (
    Admit,
    BindOption,
    CertOption,
    ClosedOption,
    KeyOption,
    OpenOption,
    check_listening,
    tell_event,
    tell_held,
    warn_of_readers,
)
from ladder.cli.serve_output import say
from ladder.cli.standings_table import pool_json, show
from ladder.cli.table_formats import CrossOption, FormatOption, LosOption, TableFormat, wants_json
from ladder.cli.web_beside import WebChoice, WebOption, pages_beside
from ladder.config import ladder_file
from ladder.escaping import visible
from ladder.events.starting import check_start
from ladder.seasons.nights import NightChange, compare
from ladder.seasons.planned_season import PlannedSeason
from ladder.seasons.published_standings import pool_name, season_standings
from ladder.seasons.season import Progress, Season
from ladder.serving.season_file import prepare
from ladder.store.database import Store
from ladder.store.records import PoolRow, RunRow, SeasonRow
from ladder.terminal_tables import print_table
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting
from referee.match.policy import Policy
from referee.transport.server import DEFAULT_BIND, Config, Server

QUIET_SECONDS = 5.0
"""Between two lines of progress where there is no terminal."""

app = typer.Typer(no_args_is_help=True, help="Rated seasons between bots.", rich_markup_mode=None)

LadderFile = Annotated[Path, typer.Argument(help="The ladder file, TOML.")]
Database = Annotated[Path, typer.Argument(help="A ladder file, or the database itself.")]


@app.command("run")
def run(
    file: LadderFile,
    time_budget: Annotated[str | None, typer.Option("--for", help="Stop after so long: 90s, 30m, 8h.")] = None,
    matches: Annotated[int | None, typer.Option(min=1, help="Stop after so many matches.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0 plays in this one. All cores if left out.")
    ] = None,
    cluster_address: Annotated[str | None, typer.Option("--cluster", help="Address of a Dask scheduler.")] = None,
    seed: Annotated[
        str | None, typer.Option(help="Fix the luck of a new season. It is as secret as the seed is.")
    ] = None,
    bind: BindOption = None,
    open_names: OpenOption = False,
    closed: ClosedOption = False,
    tls_cert: CertOption = None,
    tls_key: KeyOption = None,
    trust: TrustOption = False,
    web: WebOption = None,
    log_level: LogLevelOption = LogLevel.WARNING,
    log_json: LogJsonOption = False,
    as_json: AsJson = False,
) -> None:
    """Play a season, or go on with it, until it is complete or the budget is used up.

    With `remote:NAME` bots, or an open season, it listens for them while it plays. Ends with code 1 if a watched bot
    regressed, with code 2 if matches could not be played.
    """
    ladder = ladder_file.read(file)
    host([bot.entrant for bot in ladder.bots], trust, ladder.hosting)
    seconds = None if time_budget is None else _seconds(time_budget)
    _check_place(workers, cluster_address)
    admit = Admit(open_names, closed)
    admit.check_options()
    secret = None if seed is None else secret_from_seed(f"season/{ladder.season}/{seed}")
    budget = RunBudget(seconds, matches)
    listens = ladder.awaits_bots or any(pool.offer.timed for pool in ladder.pools)
    check_start(ladder)
    if not ladder.awaits_bots:
        _refuse_referee_options(file, bool(bind or open_names or closed or tls_cert or tls_key), web)
    if ladder.tempo == "open" and seconds is None and matches is None:
        raise BadSetting(f"{file}: an open season has no end: say --for or --matches, or use kumite serve {file}")
    binds = tuple(bind or (DEFAULT_BIND,)) if ladder.awaits_bots else ()
    addresses = Config(bind=binds, tls_cert=tls_cert, tls_key=tls_key, matches=matches)
    with (
        logging_to_stderr(log_level, log_json),
        pages_beside(ladder.database, WebChoice(web), tls=tls_cert is not None) as started,
        Store(ladder.database) as store,
        _place(workers, cluster_address, apart=listens) as place,
    ):
        store.lock()
        quiet = as_json or log_json
        if listens:
            outcome = _play_at_referee(ladder, store, addresses, admit, place, secret, budget, started, quiet=quiet)
        else:
            outcome = _play_on_workers(ladder, store, place, secret, budget, quiet=quiet)
        _report(store, outcome.season, outcome.progress, budget.spent, as_json)
        if not as_json:
            tell_event(ladder, store)
        _judge(store, outcome, ladder.watch)


def _check_place(workers: int | None, cluster_address: str | None) -> None:
    """Raise BadSetting for options about where matches run that cannot be."""
    if workers is not None and cluster_address is not None:
        raise BadSetting("--workers and --cluster exclude each other: local processes or a cluster")
    if cluster_address is not None and not cluster_address.strip():
        raise BadSetting("--cluster: name the address of a Dask scheduler, such as tcp://127.0.0.1:8786")


def _refuse_referee_options(file: Path, listening: bool, web: str | None) -> None:
    """Raise BadSetting for options of a referee where no bot connects and so no referee runs."""
    if listening:
        raise BadSetting(f"{file}: no bot of this ladder connects; --bind and its like are for remote:NAME bots")
    if web is not None:
        raise BadSetting(f"{file}: no referee runs for this ladder; look at it with kumite web {file}")


def _judge(store: Store, outcome: RunOutcome, watch: ladder_file.WatchRules | None) -> None:
    """Say what went wrong in a run, and end with the code for it."""
    for name in outcome.missing:
        say(f"{name} was away for longer than the ladder file's patience; its matches wait", err=True)
    for line in outcome.progress.given_up:
        say(visible(line), err=True)
    regressions = (
        [] if not outcome.before or watch is None else _regressions(store, outcome.before[0], outcome.run, watch)
    )
    for line in regressions:
        say(f"regressed: {line}", err=True)
    if regressions:
        raise typer.Exit(1)
    if outcome.progress.given_up or outcome.missing:
        raise typer.Exit(2)


class RunBudget:
    """How long a run may take, and how many matches it may play."""

    def __init__(self, seconds: float | None, matches: int | None) -> None:
        self.seconds = seconds
        self._matches = matches
        self.started = time.monotonic()

    @property
    def spent(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    def used_up(self, progress: Progress) -> bool:
        """Whether the run has to end."""
        late = self.seconds is not None and self.spent >= self.seconds
        return late or (self._matches is not None and progress.played >= self._matches)


class RunOutcome(NamedTuple):
    """How a run ended."""

    season: SeasonRow
    progress: Progress
    before: list[RunRow]
    """The run before, if there was one."""
    run: int
    missing: tuple[str, ...] = ()
    """Remote bots that were waited for in vain."""


def _play_on_workers(
    ladder: ladder_file.Ladder, store: Store, place: Workers, secret: bytes | None, budget: RunBudget, *, quiet: bool
) -> RunOutcome:
    """Play a season of bots that this program starts itself."""
    season = Season(ladder, store, secret, lambda spec: find(spec).digest())
    before = store.runs()[:1]
    run_id = store.begin_run(season.row.id)
    with (
        _stoppable() as stopped,
        _display([row for _, row in season.pools], budget, quiet=quiet) as told,
    ):
        progress = season.run(place, until=lambda progress: budget.used_up(progress) or stopped(), told=told)
    store.end_run(run_id, progress.played, "complete" if progress.complete else "stopped")
    return RunOutcome(season.row, progress, before, run_id)


def _play_at_referee(
    ladder: ladder_file.Ladder,
    store: Store,
    addresses: Config,
    admit: Admit,
    place: Workers,
    secret: bytes | None,
    budget: RunBudget,
    started: Callable[[Server], None],
    *,
    quiet: bool,
) -> RunOutcome:
    """Play a season whose bots connect, while this run lasts."""
    if ladder.tempo != "open":
        # A planned season counts its matches itself, those of workers included.
        addresses = replace(addresses, matches=None)
    if addresses.bind:
        check_listening(addresses)
    service = prepare(
        ladder,
        store,
        addresses,
        closed=admit.needs_tokens,
        policy=Policy(),
        patience=ladder.patience,
        secret=secret,
        workers=place,
    )
    admit.check(addresses.bind, service.directory.needs_token, str(store.path))
    warn_of_readers(addresses, tokens=bool(store.valid_tokens()))
    row = service.season.row
    before = store.runs()[:1]
    run_id = store.begin_run(row.id)
    with _display([pool for pool in store.pools(row.id) if pool.archived is None], budget, quiet=quiet) as told:
        service.until = budget.used_up
        service.told = told
        service.started = started
        service.run()
    progress = service.progress
    store.end_run(run_id, progress.played, "complete" if progress.complete else "stopped")
    if not quiet:
        tell_held(service)
    missing = service.season.missing if isinstance(service.season, PlannedSeason) else ()
    return RunOutcome(row, progress, before, run_id, missing)


def _seconds(text: str) -> float:
    found = times.seconds(text)
    if found is None:
        raise BadSetting(f"--for {text!r}: write a time such as 90s, 30m or 8h")
    return found


def _place(workers: int | None, address: str | None, *, apart: bool) -> Workers:
    """Where matches run; `apart`: never in this process, which has a referee's clocks to mind."""
    if address is not None:
        return cluster(address)
    count = os.cpu_count() or 1 if workers is None else workers
    if apart:
        return local_processes(max(1, count))
    return local_processes(count) if count > 1 else in_process()


@contextmanager
def _stoppable() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM let matches in flight finish and end the run in order; a second Ctrl-C ends it at once."""
    asked: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _display(pools: list[PoolRow], budget: RunBudget, *, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Shows how a run is going: a live table on a terminal, a line now and then elsewhere."""
    console = Console(stderr=True)
    if quiet:
        yield lambda progress: None
    elif console.is_terminal:
        with Live(console=console, refresh_per_second=4, transient=True) as live:
            yield lambda progress: live.update(_live(pools, progress, budget))
    else:
        last = [budget.started]

        def line(progress: Progress) -> None:
            if time.monotonic() - last[0] >= QUIET_SECONDS:
                last[0] = time.monotonic()
                console.print(_summary(progress, budget), highlight=False, markup=False)

        yield line


def _summary(progress: Progress, budget: RunBudget) -> str:
    spent = max(budget.spent, 1e-9)
    left = "" if budget.seconds is None else f", {max(0.0, budget.seconds - spent):.0f} s left"
    return f"{progress.played} matches, {progress.played / spent:.1f} per second{left}"


def _live(pools: list[PoolRow], progress: Progress, budget: RunBudget) -> Grid:
    grid = Grid(title=Text(_summary(progress, budget)), title_justify="left", box=None)
    for column in ("pool", "leader", "rating", "games"):
        grid.add_column(column)
    for row in pools:
        table = progress.tables.get(row.id)
        best = table.rows()[:1] if table is not None else []
        if best:
            grid.add_row(Text(pool_name(row)), Text(visible(best[0].player)), f"{best[0].elo:.0f}", str(best[0].games))
        else:
            grid.add_row(Text(pool_name(row)), "", "", "")
    return grid


def _report(store: Store, season: SeasonRow, progress: Progress, spent: float, as_json: bool) -> None:
    pools = season_standings(store, season)
    if as_json:
        print_json(
            {
                "season": season.name,
                "matches": progress.played,
                "complete": progress.complete,
                "seconds": round(spent, 3),
                "given_up": progress.given_up,
                "pools": [pool_json(pool) for pool in pools],
            }
        )
        return
    show(pools)
    state = "complete" if progress.complete else "to be continued: run the same command again"
    typer.echo(f"\n{progress.played} matches in {spent:.1f} s; season {season.name!r} is {state}")
    typer.echo(f"database: {store.path}")
    typer.echo(f"next: kumite ladder standings {store.path}; kumite ladder diff {store.path}; datasette {store.path}")


def _database(path: Path) -> Path:
    """The database that a ladder file names, or the file itself."""
    if path.suffix == ".toml":
        database = ladder_file.read(path).database
        if not database.exists():
            raise BadSetting(f"{path}: nothing was played yet, there is no {database}; kumite ladder run {path} begins")
        return database
    if not path.exists():
        raise BadSetting(f"{path}: there is no such file; name a ladder file or its database")
    if path.is_dir() or not path.stat().st_size:
        raise BadSetting(f"{path}: that is no database; name a ladder file or its database")
    return path


@app.command("standings")
def standings(
    file: Database,
    season: Annotated[str | None, typer.Option(help="The season; the latest if left out.")] = None,
    cross: CrossOption = False,
    los: LosOption = False,
    form: FormatOption = TableFormat.TEXT,
    as_json: AsJson = False,
) -> None:
    """Show the standings of a season."""
    plain = wants_json(form, as_json)
    with Store(_database(file)) as store:
        row = store.find_season(season)
        pools = season_standings(store, row, cross=cross or los)
        if plain:
            print_json({"season": row.name, "tempo": row.tempo, "pools": [pool_json(pool) for pool in pools]})
            return
        if form in (TableFormat.TEXT, TableFormat.MARKDOWN):
            typer.echo(f"season {row.name!r}\n" if form is TableFormat.MARKDOWN else f"season {row.name!r}")
        show(pools, form, cross=cross, los=los)


@app.command("diff")
def diff(
    file: Database,
    run_number: Annotated[
        int | None, typer.Option("--run", help="Compare with this run; the one before if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the standings after the latest run with those after an earlier one."""
    with Store(_database(file)) as store:
        runs = store.runs()
        if len(runs) < 2:
            raise BadSetting(f"{store.path}: {len(runs)} run has ended; a comparison needs two")
        earlier = next((entry for entry in runs[1:] if run_number in (None, entry.id)), None)
        if earlier is None:
            listed = ", ".join(str(entry.id) for entry in runs[1:])
            raise BadSetting(f"--run {run_number}: the earlier runs are {listed}")
        changes = compare(store, earlier, runs[0])
        if as_json:
            listed_changes = [entry._asdict() for entry in changes]
            print_json({"from": earlier._asdict(), "to": runs[0]._asdict(), "changes": listed_changes})
            return
        typer.echo(f"run {earlier.id} ({earlier.ended}) -> run {runs[0].id} ({runs[0].ended})")
        columns = ("pool", "bot", "before", "after", "change", "low", "high", "shared")
        print_table("", columns, [_changed(entry) for entry in changes], left=2)
        typer.echo(
            "change: Elo against the opponents that played with the same build in both runs (shared), with its 95% "
            "interval; a new build is compared with the one before"
        )


def _changed(entry: NightChange) -> tuple[object, ...]:
    # Without an end the games tell nothing of a change: the number is what the prior makes of it.
    known = entry.change if entry.change_low is not None or entry.change_high is not None else None
    ends = [_end(end) for end in (known, entry.change_low, entry.change_high)]
    before = "new" if entry.before is None else _rated(entry.before, entry.before_low, entry.before_high)
    name = entry.player + (" (new build)" if entry.new_build else "")
    return entry.pool, name, before, _rated(entry.after, entry.low, entry.high), *ends, entry.opponents


def _rated(rating: float, low: float | None, high: float | None) -> str:
    """A published rating, or the one end of its interval that is known."""
    if (low is None) == (high is None):
        return f"{rating:.0f}"
    return f"at least {low:.0f}" if high is None else f"at most {high:.0f}"


def _regressions(store: Store, earlier: RunRow, later: int, watch: ladder_file.WatchRules) -> list[str]:
    """The watched bots that fell by more than the ladder file allows and by more than chance, in words."""
    run = next((entry for entry in store.runs() if entry.id == later), None)
    if run is None:
        return []
    changes = [entry for entry in compare(store, earlier, run) if entry.player in watch.bots]
    compared = sum(entry.change is not None for entry in changes)
    return [
        f"{entry.player} at {entry.pool}: {entry.change:+.0f} Elo "
        f"[{_end(entry.change_low)}, {_end(entry.change_high)}] against {entry.opponents} shared opponents "
        f"(allowed: -{watch.drop:g})"
        for entry in changes
        if entry.regressed(watch.drop, compared)
    ]


def _end(value: float | None) -> str:
    return "-" if value is None else f"{value:+.0f}"


@app.command("metadata")
def metadata(file: Database) -> None:
    """Print descriptions of tables and columns, and canned queries, for Datasette; its option --metadata reads them."""
    tables = json.loads(files("ladder.store").joinpath("datasette.json").read_text(encoding="utf-8"))
    tables["databases"] = {_database(file).stem: tables["databases"]["ladder"]}
    print_json(tables)
