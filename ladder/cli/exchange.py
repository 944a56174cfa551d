"""`kumite export` and `kumite import`: finished matches from one referee's database into another's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.databases import BotOption, PoolOption, SinceOption, existing_database, selection
from ladder.cli.live_count import live_count
from ladder.cli.output import AsJson, print_json
from ladder.cli.writable import check_file
from ladder.escaping import visible
from ladder.exchange.exporting import Export
from ladder.exchange.importing import Import, NamePolicy, Taken
from ladder.seasons.published_standings import pool_name
from ladder.store.database import Store
from ladder.store.host_key import key_path
from referee.kernel.errors import BadSetting

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
) -> None:
    """Write the matches of a database that are over as JSON lines, for `kumite import`; a referee may be running.

    Running matches, and duplicate sets that are not over, are left out.
    """
    source = existing_database(db)
    if out is not None:
        check_file("--out", out, replaced=True)
        if out.exists() and out.samefile(source):
            raise BadSetting(f"--out {out}: that is the database itself; name another file")
    with Store(source) as store, store.explained():
        work = Export(store)
        lines = work.lines(selection(store, bot=bot, pool=pool, since=since))
        if out is None:
            for line in lines:
                sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        else:
            _write(out, lines)
    left_out = work.left_out()
    noun = "match" if work.matches == 1 else "matches"
    place = "" if out is None else f" to {out}"
    typer.echo(
        visible(f"exported {work.matches} {noun}{place}{f'; left out: {left_out}' if left_out else ''}"), err=True
    )


def _write(path: Path, lines: Iterator[bytes]) -> None:
    """Write a file: complete under its name, or not there. A pipe or device is written to, not replaced."""
    replaced = not path.exists() or path.is_file()
    part = path.with_name(f"{path.name}.{os.getpid()}.part") if replaced else path
    try:
        with part.open("wb") as file:
            file.writelines(lines)
        if replaced:
            part.replace(path)
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
