"""Who plays whom: `planned` schedules whole batches of a season, `open` one table at a time between present bots."""

from __future__ import annotations

from ladder.pairing.planned import (
    BATCH,
    History,
    Lineup,
    Pairing,
    Standing,
    gauntlet,
    matchmaking,
    matchmaking_designed,
    round_robin,
    spread,
    swiss,
    swiss_matched,
)

VERSION = 4
"""Version of the planned pairings: stored with a season, so that a season begun earlier keeps its schedule."""

__all__ = [
    "BATCH",
    "VERSION",
    "History",
    "Lineup",
    "Pairing",
    "Standing",
    "gauntlet",
    "matchmaking",
    "matchmaking_designed",
    "round_robin",
    "spread",
    "swiss",
    "swiss_matched",
]
