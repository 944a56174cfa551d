"""The pages of bots: all of them, one of them, and two of them against each other."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from ladder.ratings.plackett_luce import Difference
from ladder.store.records import Selection
from ladder.web.pages.matches import listed
from ladder.web.pages.pools import about
from ladder.web.reading import bot_facts
from ladder.web.reading.library import Library
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data, Listed, NoSuchPage, Page, Question, part
from ladder.web.reading.upcoming import upcoming

SHOWN_MATCHES = 12
"""Matches on the page of a bot."""
PER_PAGE = 100


def _list(question: Question) -> Data:
    store = question.library.store()
    names = Names.of(store)
    rows = [row | {"bot": names.shown(str(row["bot"]))} for row in bot_facts.all_bots(question.library)]
    wanted = question.query.get("bot", "").casefold()
    rows = [row for row in rows if wanted in str(row["bot"]).casefold()]
    place = question.place(len(rows), PER_PAGE)
    return {
        "bots": rows[place["first"] : place["first"] + PER_PAGE],
        "total": len(rows),
        **place,
        "query": {"bot": question.query.get("bot", "")},
    }


def _bot(question: Question) -> Data:
    store = question.library.store()
    names = Names.of(store)
    bot = names.stored(question.path["bot"], store)
    pools = bot_facts.bot_pools(question.library, bot)
    with store.snapshot():
        rows = bot_facts.recent(store, bot)
        found = list(bot_facts.records(store, rows))
        builds = store.builds_of(bot)
    return {
        "bot": names.shown(bot),
        "unproven": bot in store.unproven(),
        "pools": [
            about(facts) | {"standings": standings, "opponents": bot_facts.opponents(facts, bot)}
            for facts, standings in pools
        ],
        "builds": [
            {
                "number": number,
                "digest": build.digest,
                "software": "" if names.shown(bot) != bot else build.spec,
                "remote": build.remote,
                "created": build.created,
            }
            for number, build in enumerate(builds, 1)
        ],
        "next": upcoming(store, bot, names),
        "thinking": bot_facts.thinking(found, bot),
        "looked_at": len(found),
        "faults": bot_facts.faults(found, bot, names),
        "matches": [listed(row, names) for row in rows[:SHOWN_MATCHES]],
    }


def _against(question: Question) -> Data:
    store = question.library.store()
    names = Names.of(store)
    bot, other = (names.stored_player(question.path[key], store) for key in ("bot", "other"))
    if bot == other:
        raise NoSuchPage("A bot does not play against itself.")
    pools: list[Data] = []
    for facts, _ in bot_facts.bot_pools(question.library, bot.partition("@")[0]):
        met = [row for row in bot_facts.opponents(facts, bot) if row["player"] == names.shown(other)]
        fit = facts.table.fit
        difference = fit.difference(bot, other) if fit is not None and met and {bot, other} <= set(fit.names) else None
        if met:
            pools.append(about(facts) | {"met": met[0], "difference": _difference(difference)})
    sitting = Selection(bot=bot.partition("@")[0], against=other.partition("@")[0])
    rows, total = store.newest(sitting, 0, SHOWN_MATCHES * 2)
    if not pools and not total:
        raise NoSuchPage(f"{names.shown(bot)} and {names.shown(other)} have not met.")
    return {
        "bot": names.shown(bot),
        "other": names.shown(other),
        "pools": pools,
        "matches": [listed(row, names) for row in rows],
        "total": total,
    }


def _difference(found: Difference | None) -> Data | None:
    if found is None:
        return None
    return {
        "elo": found.elo,
        "low": found.low if isfinite(found.low) else None,
        "high": found.high if isfinite(found.high) else None,
        "superiority": found.los,
    }


def _addresses(library: Library) -> Iterator[Listed]:
    store = library.store()
    names = Names.of(store)
    for bot in store.bot_names():
        yield Listed(f"/bots/{part(names.shown(bot))}")


def _pairs(library: Library) -> Iterator[Listed]:
    """The pairs that cross tables link to."""
    for own, other in sorted(bot_facts.crossed_pairs(library)):
        yield Listed(f"/bots/{part(own)}/against/{part(other)}")


PAGES = (
    Page("bots", "Bots", "/bots", _list, lambda library: [Listed("/bots")]),
    Page("against", "Bots", "/bots/{bot:str}/against/{other:str}", _against, _pairs),
    Page("bot", "Bots", "/bots/{bot:str}", _bot, _addresses),
)
