"""A match as plain data, which any worker can carry out."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.arena.bundles import Bundle
from referee.match.plan import MatchPlan
from referee.match.supervision import DECISION_SECONDS


@dataclass(frozen=True, slots=True)
class Job:
    """One match and the bots that play it, as plain data."""

    plan: MatchPlan
    specs: tuple[str, ...]
    """The bots by seat."""
    bundles: tuple[Bundle, ...] = ()
    """Modules that the worker may not have."""
    dice: str | None = None
    """What the own randomness of bots in this process grows from; None: the match's id."""
    limit: float | None = DECISION_SECONDS
    """Seconds that a decision of a bot in the worker's process may take without a clock; None: any time."""
