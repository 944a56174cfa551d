"""Whose time it is: what the referee takes is nobody's, and what a bot takes is never another's."""

from __future__ import annotations

import pytest

from referee.match.clock import SECOND
from referee.transport.seat_session import BEHIND
from referee.v1 import play_pb2 as pb
from tests.transport.room import Peer, Room, RoomTable


def two(clock: str) -> tuple[Room, RoomTable, Peer, Peer]:
    """A room in which ann and bob have been asked and neither has read it."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    return room, room.started(ann, bob, clock=clock), ann, bob


def pass_time(room: Room, seconds: float) -> None:
    """Time goes by, and the referee has none for anybody."""
    room.now.at += round(seconds * SECOND)


@pytest.mark.parametrize("wait", [0.2, 5])
def test_what_an_ask_waits_in_the_referee_is_charged_to_nobody(wait: float) -> None:
    """Neither to the one who was asked, nor to the others, whose next asks follow from the late answer."""
    room, table, ann, bob = two("60s/30s")
    bob.read()
    bob.answer(table.id, 1)

    pass_time(room, wait)
    ann.read()
    ann.answer(table.id, 1)
    (second,) = bob.read().asks
    bob.answer(table.id, second.ask)
    (told,) = ann.read().asks
    ann.answer(table.id, told.ask)
    (third,) = bob.read().asks

    assert (told.charged_us, told.queued_us) == (0, wait * SECOND)
    assert second.budget_us == 30 * SECOND
    assert (third.charged_us, third.queued_us) == (0, 0)


def test_nobody_is_late_for_an_ask_that_had_not_left_the_referee() -> None:
    """A referee that was busy for longer than the whole budget gives the budget all the same."""
    room, table, ann, bob = two("60s/1s")
    bob.read()
    bob.answer(table.id, 1)

    pass_time(room, 3)
    ann.read()
    room.wait(0.9)
    ann.answer(table.id, 1)

    assert not ann.read().faults
    assert table.steps[-1].spent == {0: 900_000, 1: 0}


def test_an_ask_that_is_sent_again_brings_no_new_time() -> None:
    """Who has seen an ask can think about it, whatever becomes of the stream on which it is sent once more."""
    room, table, ann, bob = two("60s/30s")
    bob.read()
    bob.answer(table.id, 1)
    ann.read()
    token = ann.received[0].welcome.resume_token
    again = room.stream()
    again.hello("ann", resume_token=token)

    pass_time(room, 4)
    again.read()
    again.answer(table.id, 1)

    assert table.steps[-1].spent == {0: 4 * SECOND, 1: 0}


def test_a_bot_that_does_not_read_pays_for_the_wait() -> None:
    """Behind a message that gRPC could not deliver yet an ask waits at the referee's cost for a moment only."""
    room, table, ann, bob = two("60s/30s")
    ann.read(), bob.read()
    ann.answer(table.id, 1)
    ann.stream.writing = True
    bob.answer(table.id, 1)
    bob.read()
    bob.answer(table.id, 2)

    pass_time(room, 5)
    ann.read()
    ann.answer(table.id, 2)

    assert table.steps[-1].spent == {0: 5 * SECOND - BEHIND, 1: 0}


def test_time_away_is_charged_even_if_the_ask_was_never_sent() -> None:
    """An ask that was made while its bot was away is on its clock from the beginning."""
    room, table, ann, bob = two("60s/30s")
    ann.read()
    token = ann.received[0].welcome.resume_token
    bob.read()
    ann.answer(table.id, 1)
    ann.close()
    bob.answer(table.id, 1)
    bob.read()
    bob.answer(table.id, 2)

    room.wait(3)
    again = room.stream()
    again.hello("ann", resume_token=token)
    pass_time(room, 1)
    again.read()
    again.answer(table.id, 2)

    assert table.steps[-1].spent == {0: 3 * SECOND, 1: 0}


def test_an_ask_that_was_not_sent_yet_cannot_be_answered() -> None:
    """Its number can be guessed; the guess changes nothing and counts like any other useless message."""
    _, table, ann, bob = two("none")
    bob.read()
    bob.answer(table.id, 1)

    ann.answer(table.id, 1)
    message = ann.read()
    ann.answer(table.id, 1)

    assert [(fault.code, fault.counted) for fault in message.faults] == [(pb.FAULT_CODE_UNKNOWN_ASK, False)]
    assert [ask.ask for ask in message.asks] == [1]
    assert len(table.steps) == 2


def test_being_ready_over_and_over_counts_as_a_flood() -> None:
    """It does no harm once or twice, as a bot that comes back may say it."""
    _, table, ann, _ = two("none")
    ann.ready(table.id)
    assert not ann.read().faults

    ann.send(pb.PlayRequest(ready=[pb.Ready(match_id=table.id)] * 1000))

    assert ann.read().faults[-1].code == pb.FAULT_CODE_RATE
    assert ann.stream.closed
