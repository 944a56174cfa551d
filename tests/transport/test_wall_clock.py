"""A change of the wall clock changes nothing: no clock of a match is read from it."""

from __future__ import annotations

import itertools
import time

import pytest

from ladder.offers import every_table
from referee.match.clock import Clock
from referee.v1 import play_pb2 as pb
from tests.transport.house import GoodBot, House

DAY = 86_400


def test_a_wall_clock_that_jumps_by_days_costs_no_bot_a_microsecond(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reading lies a day before or after the last, and three matches under a short clock end without a fault."""
    jumps = itertools.cycle((DAY, -DAY, 30 * DAY, -30 * DAY))
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    monkeypatch.setattr(time, "time_ns", lambda: int((real() + next(jumps)) * 1e9))
    offers = every_table(["edo_yashiki"], seats=[2], clock=Clock.parse("20s/10s"))
    with (
        House(wanted=offers, matches=3) as house,
        GoodBot(house.address, "ann") as ann,
        GoodBot(house.address, "bob") as bob,
    ):
        finals = [house.final()[1] for _ in range(3)]
        ann.finish()
        bob.finish()

    assert all(final.result is not None and final.rated for final in finals)
    assert all(ending.faults == 0 for final in finals for ending in final.endings)
    assert {fault.code for bot in (ann, bob) for fault in bot.faults} == {pb.FAULT_CODE_SHUTDOWN}
