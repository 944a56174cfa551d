"""Files beside the pages: records of finished matches, standings as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass

from ladder.store.matches import SealedRecord
from ladder.web.reading.page import NoSuchPage, Question
from ladder.web.reading.pool_facts import pool_facts, standing
from referee.kernel.errors import UnknownName

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
    try:
        match = store.full_id(question.path["match"])
        store.shown_record(match)
    except UnknownName:
        raise NoSuchPage("No match has this id.") from None
    except SealedRecord:
        raise NoSuchPage("The record can be read when the match, and every game of its set, is over.") from None
    if store.pseudonyms().keys() & {seat.player for seat in store.match_row(match).seats}:
        raise NoSuchPage("A bot of this match is shown under a pseudonym, and its record has the bot's own name.")
    return b"".join(store.lines(match))


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
DOWNLOADS = (RECORD, Download("/pools/{pool:int}.csv", "text/csv", _standings))
