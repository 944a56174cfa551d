"""The result (section 4)."""

from __future__ import annotations

from referee.games._template.state import State
from referee.kernel.game import Result, rank


def result(state: State) -> Result | None:
    """Places by points, ties sharing a place (T-4.2); None while the game goes on."""
    if state.stack:
        return None
    return Result(rank([(points,) for points in state.points]), tuple(state.points), "all rounds played")
