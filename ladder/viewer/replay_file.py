"""Makes the replay file of a match from its record: what the public and every seat saw, step by step.

What the public or a seat sees at a step is one JSON object, a *sight*: `view` in the field names of the protocol, and
`facts` of the game's board. `track` says how sights stand in the file. The board in words is a file of its own, with
the same tracks: it is a third of the whole, and a page loads it for those who read the board.

The files of a match that is not over hold what spectators could see: no seat's sight, no answers, no notes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, cast

from google.protobuf.json_format import MessageToDict

from ladder.viewer.patch import Json
from ladder.viewer.track import Sight, Track
from referee.codec import encoding
from referee.kernel.board import Section, board
from referee.kernel.game import TABLE, AnyGame, Event, Seat
from referee.match.record import Record, Step
from referee.match.replay import Position, named, replay
from referee.v1 import play_pb2 as pb

PUBLIC, ALL = "public", "all"
"""Whose eyes a replay is seen through, beside the number of a seat."""
FORMAT = "kumite replay"
WORDS_FORMAT = "kumite words"
VERSION = 1
"""Raised with a change after which an earlier viewer could not read the file."""


def replay_file(
    record: Record, *, players: Sequence[str] | None = None, masked: Callable[[str], str] = str
) -> dict[str, Json]:
    """The replay file of a record; raises BrokenRecord at the first step that the rules do not allow.

    `players` are the names that are shown, those of the record unless given; `masked` replaces hidden names in a text.
    """
    game = named(record.header)
    maker = _Maker(game, record, masked)
    steps = [maker.step(position) for position in replay(record, game)]
    return {
        "format": FORMAT,
        "version": VERSION,
        "header": _header(game, record, players),
        "steps": cast(Json, steps),
        "end": _end(record, masked),
    }


def words_file(record: Record) -> dict[str, Json]:
    """The board in words at every step of a record, as a file beside the replay file."""
    game = named(record.header)
    describe = board(game.name).describe
    seats = range(len(record.header.players)) if record.finished else range(0)
    track = Track(len(seats))
    steps = []
    for position in replay(record, game):
        public = _sections(describe(game.view(position.state, None)))
        own = [_sections(describe(game.view(position.state, seat))) for seat in seats]
        steps.append(track.step({"text": public}, [{"text": text} for text in own]))
    header: dict[str, Json] = {"match": record.header.match}
    return {"format": WORDS_FORMAT, "version": VERSION, "header": header, "steps": cast(Json, steps)}


def _sections(sections: Sequence[Section]) -> Json:
    """A board in words: for every part its title, its headings and its rows."""
    return [[part.title, list(part.columns), [list(row) for row in part.rows]] for part in sections]


def as_json(file: dict[str, Json]) -> str:
    """A replay file as it is written."""
    return json.dumps(file, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def as_script(file: dict[str, Json]) -> str:
    """A replay file as a classic script, which a page loads from a disk too, where browsers load no JSON."""
    match = json.dumps(cast(dict[str, Json], file["header"])["match"])
    place = "kumiteReplays" if file["format"] == FORMAT else "kumiteWords"
    return f"(window.{place} = window.{place} || {{}})[{match}] = {as_json(file)};\n"


def view_of(game: AnyGame, view: object) -> Sight:
    """A view in the field names of the protocol; a field that is 0, empty or absent is left out."""
    encoder: Any = encoding.of(game.name).encoder()
    message = getattr(pb.Ask(), game.name).view
    message.ParseFromString(encoder.view(view))
    return cast(Sight, MessageToDict(message, preserving_proto_field_name=True))


def drawn(game: AnyGame, view: object, events: Sequence[Event]) -> Sight:
    """What is drawn for those who have this view and were told these events of the last step."""
    return {"view": view_of(game, view), "facts": cast(Json, board(game.name).facts(view, events))}


def sight(game: AnyGame, view: object, events: Sequence[Event]) -> Sight:
    """What a live table shows to those who have this view: what is drawn, and the board in words as `text`."""
    return {**drawn(game, view, events), "text": _sections(board(game.name).describe(view))}


def event_of(game: AnyGame, event: Event) -> dict[str, Json]:
    """An event as the viewer reads it; a seat, items and an amount that there are none of are left out."""
    found: dict[str, Json] = {
        "verb": str(event.verb),
        "subject": event.subject,
        "words": board(game.name).event(event),
    }
    if event.seat != TABLE:
        found["seat"] = event.seat
    if event.items:
        found["items"] = list(event.items)
    if event.amount:
        found["amount"] = event.amount
    if event.audience is not None:
        found["audience"] = list(event.audience)
    return found


def heard(events: Sequence[Event], seat: Seat | None) -> list[Event]:
    """The events that a seat was told; None: the public."""
    return [event for event in events if event.audience is None or seat in event.audience]


class _Maker:
    """Makes the steps of a file one after the other."""

    def __init__(self, game: AnyGame, record: Record, masked: Callable[[str], str]) -> None:
        self._game = game
        self._board = board(game.name)
        self._record = record
        self._masked = masked
        self._seats = range(len(record.header.players)) if record.finished else range(0)
        self._track = Track(len(self._seats))
        self._answers: list[Json] = []
        """The answers of the next step: they are put in words by the views from before it."""

    def step(self, position: Position) -> Json:
        """The step that led to a position."""
        step, events, state = position.step, position.events, position.state
        views = {seat: self._game.view(state, seat) for seat in self._seats}
        public = drawn(self._game, self._game.view(state, None), heard(events, None))
        own = [drawn(self._game, views[seat], heard(events, seat)) for seat in self._seats]
        made: dict[str, Json] = {
            "n": step.n,
            "at_us": step.at,
            "awaited": self._awaited(position),
            "answers": self._answers,
            "faults": [
                {
                    "seat": fault.seat,
                    "kind": fault.kind.value,
                    "owner": fault.owner.value,
                    "message": self._masked(fault.message),
                }
                for fault in (step.faults if self._record.finished else ())
            ],
            "events": [event_of(self._game, event) for event in self._told(events)],
            **self._track.step(public, own),
        }
        self._answers = self._next_answers(position, views)
        return {name: value for name, value in made.items() if name in ("n", "at_us") or value not in ([], {})}

    def _awaited(self, position: Position) -> list[Json]:
        """The seats that owe an answer; of a match that goes on only what the public may know of them."""
        if not self._record.finished:
            pending = self._game.pending(position.state)
            if any(kind in self._game.secret_pending for _, kind in pending):
                return list(range(len(self._record.header.players)))
            return [seat for seat, _ in pending]
        return [seat for seat, _ in position.turn.asks]

    def _told(self, events: Sequence[Event]) -> Sequence[Event]:
        return events if self._record.finished else heard(events, None)

    def _next_answers(self, position: Position, views: dict[Seat, Any]) -> list[Json]:
        following = position.step.n + 1
        if not self._record.finished or following >= len(self._record.steps):
            return []
        step = self._record.steps[following]
        return [
            self._answer(step, ask.seat, ask.kind, views[ask.seat], position.turn.options[ask.seat])
            for ask in position.turn.asks
            if ask.seat in step.answers
        ]

    def _answer(self, step: Step, seat: Seat, kind: str, view: Any, options: Sequence[Any]) -> Json:
        """An answer in words, with its time."""
        index = step.answers[seat]
        found: dict[str, Json] = {
            "seat": seat,
            "kind": kind,
            "option": index,
            "of": len(options),
            "words": self._board.answer(view, kind, options[index]) if 0 <= index < len(options) else "",
        }
        if seat in step.by:
            found["by"] = step.by[seat]
        for name, times in (("spent_us", step.spent), ("lag_us", step.lag), ("left_us", step.left)):
            if seat in times:
                found[name] = times[seat]
        if seat in step.arrivals:
            found["arrival"] = step.arrivals[seat]
        if step.notes.get(seat):
            found["note"] = self._masked(step.notes[seat])
        return found


def _header(game: AnyGame, record: Record, players: Sequence[str] | None) -> dict[str, Json]:
    header = record.header
    return {
        "match": header.match,
        "game": game.name,
        "title": game.title,
        "rules_version": header.rules_version,
        "variant": dict(header.variant),
        "players": list(players if players is not None else header.players),
        "clock": str(header.clock),
        "finished": record.finished,
    }


def _end(record: Record, masked: Callable[[str], str]) -> Json:
    """How the match ended; None: it is not over."""
    final = record.final
    if final is None:
        return None
    result = final.result
    return {
        "at_us": final.at,
        "rated": final.rated,
        "places": None if result is None else list(result.places),
        "points": None if result is None else list(result.points),
        "automata": [] if result is None else list(result.automata),
        "reason": "" if result is None else result.reason,
        "endings": [
            {"kind": ending.kind.value, "faults": ending.faults, "message": masked(ending.message)}
            for ending in final.endings
        ],
        "faults": [
            {
                "seat": fault.seat,
                "kind": fault.kind.value,
                "owner": fault.owner.value,
                "message": masked(fault.message),
            }
            for fault in final.faults
        ],
    }
