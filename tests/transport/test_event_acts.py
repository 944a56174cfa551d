"""Acts on an event stand in the log like any act of an organiser, are counted, and a pause is told to the entrants."""

from __future__ import annotations

import logging
from typing import Any, cast

import pytest

from referee.transport.admin_calls import CALLS, Desks
from referee.transport.control import RefereeControl
from referee.transport.event_desk import EntrantStatus, EventStatus
from referee.v1 import admin_pb2 as apb
from referee.v1 import play_pb2 as pb
from tests.transport.room import Room


class FakeDesk:
    """An event with which anything can be done."""

    def status(self) -> EventStatus:
        """An event of ann and of bob, who is away."""
        entrants = tuple(EntrantStatus(name, 1, True, True, 0.0, "") for name in ("ann", "bob"))
        return EventStatus("cup", "honshu", 2, "swiss", "running", False, "all", 1, 3, entrants, (), ())

    def start(self, actor: str) -> None:
        """Nothing is done."""

    pause = resume = start

    def withdraw(self, actor: str, name: str) -> None:
        """Nothing is done."""


@pytest.mark.parametrize("action", ["start", "pause", "resume", "withdraw"])
def test_an_act_on_an_event_is_logged_counted_and_told(action: str, caplog: pytest.LogCaptureFixture) -> None:
    """One line with the actor, one more in the metrics; bots that are here are told of a pause and of nothing else."""
    room = Room()
    ann = room.bot("ann")
    nothing = cast(Any, None)
    control = RefereeControl(room.connections, nothing, nothing, nothing, nothing)
    call = f"{action.title()}{'Entrant' if action == 'withdraw' else 'Event'}"
    request = apb.WithdrawEntrantRequest(name="ann") if action == "withdraw" else CALLS[call][0]()

    with caplog.at_level(logging.INFO, "referee.admin"):
        CALLS[call][1](Desks(control, nothing, nothing, FakeDesk()), "olga", request)

    (line,) = caplog.messages
    assert line.startswith(f"event {action} cup by olga")
    assert room.connections.counters.admin_acts == {f"event {action}": 1}
    told = [fault.code for fault in ann.read().faults]
    assert told == ([pb.FAULT_CODE_PAUSED] if action == "pause" else [])
