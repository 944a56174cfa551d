"""The limits that no message carries stand in the manual and in play.proto as the referee keeps them."""

from __future__ import annotations

from pathlib import Path

from referee.transport.limits import SECOND, Limits
from referee.transport.listener import ROOM

PROTO = Path(__file__).resolve().parents[2] / "proto"
MANUAL = (PROTO / "README.md").read_text(encoding="utf-8").split("\n## Limits\n")[1].split("\n## ")[0]
MESSAGES = " ".join((PROTO / "referee" / "v1" / "play.proto").read_text(encoding="utf-8").replace("//", "").split())


def test_the_manual_says_when_a_silent_stream_is_closed() -> None:
    """Both documents name the time for the hello, and the code."""
    seconds = f"{Limits().greeting // SECOND} seconds"

    assert f"closed {seconds} after it was opened, with `FAULT_CODE_SILENT`" in MANUAL
    assert f"no hello within {seconds} of the opening of the stream. Closes the stream" in MESSAGES


def test_the_manual_says_how_often_a_bot_may_connect() -> None:
    """Both documents name the number, and the code."""
    often = Limits().arrivals_per_minute

    assert f"A bot may connect {often} times a minute; the next hello is answered with `FAULT_CODE_RATE`" in MANUAL
    assert f"more than {often} streams of one bot within a minute. Closes the stream" in MESSAGES


def test_the_manual_says_which_messages_break_the_stream() -> None:
    """Beyond what gRPC itself takes there is no typed fault."""
    size = Limits().message_bytes

    assert ROOM == 4
    assert f"`message_bytes` ({size // 1024} KiB)" in MANUAL
    assert f"above four times that ({ROOM * size // 1024**2} MiB)" in MANUAL
    assert "One of more than four times this size is cut off by gRPC" in MESSAGES
    assert "RESOURCE_EXHAUSTED" in MANUAL
    assert "RESOURCE_EXHAUSTED" in MESSAGES
