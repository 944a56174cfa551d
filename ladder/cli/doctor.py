"""`kumite doctor`: which walls this machine has for hosted bots, what is missing, and what installs or allows it."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.output import AsJson, print_json
from ladder.terminal_tables import print_table
from referee.hosting.doctor import Wall, examine

MISSING = 1
"""Exit code where something that hosting needs is missing."""


def doctor(
    drill: Annotated[
        bool, typer.Option("--drill", help="Host a bot that tries to break out, and show what became of it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Try every wall that hosted bots stand behind; code 0 if all that are required stand, 1 if not."""
    walls: list[Wall] = []
    for wall in examine():
        walls.append(wall)
        if not as_json:
            _tell(wall)
    sound = all(wall.works for wall in walls if wall.required)
    attempts: list[tuple[str, bool, str]] = []
    if drill and sound:
        # Loaded here: it brings the referee.
        from ladder.arena.sandbox_drill import run_drill

        attempts = run_drill()
    elif drill and not as_json:
        typer.echo("the drill bot is not started: it needs all the walls that are required")
    got = [name for name, denied, _ in attempts if not denied]
    if as_json:
        found = {"sound": sound and not got, "walls": [wall.to_plain() for wall in walls]}
        if drill:
            found["drill"] = [{"attempt": name, "denied": denied, "how": how} for name, denied, how in attempts]
        print_json(found)
    elif attempts:
        rows = [(name.replace("_", " "), "denied" if denied else "GOT", how) for name, denied, how in attempts]
        print_table(f"{len(attempts)} attempts to break out", ("attempt", "", ""), rows, left=3)
    if not as_json:
        _conclude(sound, got)
    if not sound or got:
        raise typer.Exit(MISSING)


def _tell(wall: Wall) -> None:
    word = "ok" if wall.works else "MISSING" if wall.required else "weak"
    typer.echo(f"{wall.name:11} {word:8} {wall.found}")
    if not wall.works and wall.remedy:
        typer.echo(f"{'':20} {wall.remedy}")


def _conclude(sound: bool, got: list[str]) -> None:
    if got:
        typer.echo(f"the drill bot got through: {', '.join(got)}")
    elif sound:
        typer.echo("bots of strangers can be hosted here")
    else:
        typer.echo("bots of folders are refused here without --trust (or KUMITE_TRUST=1, or [hosting] trust = true)")
