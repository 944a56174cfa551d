"""What a bot plays next, as far as a schedule tells: tables of running events, then those of planned seasons."""

from __future__ import annotations

from typing import Any

from ladder.events.report import plain, report
from ladder.store.database import Store
from ladder.web.drawing.words import game_title, pool_title
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data

MOST = 3
"""Matches to come that a page names."""


def upcoming(store: Store, bot: str, names: Names) -> list[Data]:
    """The next tables of a bot by its stored name: title, season, opponents, and the round of an event (or None)."""
    found = _in_events(store, names.shown(bot))
    pools = store.pools_of_seasons()
    for pool, lineup in store.due(bot, MOST):
        season, row = pools[pool]
        opponents = [names.shown(other) for other in lineup if other != bot]
        title = pool_title(row.game, row.seats)
        found.append({"title": title, "season": season.name, "opponents": opponents, "round": None})
    return [row for row in found if row["opponents"]][:MOST]


def _in_events(store: Store, shown: str) -> list[Data]:
    """Tables of the present round of running events; their reports name bots as they are shown."""
    found: list[Data] = []
    for season in store.seasons():
        if store.event(season.id) is None:
            continue
        told: dict[str, Any] = plain(report(store, season.name))
        if told["state"] != "running" or not told["round_list"]:
            continue
        last = told["round_list"][-1]
        for table in last["tables"]:
            if shown in table["bots"] and table["scores"] is None:
                opponents = [other for other in table["bots"] if other != shown]
                about = {"title": game_title(told["game"]), "season": season.name, "round": last["round"]}
                found.append(about | {"opponents": opponents})
    return found
