"""Tables on a terminal, for commands and benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ladder.escaping import visible


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, left: int = 1) -> None:
    """Print a table; the first `left` columns are aligned to the left, the numbers behind them to the right."""
    if title:
        print(title)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if index < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(visible(str(cell))) for cell in row))
    # Wider than any table: cells are never cut or folded; a terminal wraps what does not fit.
    Console(width=1000).print(table)
