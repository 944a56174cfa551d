"""A match as plain data, for whatever worker carries it out."""

from __future__ import annotations

from dataclasses import dataclass, field

from ladder.arena.bundles import Bundle
from referee.match.policy import Policy
from referee.match.supervision import DECISION_SECONDS


@dataclass(frozen=True, slots=True)
class Job:
    """One match, as plain data."""

    match: str
    game: str
    variant: dict[str, str]
    names: tuple[str, ...]
    """Players by seat."""
    specs: tuple[str, ...]
    """Their bots."""
    secret: bytes
    clock: str = "none"
    policy: Policy = field(default_factory=Policy)
    bundles: tuple[Bundle, ...] = ()
    """Modules that the worker may not have."""
    dice: str | None = None
    """What the own randomness of bots in this process grows from; None: the match's id."""
    limit: float | None = DECISION_SECONDS
    """Seconds that a decision of a bot in the worker's process may take without a clock; None: any time."""
