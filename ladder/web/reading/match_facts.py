"""What pages tell of a match that is over: every step with answers, events, notes and clocks, and what was scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from ladder.store.database import Store
from ladder.store.records import MatchRow
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data
from referee.kernel.board import Board, board
from referee.kernel.errors import BadRecord
from referee.kernel.game import TABLE, Event, Option, Seat
from referee.kernel.plain import Plain
from referee.match.record import Record
from referee.match.replay import named, replay


def told(store: Store, row: MatchRow, names: Names) -> Data:
    """A finished match with its steps; `unreadable` says why where its record cannot be replayed or read."""
    if row.state != "finished" or row.sealed:
        return {"steps": [], "categories": [], "unreadable": names.masked(_why(row)), "trust": None}
    record = store.shown_record(row.id)
    players = [names.shown(player) for player in record.header.players]
    try:
        steps, scored = steps_told(record, players, names.masked)
    except BadRecord as error:
        return {"steps": [], "categories": [], "unreadable": names.masked(str(error)), "trust": None}
    return {"steps": steps, "categories": scored, "unreadable": "", "trust": _trust(record)}


def _why(row: MatchRow) -> str:
    if row.state == "running":
        return "The match is being played; its steps can be read when it is over."
    if row.state == "void":
        return f"The match does not count: {row.reason or 'it was stopped'}."
    return "Another game of the same duplicate set is still being played with the same luck."


def steps_told(
    record: Record, players: Sequence[str], masked: Callable[[str], str] = str
) -> tuple[list[Data], list[Data]]:
    """Every step in words, and the points of each seat by category. `masked` replaces hidden names in a text."""
    game = named(record.header)
    words = board(game.name)
    steps: list[Data] = []
    points: Plain = []
    asked: dict[Seat, tuple[str, object, Sequence[Option]]] = {}
    for moment in replay(record, game):
        step = moment.step
        last = step.n == len(record.steps) - 1
        points = words.facts(game.view(moment.state, None), ())["points"] if last else points
        steps.append(
            {
                "n": step.n,
                "at_us": step.at,
                "answers": [
                    {
                        "seat": seat,
                        "option": step.answers[seat],
                        "words": _answered(words, asked[seat], step.answers[seat]),
                        "by": step.by.get(seat, ""),
                        "spent_us": step.spent.get(seat),
                        "left_us": step.left.get(seat),
                        "note": masked(step.notes.get(seat, "")),
                    }
                    for seat in sorted(step.answers)
                ],
                "events": [_event(event, words.event(event)) for event in moment.events],
                "faults": [
                    {
                        "seat": fault.seat,
                        "kind": fault.kind.value,
                        "owner": fault.owner.value,
                        "message": masked(fault.message),
                    }
                    for fault in step.faults
                ],
            }
        )
        views = {ask.seat: game.view(moment.state, ask.seat) for ask in moment.turn.asks}
        asked = {ask.seat: (ask.kind, views[ask.seat], moment.turn.options[ask.seat]) for ask in moment.turn.asks}
    return steps, cast("list[Data]", points)


def _answered(words: Board[Any], asked: tuple[str, object, Sequence[Option]], index: int) -> str:
    kind, view, options = asked
    return words.answer(view, kind, options[index])


def _event(event: Event, words: str) -> Data:
    return {
        "seat": None if event.seat == TABLE else event.seat,
        "words": words,
        "audience": None if event.audience is None else list(event.audience),
    }


def _trust(record: Record) -> Data:
    """What proves that the luck was honest: the commitment made before, the secret shown after, the last hash."""
    final = record.final
    return {
        "commitment": record.header.commitment,
        "secret": final.secret if final is not None else "",
        "last_hash": record.last_hash(),
    }
