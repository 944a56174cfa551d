"""The limits that no message carries stand in the manual and in play.proto as the referee keeps them."""

from __future__ import annotations

from pathlib import Path

from referee.match.clock import SECOND
from referee.transport.conduct import (
    LONGEST_ASIDE,
    LONGEST_PAUSE,
    REFUSALS,
    SHORTEST_ASIDE,
    SHORTEST_PAUSE,
    SILENT_TABLES,
)
from referee.transport.guard import FAULT_KEY
from referee.transport.limits import Limits
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
    assert "gRPC itself cuts off a message of more than four times this size" in MESSAGES
    assert "RESOURCE_EXHAUSTED" in MANUAL
    assert "RESOURCE_EXHAUSTED" in MESSAGES


def test_the_manual_says_how_large_a_hello_may_be() -> None:
    """Both documents name the bytes and the offers, and the code."""
    size, offers = Limits().hello_bytes // 1024, Limits().offers

    assert f"has at most {size} KiB, and its hello at most {offers} offers" in " ".join(MANUAL.split())
    assert f"more than {offers} offers, or a message of more than {size} KiB. Closes the stream" in MESSAGES


def test_the_manual_says_what_one_address_may_do() -> None:
    """Both documents name the streams of an address and of a token."""
    limits = Limits()
    manual = " ".join(MANUAL.split())

    assert limits.address_streams == limits.address_burst
    assert f"{limits.address_streams} streams open and open {limits.address_burst} at once" in manual
    assert f"then {limits.address_streams_per_second} a second" in manual
    assert f"{limits.address_bots} bots at the referee" in manual
    assert f"a token may have {limits.token_streams} streams open" in manual
    assert f"been there for {limits.idle // SECOND} seconds" in manual
    assert f"one address has at most {limits.address_streams} streams without a valid token open" in MESSAGES
    assert f"opens at most {limits.address_streams_per_second} more a second" in MESSAGES
    assert f"one token has at most {limits.token_streams} streams open" in MESSAGES


def test_the_manual_says_how_often_describe_may_be_asked() -> None:
    """Both documents name the size and the pace."""
    limits = Limits()
    size, pace = limits.request_bytes // 1024, limits.calls_per_second

    assert (
        f"have at most {size} KiB, and each address (or good token) may send {limits.call_burst} at once and {pace} a"
        in (" ".join(MANUAL.split()))
    )
    assert f"A request has at most {size} KiB." in MESSAGES
    assert f"may make {pace} calls a second over a longer time and {limits.call_burst} calls at once" in MESSAGES
    assert FAULT_KEY in MANUAL
    assert FAULT_KEY in MESSAGES


def test_the_manual_says_how_long_a_bot_is_set_aside() -> None:
    """Both documents name the shortest and the longest time."""
    shortest, longest = SHORTEST_ASIDE // SECOND, LONGEST_ASIDE // SECOND // 60
    manual = " ".join(MANUAL.split())

    assert SILENT_TABLES == 2
    assert f"no table for {shortest} seconds, then twice as long each time up to {longest} minutes" in manual
    assert f"for {shortest} seconds, and twice as long each further time, up to {longest} minutes" in MESSAGES
    assert REFUSALS == 5
    assert f"from {SHORTEST_PAUSE // SECOND} second to {LONGEST_PAUSE // SECOND // 60} minutes" in manual
