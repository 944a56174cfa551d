"""Files beside the pages: records of finished matches, standings as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass

from ladder.store.database import Store
from ladder.store.matches import SealedRecord
from ladder.viewer.patch import Json
from ladder.viewer.replay_file import as_json, as_script, replay_file
from ladder.web.reading.names import Names
from ladder.web.reading.page import NoSuchPage, Question
from ladder.web.reading.pool_facts import pool_facts, standing
from referee.kernel.errors import BadRecord, UnknownName
from referee.match.record import Record

COLUMNS = ("rank", "player", "status", "elo", "low", "high", "games", "wins", "draws", "losses", "faults", "last")


@dataclass(frozen=True, slots=True)
class Download:
    """One kind of file."""

    address: str
    media: str
    load: Callable[[Question], bytes]
    """The content; raises NoSuchPage."""


def _record(question: Question) -> bytes:
    store = question.library.store()
    match, _ = _shown(store, question)
    if store.pseudonyms().keys() & {seat.player for seat in store.match_row(match).seats}:
        raise NoSuchPage("A bot of this match is shown under a pseudonym, and its record has the bot's own name.")
    return b"".join(store.lines(match))


def _shown(store: Store, question: Question) -> tuple[str, Record]:
    """The id and the record of a match that everybody may read; raises NoSuchPage."""
    try:
        match = store.full_id(question.path["match"])
        return match, store.shown_record(match)
    except UnknownName:
        raise NoSuchPage("No match has this id.") from None
    except SealedRecord:
        raise NoSuchPage("The record can be read when the match, and every game of its set, is over.") from None


def _replay(question: Question) -> dict[str, Json]:
    """The replay file of a match, with the names that are shown."""
    store = question.library.store()
    names = Names.of(store)
    _, record = _shown(store, question)
    try:
        return replay_file(record, players=[names.shown(name) for name in record.header.players], masked=names.masked)
    except BadRecord as error:
        raise NoSuchPage(names.masked(str(error))) from None


def _replay_json(question: Question) -> bytes:
    return as_json(_replay(question)).encode()


def _replay_script(question: Question) -> bytes:
    return as_script(_replay(question)).encode()


def _standings(question: Question) -> bytes:
    facts = pool_facts(question.library, int(question.path["pool"]))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in facts.players:
        row = standing(facts, entry)
        writer.writerow(["" if row[column] is None else row[column] for column in COLUMNS])
    return text.getvalue().encode()


RECORD = Download("/records/{match:str}.jsonl", "application/jsonl", _record)
REPLAY = Download("/matches/{match:str}/replay.json", "application/json", _replay_json)
REPLAY_SCRIPT = Download("/matches/{match:str}/replay.js", "text/javascript", _replay_script)
DOWNLOADS = (RECORD, REPLAY, REPLAY_SCRIPT, Download("/pools/{pool:int}.csv", "text/csv", _standings))
