"""`kumite check`: drills a bot step by step, and shows the exact message at which it broke."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bots.client import MOST_TABLES
from ladder.arena.entrants import REMOTE, find
from ladder.check.examination import Options, examine, subject
from ladder.check.outcomes import CheckReport, DrillOutcome, DrillStatus
from ladder.check.transcript import Transcript
from ladder.cli.hosting import TrustOption, host
from ladder.cli.output import AsJson, print_json
from ladder.cli.writable import check_file
from ladder.escaping import visible
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from referee.transport.server import DEFAULT_BIND

SHOWN = 400
"""Characters of a message that the terminal shows; JSON and transcript have it whole."""
WORDS = {DrillStatus.PASSED: "ok", DrillStatus.FAILED: "FAILED", DrillStatus.SKIPPED: "skipped"}


def check(
    bot: Annotated[
        str, typer.Argument(help="greedy, py:module:Class, a folder with a bot.toml, or remote:NAME that you start.")
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(help="Added to the bot's command; write them behind --.", metavar="[-- ARG...]"),
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Try only this game; repeat for more.")] = None,
    clock: Annotated[str, typer.Option(help="Of the matches in which the clock is not what matters.")] = "10s+100ms/5s",
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds for what no clock of a match limits.")] = 20.0,
    tables: Annotated[
        int, typer.Option(min=1, max=MOST_TABLES, help="Tables at a time, for bots of this program.")
    ] = 4,
    bind: Annotated[str, typer.Option(help="Where a remote bot finds the checker: host:port or unix:/path.")] = (
        DEFAULT_BIND
    ),
    wait: Annotated[float, typer.Option(min=1, help="Seconds to wait for a remote bot.")] = 300.0,
    stop: Annotated[bool, typer.Option("--stop", help="Stop at the first failure.")] = False,
    transcript: Annotated[Path | None, typer.Option(help="Write everything that was said to this file.")] = None,
    trust: TrustOption = False,
    as_json: AsJson = False,
) -> None:
    """Drill a bot with a scripted referee; code 0 if it passes every step, 1 if one fails."""
    control = TimeControl.parse(clock)
    if control.unlimited:
        raise BadSetting("--clock none: a match without a clock is a step of its own; give the others one")
    if transcript is not None:
        check_file("--transcript", transcript)
    host([] if bot.startswith(REMOTE) else [find(bot)], trust)
    said = Transcript()
    options = Options(
        games=tuple(game or ()),
        clock=control,
        patience=patience,
        tables=tables,
        arguments=tuple(arguments or ()),
        bind=bind,
        wait=wait,
        stop=stop,
        tell=(lambda outcome: None) if as_json else _tell,
        call=_call,
    )
    try:
        report = examine(subject(bot, options), options, said)
    finally:
        if transcript is not None:
            transcript.write_text("\n".join(map(visible, said.text().split("\n"))), encoding="utf-8")
    if as_json:
        print_json(report.to_plain())
    else:
        _conclude(report, transcript)
    if not report.passed:
        raise typer.Exit(1)


def _call(name: str, address: str) -> None:
    typer.echo(f"waiting for {name}: start it now, with KUMITE_ADDRESS={address} KUMITE_NAME={name}", err=True)


def _tell(outcome: DrillOutcome) -> None:
    typer.echo(f"{outcome.number:3} {outcome.title:38} {WORDS[outcome.status]:8} {visible(outcome.remark)}")
    for message in outcome.messages:
        shown = message if len(message) <= SHOWN else message[:SHOWN] + "..."
        typer.echo(f"      {outcome.broke}: {visible(shown)}")
    for line in outcome.output.splitlines():
        typer.echo(f"      | {visible(line)}")


def _conclude(report: CheckReport, transcript: Path | None) -> None:
    failed, skipped = report.count(DrillStatus.FAILED), report.count(DrillStatus.SKIPPED)
    parts = [f"{report.count(DrillStatus.PASSED)} passed"]
    parts += [f"{skipped} skipped"] if skipped else []
    parts += [f"{failed} failed"] if failed else []
    typer.echo(f"{visible(report.bot)}: {', '.join(parts)}")
    if failed and len(report.outcomes) == 1:
        typer.echo("without a good handshake the other steps cannot be tried")
    if failed and transcript is None:
        typer.echo("--transcript FILE keeps everything that was said", err=True)
