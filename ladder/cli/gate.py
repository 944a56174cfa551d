"""`kumite gate`: is the new bot better than the old one?

Exit 0 accepted, 1 rejected or faulted, 2 inconclusive, 3 error.
"""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from ladder.arena.entrants import Entrant
from ladder.arena.gate.question import GateQuestion, ask, check_pair_seats
from ladder.arena.gate.report import as_json as described
from ladder.arena.gate.report import as_junit, conclusion, expectations, progress
from ladder.arena.gate.sequential_test import Answer, GateReport, decide
from ladder.arena.gate.set_scores import ScoreKind
from ladder.arena.workers import place_for
from ladder.cli.hosting import TrustOption, found
from ladder.cli.output import AsJson, LimitOption, VariantOption, limit_seconds, parse_variant, print_json
from ladder.cli.writable import check_file
from ladder.escaping import visible
from ladder.ratings.sprt import Model, SequentialDesign
from ladder.ratings.stopping import Stop
from ladder.times import seconds
from referee.kernel.errors import BadSetting, KumiteError
from referee.match.supervision import DECISION_SECONDS

CODES = {Answer.ACCEPTED: 0, Answer.REJECTED: 1, Answer.FAULTED: 1, Answer.INCONCLUSIVE: 2}
ERROR = 3
SEED_BYTES = 16
"""Bytes of a seed that no option names: bots know the ids of their matches, and must not find the seed by trying."""


MaxSetsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Inconclusive after so many sets; as many as 99% of such tests need if left out."),
]
ScoreOption = Annotated[
    ScoreKind | None,
    typer.Option(help="What a game counts; soft (how clear a win was) where its effect is known, else wins."),
]
BudgetOption = Annotated[
    str | None, typer.Option(help="Inconclusive after 90s, 10m, 2h; says which difference that resolves.")
]
PairOption = Annotated[
    bool, typer.Option("--pair", help="Two seats of every table hold the new bot; 4 or 5 seats, bots of this process.")
]
HtmlOption = Annotated[
    Path | None, typer.Option(help="Write the whole report as a page: one file for a browser, without a network.")
]
FaultsOption = Annotated[
    int, typer.Option(min=0, help="Faults of NEW that are tolerated; with one more it fails, however it plays.")
]


