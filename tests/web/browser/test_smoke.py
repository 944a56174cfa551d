"""Every page in a real browser, in the quick suite: the two themes and widths once each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser.axe import grave_findings
from tests.web.browser.conftest import NARROW, WIDE, Opening, Theme, addresses

pytestmark = pytest.mark.processes


@pytest.mark.parametrize(("width", "theme"), [(NARROW, "light"), (WIDE, "dark")])
def test_no_page_complains_or_is_wider_than_its_window(
    opened: Opening, served: str, database: Path, width: int, theme: Theme
) -> None:
    """Every kind of page loads from its own server alone, without an error, and fits the window."""
    watched = opened(served, width=width, theme=theme)
    found = {}
    for name, address in addresses(database).items():
        watched.page.goto(served + address)
        found[name] = watched.width_beyond()

    assert watched.complaints == []
    assert dict.fromkeys(found, 0) == found


def test_the_pool_and_the_match_have_no_grave_finding_of_axe(opened: Opening, served: str, database: Path) -> None:
    """Names of controls, contrast, roles and landmarks, by all rules of axe."""
    watched = opened(served)
    found = []
    for name in ("pool", "match"):
        watched.page.goto(served + addresses(database)[name])
        found += grave_findings(watched.page)

    assert found == []


def test_a_sorted_table_stays_where_the_reader_is(opened: Opening, served: str) -> None:
    """The order and the address change; the place on the page and the focus stay, and nothing is loaded anew."""
    watched = opened(served)
    page = watched.page
    page.goto(f"{served}/pools/1")
    page.evaluate("window.same = true")
    page.evaluate("scrollTo(0, 150)")
    page.get_by_role("link", name="Bot", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=-bot*")
    page.wait_for_selector('th[aria-sort="descending"] a:focus')

    assert page.evaluate("[window.same, scrollY, document.activeElement.textContent]") == [True, 150, "Bot"]
    assert page.locator("tbody .who").first.inner_text().startswith("second")
    assert watched.complaints == []
