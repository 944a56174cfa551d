"""Figures that a drawing needs beyond a view, from the view and the events that the same seat was told."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games._template.components import ROUNDS
from referee.games._template.view import View
from referee.kernel.game import Event, Verb
from referee.kernel.plain import Plain

PRIZES_WON = "prizes"
"""The one category of points (T-3.4)."""


def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
    """Points by category, the number of rounds, and the points of the last step by seat."""
    gained = [0] * len(view.points)
    for event in events:
        if event.verb is Verb.SCORED:
            gained[event.seat] += event.amount
    return {
        "points": [{"category": PRIZES_WON, "points": list(view.points)}],
        "rounds": ROUNDS[view.length],
        "gained": list(gained),
    }
