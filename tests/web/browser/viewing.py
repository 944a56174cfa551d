"""A page with a player for one match, made of the scripts that are shipped, and what tests do with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from ladder.viewer.replay_file import as_script, replay_file, words_file
from ladder.web.drawing.viewer_scripts import CORE, STYLE, assets, drawing
from referee.match.record import Record

PICTURE = """() => {
  const player = document.querySelector("[data-viewer]").player;
  player.board.stage.finish();
  return new XMLSerializer().serializeToString(player.board.stage.svg);
}"""
"""The drawn board as text, when every motion has ended."""


def page_of(record: Record, folder: Path) -> Path:
    """A page of files with the player of a match; opens from the disk."""
    game = drawing(record.header.game)
    own = [f"scene-{game}.js", f"scene-{game}.css"]
    for name in (CORE, STYLE, *own):
        (folder / name).write_text(assets()[name])
    (folder / "replay.js").write_text(as_script(replay_file(record)))
    (folder / "words.js").write_text(as_script(words_file(record)))
    page = folder / "match.html"
    page.write_text(
        f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A match</title>
<link rel="stylesheet" href="{STYLE}"><link rel="stylesheet" href="{own[1]}">
<script src="{CORE}" defer></script><script src="{own[0]}" defer></script><script src="replay.js" defer></script></head>
<body><main><h1>A match</h1><div class="viewer-host" data-viewer="{record.header.match}" data-game="{game}"
data-words="words.js"></div></main></body></html>"""
    )
    return page


def picture(page: Page) -> str:
    """The drawn board as text."""
    found: str = page.evaluate(PICTURE)
    return found


def walk(page: Page, viewer: Any, steps: list[int], *, motion: float = 0) -> list[int]:
    """Show these steps, one after the other; returns those that look otherwise than when they were shown first.

    In the first walk of a viewer no step can; the pictures stay in the browser.
    """
    found: list[int] = page.evaluate(
        """([steps, viewer, motion]) => {
          const { player } = document.querySelector("[data-viewer]");
          const { stage } = player.board;
          const first = ((window.pictures ||= {})[viewer] ||= {});
          return steps.filter((step) => {
            player.show(step, { viewer, motion });
            stage.finish();
            const text = new XMLSerializer().serializeToString(stage.svg);
            first[step] ??= text;
            return first[step] !== text;
          });
        }""",
        [steps, viewer, motion],
    )
    return found


def hurry(page: Page, viewer: Any, steps: list[int]) -> None:
    """Show these steps with motion, each before the motion of the one before has ended."""
    page.evaluate(
        """([steps, viewer]) => {
          const { player } = document.querySelector("[data-viewer]");
          for (const step of steps) player.show(step, { viewer, motion: 1 });
        }""",
        [steps, viewer],
    )


def repeated_keys(page: Page) -> list[str]:
    """Keys that two things of one picture have, in all pictures that were walked through."""
    found: list[str] = page.evaluate(
        """() => Object.values(window.pictures).flatMap((pictures) => Object.values(pictures)).flatMap((text) => {
          const keys = [...text.matchAll(/data-key="([^"]*)"/g)].map(([, key]) => key);
          return keys.filter((key, at) => keys.indexOf(key) !== at);
        })"""
    )
    return found


def where(page: Page) -> Any:
    """The step and the viewer that are shown, and what the address says."""
    return page.evaluate(
        "(({ step, viewer }) => [step, viewer, location.hash])(document.querySelector('[data-viewer]').player)"
    )
