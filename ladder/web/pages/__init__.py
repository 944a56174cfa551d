"""Every page of the site, in the order in which addresses are tried."""

from __future__ import annotations

from ladder.web.pages import bots, events, games, home, matches, pools
from ladder.web.reading.page import Page

PAGES: tuple[Page, ...] = (
    *home.PAGES,
    *pools.PAGES,
    *events.PAGES,
    *matches.PAGES,
    *bots.PAGES,
    *games.PAGES,
)
