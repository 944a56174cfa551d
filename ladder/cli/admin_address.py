"""How commands reach a running referee: by its database on this machine, or by its address with an admin token."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from ladder.cli.token_file import token_in
from ladder.serving.admin_client import RemoteReferee, connected
from referee.kernel.errors import BadSetting

Place: TypeAlias = Path | RemoteReferee
"""Where a referee is: its database, or its address."""

TOKEN = "KUMITE_ADMIN_TOKEN"
DEFAULT = Path("ladder.sqlite")

OPTIONS: dict[str, Any] = {
    "db": Annotated[
        Path | None,
        typer.Option(help="The database of a referee on this machine, or its ladder file. ladder.sqlite if left out."),
    ],
    "address": Annotated[str | None, typer.Option(help="host:port of a referee elsewhere; needs a token and TLS.")],
    "token_file": Annotated[
        Path | None, typer.Option(help=f"File whose first line is the admin token; {TOKEN} if left out.")
    ],
    "tls": Annotated[bool, typer.Option("--tls", help="Trust the authorities of this system.")],
    "tls_ca": Annotated[Path | None, typer.Option(help="Trust this certificate authority, PEM.")],
}
UNSET = {"db": None, "address": None, "token_file": None, "tls": False, "tls_ca": None}


def reaching(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say where the referee is; its first argument is the referee's admin service."""

    @wraps(command)
    def wrapped(**values: Any) -> None:
        options = {name: values.pop(name) for name in OPTIONS}
        with connected(_place(**options)) as admin:
            command(admin, **values)

    found = inspect.signature(command, eval_str=True)
    own = list(found.parameters.values())[1:]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=UNSET[name], annotation=kind)
        for name, kind in OPTIONS.items()
    ]
    ordered = sorted([*own, *added], key=lambda parameter: parameter.kind)
    wrapped.__signature__ = found.replace(parameters=ordered)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    del wrapped.__wrapped__
    return wrapped


def _place(*, db: Path | None, address: str | None, token_file: Path | None, tls: bool, tls_ca: Path | None) -> Place:
    if address is None:
        if token_file or tls or tls_ca:
            raise BadSetting("--token-file, --tls and --tls-ca are for a referee elsewhere: name it with --address")
        return database(db or DEFAULT)
    if db is not None:
        raise BadSetting("--db and --address exclude each other: a referee on this machine, or one elsewhere")
    token = os.environ.get(TOKEN, "")
    if token_file is not None:
        wrong = f"--token-file {token_file}: the token must stand in its first line"
        token = token_in(token_file, wrong)
        if not token.isascii() or not token.isprintable():
            raise BadSetting(wrong)
    if not token:
        raise BadSetting(
            f"a referee elsewhere wants an admin token: put it into a file and name that with --token-file, or into "
            f"{TOKEN} (kumite token new NAME --admin makes one)"
        )
    return RemoteReferee(address, token, tls_ca or tls or None)


def database(path: Path) -> Path:
    """The database that a ladder file names, or the file itself."""
    found = path
    if path.suffix == ".toml":
        from ladder.config import ladder_file  # here: it loads much that few calls need

        found = ladder_file.read(path).database
    if not found.is_file() or not found.stat().st_size:
        raise BadSetting(f"there is no database {found}; name the file of the running referee with --db")
    return found
