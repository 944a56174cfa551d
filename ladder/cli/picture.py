"""`kumite picture`: one position of a match as a picture."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.record_sources import reach
from ladder.cli.replay import check
from referee.kernel.errors import BadSetting
from referee.match.record import Record

ENDINGS = (".svg", ".png")


class FrameName(StrEnum):
    """The shapes in which a board is drawn."""

    WIDE = "wide"
    NARROW = "narrow"


class ThemeName(StrEnum):
    """The two sets of colours."""

    LIGHT = "light"
    DARK = "dark"


def picture(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A record, or DB:MATCH.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The picture: a name that ends with .svg or .png.")],
    step: Annotated[int | None, typer.Option(help="The step that is shown; the last one unless given.")] = None,
    seat: Annotated[int | None, typer.Option(help="As this seat saw the board; the public unless given.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="With what every seat saw, hidden things included.")
    ] = False,
    frame: Annotated[FrameName, typer.Option(help="For a screen or for a phone.")] = FrameName.WIDE,
    theme: Annotated[ThemeName, typer.Option(help="The colours.")] = ThemeName.LIGHT,
) -> None:
    """Draw one position of a match as a picture, with Chromium."""
    from ladder.viewer.replay_file import replay_file
    from ladder.web.pictures.camera import Shot, camera

    if out.suffix not in ENDINGS:
        raise BadSetting(f"{out}: a picture's name ends with {' or '.join(ENDINGS)}")
    if everything and seat is not None:
        raise BadSetting("--all shows what every seat saw, so --seat cannot stand beside it")
    record = _single(match)
    check(record)
    last = len(record.steps) - 1
    if step is not None and not 0 <= step <= last:
        raise BadSetting(f"--step {step}: the steps of this match are 0 to {last}")
    seats = len(record.header.players)
    if seat is not None and not 0 <= seat < seats:
        raise BadSetting(f"--seat {seat}: the seats of this match are 0 to {seats - 1}")
    if not record.finished and (everything or seat is not None):
        raise BadSetting("the match is not over: only what the public saw can be shown, so leave --seat and --all out")
    viewer = "all" if everything else "public" if seat is None else seat
    shot = Shot(last if step is None else step, viewer, frame.value, theme.value)
    with camera() as found:
        file = replay_file(record)
        content = found.svg(file, shot).encode() if out.suffix == ".svg" else found.png(file, shot)
    out.write_bytes(content)
    typer.echo(f"{out}: step {shot.step} of {last}, {len(content) / 1000:.0f} KB")


def _single(match: str) -> Record:
    """The one record that an argument names."""
    with reach(match) as reached:
        if reached.many:
            raise BadSetting(f"{match}: name one match: a record, or DB:MATCH")
        return next(reached.found).read()
