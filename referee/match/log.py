"""What happened in a match, and the part of it that each seat may know."""

from __future__ import annotations

from operator import attrgetter

from referee.kernel.game import Event, Seat

_audience = attrgetter("audience")


class Log:
    """The events of a match in order."""

    __slots__ = ("events", "private")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.private = 0
        """From here on all events are public, so that their readers need not look at each."""

    def add(self, events: list[Event]) -> None:
        """Append what a step brought."""
        self.events += events
        if list(map(_audience, events)).count(None) != len(events):
            self.private = len(self.events)

    def part(self, seat: Seat | None, start: int) -> tuple[Event, ...]:
        """Those of the events from `start` on that a seat (None: the public) may know."""
        events = self.events[start:]
        if start >= self.private:
            return tuple(events)
        return tuple([event for event in events if (audience := event.audience) is None or seat in audience])
