"""Every page in a real browser, in every theme and width, by keyboard, without script, from disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.web.publish import publish
from ladder.web.reading.library import Library
from ladder.web.site import Site
from referee.match.record import NOTE_LIMIT
from tests.web.browser import demo
from tests.web.browser.axe import grave_findings
from tests.web.browser.conftest import NARROW, WIDE, Opening, Theme, addresses

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.processes]

KINDS = (
    "home",
    "pools",
    "pool",
    "events",
    "event",
    "swiss",
    "matches",
    "match",
    "bots",
    "bot",
    "against",
    "games",
    "game",
)


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_has_no_grave_finding(
    opened: Opening, served: str, database: Path, kind: str, theme: Theme, width: int
) -> None:
    """No error, no width beyond the window, nothing serious or critical of axe; all folded parts are open."""
    watched = opened(served, width=width, theme=theme)
    watched.page.goto(served + addresses(database)[kind])
    watched.page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")

    assert grave_findings(watched.page) == []
    assert watched.width_beyond() == 0
    assert watched.complaints == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_for_nothing_is_a_page(opened: Opening, served: str, theme: Theme) -> None:
    """An address of nothing shows what there is; the browser's note of the status is the one complaint."""
    watched = opened(served, theme=theme, width=NARROW)
    watched.page.goto(f"{served}/nonsense")

    assert grave_findings(watched.page) == []
    assert watched.width_beyond() == 0
    assert len(watched.complaints) == 1
    assert "404" in watched.complaints[0]
    watched.page.get_by_role("main").get_by_role("link", name="Pools").click()
    assert watched.page.get_by_role("heading", level=1).inner_text() == "Pools"


@pytest.mark.parametrize("width", [320, NARROW, WIDE])
def test_hostile_names_break_no_page(opened: Opening, hostile: str, database: Path, width: int) -> None:
    """Markup, direction marks and 64 wide characters stand as text, run nothing and widen no page."""
    watched = opened(hostile, width=width)
    page = watched.page
    shown = addresses(database)
    beyond = {}
    for kind in ("home", "pools", "pool", "events", "event", "swiss", "matches", "match", "bots"):
        page.goto(hostile + shown[kind])
        beyond[kind] = watched.width_beyond()
    page.goto(f"{hostile}/bots")
    for name in demo.HOSTILE.values():
        page.goto(f"{hostile}/bots")
        page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_url("**/bots/*")
        beyond[name] = watched.width_beyond()
        assert page.locator("h1").text_content() == name

    assert watched.complaints == []
    assert dict.fromkeys(beyond, 0) == beyond


def test_a_note_of_the_largest_size_is_text(opened: Opening, served: str, database: Path) -> None:
    """A note of the referee's limit stands in the log as text, in a part of bounded height."""
    watched = opened(served, width=NARROW)
    watched.page.goto(served + addresses(database)["match"])
    note = watched.page.locator(".viewer-log q").first
    text = note.text_content() or ""

    assert text.startswith("<script>alert(1)</script>")
    assert len(text) >= NOTE_LIMIT - 1
    assert watched.width_beyond() == 0
    assert watched.page.evaluate("document.querySelector('.viewer-log').clientHeight") <= 560
    assert watched.complaints == []


def test_everything_is_reached_by_keyboard(opened: Opening, served: str) -> None:
    """The skip link is first; theme, filter, sort links, chips and folded values follow, and all show their focus."""
    watched = opened(served)
    page = watched.page
    page.goto(f"{served}/pools/1")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                """() => {
                  const now = document.activeElement, held = now.closest("label") ?? now;
                  const style = getComputedStyle(held), own = getComputedStyle(now);
                  const ring = style.outlineStyle !== "none" || own.outlineStyle !== "none";
                  return [now.name || now.className || now.tagName, ring];
                }"""
            )
        )
    names = [name for name, _ in reached]

    assert {"theme", "bot", "active", "sort", "hist", "SUMMARY"} <= set(names)
    assert [name for name, ring in reached if not ring and name != "BODY"] == []
    assert names.index("theme") < names.index("bot") < names.index("sort") < names.index("hist")


