"""The pages of matches: all of them by filter, the newest first, and one of them."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.store.records import MatchRow, Selection
from ladder.web.drawing.viewer_scripts import drawing
from ladder.web.drawing.words import pool_title
from ladder.web.pages.downloads import shown
from ladder.web.reading import match_facts
from ladder.web.reading.library import Library
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data, Listed, NoSuchPage, Page, Question
from referee.kernel.errors import UnknownName
from referee.kernel.registry import names as game_names

PER_PAGE = 50
"""Matches on one page."""


def listed(row: MatchRow, names: Names) -> Data:
    """A match as lists show it."""
    return {
        "match": row.id,
        "state": row.state,
        "game": row.game,
        "title": pool_title(row.game, len(row.seats)),
        "pool": row.pool,
        "season": row.season,
        "variant": row.variant,
        "clock": row.clock,
        "rated": row.rated,
        "reason": None if row.reason is None else names.masked(row.reason),
        "started": row.started,
        "duration_us": row.duration_us,
        "sealed": row.sealed,
        "faults": sum(seat.faults or 0 for seat in row.seats),
        "seats": [
            {
                "seat": number,
                "player": names.shown(seat.player),
                "place": seat.place,
                "order": seat.place if seat.place is not None else len(row.seats) + 1,
                "points": seat.points,
                "ending": seat.ending,
                "faults": seat.faults,
            }
            for number, seat in enumerate(row.seats)
        ],
    }


def selection(question: Question, names: Names) -> Selection:
    """The matches that the query of an address asks for; raises NoSuchPage for a bot that there is not."""
    query, store = question.query, question.library.store()
    game = query.get("game") or None
    if game is not None and game not in game_names():
        raise NoSuchPage(f"No game is called {game[:40]}; there are {', '.join(game_names())}.")
    found = {key: names.stored(query[key], store) for key in ("bot", "against") if query.get(key)}
    return Selection(
        bot=found.get("bot"),
        against=found.get("against"),
        game=game,
        pool=question.number("pool", 0) or None,
        faults=query.get("faults") == "1",
    )


def _list(question: Question) -> Data:
    store = question.library.store()
    with store.snapshot():
        names = Names.of(store)
        first = (question.number("page", 1) - 1) * PER_PAGE
        rows, total = store.newest(selection(question, names), first, PER_PAGE)
        return {
            "matches": [listed(row, names) for row in rows],
            "total": total,
            **question.place(total, PER_PAGE),
            "query": {key: question.query.get(key, "") for key in ("bot", "against", "game", "pool", "faults")},
            "games": game_names(),
        }


def _match(question: Question) -> Data:
    store = question.library.store()
    with store.snapshot():
        try:
            match = store.full_id(question.path["match"])
        except UnknownName:
            raise NoSuchPage("No match has this id.") from None
        row, names = store.match_row(match), Names.of(store)
        ratings = [
            None if found is None else {"before": found[0], "after": found[1]} for found in store.told_ratings(match)
        ]
        hidden = any(seat.player in names.pseudonyms for seat in row.seats)
        more: Data = {"ratings": ratings, "hidden": hidden, "drawing": drawing(row.game)}
        return listed(row, names) | more | match_facts.told(store, row, names)


def _embedded(question: Question) -> Data:
    """What a frame of another site needs of a match; raises NoSuchPage for one that cannot be shown yet."""
    store = question.library.store()
    with store.snapshot():
        row, _ = shown(store, question)
        return listed(row, Names.of(store)) | {"drawing": drawing(row.game)}


def _addresses(library: Library) -> Iterator[Listed]:
    store = library.store()
    names = Names.of(store)
    for row in store.played(Selection()):
        if row.state != "running" and not row.sealed:
            shown = " ".join(names.shown(seat.player) for seat in row.seats)
            yield Listed(f"/matches/{row.id}", f"{row.state} {row.rated} {row.reason or ''} {shown}")


def _files(address: str) -> list[str]:
    match = address.rpartition("/")[2]
    names = ("replay.json", "replay.js", "words.json", "words.js")
    return [f"/records/{match}.jsonl", *(f"/matches/{match}/{name}" for name in names)]


def _embeds(library: Library) -> Iterator[Listed]:
    for found in _addresses(library):
        if found.stamp.startswith("finished"):
            yield Listed(f"/embed{found.address}", found.stamp)


PAGES = (
    Page("matches", "Matches", "/matches", _list, lambda library: [Listed("/matches")]),
    Page("match", "Matches", "/matches/{match:str}", _match, _addresses, _files),
    Page("embed", "Matches", "/embed/matches/{match:str}", _embedded, _embeds),
)
