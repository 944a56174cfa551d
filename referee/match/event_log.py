"""The events of a match, and the part of them that each seat may know."""

from __future__ import annotations

from operator import attrgetter

from referee.kernel.game import Event, Seat

_audience = attrgetter("audience")


class EventLog:
    """The events of a match in the order in which they happened."""

    __slots__ = ("events", "private")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.private = 0
        """Index after the last private event: from there on `part` need not look at the audience of each event."""

    def add(self, events: list[Event]) -> None:
        """Append the events of a step."""
        self.events += events
        if list(map(_audience, events)).count(None) != len(events):
            self.private = len(self.events)

    def part(self, seat: Seat | None, start: int, stop: int | None = None) -> tuple[Event, ...]:
        """The events from index `start` on, up to `stop`, that a seat (None: the public) may know."""
        events = self.events[start:stop]
        if start >= self.private:
            return tuple(events)
        return tuple([event for event in events if (audience := event.audience) is None or seat in audience])
