"""`kumite gate`: is the new bot better than the old one? Exit 0 accepted, 1 rejected, 2 inconclusive, 3 error."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from ladder.cli.output import AsJson, VariantOption, parse_variant, print_json
from ladder.cli.trusting import TrustOption, take_settings
from ladder.entrants import find
from ladder.gate import Answer, Report, ask, decide
from ladder.gate_report import as_json as described
from ladder.gate_report import as_junit, conclusion, progress
from ladder.ratings.sprt import Design, Model
from ladder.workers import in_process, local_processes
from referee.kernel.errors import BadSetting, KumiteError

CODES = {Answer.ACCEPTED: 0, Answer.REJECTED: 1, Answer.INCONCLUSIVE: 2}
ERROR = 3
SEED_BYTES = 16
"""Of a seed that nobody named: bots are told the ids of their matches, and must not find the seed by trying."""


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("gate")(gate)


def gate(
    new: Annotated[str, typer.Argument(help="The candidate, by spec.")],
    old: Annotated[str, typer.Argument(help="The baseline, by spec.")],
    game: Annotated[str, typer.Option(help="The game.")],
    seats: Annotated[int, typer.Option(min=2, help="Seats at the table; all but one hold the old bot.")] = 2,
    variant: VariantOption = None,
    elo0: Annotated[float, typer.Option(help="Strength under H0.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="Strength under H1.")] = 10.0,
    model: Annotated[Model, typer.Option(help="Unit of the strengths.")] = Model.NORMALISED,
    alpha: Annotated[float, typer.Option(help="Chance to accept wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to reject wrongly.")] = 0.05,
    max_sets: Annotated[int, typer.Option(min=1, help="Inconclusive after so many sets.")] = 2000,
    seed: Annotated[str | None, typer.Option(help="Fix the luck. It is as secret as the seed is.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0 plays in this one. All cores if left out.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write the answer as JUnit XML.")] = None,
    trust: TrustOption = False,
    as_json: AsJson = False,
) -> None:
    """Test whether NEW is stronger than OLD, on sets of games, stopping as soon as the answer is known.

    The games of a set are one deal in every seat. If a bot is a process of its own, each game has its own deal.

    Two bots that play alike are accepted if H0 is below 0 (NEW is not weaker) and inconclusive otherwise.
    """
    try:
        if junit is not None and (junit.is_dir() or not junit.parent.is_dir()):
            raise BadSetting(f"--junit {junit}: that is no file in a folder that exists")
        take_settings(trust, [find(new), find(old)])
        design = Design(elo0, elo1, model, alpha, beta, seats, seats)
        question = ask(
            new,
            old,
            game,
            design,
            variant=parse_variant(variant),
            seed=seed if seed is not None else f"gate-{secrets.token_hex(SEED_BYTES)}",
            max_sets=max_sets,
        )
        count = os.cpu_count() or 1 if workers is None else workers
        with local_processes(count) if count > 1 else in_process() as place:
            report = _watched(lambda told: decide(question, place, told), quiet=as_json)
        if junit is not None:
            junit.write_text(as_junit(report), encoding="utf-8")
    except (KumiteError, ValueError, OSError) as error:
        typer.echo(f"kumite: {error}", err=True)
        raise typer.Exit(ERROR) from None
    if as_json:
        print_json(described(report))
    else:
        for line in conclusion(report):
            typer.echo(line)
    code = CODES.get(report.answer or Answer.INCONCLUSIVE)
    if code is None:
        code = 0 if elo0 < 0 else CODES[Answer.INCONCLUSIVE]
    raise typer.Exit(code)


def _watched(work: Callable[[Callable[[Report], None]], Report], *, quiet: bool) -> Report:
    """Show the bar while the test runs."""
    console = Console(stderr=True)
    if quiet:
        return work(lambda report: None)
    if console.is_terminal:
        with Live(console=console, refresh_per_second=4, transient=True) as live:
            return work(lambda report: live.update(Text(progress(report))))
    shown = [0]

    def line(report: Report) -> None:
        if report.sets > 0 and report.sets >= 2 * shown[0]:
            shown[0] = report.sets
            console.print(progress(report), highlight=False, markup=False, soft_wrap=True)

    return work(line)
