"""Every page of the site, in the order in which addresses are tried."""

from __future__ import annotations

from ladder.web.pages import boards, bots, events, games, home, matches, pools
from ladder.web.reading.page import Page

PAGES: tuple[Page, ...] = (
    *home.PAGES,
    *boards.PAGES,
    *pools.PAGES,
    *events.PAGES,
    *matches.PAGES,
    *bots.PAGES,
    *games.PAGES,
)
