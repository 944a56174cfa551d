"""An open page in Chromium while a match begins and ends, and while other readers never read."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from ladder.config.offers import every_table
from ladder.web.app import application
from ladder.web.limits import WebLimits
from ladder.web.reading.library import Library
from ladder.web.site import Site
from referee.match.clock import TimeControl
from tests.ladder.held_bots import HeldBot, eventually, release
from tests.ladder.test_served import Season
from tests.web.browser.conftest import Opening
from tests.web.test_limits import served as serving

pytestmark = pytest.mark.processes

LIMITS = WebLimits(requests_per_second=1000, request_burst=10_000)
SEEN_MS = 20_000.0
"""Time until an open page shows what happened."""


class Live:
    """A referee with pages, and bots that answer when they are let."""

    def __init__(self, season: Season, path: Path, home: str) -> None:
        self.season = season
        self.path = path
        self.home = home

    def sit(self, *names: str) -> list[HeldBot]:
        """Bots that keep their answers; the table opens when enough of them are there."""
        return [HeldBot(self.season.address, name) for name in names]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A referee and its pages."""
    path = tmp_path / "cup.sqlite"
    offers = every_table(["edo_yashiki"], seats=[2], clock=TimeControl.parse("60s"))
    with (
        Season(path, offers) as season,
        serving(application(Site(Library(path)), limits=LIMITS), LIMITS) as (host, port),
    ):
        yield Live(season, path, f"http://{host}:{port}")


def test_a_match_is_seen_to_begin_and_to_end_on_an_open_page(live: Live, opened: Opening) -> None:
    """The first page gets a card and loses it without being loaded again; the match's page says that it is over."""
    watched = opened(live.home)
    page = watched.page
    page.goto(live.home)
    expect(page.locator("[data-no-tables]")).to_be_visible()
    page.evaluate("window.same = true")
    bots = live.sit("ann", "bob")
    card = page.locator("article[data-match]")
    expect(card).to_have_count(1, timeout=SEEN_MS)
    expect(card).to_contain_text("ann", timeout=SEEN_MS)
    expect(page.locator("[data-line]")).to_contain_text("1 table live", timeout=SEEN_MS)
    match = card.get_attribute("data-match")
    followed = opened(live.home)
    followed.page.goto(f"{live.home}/matches/{match}")
    expect(followed.page.locator("[data-follow]")).to_contain_text("is being played", timeout=SEEN_MS)
    release(bots)
    expect(followed.page.locator("[data-follow]")).to_contain_text("over", timeout=SEEN_MS)
    expect(page.locator(f'article[data-match="{match}"]')).to_have_count(0, timeout=SEEN_MS)

    assert page.evaluate("window.same") is True
    for bot in bots:
        bot.close()


def test_a_reader_that_never_reads_keeps_nobody_waiting(live: Live, opened: Opening) -> None:
    """Ten connections ask for the live stream and read nothing; a page beside them shows the match begin and end."""
    place = urlsplit(live.home)
    deaf = []
    for _ in range(10):
        one = socket.create_connection((place.hostname or "", place.port or 0))
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        one.sendall(f"GET /live HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        deaf.append(one)
    watched = opened(live.home)
    watched.page.goto(live.home)
    bots = live.sit("ann", "bob")
    card = watched.page.locator("article[data-match]")
    expect(card).to_have_count(1, timeout=SEEN_MS)
    match = card.get_attribute("data-match")
    began = time.monotonic()
    release(bots)
    expect(watched.page.locator(f'article[data-match="{match}"]')).to_have_count(0, timeout=SEEN_MS)
    eventually(lambda: all(bot.overs for bot in bots))

    assert time.monotonic() - began < SEEN_MS / 1000
    assert not any(bot.faults for bot in bots)
    for bot in bots:
        bot.close()
    for one in deaf:
        one.close()
