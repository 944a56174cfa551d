"""An event as its organiser sees and moves it through the referee's admin socket."""

from __future__ import annotations

from datetime import datetime

from ladder.events.event_season import EventSeason
from ladder.events.ranking import points
from referee.transport.event_desk import EntrantStatus, EventStatus, TableStatus


class EventControl:
    """The `EventDesk` of a served event."""

    def __init__(self, season: EventSeason) -> None:
        self._season = season

    def status(self) -> EventStatus:
        """The event as it stands."""
        season = self._season
        season.refresh()
        event = season.event
        total = points(event)
        start = season.entry.start
        last = event.rounds[-1] if event.rounds else None
        return EventStatus(
            name=season.season,
            game=season.pool.game,
            seats=event.rules.seats,
            format=event.rules.format.value,
            state=event.state,
            paused=event.paused,
            start=start.isoformat() if isinstance(start, datetime) else start,
            round=0 if last is None else last.number,
            rounds=season.rounds,
            entrants=tuple(
                EntrantStatus(
                    name=entrant.name,
                    seed=entrant.seed,
                    present=season.is_present(entrant.name),
                    checked_in=entrant.checked_in,
                    points=float(total[entrant.name]),
                    out=entrant.reason if entrant.out_before is not None else "",
                )
                for entrant in event.entrants
            ),
            tables=tuple(
                TableStatus(
                    bots=table.bots,
                    games=len(table.games),
                    over=sum(game.over for game in table.games),
                )
                for table in (() if last is None else last.tables)
            ),
            byes=() if last is None else last.byes,
        )

    def start(self, actor: str) -> None:
        """See `EventSeason.start`."""
        self._season.start(actor)

    def pause(self, actor: str) -> None:
        """See `EventSeason.pause`."""
        self._season.pause(actor)

    def resume(self, actor: str) -> None:
        """See `EventSeason.resume`."""
        self._season.resume(actor)

    def withdraw(self, actor: str, name: str) -> None:
        """See `EventSeason.withdraw`."""
        self._season.withdraw(name, actor)