def gate(
    context: typer.Context,
    new: Annotated[str, typer.Argument(help="The candidate, by spec.")],
    old: Annotated[str, typer.Argument(help="The baseline, by spec.")],
    game: Annotated[str, typer.Option(help="The game.")],
    seats: Annotated[int, typer.Option(min=2, help="Seats at the table; all but one hold the old bot.")] = 2,
    pair: PairOption = False,
    variant: VariantOption = None,
    elo0: Annotated[float, typer.Option(help="Strength under H0, in Elo of wins.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="Strength under H1, in Elo of wins.")] = 30.0,
    model: Annotated[Model, typer.Option(help="Unit of the strengths.")] = Model.NORMALISED,
    alpha: Annotated[float, typer.Option(help="Chance to accept wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to reject wrongly.")] = 0.05,
    max_sets: MaxSetsOption = None,
    score: ScoreOption = None,
    stop: Annotated[Stop, typer.Option(help="The stopping rule; triangular has an end built in.")] = Stop.WALD,
    budget: BudgetOption = None,
    seed: Annotated[str | None, typer.Option(help="Fix the luck. It is as secret as the seed is.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0 plays in this one. All cores if left out.")
    ] = None,
    allow_faults: FaultsOption = 0,
    limit: LimitOption = None,
    junit: Annotated[Path | None, typer.Option(help="Write the answer as JUnit XML.")] = None,
    html: HtmlOption = None,
    trust: TrustOption = False,
    as_json: AsJson = False,
) -> None:
    """Test whether NEW is stronger than OLD, on sets of games, stopping as soon as the answer is known.

    The games of a set are one deal in every seat. With a bot of a folder that has no walls, each has its own deal.

    Bots whose every answer was the same are identical: accepted if H0 is below 0 (NEW not weaker), else inconclusive.

    A fault of NEW fails it (code 1), one of OLD ends the test (code 3). What bots print goes to standard error.
    """
    try:
        _check_files(junit, html)
        entrants = found((new, old), trust)
        question = ask(
            new,
            old,
            game,
            _design(elo0, elo1, model, alpha, beta, seats, pair=pair),
            variant=parse_variant(variant),
            seed=seed if seed is not None else f"gate-{secrets.token_hex(SEED_BYTES)}",
            max_sets=max_sets,
            score=score,
            stop=stop,
            budget=None if budget is None else _seconds(budget),
            allow_faults=allow_faults,
            limit=limit_seconds(limit, DECISION_SECONDS),
        )
        report = _decided(question, entrants, workers, quiet=as_json, keeps_records=html is not None)
    except (KumiteError, ValueError, OSError) as error:
        typer.echo(f"kumite: {visible(str(error))}", err=True)
        raise typer.Exit(ERROR) from None
    code = _say(report, as_json=as_json)
    _write_files(report, junit, html, context.obj)
    raise typer.Exit(code)


def _design(
    elo0: float, elo1: float, model: Model, alpha: float, beta: float, seats: int, *, pair: bool
) -> SequentialDesign:
    """The test, as many games to a set as seats; raises BadSetting if a pair of candidates has no table."""
    if pair:
        check_pair_seats(seats)
    return SequentialDesign(elo0, elo1, model, alpha, beta, seats, seats, candidates=2 if pair else 1)


def _decided(
    question: GateQuestion, entrants: list[Entrant], workers: int | None, *, quiet: bool, keeps_records: bool
) -> GateReport:
    """Play until there is an answer."""
    with place_for(entrants, os.cpu_count() or 1 if workers is None else workers) as place:
        return _watched(lambda told: decide(question, place, told, keeps_records=keeps_records), quiet=quiet)


def _check_files(junit: Path | None, html: Path | None) -> None:
    """Raise BadSetting before any set is played if a report could not be written."""
    for option, path in (("--junit", junit), ("--html", html)):
        if path is not None:
            check_file(option, path)
    if junit is not None and html is not None and junit.resolve() == html.resolve():
        raise BadSetting(f"--html {html}: --junit names the same file; name another")


def _write_files(report: GateReport, junit: Path | None, html: Path | None, typed: Sequence[str]) -> None:
    """Write what was asked for; the answer is printed by then, so that a full disk does not cost it."""
    if junit is not None:
        _write(junit, as_junit(report))
    if html is not None:
        # Loaded here: a test without a page does not wait for the template engine.
        from ladder.web.gate_page import gate_page

        page = gate_page(
            described(report),
            [found.record for found in report.worst],
            [found.record for found in report.best],
            written=datetime.now(UTC).isoformat(timespec="seconds"),
            typed=shlex.join(["kumite", *typed]),
        )
        _write(html, page)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        typer.echo(f"kumite: {visible(str(path))} cannot be written: {error.strerror or error}", err=True)
        raise typer.Exit(ERROR) from None


def _say(report: GateReport, *, as_json: bool) -> int:
    """Print the answer; returns the exit code."""
    if as_json:
        print_json(described(report))
    else:
        for line in conclusion(report):
            typer.echo(visible(line))
    code = CODES.get(report.answer or Answer.INCONCLUSIVE)
    if code is None:
        code = 0 if report.question.design.elo0 < 0 else CODES[Answer.INCONCLUSIVE]
    return code


def _seconds(text: str) -> float:
    found = seconds(text)
    if found is None or found <= 0.0:
        raise BadSetting(f"--budget {text!r}: write a time such as 90s, 10m or 2h")
    return found


def _watched(work: Callable[[Callable[[GateReport], None]], GateReport], *, quiet: bool) -> GateReport:
    """Show what the test is expected to cost, and the bar while it runs."""
    console = Console(stderr=True)
    if quiet:
        return work(lambda report: None)
    foretold: list[str] = []

    def foretell(report: GateReport) -> None:
        if not foretold:
            foretold.extend(expectations(report))
            for text in foretold:
                console.print(text, highlight=False, markup=False, soft_wrap=True)

    if console.is_terminal:
        with Live(console=console, refresh_per_second=4, transient=True) as live:

            def moved(report: GateReport) -> None:
                foretell(report)
                live.update(Text(progress(report)))

            return work(moved)
    shown = [0]

    def line(report: GateReport) -> None:
        foretell(report)
        if report.sets > 0 and report.sets >= 2 * shown[0]:
            shown[0] = report.sets
            console.print(progress(report), highlight=False, markup=False, soft_wrap=True)

    return work(line)
