"""An event as the organiser's calls see it; the program that plays the event implements `EventDesk`."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from referee.v1 import admin_pb2 as pb

STATES = {
    "waiting": pb.EVENT_STATE_WAITING,
    "running": pb.EVENT_STATE_RUNNING,
    "over": pb.EVENT_STATE_OVER,
}


class EntrantStatus(NamedTuple):
    """An entrant of an event."""

    name: str
    seed: int
    present: bool
    checked_in: bool
    points: float
    out: str
    """Why the entrant is out; empty: the entrant is in."""


class TableStatus(NamedTuple):
    """A table of the present round."""

    bots: tuple[str, ...]
    games: int
    over: int
    """Number of games that are over."""


class EventStatus(NamedTuple):
    """The present state of an event."""

    name: str
    game: str
    seats: int
    format: str
    state: str
    """`waiting`, `running` or `over`."""
    paused: bool
    start: str
    round: int
    rounds: int
    entrants: tuple[EntrantStatus, ...]
    tables: tuple[TableStatus, ...]
    byes: tuple[str, ...]


class EventDesk(Protocol):
    """The acts of an organiser, the `actor`, on an event. Each act is stored when its call returns.

    Every act raises CallerFault with one line if it is impossible, StorageTrouble if the database cannot store now.
    """

    def status(self) -> EventStatus:
        """The present state of the event."""

    def start(self, actor: str) -> None:
        """Begin the event now."""

    def pause(self, actor: str) -> None:
        """Open no further table."""

    def resume(self, actor: str) -> None:
        """Go on after a pause."""

    def withdraw(self, actor: str, name: str) -> None:
        """Take an entrant out."""


def described(status: EventStatus) -> pb.EventStatus:
    """The event as a protobuf message."""
    event = pb.EventStatus(
        name=status.name,
        game=status.game,
        seats=status.seats,
        format=status.format,
        state=STATES[status.state],
        paused=status.paused,
        start=status.start,
        round=status.round,
        rounds=status.rounds,
        byes=status.byes,
    )
    for entrant in status.entrants:
        event.entrants.add(**entrant._asdict())
    for table in status.tables:
        event.tables.add(bots=table.bots, games=table.games, games_over=table.over)
    return event
