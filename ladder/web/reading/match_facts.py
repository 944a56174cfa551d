"""What pages tell of a match that is over: every step with answers, events, notes and clocks, and what was scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ladder.event_words import deed
from ladder.store.database import Store
from ladder.store.records import MatchRow
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data
from referee.kernel.errors import BadRecord
from referee.kernel.game import TABLE, Event
from referee.match.record import Record
from referee.match.replay import named, replay

SCORED = "scored"
"""The verb of events whose amounts are points."""


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
    steps: list[Data] = []
    scored: dict[str, list[int]] = {}
    for moment in replay(record, named(record.header)):
        step = moment.step
        for event in moment.events:
            if event.verb == SCORED and event.seat != TABLE and event.audience is None:
                line = scored.setdefault(event.subject, [0] * len(players))
                line[event.seat] += event.amount
        steps.append(
            {
                "n": step.n,
                "at_us": step.at,
                "answers": [
                    {
                        "seat": seat,
                        "option": step.answers[seat],
                        "by": step.by.get(seat, ""),
                        "spent_us": step.spent.get(seat),
                        "left_us": step.left.get(seat),
                        "note": masked(step.notes.get(seat, "")),
                    }
                    for seat in sorted(step.answers)
                ],
                "events": [_event(event) for event in moment.events],
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
    return steps, [{"category": name, "points": points} for name, points in scored.items()]


def _event(event: Event) -> Data:
    return {
        "seat": None if event.seat == TABLE else event.seat,
        "words": deed(event),
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
