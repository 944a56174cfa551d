"""The referee's log: a line with its fields for everything that happens to bots, bounded, and without a secret."""

from __future__ import annotations

import logging
import secrets

import pytest

from referee.match.clock import SECOND
from referee.transport.auth import Tokens, new_token
from referee.transport.log_lines import AT_ONCE, PER_SECOND, TOLD_EVERY, LogLines
from referee.transport.resume import TOKEN_BYTES
from referee.v1 import play_pb2 as pb
from tests.transport.room import Room

HOME = "ipv4:192.0.2.1:4000"
TOKENS = {"ann": "Zk3-" + "a1B_" * 9 + "xyz", "bob": "Qm7_" + "b2C-" * 9 + "uvw"}
UNKNOWN, RESUME, DASHED = "Xy9-" + "c3D_" * 9 + "rst", "Rr5_" + "d4E-" * 7, "-y9_" + "e5F-" * 9 + "opq"
"""Of the form of a bearer token, of a resume token, and of a token that is no name because of its first sign."""


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """All lines from info on."""
    caplog.set_level(logging.INFO, "referee")
    return caplog


def room_of_entrants() -> Room:
    """A room that only the holders of tokens may enter."""
    return Room(Tokens.of(list(TOKENS.items())))


def fields(record: logging.LogRecord, *names: str) -> tuple[object, ...]:
    """Some fields of a line; None: the line has no such field."""
    return tuple(getattr(record, name, None) for name in ("event", *names))


def test_a_connect_names_bot_software_build_address_and_proof(log: pytest.LogCaptureFixture) -> None:
    """Where builds are not numbered the software is the build."""
    room = room_of_entrants()
    ann = room.stream(TOKENS["ann"], HOME)
    ann.hello("", software="clever 2")
    (line,) = log.records
    told = fields(line, "bot", "software", "build", "address", "proven", "resumed")

    assert told == ("connect", "ann", "clever 2", "clever 2", "192.0.2.1", True, False)
    assert (
        room.connections.counters.streams,
        room.connections.counters.connects,
        room.connections.counters.resumes,
    ) == (1, 1, 0)


def test_a_build_has_the_number_that_the_ladder_gives_it(log: pytest.LogCaptureFixture) -> None:
    """In the line of the connect, and in that of its end."""
    room = Room()
    room.connections.lines._build = {"ann": "7"}.get  # type: ignore[assignment]
    ann = room.bot("ann", software="clever 2")
    ann.close()

    assert [line.build for line in log.records] == ["7", "7"]  # type: ignore[attr-defined]


def test_a_bot_that_comes_back_to_its_table_is_resumed(log: pytest.LogCaptureFixture) -> None:
    """The stream that it had ends with the code TAKEN_OVER; a stream that breaks has HUNG_UP."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    room.started(ann, bob)
    token = ann.received[0].welcome.resume_token
    again = room.stream()
    again.hello("ann", resume_token=token)
    ann.close()
    again.close()
    lines = [fields(line, "bot", "resumed", "code", "tables") for line in log.records[2:]]

    assert lines == [
        ("connect", "ann", True, None, None),
        ("disconnect", "ann", None, "TAKEN_OVER", 1),
        ("disconnect", "ann", None, "HUNG_UP", 1),
    ]
    assert room.connections.counters.resumes == 1
    assert room.connections.counters.closed == {"TAKEN_OVER": 1, "HUNG_UP": 1}
    assert token not in log.text


@pytest.mark.parametrize(
    ("token", "name", "version", "bot", "code"),
    [
        ("", "ann", 1, "ann", "UNAUTHENTICATED"),
        (TOKENS["ann"], "bob", 1, "bob", "UNAUTHENTICATED"),
        ("wrong", "eve", 1, "eve", "UNAUTHENTICATED"),
        (TOKENS["ann"], "", 9, None, "VERSION"),
        (TOKENS["ann"], "no name\n", 9, None, "VERSION"),
    ],
)
def test_a_refusal_has_code_reason_address_and_the_name_if_it_is_one(
    token: str, name: str, version: int, bot: str | None, code: str, log: pytest.LogCaptureFixture
) -> None:
    """One line, at once, and one more of that code."""
    room = room_of_entrants()
    peer = room.stream(token, HOME)
    peer.hello(name, version=version)
    (line,) = log.records

    assert fields(line, "bot", "code", "address") == ("refusal", bot, code, "192.0.2.1")
    assert peer.fault().message in line.getMessage()
    assert room.connections.counters.refusals == {code: 1}


def test_a_stream_that_says_no_hello_is_refused(log: pytest.LogCaptureFixture) -> None:
    """Whatever closes it before a welcome: silence, garbage, or a message out of order."""
    room = Room(unreadable=1)
    silent = room.stream(peer=HOME)
    room.wait(11)
    room.stream().send(b"\xff\xff garbage")
    room.stream().send(pb.PlayRequest(pong=pb.Pong(nonce=1)))
    codes = [line.code for line in log.records]  # type: ignore[attr-defined]

    assert silent.stream.closed
    assert codes == ["SILENT", "MALFORMED", "OUT_OF_ORDER"]


def test_a_goodbye_is_no_refusal(log: pytest.LogCaptureFixture) -> None:
    """A stream that waits without a hello when the referee ends has done nothing wrong; the bot's end has its code."""
    room = Room()
    peers = [room.stream(), room.bot("ann")]
    room.connections.close(pb.FAULT_CODE_RESTARTING, "dial again")
    for peer in peers:
        peer.close()

    assert room.connections.counters.refusals == {}
    assert room.connections.counters.closed == {"RESTARTING": 2}
    assert [fields(line, "code") for line in log.records] == [("connect", None), ("disconnect", "RESTARTING")]


