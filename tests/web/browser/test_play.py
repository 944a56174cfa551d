"""A person plays in Chromium: by mouse on the board, by keyboard alone, and two people in two browsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ladder.config.offers import every_table
from ladder.config.people import PeopleSettings, opponents
from ladder.store.database import Store
from ladder.web.app import application
from ladder.web.limits import WebLimits
from ladder.web.reading.library import Library
from ladder.web.site import Site
from referee.match.clock import TimeControl
from referee.match.verify import verify
from tests.ladder.held_bots import eventually
from tests.ladder.test_served import Season
from tests.web.browser.conftest import Opening
from tests.web.test_limits import served as serving

pytestmark = pytest.mark.processes

LIMITS = WebLimits(requests_per_second=1000, request_burst=10_000)


class BrowserHall:
    """A referee at which people may play, with its pages."""

    def __init__(self, path: Path, home: str) -> None:
        self.path = path
        self.home = home


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHall]:
    """A referee and pages, each in a thread."""
    path = tmp_path_factory.mktemp("hall") / "cup.sqlite"
    offers = every_table(["honshu"], seats=[5], clock=TimeControl.parse("60s"))
    people = PeopleSettings(tables=16, address_tables=16, bots=opponents(["random"]))
    with (
        Season(path, offers, people=people),
        serving(application(Site(Library(path)), limits=LIMITS), LIMITS) as (host, port),
    ):
        yield BrowserHall(path, f"http://{host}:{port}")


def sit_down(hall: BrowserHall, page: Page, game: str) -> str:
    """Open a table against a bot; returns the match."""
    page.goto(f"{hall.home}/play?game={game}")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/play/*")
    page.locator(".part").first.wait_for()
    return page.url.rpartition("/")[2]


def decide(page: Page, *, on_board: bool) -> None:
    """Choose the first thing that can be clicked, on the board where there is one, until an option is complete."""
    question = page.locator("[data-question]").inner_text()
    confirm = page.locator("[data-confirm]")
    for _ in range(12):
        if confirm.is_visible():
            break
        target = page.locator("svg.board .target").first
        if on_board and target.count():
            target.dispatch_event("click")
        else:
            page.locator(".part").first.click()
    confirm.click()
    page.wait_for_function(
        "was => document.querySelector('[data-question]').textContent !== was || "
        "!document.querySelector('[data-over]').hidden || "
        "document.querySelector('[data-confirm]').hidden",
        arg=question,
    )


def test_a_match_is_played_by_clicks_to_its_end(hall: BrowserHall, opened: Opening) -> None:
    """Targets of the board and buttons; the end leads to the replay, and the record verifies."""
    watched = opened(hall.home)
    page = watched.page
    match = sit_down(hall, page, "edo_yashiki")
    over = page.locator("[data-over]")
    while not over.is_visible():
        page.locator(".part, [data-over]:not([hidden])").first.wait_for()
        if page.locator(".part").count():
            decide(page, on_board=True)
    page.get_by_role("link", name="Look at everything").click()
    page.wait_for_url(f"**/matches/{match}")
    with Store(hall.path) as store:
        eventually(lambda: store.match_row(match).state == "finished")
        record = store.shown_record(match)
    verify(record)

    assert not watched.complaints
    assert not [by for step in record.steps for by in step.by]


def test_a_choice_is_made_and_taken_back_by_keyboard(hall: BrowserHall, opened: Opening) -> None:
    """Enter on a part, Escape takes back, Enter on Confirm sends; the mouse is not used."""
    watched = opened(hall.home)
    page = watched.page
    sit_down(hall, page, "honshu")
    page.locator(".part").first.focus()
    page.keyboard.press("Enter")
    page.locator("[data-undo]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("[data-confirm]")).to_be_hidden()
    before = page.locator("[data-log] li").count()
    page.locator(".part").first.focus()
    for _ in range(8):
        if page.locator("[data-confirm]").is_visible():
            break
        page.keyboard.press("Enter")
        page.locator(".part").first.focus()
    page.locator("[data-confirm]").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("count => document.querySelectorAll('[data-log] li').length > count", arg=before)

    assert not watched.complaints
    assert watched.width_beyond() == 0


def test_two_people_play_in_two_browsers(hall: BrowserHall, opened: Opening) -> None:
    """The link of the first brings the second to the table; its secret leaves the address bar at once."""
    first, second, third = (opened(hall.home) for _ in range(3))
    first.page.goto(f"{hall.home}/play?game=honshu")
    first.page.locator("select[name=seat1]").select_option("invited")
    first.page.get_by_role("button", name="Sit down").click()
    first.page.wait_for_url("**/play/*")
    link = first.page.locator("[data-invited] code").inner_text()
    second.page.goto(link)
    address = second.page.url
    second.page.locator("input[name=name]").fill("ben")
    second.page.get_by_role("button", name="Sit down").click()
    for watched in (first, second):
        watched.page.locator(".part").first.wait_for()
    third.page.goto(link)
    third.page.get_by_role("button", name="Sit down").click()
    third.page.locator("[data-wrong]").wait_for()

    assert "#" in link
    assert "#" not in address
    assert "was used already" in third.page.locator("[data-wrong]").inner_text()
    expect(first.page.locator("[data-seats]")).to_contain_text("ben")
    assert not first.complaints + second.complaints


@pytest.mark.slow
@pytest.mark.parametrize("game", ["honshu", "ninjato", "white_castle"])
def test_a_match_of_every_game_is_played_by_clicks(hall: BrowserHall, opened: Opening, game: str) -> None:
    """As for Edo Yashiki above, which the quick suite plays."""
    watched = opened(hall.home)
    page = watched.page
    match = sit_down(hall, page, game)
    over = page.locator("[data-over]")
    while not over.is_visible():
        page.locator(".part, [data-over]:not([hidden])").first.wait_for()
        if page.locator(".part").count():
            decide(page, on_board=True)
    with Store(hall.path) as store:
        eventually(lambda: store.match_row(match).state == "finished")
        verify(store.shown_record(match))

    assert not watched.complaints
