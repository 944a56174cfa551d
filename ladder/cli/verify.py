"""`kumite verify`: prove that recorded matches were played by the rules."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.output import AsJson, print_json
from ladder.cli.record_sources import Found, reach
from ladder.escaping import visible
from ladder.store.matches import SealedRecord
from referee.kernel.errors import BadRecord
from referee.match.verify import verify as verified

SHORT = 16
"""Digits of a hash that are shown to people."""


def verify(
    records: Annotated[
        list[str], typer.Argument(help="Records, folders of records, databases, or DB:MATCH: a match in a database.")
    ],
    as_json: AsJson = False,
) -> None:
    """Recompute recorded matches from their revealed secrets; exit code 1 if one does not hold.

    A record that holds is one that rules and secret allow. Who played, and that a match without a result had to be
    stopped, only the referee knew: compare the last hash with one that was published elsewhere. Matches of a database
    that are not over are left out.
    """
    verdicts: list[dict[str, object]] = []
    count = broken = 0
    for target in records:
        with reach(target) as reached:
            for found in reached.found:
                verdict = _verdict(found)
                count += 1
                broken += not verdict["holds"]
                if as_json:
                    verdicts.append(verdict)
                else:
                    _say(verdict)
            reached.report()
    if as_json:
        print_json(verdicts)
    elif count > 1:
        typer.echo(f"{count - broken} of {count} records hold")
    if broken:
        raise typer.Exit(1)


def _say(verdict: dict[str, object]) -> None:
    text = str(verdict["message"])
    if verdict["holds"]:
        text = (
            f"holds: {verdict['steps']} steps, luck, result and hashes agree; "
            f"the last hash begins with {str(verdict['hash'])[:SHORT]}"
        )
    typer.echo(visible(f"{verdict['record']}: {text}"), err=not verdict["holds"])


def _verdict(found: Found) -> dict[str, object]:
    """What is to be said about one record."""
    steps = last = None
    message = "holds"
    try:
        entry = found.read()
        verified(entry)
        steps, last = len(entry.steps), entry.hashes[-1]
    except (BadRecord, SealedRecord) as error:
        message = str(error).removeprefix(f"{found.name}: ")
    return {"record": found.name, "holds": last is not None, "steps": steps, "hash": last, "message": message}
