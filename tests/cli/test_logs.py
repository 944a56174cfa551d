"""The log on standard error: printable lines with their fields, JSON on request, and never a reason to wait."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from ladder.cli import run
from ladder.cli.logs import FIELDS, JsonFormatter, LogLevel, TextFormatter, logging_to_stderr, told_in_json

ROOT = Path(__file__).parents[2]


def record(text: str = "ann is here", **fields: object) -> logging.LogRecord:
    """A line of the log."""
    found = logging.LogRecord("referee.transport.log_lines", logging.INFO, "x.py", 1, text, (), None)
    found.__dict__.update(fields)
    return found


def test_a_line_has_time_level_event_message_and_fields() -> None:
    """Fields in a fixed order; a value with a space is quoted."""
    line = TextFormatter().format(record(event="connect", seat=0, software="clever 2", bot="ann", proven=True))
    moment, rest = line.split(" ", 1)

    assert datetime.fromisoformat(moment).utcoffset() is not None
    assert rest == 'info connect: ann is here [bot=ann software="clever 2" seat=0 proven=yes]'


def test_a_line_of_json_has_the_same() -> None:
    """One object in one line of ASCII; numbers and truth values stay what they are."""
    text = JsonFormatter().format(record("grüße\n", event="seat", match="m1", seat=0, rated=False))
    found = json.loads(text)

    assert text.isascii()
    assert datetime.fromisoformat(found.pop("time")).utcoffset() is not None
    assert found == {
        "level": "info",
        "event": "seat",
        "message": "gr\\xfc\\xdfe\\n",
        "match": "m1",
        "seat": 0,
        "rated": False,
    }


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_only_named_fields_are_written(formatter: logging.Formatter) -> None:
    """An attribute that is not on the list stays out, whatever a caller puts there."""
    line = formatter.format(
        record(event="connect", token="t0ken", view="hand", resume_token="r", secret=b"s", bot="ann")
    )

    assert "ann" in line
    assert not any(word in line for word in ("t0ken", "hand", "secret", "resume"))
    assert not {"token", "secret", "view", "options", "hand", "note", "seed", "resume_token"} & set(FIELDS)


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_foreign_text_is_one_bounded_printable_line(formatter: logging.Formatter) -> None:
    """Signs that a terminal obeys are escaped, and the rest of a long text is cut off."""
    line = formatter.format(record("\x1b[2J\nevil\u202e" + "x" * 100_000, bot="\x1b\r" + "y" * 100_000))

    assert line.isprintable()
    assert len(line) < 5000
    assert "evil" in line


def test_a_line_without_an_event_is_named_by_its_logger() -> None:
    """The last part: `referee.admin` tells of acts of the organiser."""
    found = record("kick ann by root")
    found.name = "referee.admin"

    assert " info admin: kick ann by root" in TextFormatter().format(found)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_trace_is_kept(as_json: bool) -> None:
    """In a field of its own, or in lines below."""
    try:
        raise ValueError("boom")
    except ValueError:
        found = record("the referee failed")
        found.exc_info = sys.exc_info()
    text = (JsonFormatter() if as_json else TextFormatter()).format(found)

    assert (json.loads(text)["trace"] if as_json else text).splitlines()[-1] == "ValueError: boom"


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (LogLevel.DEBUG, ["debug", "info", "warning", "error"]),
        (LogLevel.INFO, ["info", "warning", "error"]),
        (LogLevel.WARNING, ["warning", "error"]),
        (LogLevel.ERROR, ["error"]),
    ],
)
def test_the_level_bounds_what_is_written(
    level: LogLevel, expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As long as the block runs; afterwards the loggers are as they were."""
    logger = logging.getLogger("referee.some")
    before = logging.getLogger("referee").level
    with logging_to_stderr(level, as_json=True):
        for name in ("debug", "info", "warning", "error"):
            getattr(logger, name)("a line")
    logger.error("not here")
    found = [json.loads(line)["level"] for line in capsys.readouterr().err.splitlines()]

    assert found == expected
    assert logging.getLogger("referee").level == before


def test_words_for_people_are_json_where_the_log_is(capsys: pytest.CaptureFixture[str]) -> None:
    """So every line of standard error can be parsed; where it is text they are printed as ever."""
    with logging_to_stderr(LogLevel.ERROR, as_json=True):
        told = told_in_json("referee at unix:x; Ctrl-C ends it")
    with logging_to_stderr(LogLevel.ERROR, as_json=False):
        not_told = told_in_json("referee at unix:x; Ctrl-C ends it")
    (line,) = capsys.readouterr().err.splitlines()

    assert (told, not_told) == (True, False)
    assert json.loads(line)["message"] == "referee at unix:x; Ctrl-C ends it"


def test_an_unknown_level_is_one_clear_error(capsys: pytest.CaptureFixture[str]) -> None:
    """The line names the levels there are."""
    assert run(["serve", "--log-level", "loud"]) == 2
    assert "'debug', 'info', 'warning', 'error'" in capsys.readouterr().err


WRITER = """
import logging, sys
sys.path.insert(0, {root!r})
from ladder.cli.logs import LogLevel, logging_to_stderr
logger = logging.getLogger("referee.writer")
with logging_to_stderr(LogLevel.INFO, as_json=True):
    for number in range(2000):
        logger.info("line %d", number, extra={{"reason": "x" * 300}})
    print("written", flush=True)
    sys.stdin.readline()
    logger.info("the last line")
print("ended", flush=True)
"""


def writer(stderr: int) -> subprocess.Popen[str]:
    """A program that logs far more than a pipe holds, then waits for a word and logs one line more."""
    program = WRITER.format(root=str(ROOT))
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=stderr, text=True)


@pytest.mark.processes
def test_a_log_that_is_not_read_holds_up_nothing() -> None:
    """What the pipe does not take is left out and told when it is read again; every line is whole."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 8192)
    with writer(writing) as process, open(reading) as log:
        os.close(writing)
        assert process.stdout is not None
        assert process.stdin is not None
        said = process.stdout.readline()
        os.set_blocking(reading, False)
        held = log.read()
        os.set_blocking(reading, True)
        process.stdin.write("go on\n")
        process.stdin.flush()
        rest = log.read()
        ended = process.stdout.read()
    lines = [json.loads(line)["message"] for line in (held + rest).splitlines()]

    assert (said, ended, process.returncode) == ("written\n", "ended\n", 0)
    kept = len(lines) - 2
    assert 0 < kept < 100
    assert lines == [
        *(f"line {number}" for number in range(kept)),
        f"{2000 - kept} lines of the log could not be written",
        "the last line",
    ]


@pytest.mark.processes
@pytest.mark.parametrize("target", ["closed pipe", "/dev/full", "closed"])
def test_a_log_that_cannot_be_written_ends_nothing(target: str) -> None:
    """Its reader is gone, its disk is full, or it was never open."""
    if target == "closed pipe":
        reading, stderr = os.pipe()
        os.close(reading)
    elif target == "closed":
        stderr = os.open(os.devnull, os.O_RDONLY)
    else:
        stderr = os.open(target, os.O_WRONLY)
    with writer(stderr) as process:
        os.close(stderr)
        said, _ = process.communicate("go on\n", timeout=60)

    assert (said, process.returncode) == ("written\nended\n", 0)
