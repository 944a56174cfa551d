"""An exception of a bot in words: one line for records and messages, a trace for the bot's author.

The line is `TypeName: message (file:line)`, with the name of the author's file and not its path: records hold the line,
and it travels to referees. The trace shows paths, so it goes only to the terminal or the log of the side on which the
bot ran.
"""

from __future__ import annotations

import dis
import sysconfig
import traceback
from pathlib import Path
from types import TracebackType

LINE_LIMIT = 500
"""Characters of an exception's own text that are looked at."""
TRACE_LIMIT = 8_000
"""Characters of a trace that are kept, from its end, where the innermost calls are."""
TRACE_CALLS = 40
"""Innermost calls that a trace shows."""

_OURS = tuple(f"{Path(__file__).resolve().parents[2] / package}/" for package in ("bots", "referee", "ladder"))
_SYSTEM = tuple(f"{sysconfig.get_path(name)}/" for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_RAISE = dis.opmap["RAISE_VARARGS"]


def described(error: BaseException) -> str:
    """An exception in one line, even if its own class cannot print itself: `ValueError: no card (mybot.py:12)`."""
    name = type(error).__name__
    try:
        text = " ".join(str(error)[:LINE_LIMIT].split())
    except Exception:  # the class is the bot's own
        text = ""
    where = _author_line(error)
    return f"{name}{f': {text}' if text else ''}{f' ({where})' if where else ''}"


def trace(error: BaseException) -> str:
    """The trace of an exception from the author's first call on, bounded."""
    begin = error.__traceback__
    while begin is not None and begin.tb_next is not None and begin.tb_frame.f_code.co_filename.startswith(_OURS):
        begin = begin.tb_next
    try:
        shown = traceback.TracebackException(type(error), error, begin or error.__traceback__, limit=-TRACE_CALLS)
        text = "".join(shown.format(chain=True)).rstrip()
    except Exception:  # the class is the bot's own
        text = type(error).__name__
    return text if len(text) <= TRACE_LIMIT else f"...{text[-TRACE_LIMIT:]}"


def raised_by_code(error: BaseException) -> bool:
    """Whether a `raise` made the exception; False: a signal such as Ctrl-C made it, or compiled code."""
    last = _innermost(error.__traceback__)
    return last is not None and last.tb_frame.f_code.co_code[last.tb_lasti] == _RAISE


def _innermost(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace


def _author_line(error: BaseException) -> str:
    """File and line of the innermost call in code that is neither Kumite's nor Python's; empty if there is none."""
    found = ""
    step = error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if not file.startswith((*_OURS, *_SYSTEM, "<frozen ")):
            found = f"{Path(file).name}:{step.tb_lineno}"
        step = step.tb_next
    return found
