"""A record in a notebook: it shows itself, alone and without a server."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from tests.ladder.viewer_records import match
from tests.web.browser.conftest import Opening

pytestmark = pytest.mark.processes


def test_a_record_shows_itself_in_a_frame(opened: Opening, tmp_path: Path) -> None:
    """The cell of a saved notebook has the player in it: steps, board in words, nothing loaded from elsewhere."""
    html = match("edo_yashiki", 2)._repr_html_()
    assert html is not None
    assert re.fullmatch(r'<iframe srcdoc="[^"]*" title="match 0+" [^<>]*></iframe>', html)
    (tmp_path / "cell.html").write_text(f"<!doctype html><html><body>{html}</body></html>")
    watched = opened(tmp_path.as_uri(), width=1100)
    watched.page.goto(f"{tmp_path.as_uri()}/cell.html")
    frame = watched.page.frame_locator("iframe")
    frame.locator(".board").wait_for()
    frame.get_by_role("button", name="A step on").click()
    assert "Step 1" in frame.locator(".viewer-bar").inner_text()
    frame.locator(".viewer-words summary").click()
    frame.locator(".viewer-twin :is(table, section)").first.wait_for()

    assert watched.complaints == []


def test_no_text_of_a_match_leaves_its_script() -> None:
    """Notes and names are foreign text: the page in the frame has the two scripts and styles that belong to it."""
    record = match("edo_yashiki", 2)
    hostile = "</script><script>alert(1)</script>"
    steps = tuple(step._replace(notes=dict.fromkeys(step.answers, hostile)) for step in record.steps)
    header = replace(record.header, players=(hostile, "second"))
    html = replace(record, steps=steps, header=header, hashes=())._repr_html_()
    assert html is not None
    page = unescape(html.partition('srcdoc="')[2].partition('" title=')[0])

    assert "alert(1)" in page
    assert page.lower().count("<script") == page.lower().count("</script") == 1


def test_a_record_that_cannot_be_played_again_says_why() -> None:
    """One sentence in place of the viewer."""
    record = match("edo_yashiki", 2)
    broken = replace(record, steps=record.steps[:2] + record.steps[3:], hashes=())

    assert broken._repr_html_() == "<p>step 3 stands where step 2 belongs</p>"
