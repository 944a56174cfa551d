"""Chromium and a served site for the tests of this folder.

Tests need Debian's `chromium` or another Chromium on the PATH. Without one they are skipped; with the setting
KUMITE_BROWSER=required in the environment, which `.ci/run` sets after it has installed one, they fail instead.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
import uvicorn
from playwright.sync_api import Browser, Dialog, Page, Route, sync_playwright

from ladder.web.app import application
from ladder.web.listening import listening
from ladder.web.reading.library import Library
from ladder.web.site import Site
from tests.web.browser import demo

Theme = Literal["light", "dark"]
NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = 1280, 360


def _chromium() -> str:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is not None:
        return found
    message = f"no browser: none of {', '.join(NAMES)} is on the PATH (Debian: apt install chromium)"
    if os.environ.get("KUMITE_BROWSER") == "required":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module; sync Playwright holds an event loop, which other modules must not meet."""
    path = _chromium()
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database that the pages show."""
    _chromium()
    return demo.play(tmp_path_factory.mktemp("demo"))


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """The address of a server of these pages."""
    site = Site(Library(path, address="127.0.0.1:7400"))
    place = listening("127.0.0.1:0")
    server = uvicorn.Server(uvicorn.Config(application(site), log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        place.close()


@pytest.fixture(scope="module")
def served(database: Path) -> Iterator[str]:
    """The address of the served site."""
    with serving(database) as address:
        yield address


@pytest.fixture(scope="module")
def hostile(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site whose bots have names that try to break pages."""
    with serving(demo.hostile(database, tmp_path_factory.mktemp("hostile") / "demo.sqlite")) as address:
        yield address


class Watched:
    """A page of the browser that may load from one server alone, and what it complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._dismiss)

    def _dismiss(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def width_beyond(self) -> int:
        """Pixels by which the page is wider than its window."""
        beyond: int = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return beyond


Opening = Callable[..., Watched]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Opens a page: width in pixels, theme of the system, script on or off; every other server is out of reach."""
    contexts = []

    def open_page(
        home: str, *, width: int = WIDE, theme: Theme = "light", script: bool = True, touch: bool = False
    ) -> Watched:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=theme, java_script_enabled=script, has_touch=touch
        )
        contexts.append(context)

        def guard(route: Route) -> None:
            if route.request.url.startswith((home, "data:")):
                route.continue_()
            else:
                watched.complaints.append(f"asked for {route.request.url}")
                route.abort()

        context.route("**/*", guard)
        context.set_default_timeout(20_000)
        watched = Watched(context.new_page())
        return watched

    yield open_page
    for context in contexts:
        context.close()


def addresses(path: Path) -> dict[str, str]:
    """One address of every kind of page, by the name of its template; the match has long notes."""
    site = Site(Library(path))
    matches = site.load("/matches", {"bot": "noting"})["matches"]
    assert isinstance(matches, list)
    return {
        "home": "/",
        "boards": "/boards",
        "pools": "/pools",
        "pool": "/pools/1",
        "events": "/events",
        "event": "/events/evening-cup",
        "swiss": "/events/evening-swiss",
        "matches": "/matches",
        "match": f"/matches/{matches[-1]['match']}",
        "bots": "/bots",
        "bot": "/bots/greedy",
        "against": "/bots/greedy/against/first",
        "games": "/games",
        "game": "/games/honshu",
    }
