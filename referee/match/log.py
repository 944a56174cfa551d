"""What happened in a match, and the part of it that each seat may know."""

from __future__ import annotations

from operator import attrgetter

from referee.kernel.game import Event, Seat

_audience = attrgetter("audience")


class Log:
    """The events of a match in order."""

    __slots__ = ("_events", "_private", "length")

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._private = 0
        self.length = 0
        """How many events there are."""

    def add(self, events: list[Event]) -> None:
        """Append what a step brought. Most bring public events only, and their readers need not look at each."""
        self._events += events
        self.length = len(self._events)
        if list(map(_audience, events)).count(None) != len(events):
            self._private = self.length

    def part(self, seat: Seat | None, start: int, stop: int) -> tuple[Event, ...]:
        """Those of the events from `start` to `stop` that a seat (None: the public) may know."""
        events = self._events[start:stop]
        if start >= self._private:
            return tuple(events)
        return tuple([event for event in events if (audience := event.audience) is None or seat in audience])
