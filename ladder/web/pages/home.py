"""The first page: what is played here, by whom, now; who leads; how to enter."""

from __future__ import annotations

from ladder.store.records import Selection
from ladder.web.pages.events import events_of, short
from ladder.web.pages.matches import listed
from ladder.web.pages.pools import about
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data, Listed, Page, Question
from ladder.web.reading.pool_facts import pool_facts, standing

LATEST = 10
"""Matches on the first page."""
NOW = 12
"""Running matches on the first page."""
LEADERS = 6
"""Bots of each pool on the first page."""


def _home(question: Question) -> Data:
    store = question.library.store()
    names = Names.of(store)
    pools = []
    held = set(events_of(store))
    ladders = {row.name for row in store.seasons()} - held
    for pool, (season, row) in store.pools_of_seasons().items():
        # Events have pages of their own; a database with nothing else shows their pools here too.
        if row.archived is None and (season.name in ladders or not ladders):
            facts = pool_facts(question.library, pool)
            pools.append(about(facts) | {"standings": [standing(facts, entry) for entry in facts.players[:LEADERS]]})
    pools.sort(key=lambda found: -int(str(found["matches"])))
    with store.snapshot():
        rows, total = store.newest(Selection(), 0, LATEST)
        running, _ = store.newest(Selection(running=True), 0, NOW)
        seasons = [row for row in store.seasons() if row.name in ladders or not ladders]
        events = [short(store, name) for name in events_of(store)]
        return {
            "season": seasons[-1].name if seasons else "",
            "tempo": seasons[-1].tempo if seasons else "",
            "total": total,
            "bots": len(store.bot_names()),
            "pools": pools,
            "running": [listed(row, names) for row in running],
            "matches": [listed(row, names) for row in rows],
            "event": next((row for row in events if row["state"] != "over"), events[0] if events else None),
            "address": question.library.address,
        }


PAGES = (Page("home", "Home", "/", _home, lambda library: [Listed("/")]),)
