"""What axe, a checker of accessibility, finds in a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")


def grave_findings(page: Page) -> list[str]:
    """The serious and critical findings of every rule of axe, each with the first element that it names."""
    found = Axe().run(page).response["violations"]
    return [
        f"{finding['id']}: {finding['nodes'][0]['html'][:200]} ({len(finding['nodes'])})"
        for finding in found
        if finding["impact"] in GRAVE
    ]
