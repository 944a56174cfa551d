"""Restores a match after a restart of the referee, one stored step at a time."""

from __future__ import annotations

from collections.abc import Sequence

from referee.kernel.chance import Recording
from referee.kernel.errors import BrokenRecord
from referee.match.event_log import EventLog
from referee.match.record import Step
from referee.match.replay import Walk
from referee.match.seat import SeatState


def relive(step: Step, walk: Walk, seats: Sequence[SeatState], log: EventLog, chance: Recording) -> None:
    """Take a stored step: bring clocks, events and luck to the moment after the step; raises BrokenRecord."""
    for seat, _ in walk.turn.asks:
        seat_state = seats[seat]
        seat_state.asks += 1
        charged = step.spent.get(seat)
        if charged is not None and not seat_state.relive(charged, step.lag.get(seat, 0), len(log.events)):
            raise BrokenRecord(f"step {step.n}: the clock of seat {seat} does not add up")
    log.add(walk.take(step))
    if chance.take() != step.chance:
        raise BrokenRecord(f"step {step.n}: the luck is not that of the match's secret")
