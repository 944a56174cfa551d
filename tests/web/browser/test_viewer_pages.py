"""The viewer in the pages of a ladder: served, in frames of other sites, and published."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.web.publish import publish
from ladder.web.reading.library import Library
from ladder.web.site import Site
from tests.web.browser.conftest import Opening, addresses
from tests.web.browser.viewing import where

pytestmark = pytest.mark.processes


@pytest.mark.browser
@pytest.mark.slow
def test_a_published_match_opens_from_the_disk_with_its_player(opened: Opening, database: Path, tmp_path: Path) -> None:
    """The page and the frame load script, style and data from the folder alone; a link preview names the picture."""
    publish(Site(Library(database)), tmp_path, address="https://ladder.example.org/")
    page = next(iter(sorted((tmp_path / "matches").glob("*/picture.png")))).parent
    match_page = page.with_suffix(".html")
    watched = opened(tmp_path.as_uri())
    for place in (match_page, tmp_path / "embed" / "matches" / match_page.name):
        watched.page.goto(f"{place.as_uri()}#step=3")
        watched.page.wait_for_selector(".board")
        assert where(watched.page)[0] == 3
        watched.page.locator(".viewer-words summary").click()
        watched.page.wait_for_selector(".viewer-twin :is(table, section)")
        assert watched.page.locator("[data-without-viewer]").count() == 0

    assert watched.complaints == []
    assert (page / "picture.png").read_bytes().startswith(b"\x89PNG")
    preview = f"https://ladder.example.org/matches/{page.name}/picture.png"
    assert f'<meta property="og:image" content="{preview}">' in match_page.read_text()


def test_a_frame_of_another_site_may_show_a_match_and_no_other_page(
    opened: Opening, served: str, database: Path
) -> None:
    """`/embed/matches/ID` allows every frame; the page of the match allows none."""
    watched = opened(served)
    address = addresses(database)["match"]
    found = {}
    for place in (f"/embed{address}", address):
        answer = watched.page.goto(f"{served}{place}#step=2")
        assert answer is not None
        found[place] = answer.headers["content-security-policy"].rpartition("frame-ancestors ")[2]
        watched.page.wait_for_selector(".board")
        assert where(watched.page)[0] == 2

    assert list(found.values()) == ["*", "'none'"]
    assert watched.complaints == []