def test_the_theme_is_chosen_by_keyboard_and_kept(opened: Opening, served: str) -> None:
    """Arrow keys move between the three choices; the next page has the same theme before it is painted."""
    watched = opened(served, theme="light")
    page = watched.page
    page.goto(served)
    page.get_by_role("radio", name="as the system").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.goto(f"{served}/bots")

    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.get_by_role("radio", name="dark").is_checked()
    assert watched.complaints == []


def test_a_chip_shows_the_band_of_its_bot(opened: Opening, served: str) -> None:
    """The chosen curve alone has a visible band, without script too."""
    watched = opened(served, script=False)
    page = watched.page
    page.goto(f"{served}/pools/1")
    page.locator(".chips input").nth(1).check()
    seen = [
        page.locator(f".plot g.g{number} .band").evaluate("(el) => getComputedStyle(el).opacity") for number in (0, 1)
    ]

    assert seen[0] == "0"
    assert float(seen[1]) > 0.1


def test_pages_work_without_script(opened: Opening, served: str) -> None:
    """Filter, sorting and pages are forms and links that come back to the same section."""
    watched = opened(served, script=False)
    page = watched.page
    page.goto(f"{served}/pools/1")
    page.get_by_role("searchbox", name="Bot").fill("gree")
    page.get_by_role("button", name="Show").click()

    assert page.url.endswith("#standings")
    assert page.locator("tbody .who .key").all_inner_texts()[0] == "greedy"
    assert page.get_by_role("region", name="Standings").locator("tbody tr").count() == 1


def test_a_filter_works_in_place(opened: Opening, served: str) -> None:
    """The list changes, the address too; going back brings the earlier list."""
    watched = opened(served)
    page = watched.page
    page.goto(f"{served}/bots")
    page.evaluate("window.same = true")
    before = page.locator("tbody tr").count()
    page.get_by_role("searchbox", name="Bot").fill("gree")
    page.keyboard.press("Enter")
    page.wait_for_url("**bot=gree*")
    page.locator("tbody tr").nth(1).wait_for(state="detached")
    assert page.evaluate("[window.same, document.activeElement.name]") == [True, "bot"]
    page.go_back()
    page.locator("tbody tr").nth(before - 1).wait_for()

    assert watched.complaints == []


def test_a_command_is_copied(opened: Opening, served: str) -> None:
    """The button says so, and the clipboard has the command."""
    watched = opened(served)
    page = watched.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(served)
    page.get_by_role("button", name="Copy").last.click()
    page.get_by_role("button", name="Copied").wait_for()

    assert page.evaluate("navigator.clipboard.readText()") == "kumite join py:mine:Mine --address 127.0.0.1:7400"


def test_print_shows_tables_whole_and_no_controls(opened: Opening, served: str) -> None:
    """On paper there is no navigation, no filter and no part that scrolls."""
    watched = opened(served)
    page = watched.page
    page.emulate_media(media="print")
    page.goto(f"{served}/pools/1")

    assert not page.locator(".nav").is_visible()
    assert not page.locator(".filters").first.is_visible()
    assert page.evaluate(
        "[...document.querySelectorAll('.scroll')].every((e) => getComputedStyle(e).overflowX === 'visible')"
    )


def test_a_published_site_opens_from_a_disk(opened: Opening, database: Path, tmp_path: Path) -> None:
    """Pages, styles, links and the theme work from file:// addresses."""
    publish(Site(Library(database)), tmp_path)
    home = f"file://{tmp_path}"
    watched = opened(home, width=NARROW)
    page = watched.page
    page.goto(f"{home}/index.html")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator(".theme label").nth(2).click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Pools").click()
    page.locator("h3 a").first.click()
    page.locator("table.heat a").first.click()

    assert background == "rgb(247, 243, 234)"
    assert dark == "rgb(20, 23, 28)"
    assert " against " in page.locator("h1").inner_text()
    assert watched.complaints == []
