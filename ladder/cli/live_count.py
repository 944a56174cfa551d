"""A number on the terminal that grows while a command works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live


@contextmanager
def live_count(text: str) -> Iterator[Callable[[int], None]]:
    """Shows on a terminal how far a command is; says nothing elsewhere. `{}` in `text` stands for the number."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda count: None
        return
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        yield lambda count: live.update(text.format(count))
