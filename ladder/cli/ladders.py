"""`kumite ladder`: play a season, see where it stands, and compare two nights."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from ladder import config
from ladder.cli.output import AsJson, print_json, print_table, visible
from ladder.entrants import find
from ladder.rows import PoolRow, RatingRow
from ladder.season import Progress, Season
from ladder.store import Store
from ladder.workers import Workers, cluster, in_process, local_processes
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting

QUIET_SECONDS = 5.0
"""Between two lines of progress where there is no terminal."""

app = typer.Typer(no_args_is_help=True, help="Rated seasons between bots.", rich_markup_mode=None)

LadderFile = Annotated[Path, typer.Argument(help="The ladder file, TOML.")]
Database = Annotated[Path, typer.Argument(help="A ladder file, or the database itself.")]


def add_to(parent: typer.Typer) -> None:
    """Register the group of commands."""
    parent.add_typer(app, name="ladder")


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
    as_json: AsJson = False,
) -> None:
    """Play a season, or go on with it, until it is complete or the budget is used up.

    Ends with code 1 if a watched bot regressed, with code 2 if matches could not be played.
    """
    ladder = config.read(file)
    seconds = None if time_budget is None else _seconds(time_budget)
    if workers is not None and cluster_address is not None:
        raise BadSetting("--workers and --cluster exclude each other: local processes or a cluster")
    if cluster_address is not None and not cluster_address.strip():
        raise BadSetting("--cluster: name the address of a Dask scheduler, such as tcp://127.0.0.1:8786")
    secret = secrets.token_bytes(32) if seed is None else secret_from_seed(f"season/{ladder.season}/{seed}")
    with Store(ladder.database) as store:
        store.lock()
        season = Season(ladder, store, secret, lambda spec: find(spec).digest())
        before = store.runs()[:1]
        started = time.monotonic()
        run_id = store.begin_run(season.row.id)
        with _stoppable() as stopped, _place(workers, cluster_address) as place:

            def until(progress: Progress) -> bool:
                late = seconds is not None and time.monotonic() - started >= seconds
                enough = matches is not None and progress.played >= matches
                return late or enough or stopped()

            with _display(season, started, seconds, quiet=as_json) as told:
                progress = season.run(place, until=until, told=told)
        reason = "complete" if progress.complete else "stopped"
        store.end_run(run_id, progress.played, reason)
        _report(store, season, progress, time.monotonic() - started, as_json)
        for line in progress.given_up:
            typer.echo(line, err=True)
        regressions = (
            [] if not before or ladder.watch is None else _regressions(store, before[0].id, run_id, ladder.watch)
        )
        for line in regressions:
            typer.echo(f"regressed: {line}", err=True)
        if regressions:
            raise typer.Exit(1)
        if progress.given_up:
            raise typer.Exit(2)


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)", text)
    if found is None:
        raise BadSetting(f"--for {text!r}: write a time such as 90s, 30m or 8h")
    return float(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


def _place(workers: int | None, address: str | None) -> Workers:
    if address is not None:
        return cluster(address)
    count = os.cpu_count() or 1 if workers is None else workers
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
def _display(
    season: Season, started: float, seconds: float | None, *, quiet: bool
) -> Iterator[Callable[[Progress], None]]:
    """Shows how a run is going: a live table on a terminal, a line now and then elsewhere."""
    console = Console(stderr=True)
    if quiet:
        yield lambda progress: None
    elif console.is_terminal:
        with Live(console=console, refresh_per_second=4, transient=True) as live:
            yield lambda progress: live.update(_live(season, progress, started, seconds))
    else:
        last = [started]

        def line(progress: Progress) -> None:
            if time.monotonic() - last[0] >= QUIET_SECONDS:
                last[0] = time.monotonic()
                console.print(_summary(progress, started, seconds), highlight=False, markup=False)

        yield line


def _summary(progress: Progress, started: float, seconds: float | None) -> str:
    spent = max(time.monotonic() - started, 1e-9)
    left = "" if seconds is None else f", {max(0.0, seconds - spent):.0f} s left"
    return f"{progress.played} matches, {progress.played / spent:.1f} per second{left}"


def _live(season: Season, progress: Progress, started: float, seconds: float | None) -> Grid:
    grid = Grid(title=Text(_summary(progress, started, seconds)), title_justify="left", box=None)
    for column in ("pool", "leader", "elo", "games"):
        grid.add_column(column)
    for _, row in season.pools:
        table = progress.tables.get(row.id)
        best = table.rows()[:1] if table is not None else []
        if best:
            grid.add_row(Text(pool_name(row)), Text(visible(best[0].player)), f"{best[0].elo:+.0f}", str(best[0].games))
        else:
            grid.add_row(Text(pool_name(row)), "", "", "")
    return grid


def pool_name(row: PoolRow) -> str:
    """A pool in words: game, seats, and the settings that differ from nothing in particular."""
    settings = ", ".join(f"{key} {value}" for key, value in sorted(row.variant.items()))
    return f"{row.game}, {row.seats} seats" + (f" ({settings})" if settings else "")


def _report(store: Store, season: Season, progress: Progress, spent: float, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "season": season.row.name,
                "matches": progress.played,
                "complete": progress.complete,
                "seconds": round(spent, 3),
                "given_up": progress.given_up,
                "pools": [_pool_json(row, store.ratings(row.id)) for _, row in season.pools],
            }
        )
        return
    for _, row in season.pools:
        _show(row, store.ratings(row.id))
    state = "complete" if progress.complete else "to be continued: run the same command again"
    typer.echo(f"\n{progress.played} matches in {spent:.1f} s; season {season.row.name!r} is {state}")
    typer.echo(f"database: {store.path}")
    typer.echo(f"next: kumite ladder standings {store.path}; kumite ladder diff {store.path}; datasette {store.path}")


def _pool_json(row: PoolRow, ratings: list[RatingRow]) -> dict[str, object]:
    return {
        "game": row.game,
        "seats": row.seats,
        "variant": row.variant,
        "players": [rating._asdict() for rating in ratings],
    }


def _show(row: PoolRow, ratings: list[RatingRow]) -> None:
    lines = [
        (
            place,
            entry.player,
            f"{entry.elo:+.0f}",
            f"{entry.low:+.0f}" if entry.low is not None else "?",
            f"{entry.high:+.0f}" if entry.high is not None else "?",
            f"{entry.live:.0f}",
            entry.games,
            f"{entry.points:.1f}",
        )
        for place, entry in enumerate(ratings, 1)
    ]
    print_table(f"\n{pool_name(row)}", ("", "bot", "elo", "low", "high", "live", "games", "points"), lines, left=2)


def _database(path: Path) -> Path:
    """The database that a ladder file names, or the file itself."""
    if path.suffix == ".toml":
        return config.read(path).database
    if not path.exists():
        raise BadSetting(f"{path}: there is no such file; name a ladder file or its database")
    if path.is_dir() or not path.stat().st_size:
        raise BadSetting(f"{path}: that is no database; name a ladder file or its database")
    return path


@app.command("standings")
def standings(
    file: Database,
    season: Annotated[str | None, typer.Option(help="The season; the latest if left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the standings of a season."""
    with Store(_database(file)) as store:
        row = store.find_season(season)
        pools = store.pools(row.id)
        if as_json:
            print_json({"season": row.name, "pools": [_pool_json(pool, store.ratings(pool.id)) for pool in pools]})
            return
        typer.echo(f"season {row.name!r}")
        for pool in pools:
            _show(pool, store.ratings(pool.id))


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
        changes = _changes(store, earlier.id, runs[0].id)
        if as_json:
            print_json({"from": earlier._asdict(), "to": runs[0]._asdict(), "changes": changes})
            return
        typer.echo(f"run {earlier.id} ({earlier.ended}) -> run {runs[0].id} ({runs[0].ended})")
        rows = [
            (
                entry["pool"],
                entry["player"],
                _signed(entry["before"]),
                _signed(entry["after"]),
                _signed(entry["change"]),
            )
            for entry in changes
        ]
        print_table("", ("pool", "bot", "before", "after", "change"), rows, left=2)


