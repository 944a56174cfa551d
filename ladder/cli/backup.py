"""`kumite backup`: a copy of a database and its host's key, made while the referee runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.databases import existing_database
from ladder.cli.output import AsJson, print_json
from ladder.cli.writable import make_folder
from ladder.store.backup import back_up


def backup(
    db: Annotated[Path, typer.Argument(metavar="DB", help="The database, or the ladder file that names it.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder without a copy of it; made if missing.")],
    as_json: AsJson = False,
) -> None:
    """Copy a database and its host's key into a folder; a referee may be running.

    To go on from a backup, put both files back under their names while no referee runs, without -wal and -shm files of
    the old database, and start the referee again.
    """
    source = existing_database(db)
    copies = back_up(source, make_folder("DIR", folder, mode=0o700))
    if as_json:
        print_json({"database": str(copies.database), "key": None if copies.key is None else str(copies.key)})
        return
    typer.echo(f"database: {copies.database}")
    typer.echo(f"key: {copies.key}" if copies.key is not None else "key: none, for nothing is sealed in it yet")
