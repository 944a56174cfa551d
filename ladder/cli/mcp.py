"""`kumite mcp`: a language model at a referee, as a server of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bots import tls as security
from bots.address import check, is_loopback
from bots.client import ADDRESS
from ladder.cli.token_file import token_in
from ladder.web.listening import address_of, listening
from referee.kernel.errors import BadSetting
from referee.transport.auth import bad_name
from referee.transport.limits import Limits

NAME = "model"


def mcp(
    address: Annotated[
        str, typer.Option(envvar="KUMITE_ADDRESS", help="host:port or unix:/path of the referee.")
    ] = ADDRESS,
    token_file: Annotated[
        Path | None, typer.Option(help="File whose first line is the token; default: the variable KUMITE_TOKEN.")
    ] = None,
    token: Annotated[str | None, typer.Option(envvar="KUMITE_TOKEN", hidden=True)] = None,
    http: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Serve clients over streamable HTTP there, instead of over stdio."),
    ] = None,
    name: Annotated[
        str,
        typer.Option(
            envvar="KUMITE_NAME",
            help="Name at the referee, where no token decides it; further clients are NAME-2, NAME-3.",
        ),
    ] = NAME,
    tls: Annotated[bool, typer.Option("--tls", help="Use TLS and trust the authorities of this system.")] = False,
    tls_ca: Annotated[Path | None, typer.Option(help="Use TLS and trust this certificate authority, PEM.")] = None,
) -> None:
    """Let a language model play at a referee: a server of the Model Context Protocol, over stdio or HTTP.

    The model gets the tools rules, join, wait, answer, look, result and leave; each client is a bot of its own. Needs
    the extra llm: pip install 'kumite[llm]'.
    """
    try:
        from ladder.mcp.seat import Entry
        from ladder.mcp.seats import ModelSeats
        from ladder.mcp.server import mcp_server, serve_http, serve_stdio
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise BadSetting("kumite mcp needs the extra llm: pip install 'kumite[llm]'") from None
    if token_file is not None:
        token = token_in(token_file, f"--token-file {token_file}: its first line is empty; the token must stand there")
    wrong = bad_name(name, Limits().name_characters)
    if wrong is not None:
        raise BadSetting(f"--name: {wrong}")
    check(address, token)
    trust = security.trust(address, tls_ca or tls or None)
    seats = ModelSeats(Entry(address, "" if token else name, token or None, trust))
    if http is None:
        serve_stdio(mcp_server(seats), seats)
        return
    address_of(http)
    if not is_loopback(http):
        typer.echo(f"kumite: warning: every program that reaches {http} plays as your bot; no login is asked", err=True)
    serve_http(mcp_server(seats), seats, listening(http, "tools"))
