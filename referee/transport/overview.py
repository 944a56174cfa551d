"""Figures of a running referee and of its bots, for `kumite admin status` and `kumite admin bot`."""

from __future__ import annotations

import time
from typing import NamedTuple

from referee.match.clock import SECOND
from referee.match.playtime import PlayTime
from referee.transport.connections import Connections
from referee.transport.lobby import Lobby


class Figures(NamedTuple):
    """The present figures of a referee."""

    season: str
    uptime_seconds: float
    bots: int
    """Connected bots."""
    waiting: int
    """Connected bots at no table."""
    away: int
    streams: int
    tables: int
    finished: int
    stood_still_seconds: float
    storage_trouble: str


class BotFigures(NamedTuple):
    """The present figures of one bot that the referee remembers."""

    name: str
    present: bool
    address: str
    software: str
    proven: bool
    matches: tuple[str, ...]
    capacity: int
    round_trip_us: int


class Overview:
    """Reads the figures of one referee."""

    def __init__(self, connections: Connections, lobby: Lobby, play_time: PlayTime, season: str) -> None:
        self._connections = connections
        self._lobby = lobby
        self._time = play_time
        self._season = season
        self._started = time.monotonic()

    def figures(self) -> Figures:
        """The figures of the referee now."""
        sessions = self._connections.sessions
        here = [session for session in sessions if session.stream is not None]
        trouble = self._lobby.storage.trouble
        return Figures(
            season=self._season,
            uptime_seconds=time.monotonic() - self._started,
            bots=len(here),
            waiting=sum(not session.tables for session in here),
            away=len(sessions) - len(here),
            streams=len(self._connections.streams),
            tables=self._lobby.running,
            finished=self._lobby.finished,
            stood_still_seconds=self._time.lost / SECOND,
            storage_trouble="" if trouble is None else str(trouble),
        )

    def bot(self, name: str) -> BotFigures | None:
        """The figures of a bot now; None: the bot is not remembered."""
        session = self._connections.session(name)
        if session is None:
            return None
        stream = session.stream
        return BotFigures(
            name=name,
            present=stream is not None,
            address=session.origin,
            software=session.software,
            proven=session.proven,
            matches=tuple(dict.fromkeys(seat.terms.match for seat in session.seat_sessions)),
            capacity=session.capacity,
            round_trip_us=0 if stream is None else stream.round_trip.best,
        )
