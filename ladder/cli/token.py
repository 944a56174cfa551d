"""`kumite token`: who may play at a referee that keeps its entrants in a database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.output import AsJson, print_json
from ladder.store.database import Store
from ladder.store.tokens import ADMIN, ENTRANT
from ladder.terminal_tables import print_table
from referee.kernel.errors import BadSetting
from referee.transport.auth import bad_name
from referee.transport.limits import Limits

app = typer.Typer(no_args_is_help=True, help="Entrants and their tokens.", rich_markup_mode=None)

Database = Annotated[Path, typer.Option("--db", help="The database of the referee.")]
DEFAULT = Path("ladder.sqlite")


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="The entrant.")],
    db: Database = DEFAULT,
    owner: Annotated[
        str, typer.Option(help="Who stands behind the bot; bots of one owner share no table of three or more seats.")
    ] = "",
    replace: Annotated[bool, typer.Option("--replace", help="Revoke the token that the entrant has.")] = False,
    admin: Annotated[
        bool, typer.Option("--admin", help="For an organiser, to operate the referee from elsewhere; not to play.")
    ] = False,
) -> None:
    """Make a token for an entrant, or an organiser, and print it; it cannot be shown again."""
    if admin and owner:
        raise BadSetting("--owner and --admin exclude each other: an organiser plays no bot with this token")
    for text in (name, owner) if owner else (name,):
        wrong = bad_name(text, Limits().name_characters)
        if wrong is not None:
            raise BadSetting(wrong if text == name else f"--owner: {wrong}")
    with Store(db) as store:
        role = ADMIN if admin else ENTRANT
        typer.echo(store.new_token(name, owner=owner, role=role, replace=replace))


@app.command("list")
def listed(db: Database = DEFAULT, as_json: AsJson = False) -> None:
    """List who has a token."""
    with Store(_existing(db)) as store:
        rows = store.tokens()
    if as_json:
        print_json([row._asdict() for row in rows])
    else:
        lines = [(row.name, row.owner, row.role, row.created, row.revoked or "") for row in rows]
        print_table("", ("entrant", "owner", "role", "created", "revoked"), lines, left=5)


@app.command("revoke")
def revoke(name: Annotated[str, typer.Argument(help="The entrant.")], db: Database = DEFAULT) -> None:
    """Make all tokens of an entrant worthless."""
    with Store(_existing(db)) as store:
        count = store.revoke(name)
    typer.echo(f"{count} token{'' if count == 1 else 's'} of {name} revoked")


def _existing(path: Path) -> Path:
    if not path.is_file() or not path.stat().st_size:
        raise BadSetting(f"there is no database {path}; name it with --db, or begin one with kumite token new NAME")
    return path
