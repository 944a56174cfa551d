"""All attempts of the drill, by name."""

from __future__ import annotations

from bots.drill import pretending, reaching, rising
from bots.drill.trying import ATTEMPTS, Target, attempt

__all__ = ["ATTEMPTS", "Target", "attempt", "pretending", "reaching", "rising"]