@pytest.mark.parametrize("mixed_up", [TOKENS["bob"], UNKNOWN, RESUME, DASHED])
@pytest.mark.parametrize("token", ["", TOKENS["ann"]])
def test_a_token_that_stands_in_the_place_of_a_name_is_not_logged(
    mixed_up: str, token: str, log: pytest.LogCaptureFixture
) -> None:
    """Neither in the fields nor in the words: one that is good, one that may be revoked, and a resume token."""
    room = room_of_entrants()
    room.stream(token, HOME).hello(mixed_up)
    (line,) = log.records

    assert line.code == "UNAUTHENTICATED"  # type: ignore[attr-defined]
    assert getattr(line, "bot", None) is None
    assert mixed_up not in log.text


def test_the_tokens_of_these_tests_have_the_form_of_real_ones() -> None:
    """A change of how tokens are made must change what is taken for one."""
    assert {len(token) for token in TOKENS.values()} == {len(UNKNOWN), len(DASHED)} == {len(new_token())}
    assert len(RESUME) == len(secrets.token_urlsafe(TOKEN_BYTES))


def test_a_token_of_any_form_is_not_logged_as_a_name(log: pytest.LogCaptureFixture) -> None:
    """A tokens file may hold tokens that an organiser has chosen: what proves an entrant is not shown."""
    room = Room(Tokens.of([("ann", "swordfish"), ("bob", "open-sesame")]))
    room.stream("open-sesame").hello("swordfish")

    assert [fields(line, "bot", "code") for line in log.records] == [("refusal", None, "UNAUTHENTICATED")]
    assert "swordfish" not in log.text


def test_what_a_bot_says_of_itself_is_cut_and_printable(log: pytest.LogCaptureFixture) -> None:
    """Software that would clear a terminal or fill the disk is a short field in one line."""
    room = Room()
    room.bot("ann", software="\x1b[2Jevil\n\u2028" + "x" * 10_000)
    (line,) = log.records
    software = line.software  # type: ignore[attr-defined]

    assert software.isprintable()
    assert len(software) <= 110
    assert "evil" in software


class Moments:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.at = 0

    def __call__(self) -> int:
        return self.at


def test_a_flood_of_refusals_is_a_few_lines_and_a_count(log: pytest.LogCaptureFixture) -> None:
    """20 at once and 5 a second; every 5 s one line tells how many were left out, by code; all of them are counted."""
    room = Room()
    clock = Moments()
    lines = room.connections.lines = LogLines(room.connections.counters, now=clock)
    for tenth in range(100):
        clock.at = tenth * SECOND // 10
        for _ in range(100):
            lines.refused(pb.FAULT_CODE_RATE if tenth % 2 else pb.FAULT_CODE_FULL, "no", "192.0.2.1", "eve")
        lines.tick()
    lines.close()
    told = [line for line in log.records if line.event == "left_out"]  # type: ignore[attr-defined]
    shown = len(log.records) - len(told)

    assert shown <= AT_ONCE + 10 * PER_SECOND
    assert len(told) == 2
    assert shown + sum(line.count for line in told) == 10_000  # type: ignore[attr-defined]
    assert "FULL" in told[0].getMessage()
    assert "RATE" in told[0].getMessage()
    assert room.connections.counters.refusals == {"RATE": 5000, "FULL": 5000}
    assert room.connections.counters.left_out["refusal"] == 10_000 - shown


def test_what_was_left_out_is_told_after_the_flood(log: pytest.LogCaptureFixture) -> None:
    """Once, by the clock; the kinds do not take each other's lines."""
    room = Room()
    clock = Moments()
    lines = room.connections.lines = LogLines(room.connections.counters, now=clock)
    for _ in range(AT_ONCE + 3):
        lines.refused(pb.FAULT_CODE_RATE, "no", "192.0.2.1")
    room.bot("ann")
    room.connections.tick(room.now())
    before = [line.event for line in log.records]  # type: ignore[attr-defined]
    clock.at = TOLD_EVERY
    room.connections.tick(room.now())
    room.connections.tick(room.now())

    assert before == ["refusal"] * AT_ONCE + ["connect"]
    assert [fields(line, "kind", "count") for line in log.records[AT_ONCE + 1 :]] == [("left_out", "refusal", 3)]


def test_nothing_is_built_for_a_level_that_is_off(caplog: pytest.LogCaptureFixture) -> None:
    """With `--log-level warning` there is no line and nothing to tell, and everything is counted."""
    caplog.set_level(logging.WARNING, "referee")
    room = Room()
    for _ in range(50):
        room.connections.lines.refused(pb.FAULT_CODE_RATE, "no", "192.0.2.1")
    room.connections.lines.close()

    assert caplog.records == []
    assert room.connections.counters.refusals == {"RATE": 50}
    assert room.connections.counters.left_out == {}