def _signed(value: object) -> str:
    return f"{value:+.0f}" if isinstance(value, float) else "new" if value is None else str(value)


def _changes(store: Store, earlier: int, later: int) -> list[dict[str, object]]:
    before, after = store.run_standings(earlier), store.run_standings(later)
    changes: list[dict[str, object]] = []
    for key, (elo, low, high) in after.items():
        game, seats, variant, player = key
        old = before.get(key)
        changes.append(
            {
                "pool": f"{game}/{seats}",
                "variant": variant,
                "player": player,
                "before": None if old is None else old[0],
                "after": elo,
                "low": low,
                "high": high,
                "change": None if old is None else elo - old[0],
            }
        )
    return changes


def _regressions(store: Store, earlier: int, later: int, watch: config.Watch) -> list[str]:
    """The watched bots that fell by more than the ladder file allows, in words."""
    found = []
    for entry in _changes(store, earlier, later):
        change = entry["change"]
        if entry["player"] in watch.bots and isinstance(change, float) and change < -watch.drop:
            found.append(f"{entry['player']} at {entry['pool']}: {change:+.0f} Elo (allowed: -{watch.drop:g})")
    return found


@app.command("metadata")
def metadata(file: Database) -> None:
    """Print canned queries for Datasette; its option --metadata reads them."""
    tables = json.loads(files("ladder").joinpath("datasette.json").read_text(encoding="utf-8"))
    tables["databases"] = {_database(file).stem: tables["databases"]["ladder"]}
    print_json(tables)
