"""`kumite event`: an evening's tournament at a running referee, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from google.protobuf.json_format import MessageToDict

from ladder.cli.admin_address import DEFAULT, database
from ladder.cli.output import AsJson, print_json
from ladder.escaping import visible
from ladder.serving.admin_client import WAIT, connected
from ladder.terminal_tables import print_table
from referee.kernel.errors import BadSetting
from referee.v1 import admin_pb2 as pb

if TYPE_CHECKING:
    from ladder.events.report import EventReport
    from referee.v1.admin_pb2_grpc import AdminServiceStub

app = typer.Typer(no_args_is_help=True, help="An event at a running referee.", rich_markup_mode=None)

Database = Annotated[Path, typer.Option("--db", help="The database of the referee, or the event's ladder file.")]
STATES = {pb.EVENT_STATE_WAITING: "not begun", pb.EVENT_STATE_RUNNING: "running", pb.EVENT_STATE_OVER: "over"}


def _tell(db: Path, as_json: bool, act: Callable[[AdminServiceStub], pb.EventStatus]) -> None:
    """Let the referee of a database act on its event, and show the event after it."""
    with connected(database(db)) as admin:
        _show(act(admin), as_json)


@app.command("status")
def status(db: Database = DEFAULT, as_json: AsJson = False) -> None:
    """Show who is there, who plays whom, and who is out."""
    _tell(db, as_json, lambda admin: admin.GetEvent(pb.GetEventRequest(), timeout=WAIT).event)


@app.command("start")
def start(db: Database = DEFAULT, as_json: AsJson = False) -> None:
    """Begin now, with those who have checked in."""
    _tell(db, as_json, lambda admin: admin.StartEvent(pb.StartEventRequest(), timeout=WAIT).event)


@app.command("pause")
def pause(db: Database = DEFAULT, as_json: AsJson = False) -> None:
    """Open no further table until it goes on; open ones are played to their end."""
    _tell(db, as_json, lambda admin: admin.PauseEvent(pb.PauseEventRequest(), timeout=WAIT).event)


@app.command("resume")
def resume(db: Database = DEFAULT, as_json: AsJson = False) -> None:
    """Go on after a pause."""
    _tell(db, as_json, lambda admin: admin.ResumeEvent(pb.ResumeEventRequest(), timeout=WAIT).event)


@app.command("withdraw")
def withdraw(
    name: Annotated[str, typer.Argument(help="The entrant.")], db: Database = DEFAULT, as_json: AsJson = False
) -> None:
    """Take an entrant out: its open table is played on, the rest is forfeited."""
    _tell(db, as_json, lambda admin: admin.WithdrawEntrant(pb.WithdrawEntrantRequest(name=name), timeout=WAIT).event)


@app.command("report")
def show_report(
    db: Database = DEFAULT,
    season: Annotated[str | None, typer.Option(help="The event's season; the latest if left out.")] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
) -> None:
    """Show the cross table, the tie-breaks and the winner; works whether a referee is running or not."""
    if as_json + as_csv + as_markdown > 1:
        raise BadSetting("--json, --csv and --markdown exclude each other: choose one")
    from ladder.events import report_grid
    from ladder.events.report import plain, report
    from ladder.store.database import Store

    with Store(database(db)) as store:
        found = report(store, season)
    if as_json:
        print_json(plain(found))
    elif as_csv:
        typer.echo(visible_lines(report_grid.as_csv(found)), nl=False)
    elif as_markdown:
        typer.echo(visible_lines(report_grid.as_markdown(found)), nl=False)
    else:
        print_sheet(found)


def visible_lines(text: str) -> str:
    """A text whose lines are safe to show on a terminal."""
    return "".join(f"{visible(line)}\n" for line in text.splitlines())


def print_sheet(found: EventReport) -> None:
    """Print a report for people."""
    from ladder.events import report_grid

    print_table(report_grid.title(found), report_grid.columns(found), report_grid.rows(found), left=3)
    typer.echo(visible(report_grid.verdict(found)))


def _show(event: pb.EventStatus, as_json: bool) -> None:
    if as_json:
        print_json(MessageToDict(event, preserving_proto_field_name=True, always_print_fields_with_no_presence=True))
        return
    state = STATES.get(event.state, "unknown") + (", paused" if event.paused else "")
    rounds = f", round {event.round} of {event.rounds or '?'}" if event.round else f", starts: {event.start}"
    typer.echo(visible(f"{event.name}: {event.format}, {event.game}, tables of {event.seats}: {state}{rounds}"))
    lines = [
        (
            entrant.seed,
            entrant.name,
            "here" if entrant.present else "away",
            "yes" if entrant.checked_in else "no",
            f"{entrant.points:g}",
            entrant.out,
        )
        for entrant in event.entrants
    ]
    print_table("", ("seed", "bot", "now", "checked in", "points", "out"), lines, left=4)
    if event.tables or event.byes:
        tables = [(" - ".join(table.bots), f"{table.games_over} of {table.games} over") for table in event.tables]
        tables += [(name, "bye") for name in event.byes]
        print_table(f"\nround {event.round}", ("table", ""), tables, left=2)
