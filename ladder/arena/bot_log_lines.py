"""The log of a hosted bot as lines that are safe to show, whatever bytes the bot wrote."""

from __future__ import annotations

from ladder.escaping import visible
from ladder.store.records import BotLog


def log_lines(log: BotLog) -> list[str]:
    """The lines of a log, with one that says how many bytes are left out where there are such."""
    lines = shown_lines(log.first)
    if log.left_out:
        lines += [f"[{log.left_out} bytes left out]", *shown_lines(log.last)]
    return lines


def shown_lines(part: bytes) -> list[str]:
    """The lines of a part; control characters and bytes that are no UTF-8 become `\\x1b`, tabs become spaces."""
    return [visible(line.expandtabs()) for line in log_text(part).split("\n")] if part else []


def log_text(part: bytes) -> str:
    """A part as text with line feeds alone for line ends; bytes that are no UTF-8 become `\\xff`."""
    return part.decode("utf-8", "backslashreplace").replace("\r\n", "\n").removesuffix("\n")
