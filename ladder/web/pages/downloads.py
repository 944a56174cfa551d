"""Files beside the pages: records of finished matches, standings as CSV."""

from __future__ import annotations

import csv
import io
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from ladder.store.database import Store
from ladder.store.matches import SealedRecord
from ladder.store.records import MatchRow
from ladder.viewer.patch import Json
from ladder.viewer.replay_file import as_json, as_script, replay_file, words_file
from ladder.web.reading.names import Names
from ladder.web.reading.page import NoSuchPage, Question
from ladder.web.reading.pool_facts import pool_facts, standing
from referee.kernel.errors import BadRecord, UnknownName
from referee.match.record import Record

COLUMNS = ("rank", "player", "status", "elo", "low", "high", "games", "wins", "draws", "losses", "faults", "last")
MOST_REPLAYS = 32
"""Replay files that are kept in memory."""


@dataclass(frozen=True, slots=True)
class Download:
    """One kind of file."""

    address: str
    media: str
    load: Callable[[Question], bytes]
    """The content; raises NoSuchPage."""


def _record(question: Question) -> bytes:
    store = question.library.store()
    row, _ = shown(store, question)
    if store.pseudonyms().keys() & {seat.player for seat in row.seats}:
        raise NoSuchPage("A bot of this match is shown under a pseudonym, and its record has the bot's own name.")
    return b"".join(store.lines(row.id))


def shown(store: Store, question: Question) -> tuple[MatchRow, Record]:
    """A match that everybody may read, with its record; raises NoSuchPage."""
    try:
        match = store.full_id(question.path["match"])
        return store.match_row(match), store.shown_record(match)
    except UnknownName:
        raise NoSuchPage("No match has this id.") from None
    except SealedRecord:
        raise NoSuchPage("The record can be read when the match, and every game of its set, is over.") from None


class _Replays:
    """The replay files that were asked for last: to make one takes up to some seconds."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[object, dict[str, Json]] = OrderedDict()
        self._changing = threading.Lock()

    def find(self, question: Question, kind: str) -> dict[str, Json]:
        """The replay file of a match, or its board in words, with the names that are shown now; raises NoSuchPage."""
        store = question.library.store()
        names = Names.of(store)
        row, record = shown(store, question)
        players = [names.shown(name) for name in record.header.players]
        key = (question.library.path, row.id, kind, *players, *sorted(names.pseudonyms.items()))
        with self._changing:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        try:
            made = words_file(record) if kind == "words" else replay_file(record, players=players, masked=names.masked)
        except BadRecord as error:
            raise NoSuchPage(names.masked(str(error))) from None
        with self._changing:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made


_replays = _Replays(MOST_REPLAYS)


def replay_of(question: Question) -> dict[str, Json]:
    """The replay file of a match; raises NoSuchPage for one that cannot be shown."""
    return _replays.find(question, "replay")


def _json(kind: str) -> Callable[[Question], bytes]:
    return lambda question: as_json(_replays.find(question, kind)).encode()


def _script(kind: str) -> Callable[[Question], bytes]:
    return lambda question: as_script(_replays.find(question, kind)).encode()


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
DOWNLOADS = (
    RECORD,
    Download("/pools/{pool:int}.csv", "text/csv", _standings),
    *(Download(f"/matches/{{match:str}}/{kind}.json", "application/json", _json(kind)) for kind in ("replay", "words")),
    *(Download(f"/matches/{{match:str}}/{kind}.js", "text/javascript", _script(kind)) for kind in ("replay", "words")),
)
