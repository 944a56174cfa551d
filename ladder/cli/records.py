"""`kumite replay` and `kumite verify`: look into a recorded match, and prove that it was played by the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.output import AsJson, print_json
from referee.kernel.errors import BadRecord, BadSetting
from referee.kernel.game import TABLE, Event
from referee.match import files
from referee.match.record import Record
from referee.match.replay import replay as replayed
from referee.match.verify import verify as verified


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("replay")(replay)
    app.command("verify")(verify)


def replay(
    record: Annotated[Path, typer.Argument(help="A file that `kumite match --record` or the referee wrote.")],
    seat: Annotated[int | None, typer.Option(help="Only what this seat was told.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell a recorded match step by step, in full or as one seat saw it."""
    entry = files.read(record)
    if seat is not None and not 0 <= seat < len(entry.header.players):
        raise BadSetting(f"--seat {seat}: the seats of this match are 0 to {len(entry.header.players) - 1}")
    steps = []
    for moment in replayed(entry):
        shown = [event for event in moment.events if _audible(event, seat)]
        steps.append((moment.step, shown))
    if as_json:
        print_json(
            [
                {
                    "step": step.n,
                    "at_us": step.at,
                    "answers": {str(key): value for key, value in step.answers.items()} if seat is None else {},
                    "notes": {str(key): value for key, value in step.notes.items() if seat in (None, key)},
                    "events": [_plain(event) for event in events],
                }
                for step, events in steps
            ]
        )
        return
    typer.echo(f"{entry.header.game}: {', '.join(entry.header.players)} (match {entry.header.match})")
    for step, events in steps:
        typer.echo(f"step {step.n}, {step.at / 1e6:.3f} s")
        for event in events:
            typer.echo(f"  {sentence(event, entry.header.players)}")
        for key, note in step.notes.items():
            if seat in (None, key):
                typer.echo(f"  note of {entry.header.players[key]}: {note}")
    _conclude(entry)


def _conclude(entry: Record) -> None:
    if entry.final is None:
        typer.echo("unfinished: the record ends here")
    elif entry.final.result is None:
        typer.echo(f"stopped without a result: {entry.final.endings[0].message}")
    else:
        result = entry.final.result
        names = [*entry.header.players, *result.automata]
        ranking = sorted(zip(result.places, names, result.points, strict=True))
        typer.echo("result: " + ", ".join(f"{place}. {name} ({points})" for place, name, points in ranking))


def verify(
    records: Annotated[list[Path], typer.Argument(help="Records to check.")],
    as_json: AsJson = False,
) -> None:
    """Recompute recorded matches from their revealed secrets; exit code 1 if one does not hold."""
    verdicts = []
    for path in records:
        try:
            entry = files.read(path)
            verified(entry)
            verdicts.append({"record": str(path), "holds": True, "steps": len(entry.steps), "message": "holds"})
        except BadRecord as error:
            verdicts.append({"record": str(path), "holds": False, "steps": None, "message": str(error)})
    if as_json:
        print_json(verdicts)
    else:
        for verdict in verdicts:
            text = str(verdict["message"]).removeprefix(f"{verdict['record']}: ")
            if verdict["holds"]:
                text = f"holds: {verdict['steps']} steps, luck, result and hashes agree"
            typer.echo(f"{verdict['record']}: {text}", err=not verdict["holds"])
    if not all(verdict["holds"] for verdict in verdicts):
        raise typer.Exit(1)


def _audible(event: Event, seat: int | None) -> bool:
    return seat is None or event.audience is None or seat in event.audience


def _plain(event: Event) -> dict[str, object]:
    return {
        "verb": str(event.verb),
        "seat": event.seat,
        "subject": event.subject,
        "items": list(event.items),
        "amount": event.amount,
        "audience": None if event.audience is None else list(event.audience),
    }


def sentence(event: Event, players: tuple[str, ...]) -> str:
    """An event in words: who, what, how many, which."""
    who = "the table" if event.seat == TABLE else f"seat {event.seat} ({players[event.seat]})"
    amount = f" {event.amount}" if event.amount else ""
    items = f": {' '.join(map(str, event.items))}" if event.items else ""
    secret = "" if event.audience is None else f"  [told to seat {', '.join(map(str, event.audience))}]"
    return f"{who} {event.verb}{amount} {event.subject}{items}{secret}"
