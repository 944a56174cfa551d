"""The decisions and steps of all areas, joined into the tables that drive the game (W-17)."""

from __future__ import annotations

from referee.games.white_castle import (
    batches,
    bridges,
    castle,
    domain,
    effects,
    gardens,
    placing,
    rounds,
    solo,
    time_track,
    yards,
)
from referee.games.white_castle.flow import Step, handler, run
from referee.games.white_castle.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Handler
from referee.kernel.game import Event

STEPS: dict[str, Step] = {
    **rounds.STEPS,
    **placing.STEPS,
    **effects.STEPS,
    **batches.STEPS,
    **time_track.STEPS,
    **castle.STEPS,
    **domain.STEPS,
    **solo.STEPS,
}
"""What runs by itself, by frame kind."""

HANDLERS: dict[str, Handler[State]] = {
    decision.kind: handler(decision, STEPS)
    for area in (rounds, bridges, placing, effects, batches, time_track, castle, gardens, yards, domain, solo)
    for decision in area.DECISIONS
}
"""The decision points of W-17, by frame kind."""


def unroll(state: State, chance: Chance, events: list[Event]) -> None:
    """Run the steps on top of the stack up to the next decision."""
    run(STEPS, state, chance, events)
