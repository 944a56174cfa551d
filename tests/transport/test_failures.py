"""A bot that cannot answer says so: the stand-in plays at once, and nothing waits for its clock."""

from __future__ import annotations

import logging

import pytest

from referee.match.policy import TEXT_LIMIT, Fault, FaultKind, Owner
from referee.transport.auth import Tokens
from referee.v1 import play_pb2 as pb
from tests.transport.room import Peer, Room, RoomTable


def pair(room: Room, clock: str = "none", **policy: int) -> tuple[Peer, Peer, RoomTable]:
    """Two bots with their first asks open and read."""
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.started(ann, bob, clock=clock, **policy)
    ann.read()
    bob.read()
    return ann, bob, table


def fails(peer: Peer, match: str, ask: int, message: str = "ValueError: no such card", seat: int | None = None) -> None:
    peer.send(pb.PlayRequest(failures=[pb.Failure(match_id=match, ask=ask, message=message, seat=seat)]))


def test_a_bot_that_cannot_answer_is_stood_in_for_at_once() -> None:
    """The fault is CRASHED, owned by the bot, with its text; the match goes on without its clock."""
    room = Room()
    ann, bob, table = pair(room, clock="60s")

    fails(ann, table.id, 1, seat=0)
    told = ann.fault()
    bob.answer(table.id, 1)

    assert (told.code, told.ask, told.counted, told.message) == (
        pb.FAULT_CODE_CRASHED,
        1,
        True,
        "ValueError: no such card",
    )
    step = table.steps[1]
    assert step.faults == (Fault(0, 1, FaultKind.CRASHED, Owner.BOT, "ValueError: no such card"),)
    assert step.by == {0: "stand-in"}
    assert [ask.ask for ask in ann.read().asks] == [2]


@pytest.mark.parametrize("again", ["failure", "answer"])
def test_what_comes_after_a_failure_is_over(again: str) -> None:
    """A second failure of the same ask, or an answer to it, changes nothing and gets the usual fault."""
    room = Room()
    ann, _, table = pair(room)
    fails(ann, table.id, 1)
    ann.read()

    if again == "failure":
        fails(ann, table.id, 1)
    else:
        ann.answer(table.id, 1)
    told = ann.fault()

    assert (told.code, told.counted) == (pb.FAULT_CODE_STALE, False)
    assert table.match._ledger.counts == [1, 0]


def test_a_failure_of_an_answered_ask_changes_nothing() -> None:
    """The answer counts."""
    room = Room()
    ann, _, table = pair(room)
    ann.answer(table.id, 1)
    fails(ann, table.id, 1)

    assert ann.fault().code == pb.FAULT_CODE_DUPLICATE
    assert table.match._ledger.counts == [0, 0]


@pytest.mark.parametrize(
    ("match", "ask", "seat", "code"),
    [
        ("", 9, None, pb.FAULT_CODE_UNKNOWN_ASK),
        ("none of yours", 1, None, pb.FAULT_CODE_UNKNOWN_MATCH),
        ("", 1, 1, pb.FAULT_CODE_NOT_YOUR_SEAT),
    ],
)
def test_a_failure_that_means_nothing_gets_a_typed_fault(
    match: str, ask: int, seat: int | None, code: pb.FaultCode
) -> None:
    """An ask that was never made, a foreign match, a foreign seat: none counts."""
    room = Room()
    ann, _, table = pair(room)

    fails(ann, match or table.id, ask, seat=seat)
    told = ann.fault()

    assert (told.code, told.counted) == (code, False)
    assert table.match.owes(0) == 1


def test_failures_without_use_count_against_the_rate() -> None:
    """A flood of them closes the stream, as one of answers does."""
    room = Room()
    ann, _, table = pair(room)
    for _ in range(5000):
        if ann.stream.closed:
            break
        fails(ann, table.id, 77)
        ann.read()

    assert ann.stream.closed
    assert table.match.owes(0) == 1


def test_the_text_of_a_failure_is_cut_and_cleaned() -> None:
    """No control character and no endless text reaches a record; an empty one is put into words."""
    room = Room()
    ann, bob, table = pair(room)
    fails(ann, table.id, 1, "a\x1b[31m\n" + "b" * 9000)
    fails(bob, table.id, 1, " ")

    first, second = table.steps[1].faults
    assert first.message.startswith("a [31m b")
    assert len(first.message) <= TEXT_LIMIT
    assert second.message == "the bot cannot answer, and gave no reason"


def test_a_bot_that_cannot_play_at_all_is_not_waited_for() -> None:
    """A failure before the ready is a fault of the seat, and the match starts."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.table("ann", "bob")
    ann.read(), bob.read()
    bob.ready(table.id)

    fails(ann, table.id, 0, "RuntimeError: no chair")

    assert [fault.message for fault in table.steps[0].faults] == ["RuntimeError: no chair"]
    assert [ask.ask for ask in ann.read().asks] == [1]


def test_a_failure_of_no_ask_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """It counts for nothing, is shown escaped, and not more than twenty times a minute."""
    room = Room()
    ann, _, table = pair(room)
    with caplog.at_level(logging.WARNING):
        for _ in range(30):
            fails(ann, table.id, 0, "KeyError: \u202epond")

    assert len(caplog.messages) == 20
    assert caplog.messages[0] == (
        f"bot ann, match {table.id}: the bot failed outside its decisions: KeyError: \\u202epond"
    )
    assert not ann.read().faults
    assert table.match._ledger.counts == [0, 0]


def test_a_failure_that_repeats_the_bots_tokens_does_not_publish_them(caplog: pytest.LogCaptureFixture) -> None:
    """The record and the log have the text without the bearer token and the resume token."""
    room = Room(Tokens.of([("ann", "sword-of-ann"), ("bob", "sword-of-bob")]))
    ann, bob = room.stream("sword-of-ann"), room.stream("sword-of-bob")
    for peer in (ann, bob):
        peer.hello("")
        peer.read()
    table = room.started(ann, bob)
    for peer in (ann, bob):
        peer.read()
    resume = ann.received[0].welcome.resume_token
    with caplog.at_level(logging.WARNING):
        fails(ann, table.id, 1, f"cannot reach x?token=sword-of-ann&resume={resume}")
        fails(ann, table.id, 0, f"cannot reach x?token=sword-of-ann&resume={resume}")
    bob.answer(table.id, 1)

    (fault,) = table.steps[1].faults
    assert fault.message == "cannot reach x?token=...&resume=..."
    assert "cannot reach x?token=...&resume=..." in caplog.text
    assert "sword-of-ann" not in caplog.text
