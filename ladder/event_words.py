"""Events of a match in words, for terminals and pages alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.kernel.game import TABLE, Event


def event_words(event: Event, players: Sequence[str], named: Callable[[int, str], str]) -> str:
    """An event in words: who, what, how many, which, and to whom it was told. `named` writes a seat with its player."""
    secret = "" if event.audience is None else f"  [told to seat {', '.join(map(str, event.audience))}]"
    who = "the table" if event.seat == TABLE else named(event.seat, players[event.seat])
    return f"{who} {deed(event)}{secret}"


def deed(event: Event) -> str:
    """What happened, without the seat: verb, amount, subject, items."""
    amount = f" {event.amount}" if event.amount else ""
    items = f": {' '.join(map(str, event.items))}" if event.items else ""
    return f"{event.verb}{amount} {event.subject}{items}"
