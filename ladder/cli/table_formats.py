"""Tables in the form that was asked for: text, Markdown, CSV, HTML; and cross tables as such."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple

import typer

from ladder.escaping import visible
from ladder.seasons.cross_table import CrossTable
from ladder.terminal_tables import print_table
from referee.kernel.errors import BadSetting


class TableFormat(StrEnum):
    """How tables are printed."""

    TEXT = "text"
    MARKDOWN = "md"
    CSV = "csv"
    HTML = "html"
    JSON = "json"


FormatOption = Annotated[TableFormat, typer.Option("--format", help="How the tables are printed.")]
CrossOption = Annotated[bool, typer.Option("--cross", help="Add the results of every pair: wins-draws-losses.")]
LosOption = Annotated[bool, typer.Option("--los", help="Add the chance that one is stronger than the other, in %.")]


class Sheet(NamedTuple):
    """A table with its title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    left: int = 2
    """So many columns are aligned to the left."""


def wants_json(form: TableFormat, as_json: bool) -> bool:
    """Whether JSON was asked for, in either way; raises BadSetting if two forms were."""
    if as_json and form not in (TableFormat.TEXT, TableFormat.JSON):
        raise BadSetting(f"--json and --format {form} exclude each other")
    return as_json or form is TableFormat.JSON


def print_sheets(sheets: Sequence[Sheet], notes: Sequence[str], form: TableFormat) -> None:
    """Print tables, then the sentences that say what is in them; CSV is the tables alone."""
    if form is TableFormat.HTML:
        typer.echo(_html(sheets, notes))
        return
    for sheet in sheets:
        if form is TableFormat.TEXT:
            print_table(sheet.title, sheet.columns, sheet.rows, left=sheet.left)
        elif form is TableFormat.MARKDOWN:
            typer.echo(_markdown(sheet))
        else:
            typer.echo(_csv(sheet))
    for note in notes if form is not TableFormat.CSV else ():
        typer.echo(note)


def _markdown(sheet: Sheet) -> str:
    def line(cells: Sequence[object]) -> str:
        return f"| {' | '.join(visible(str(cell)).replace('|', chr(92) + '|') for cell in cells)} |"

    marks = [":---" if at < sheet.left else "---:" for at in range(len(sheet.columns))]
    title = [f"**{visible(sheet.title.strip())}**", ""] if sheet.title.strip() else []
    return "\n".join([*title, line(sheet.columns), line(marks), *map(line, sheet.rows), ""])


def _csv(sheet: Sheet) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["pool", *sheet.columns])
    writer.writerows([[sheet.title.strip(), *row] for row in sheet.rows])
    return text.getvalue().rstrip("\n")


def _html(sheets: Sequence[Sheet], notes: Sequence[str]) -> str:
    def cells(tag: str, row: Sequence[object]) -> str:
        return "".join(f"<{tag}>{html.escape(visible(str(cell)))}</{tag}>" for cell in row)

    parts = ['<!doctype html><meta charset="utf-8"><title>standings</title>']
    for sheet in sheets:
        caption = f"<caption>{html.escape(visible(sheet.title.strip()))}</caption>"
        rows = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in sheet.rows)
        parts.append(
            f"<table>{caption}<thead><tr>{cells('th', sheet.columns)}</tr></thead>\n<tbody>{rows}</tbody></table>"
        )
    parts += [f"<p>{html.escape(visible(note.strip()))}</p>" for note in notes]
    return "\n".join(parts)


def cross_sheets(title: str, table: CrossTable, *, cross: bool, los: bool) -> list[Sheet]:
    """The pairs of a pool as tables: results, superiority, or both."""
    sheets = []
    columns = ("player", *table.players)
    if cross:
        rows = [
            (
                name,
                *(
                    "" if name == other else "-".join(map(str, cell))
                    for other, cell in zip(table.players, row, strict=True)
                ),
            )
            for name, row in zip(table.players, table.results, strict=True)
        ]
        sheets.append(Sheet(f"{title}: wins-draws-losses of the row against the column", columns, rows, 1))
    if los:
        rows = [
            (name, *("" if chance is None else f"{100.0 * chance:.1f}" for chance in row))
            for name, row in zip(table.players, table.superiority, strict=True)
        ]
        sheets.append(Sheet(f"{title}: % that the row is stronger than the column", columns, rows, 1))
    return sheets


def cross_json(table: CrossTable) -> dict[str, object]:
    """The pairs of a pool for a program."""
    return {
        "players": list(table.players),
        "results": [[list(cell) for cell in row] for row in table.results],
        "superiority": [list(row) for row in table.superiority],
    }
