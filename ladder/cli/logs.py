"""The log of a command on standard error: lines for people, or one JSON object for each line.

What is logged with `extra` fields keeps them; `FIELDS` names all that are ever written, so no other attribute of a
record can reach the log. Lines are printable and of bounded length, whatever bots have sent.

A log that cannot be written (its reader is gone or does not read, the disk is full) holds up nothing: lines are left
out until it can, and then one line says how many.
"""

from __future__ import annotations

import json
import logging
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer

from referee.match.policy import printable

FIELDS = (
    "match", "game", "bot", "build", "software", "seat", "seats", "ask", "code", "owner", "forfeits", "variant",
    "rated", "restored", "places", "endings", "faults", "resumed", "proven", "address", "tables", "seconds", "works",
    "kind", "count", "action", "actor", "subject", "pool", "until", "reason",
)  # fmt: skip
"""The fields of a line, in the order in which they are written."""
OURS = ("referee", "ladder", "bots")
"""The loggers whose level the option sets; those of libraries tell warnings."""
LONGEST_MESSAGE = 2000
LONGEST_FIELD = 400
"""Characters of a message and of a field; the rest is cut off."""
PORTION = select.PIPE_BUF
"""Bytes that a pipe takes at once if it takes any."""


class LogLevel(StrEnum):
    """From which level on lines are written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


LogJsonOption = Annotated[
    bool, typer.Option("--log-json", help="Write each line of the log on standard error as one JSON object.")
]
LogLevelOption = Annotated[LogLevel, typer.Option("--log-level", help="From which level on lines are logged.")]


@contextmanager
def logging_to_stderr(level: LogLevel, as_json: bool) -> Iterator[None]:
    """Write the log to standard error as long as the block runs."""
    number = logging.getLevelNamesMapping()[level.upper()]
    handler = LineHandler(JsonFormatter() if as_json else TextFormatter())
    handler.setLevel(number)
    root = logging.getLogger()
    loggers = [logging.getLogger(name) for name in OURS]
    before = [logger.level for logger in loggers]
    root.addHandler(handler)
    for logger in loggers:
        logger.setLevel(number)
    try:
        yield
    finally:
        root.removeHandler(handler)
        for logger, earlier in zip(loggers, before, strict=True):
            logger.setLevel(earlier)


def told_in_json(text: str) -> bool:
    """Write a line that is meant for people into the log, if that is JSON; False: print the line as it is."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LineHandler) and isinstance(handler.formatter, JsonFormatter):
            handler.emit(_record(logging.INFO, "command", text))
            return True
    return False


def event_of(record: logging.LogRecord) -> str:
    """What a line is about: as the record says, or the last part of its logger's name."""
    return str(getattr(record, "event", record.name.rpartition(".")[2]))


def fields_of(record: logging.LogRecord) -> dict[str, str | int | float | bool]:
    """The fields of a line; empty ones are left out, and foreign text is cut and made printable."""
    found: dict[str, str | int | float | bool] = {}
    given = record.__dict__
    for name in FIELDS:
        value = given.get(name, "")
        if isinstance(value, (bool, int, float)):
            found[name] = value
        elif value not in ("", None):
            found[name] = printable(str(value)[:LONGEST_FIELD])
    return found


def moment(record: logging.LogRecord) -> str:
    """When a line was written: ISO 8601 with milliseconds and the offset of this machine's time."""
    return datetime.fromtimestamp(record.created).astimezone().isoformat(timespec="milliseconds")


def message_of(record: logging.LogRecord) -> str:
    """The message of a line, printable and cut."""
    return printable(record.getMessage()[:LONGEST_MESSAGE])


class TextFormatter(logging.Formatter):
    """`TIME LEVEL EVENT: MESSAGE [FIELD=VALUE ...]`; a trace follows in lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and a trace where there is one."""
        fields = " ".join(f"{name}={_word(value)}" for name, value in fields_of(record).items())
        line = f"{moment(record)} {record.levelname.lower()} {event_of(record)}: {message_of(record)}"
        trace = "".join(f"\n{printable(part)}" for part in _trace(self, record).splitlines())
        return f"{line} [{fields}]{trace}" if fields else f"{line}{trace}"


class JsonFormatter(logging.Formatter):
    """One JSON object: time, level, event, message, the fields, and the trace where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, in ASCII."""
        line: dict[str, object] = {
            "time": moment(record),
            "level": record.levelname.lower(),
            "event": event_of(record),
            "message": message_of(record),
            **fields_of(record),
        }
        trace = _trace(self, record)
        return json.dumps({**line, "trace": trace} if trace else line)


def _word(value: str | float | bool) -> str:
    """A field's value without a space, or in quotes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text or set(text) & set(' "[]=\\') else text


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    return formatter.formatException(record.exc_info) if record.exc_info and record.exc_info[0] else ""


def _record(level: int, event: str, text: str) -> logging.LogRecord:
    record = logging.LogRecord(__name__, level, __file__, 0, "%s", (text,), None)
    record.event = event
    return record


class LineHandler(logging.Handler):
    """Writes lines to standard error, as it is at that moment, and never waits for its reader."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(formatter)
        self._lost = 0
        """Lines that could not be written since the last one that was."""
        self._torn = False
        """Whether the last line was written in part."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, if that is possible now."""
        try:
            text = self.format(record)
        except Exception:
            self.handleError(record)
            return
        if self._lost:
            lost = f"{self._lost} lines of the log could not be written"
            text = f"{self.format(_record(logging.WARNING, 'log', lost))}\n{text}"
        if self._put(f"{text}\n"):
            self._lost = 0
        else:
            self._lost += 1

    def _put(self, text: str) -> bool:
        stream, own = sys.stderr, sys.__stderr__
        try:
            if stream is None:
                return False
            if own is not None and stream is own:
                return self._put_bytes(own.fileno(), text.encode(errors="backslashreplace"))
            stream.write(text)
            stream.flush()
            return True
        except (OSError, ValueError):
            return False

    def _put_bytes(self, descriptor: int, data: bytes) -> bool:
        """Write to a descriptor as long as it takes something at once; False: not all of it."""
        data = b"\n" + data if self._torn else data
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        begun = False
        while data:
            if not any(events & select.POLLOUT for _, events in poll.poll(0)):
                self._torn = begun or self._torn
                return False
            written = os.write(descriptor, data[:PORTION])
            data = data[written:]
            begun = True
        self._torn = False
        return True
