"""How commands talk: tables for people, JSON for programs, plain lines where there is no terminal.

Names, notes and messages of bots are foreign text: they are shown as they are, never read as markup, and signs that a
terminal would obey are shown escaped (`visible`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from ladder.escaping import shows
from referee.kernel.errors import BadSetting
from referee.match.clock import NO_CLOCK, SECOND, TimeControl

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]

VariantOption = Annotated[
    list[str] | None, typer.Option("--variant", "-v", metavar="KEY=VALUE", help="A rule setting; repeat for more.")
]


LimitOption = Annotated[
    str | None,
    typer.Option(
        "--limit", help="Most time for a decision in this process where no clock says it: 500ms, 30s, 2m, or none."
    ),
]


def limit_seconds(text: str | None, default: float | None = None) -> float | None:
    """The seconds of `--limit`; None: any time; raises BadSetting. `default` counts if the option is left out."""
    if text is None:
        return default
    if text == "none":
        return None
    try:
        clock = TimeControl.parse(text)
    except BadSetting:
        clock = NO_CLOCK
    if clock.unlimited or clock.increment or clock.cap:
        raise BadSetting(f"--limit {text[:40]!r}: write a time such as 500ms, 30s or 2m, or none")
    return clock.bank / SECOND


def print_json(value: object) -> None:
    """Print a value as indented JSON; signs that do not show are escaped in the way of JSON."""
    typer.echo(_json(value))


def print_json_item(value: object, number: int | None) -> None:
    """Print a value as the item of that number of a list whose end is yet to be printed; None: on its own."""
    if number is not None:
        typer.echo("," if number else "[")
    typer.echo(_json(value), nl=number is None)


def _json(value: object) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    # Line feeds are the layout's own: JSON has escaped all others.
    if not text.replace("\n", "").isprintable():
        text = "".join(sign if sign == "\n" or shows(sign) else json.dumps(sign)[1:-1] for sign in text)
    return text


def parse_variant(settings: Sequence[str] | None) -> dict[str, str]:
    """The settings of repeated `--variant key=value` options."""
    variant: dict[str, str] = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals or not key or not value:
            raise BadSetting(f"--variant {setting!r} is not of the form key=value")
        if key in variant:
            raise BadSetting(f"--variant {key} is given twice")
        variant[key] = value
    return variant
