"""`kumite replay --follow`: a match that runs, as spectators see it, told from the database step by step.

The steps of a running match are sealed with the host's key, so a reader needs the key beside the database to follow
there; any other program follows by `WatchService`. What is told is what every spectator may know: the public view and
the events that were told to all, no answers, no notes and no times.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep
from typing import Any

import typer

from ladder.cli.databases import existing_database, locate
from ladder.cli.replay_text import board_lines, conclusion, opening, plain_event_line, points_line, points_of
from ladder.escaping import visible
from ladder.store.database import Store
from referee.kernel.board import board
from referee.kernel.chance import Replayed
from referee.kernel.errors import BadSetting
from referee.kernel.game import Event
from referee.match.record import Record, Step
from referee.match.replay import Walk, named

POLL_SECONDS = 0.25
"""How often the database is looked at."""


def follow(text: str) -> None:
    """Tell a match of a database from where it stands to its end; raises BadSetting, UnknownName or StoreProblem."""
    place = locate(text)
    if place.match is None:
        raise BadSetting(f"{text}: --follow needs one match of a database: DB:MATCH")
    with Store(existing_database(place.path), reading=True) as store, store.explained():
        match = store.full_id(place.match)
        watched = FollowedMatch(store.played_so_far(match))
        while True:
            seen = store.data_version()
            row = store.match_row(match)
            if row.state != "running" and not row.ended:
                typer.echo(f"stopped without a result: {visible(row.reason or 'the referee said no reason')}")
                return
            record = store.played_so_far(match)
            for line in watched.go_on(record):
                typer.echo(line)
            if record.finished:
                break
            while store.data_version() == seen:
                sleep(POLL_SECONDS)
        for line in watched.end(record):
            typer.echo(line)


class FollowedMatch:
    """A match as spectators see it, as far as it was told."""

    def __init__(self, record: Record) -> None:
        self._header = record.header
        self._game = named(record.header)
        self._board = board(self._game.name)
        self._luck = Replayed()
        self._walk = Walk(self._game, record.header, self._luck)
        self._points: list[int] = []
        self._begun = False

    def go_on(self, record: Record) -> Iterator[str]:
        """What the steps since the last call tell; the first call tells the board as it stands instead."""
        told = [line for step in record.steps[self._walk.steps :] for line in self._step(step)]
        if self._begun:
            yield from told
            return
        self._begun = True
        yield from opening(self._header, None)
        if self._walk.steps:
            yield f"after step {self._walk.steps - 1}:"
            yield from self._now()

    def end(self, record: Record) -> Iterator[str]:
        """The board at the end and how the match ended."""
        if self._walk.steps:
            yield from self._now()
        yield from conclusion(self._header, record.final)

    def _step(self, step: Step) -> Iterator[str]:
        self._luck.feed(step.chance)
        events = [event for event in self._walk.take(step) if event.audience is None]
        for event in events:
            yield plain_event_line(event, self._board.event(event), self._header.players)
        points = self._counted(events)
        if points != self._points:
            self._points = points
            yield points_line(points, self._header.players)

    def _counted(self, events: list[Event]) -> list[int]:
        return points_of(self._board.facts(self._view(), events))

    def _view(self) -> Any:
        return self._game.view(self._walk.state, None)

    def _now(self) -> Iterator[str]:
        yield from board_lines(self._board.describe(self._view()))
        if self._points:
            yield f"  {visible(points_line(self._points, self._header.players))}"
