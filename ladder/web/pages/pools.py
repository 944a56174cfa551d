"""The pages of pools: who is best at a game for so many seats, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.web.drawing.words import pool_title, settings
from ladder.web.reading import pool_facts
from ladder.web.reading.library import Library
from ladder.web.reading.page import Data, Listed, Page, Question

PER_PAGE = 100
"""Rows of standings on one page."""
MOST_NIGHTS = 20
"""Beginnings of runs that the history shows."""
SORTS = {"rating": "elo", "bot": "player", "games": "games", "faults": "faults", "played": "last"}


def about(facts: pool_facts.PoolFacts) -> Data:
    """What a pool is."""
    row = facts.row
    return {
        "id": row.id,
        "title": pool_title(row.game, row.seats),
        "game": row.game,
        "seats": row.seats,
        "variant": row.variant,
        "settings": settings(row.variant),
        "clock": row.clock,
        "rules_version": row.rules_version,
        "components": row.components,
        "rated": row.rated,
        "archived": row.archived,
        "season": facts.season.name,
        "matches": facts.matches,
        "bots": len(facts.players),
    }


def _list(question: Question) -> Data:
    store = question.library.store()
    found = []
    for pool in store.pools_of_seasons():
        facts = pool_facts.pool_facts(question.library, pool)
        if facts.players or not facts.row.archived:
            found.append(about(facts) | {"standings": [pool_facts.standing(facts, e) for e in facts.players[:6]]})
    return {"pools": found}


def _pool(question: Question) -> Data:
    facts = pool_facts.pool_facts(question.library, int(question.path["pool"]))
    rows = [pool_facts.standing(facts, entry) for entry in facts.players]
    wanted, sort = question.query.get("bot", "").casefold(), question.query.get("sort", "")
    active = question.query.get("active", "") == "1"
    shown = [
        row for row in rows if wanted in str(row["player"]).casefold() and not (active and row["status"] == "inactive")
    ]
    key = SORTS.get(sort.lstrip("-"))
    if key is not None:
        known = [row for row in shown if row[key] is not None]
        known.sort(key=lambda row: row[key], reverse=sort.startswith("-"))  # type: ignore[arg-type, return-value]
        shown = known + [row for row in shown if row[key] is None]
    place = question.place(len(shown), PER_PAGE)
    return about(facts) | {
        "standings": shown[place["first"] : place["first"] + PER_PAGE],
        "found": len(shown),
        **place,
        "query": {"bot": question.query.get("bot", ""), "sort": sort, "active": "1" if active else ""},
        "history": pool_facts.history(facts),
        "nights": pool_facts.nights(facts, question.library.store().run_starts(facts.row.id, MOST_NIGHTS)),
        "meetings": pool_facts.meetings(facts),
        "seat_effects": pool_facts.seats(facts),
        "circles": pool_facts.circles(facts),
    }


def _addresses(library: Library) -> Iterator[Listed]:
    for pool in library.store().pools_of_seasons():
        yield Listed(f"/pools/{pool}")


PAGES = (
    Page("pools", "Pools", "/pools", _list, lambda library: [Listed("/pools")]),
    Page("pool", "Pools", "/pools/{pool:int}", _pool, _addresses, lambda address: [f"{address}.csv"]),
)
