"""A report as a sheet: one grid of cells for the terminal, for CSV and for Markdown.

Swiss events and knockouts have a column for each round; a round robin of two seats has one for each opponent, in the
order of the standings. A cell of two seats names the line of the opponent: `+3` won, `=3` level, `-3` lost against the
bot of line 3; `f` behind it: without play, because a bot did not come. With several matches at a table, and with more
seats, it is the score: `3:1.5`, `2/4` (second of four).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction

from ladder.config.event_rules import EventFormat
from ladder.events.report import EventReport, cross
from ladder.events.state import EventRound, RoundTable

NO_CELL = ""
UNKNOWN = "?"


def columns(report: EventReport) -> list[str]:
    """The heads of the grid."""
    event = report.event
    if _is_matrix(report):
        middle = [str(line) for line in range(1, len(report.standings) + 1)]
    else:
        middle = [f"R{found.number}" for found in event.rounds]
    ends = [] if event.rules.format is EventFormat.KNOCKOUT else ["points", "direct", "Buchholz", "Sonneborn-Berger"]
    return ["rank", "line", "bot", *middle, *ends, "seed", "out"]


def rows(report: EventReport) -> list[list[str]]:
    """The cells of the grid, a row for each bot, best first."""
    event = report.event
    reasons = {entrant.name: entrant.reason for entrant in event.entrants}
    found = []
    for line, standing in enumerate(report.standings, 1):
        name = standing.name
        ends = [standing.points, standing.direct, standing.buchholz, standing.sonneborn_berger]
        tail = [] if event.rules.format is EventFormat.KNOCKOUT else [_figure(value) for value in ends]
        cells = _against(report, name) if _is_matrix(report) else [_cell(report, each, name) for each in event.rounds]
        found.append([str(standing.rank), str(line), name, *cells, *tail, str(standing.seed), reasons[name]])
    return found


def _is_matrix(report: EventReport) -> bool:
    return report.event.rules.format is EventFormat.ROUND_ROBIN and report.event.rules.seats == 2


def _against(report: EventReport, name: str) -> list[str]:
    """The row of a bot in the cross table of a round robin."""
    table = cross(report.event)
    cells = []
    for standing in report.standings:
        met = table[name].get(standing.name)
        cells.append("x" if standing.name == name else NO_CELL if met is None else _figure(met[0]))
    return cells


def _cell(report: EventReport, found: EventRound, name: str) -> str:
    table = found.table(name)
    if table is not None:
        return _played(report, table, name)
    if name in found.byes:
        return "bye"
    return "missed" if name in found.missed else NO_CELL


def _played(report: EventReport, table: RoundTable, name: str) -> str:
    lines = report.ranks
    others = " ".join(str(lines[other]) for other in table.bots if other != name)
    if not table.over:
        return f"{UNKNOWN}{others}"
    forfeit = "f" if all(game.absent is not None for game in table.games) else ""
    if len(table.bots) == 2 and len(table.games) == 1:
        score = table.score(name)
        sign = "+" if score > Fraction(1, 2) else "-" if score < Fraction(1, 2) else "="
        return f"{sign}{others}{forfeit}"
    if len(table.bots) == 2:
        return f"{others}:{_figure(table.total(name))}{forfeit}"
    if len(table.games) == 1 and not forfeit:
        (game,) = table.games
        place = UNKNOWN if game.places is None else str(game.places[game.players.index(name)])
        return f"{place}/{len(table.bots)}"
    return f"{_figure(table.score(name))}{forfeit}"


def _figure(value: Fraction) -> str:
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def title(report: EventReport) -> str:
    """The head line of a sheet."""
    rules = report.event.rules
    kind = {EventFormat.SWISS: "Swiss", EventFormat.ROUND_ROBIN: "round robin", EventFormat.KNOCKOUT: "knockout"}[
        rules.format
    ]
    return f"{report.name}: {kind}, {report.game}, tables of {rules.seats}, {len(report.standings)} entrants"


def verdict(report: EventReport) -> str:
    """The last line of a sheet."""
    played = len(report.event.rounds)
    if report.winner is not None:
        return f"winner: {report.winner}"
    if report.over:
        return "over without a winner"
    if report.event.state == "waiting":
        return "not begun"
    return f"round {played} is played" + (" (paused)" if report.event.paused else "")


def as_csv(report: EventReport) -> str:
    """The grid as CSV, with a head line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns(report))
    writer.writerows(rows(report))
    return text.getvalue()


def as_markdown(report: EventReport) -> str:
    """The sheet as Markdown."""
    head = columns(report)
    lines = [f"# {title(report)}", "", _line(head), _line(["---"] * len(head))]
    lines += [_line(row) for row in rows(report)]
    return "\n".join([*lines, "", f"**{verdict(report)}**", ""])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
