"""A page with a player for one match, made of the scripts that are shipped, and what tests do with it."""

from __future__ import annotations

import json
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


def walk(page: Page, viewer: Any, steps: list[int], *, motion: float = 0) -> dict[int, str]:
    """The picture of each of these steps, shown in this order."""
    found: dict[str, str] = page.evaluate(
        """([steps, viewer, motion]) => {
          const { player } = document.querySelector("[data-viewer]");
          const { stage } = player.board;
          const found = {};
          for (const step of steps) {
            player.show(step, { viewer, motion });
            if (!motion) stage.finish();
          }
          for (const step of steps) {
            player.show(step, { viewer, motion });
            stage.finish();
            found[step] = new XMLSerializer().serializeToString(stage.svg);
          }
          return found;
        }""",
        [steps, viewer, motion],
    )
    return {int(step): text for step, text in found.items()}


def keys(text: str) -> list[str]:
    """The keys of the things in a picture."""
    return [json.loads(f'"{part.partition(chr(34))[0]}"') for part in text.split('data-key="')[1:]]
