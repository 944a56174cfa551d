"""`kumite web` and `kumite publish`: the pages of a ladder, served or as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.databases import existing_database
from referee.kernel.errors import BadSetting

DEFAULT_WEB = "127.0.0.1:8080"

TrustProxyOption = Annotated[
    bool,
    typer.Option(
        "--trust-proxy", help="A proxy stands before the pages: believe its X-Forwarded-For and X-Forwarded-Proto."
    ),
]
Database = Annotated[Path, typer.Argument(help="A ladder file, or the database itself.")]


def web(
    database: Database,
    bind: Annotated[str, typer.Option(help="HOST:PORT at which the pages are served.")] = DEFAULT_WEB,
    address: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where bots connect, for the command on the first page.")
    ] = "",
    trust_proxy: TrustProxyOption = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="Serve figures for Prometheus at /metrics.")] = False,
    inherited: Annotated[int | None, typer.Option(hidden=True, help="A listening socket of the parent.")] = None,
) -> None:
    """Serve the pages of a ladder: standings, matches, bots, events, games."""
    # Loaded here: other commands have no use for a web server.
    from ladder.web.server import Serving, serve_pages

    serve_pages(existing_database(database), bind, Serving(address, inherited, trust_proxy, metrics))


def publish(
    database: Database,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; files of an earlier run are renewed.")],
    address: Annotated[
        str,
        typer.Option(
            metavar="URL", help="Where the folder will stand: with Chromium, matches get pictures for link previews."
        ),
    ] = "",
) -> None:
    """Write the pages of a ladder as files that open from a disk or any file server; only what changed is written."""
    from ladder.web.publish import publish as write
    from ladder.web.reading.library import Library
    from ladder.web.site import Site

    if address and not address.startswith(("https://", "http://")):
        raise BadSetting(f"--address {address}: write a whole address, such as https://ladder.example.org/")
    done = write(Site(Library(existing_database(database))), folder, address=address)
    typer.echo(f"{done.written} files written, {done.same} as they were, {done.removed} removed")
    typer.echo(f"open {folder / 'index.html'}")
