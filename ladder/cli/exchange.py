"""`kumite export` and `kumite import`: finished matches from one referee's database into another's."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Annotated, TypeVar

import typer

from ladder.cli.databases import BotOption, PoolOption, SinceOption, existing_database, selection
from ladder.cli.live_count import live_count
from ladder.cli.output import AsJson, print_json
from ladder.cli.writable import check_file
from ladder.escaping import visible
from ladder.exchange import table_files
from ladder.exchange.exporting import Export
from ladder.exchange.importing import Import, NamePolicy, Taken
from ladder.exchange.table_files import DataFormat
from ladder.exchange.table_schema import DataTable, columns
from ladder.exchange.tables import TableExport
from ladder.seasons.published_standings import pool_name
from ladder.store.database import Store
from ladder.store.host_key import key_path
from referee.kernel.errors import BadSetting

T = TypeVar("T")

NO_PROOF = (
    "every record holds by the rules and its secret; a record cannot prove who sat where,",
    "so names and builds are the word of the referee that wrote the file",
)


def export(
    db: Annotated[Path, typer.Argument(metavar="DB", help="The database, or the ladder file that names it.")],
    bot: BotOption = None,
    pool: PoolOption = None,
    since: SinceOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write to this file; standard output if left out.")
    ] = None,
    table: Annotated[
        DataTable | None, typer.Option("--table", help="Write this table in place of records; see docs/data.md.")
    ] = None,
    form: Annotated[
        DataFormat, typer.Option("--format", help="The format of the table; parquet needs the extra kumite[data].")
    ] = DataFormat.JSONL,
    views: Annotated[
        bool, typer.Option("--views", help="With --table decisions: add what the seat knew at each decision.")
    ] = False,
) -> None:
    """Write the matches of a database that are over as JSON lines, for `kumite import`; a referee may be running.

    Running matches, and duplicate sets that are not over, are left out. With --table one table for statistics and
    learning is written, with the names under which bots are shown; docs/data.md describes its columns.
    """
    _check_table(table, form, views, out, since)
    source = existing_database(db)
    if out is not None:
        check_file("--out", out, replaced=True)
        if out.exists() and out.samefile(source):
            raise BadSetting(f"--out {out}: that is the database itself; name another file")
    with Store(source) as store, store.explained():
        wanted = selection(store, bot=bot, pool=pool, since=since)
        work: Export | TableExport
        if table is None:
            work = export = Export(store)
            _write(out, lambda file: file.writelines(export.lines(wanted)))
            told = _count(work.matches, "match", "matches")
        else:
            work = tables = TableExport(store, views=views)
            rows = tables.table(table, wanted)
            count = _write(out, lambda file: table_files.write(file, form, columns(table, views=views), rows))
            of = "" if table is DataTable.RATINGS else f" of {_count(work.matches, 'match', 'matches')}"
            told = f"{_count(count, 'row', 'rows')}{of}"
    left_out = work.left_out()
    place = "" if out is None else f" to {out}"
    typer.echo(visible(f"exported {told}{place}{f'; left out: {left_out}' if left_out else ''}"), err=True)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _check_table(table: DataTable | None, form: DataFormat, views: bool, out: Path | None, since: str | None) -> None:
    """Raise BadSetting for options that do not fit each other."""
    if table is None and form is not DataFormat.JSONL:
        raise BadSetting(f"--format {form} is for tables, and records are JSON lines: add --table {DataTable.MATCHES}")
    if views and table is not DataTable.DECISIONS:
        raise BadSetting("--views is for decisions: add --table decisions")
    if since is not None and table is DataTable.RATINGS:
        raise BadSetting("--since goes by the end of a match, and ratings are those of now: leave it out")
    if out is None and form is DataFormat.PARQUET:
        raise BadSetting("--format parquet is no text: name a file with --out FILE")
    table_files.check(form)


def _write(out: Path | None, fill: Callable[[IO[bytes]], T]) -> T:
    """Write to a file, or to standard output (None); returns what `fill` returns."""
    if out is not None:
        return _write_file(out, fill)
    found = fill(sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return found


def _write_file(path: Path, fill: Callable[[IO[bytes]], T]) -> T:
    """Write a file: complete under its name, or not there. A pipe or device is written to, not replaced."""
    replaced = not path.exists() or path.is_file()
    part = path.with_name(f"{path.name}.{os.getpid()}.part") if replaced else path
    try:
        with part.open("wb") as file:
            found = fill(file)
        if replaced:
            part.replace(path)
        return found
    except OSError as error:
        raise BadSetting(f"--out {path}: cannot be written: {error.strerror or error}; nothing was exported") from None
    finally:
        if replaced:
            part.unlink(missing_ok=True)


def import_(
    db: Annotated[Path, typer.Argument(metavar="DB", help="The database; made if there is none.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files that `kumite export` wrote.")],
    merge: Annotated[
        bool, typer.Option("--merge", help="Bots of the files are the same as those of equal names here.")
    ] = False,
    prefix: Annotated[
        str, typer.Option("--prefix", help="Put this before the names of the files' bots: they are others.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Take matches of other referees into a database: all of them, each verified, or nothing; then rate them.

    A match that is there already is passed over. A record proves that rules and luck were kept, and
    cannot prove who sat where: names and builds are the word of the referee that wrote the file, so import only from
    referees you trust.
    """
    if db.suffix == ".toml":
        raise BadSetting(f"{db}: name the database itself")
    for path in files:
        if not path.exists():
            raise BadSetting(f"{path}: there is no such file; kumite export DB --out FILE writes one")
    with _removed_if_vain(db), Store(db) as store, store.explained():
        store.lock()
        with live_count("verified {} matches") as told:
            taken = Import(store, files, NamePolicy(prefix, merge), told).run()
    _report(db, taken, as_json)


@contextmanager
def _removed_if_vain(db: Path) -> Iterator[None]:
    """Leave no database behind where there was none and nothing could be imported."""
    new = not db.exists()
    key_is_new = new and not key_path(db).exists()
    try:
        yield
    except BaseException:
        if new:
            for path in (db, *(Path(f"{db}{end}") for end in ("-wal", "-shm", ".lock"))):
                with suppress(OSError):
                    path.unlink()
        if key_is_new:
            with suppress(OSError):
                key_path(db).unlink()
        raise


def _report(db: Path, taken: Taken, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "imported": taken.imported,
                "known": taken.known,
                "referees": taken.referees,
                "pools": [{"season": season.name, "pool": pool_name(pool)} for season, pool in taken.pools],
                "note": " ".join(NO_PROOF),
            }
        )
        return
    known = f"; {taken.known} were there already" if taken.known else ""
    noun = "match" if taken.imported == 1 else "matches"
    typer.echo(visible(f"imported {taken.imported} {noun} into {db}{known}"))
    if taken.imported:
        typer.echo(visible(f"played by referee {', '.join(taken.referees)}"))
        for line in NO_PROOF:
            typer.echo(line)
    for season, pool in taken.pools:
        typer.echo(visible(f"rated anew: season {season.name!r}, {pool_name(pool)}"))
    if taken.pools:
        typer.echo(visible(f"next: kumite ladder standings {db}"))
