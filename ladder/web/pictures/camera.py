"""Pictures of positions: the viewer's own modules, run in Chromium.

A picture in SVG stands alone: every colour and font that the stylesheets give is written into its elements, so that
programs without stylesheets show it as the browser does.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

from ladder.web.drawing.viewer_scripts import CORE, STYLE, assets, drawing
from ladder.web.pictures.chromium import Tab, chromium

Frame = Literal["wide", "narrow"]
Theme = Literal["light", "dark"]
SHARPNESS = 2
"""Pixels of a PNG for each unit of the board."""


class Shot(NamedTuple):
    """What a picture shows."""

    step: int
    viewer: int | str = "public"
    """Whose eyes: `public`, `all`, or a seat."""
    frame: Frame = "wide"
    theme: Theme = "light"


class Timings(NamedTuple):
    """What it takes to draw a match."""

    milliseconds: tuple[float, ...]
    """By step, layout included; on a busy machine also the time for which the browser had to wait."""
    processor_ms: float
    """Processor time of a step on average, the reading of the file included."""
    elements: int
    """Elements of the largest drawing."""


class Camera:
    """An open page of a browser that draws positions of replay files."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._game: str | None = None

    def svg(self, file: dict[str, Any], shot: Shot) -> str:
        """A picture as SVG."""
        self._draw(file, shot)
        text: str = self._tab.run("kumiteModules['picture.js'].standalone(document.querySelector('.board'))")
        return text + "\n"

    def png(self, file: dict[str, Any], shot: Shot, *, sharpness: float = SHARPNESS) -> bytes:
        """A picture as PNG."""
        size = self._draw(file, shot)
        found = self._tab.call(
            "Page.captureScreenshot",
            format="png",
            captureBeyondViewport=True,
            clip={"x": 0, "y": 0, **size, "scale": sharpness},
        )
        return base64.b64decode(found["data"])

    def timings(self, file: dict[str, Any]) -> Timings:
        """How long each step takes to draw, everything shown."""
        game = self._load(file)
        self._tab.call("Performance.enable", timeDomain="threadTicks")
        before = self._processor_seconds()
        found = self._tab.run(
            f"document.body.replaceChildren(); kumiteModules['picture.js'].timings(document.body, {json.dumps(file)}, "
            f"kumiteScenes[{json.dumps(game)}])"
        )
        used = self._processor_seconds() - before
        return Timings(tuple(found["times"]), 1000 * used / len(found["times"]), found["elements"])

    def _processor_seconds(self) -> float:
        """Processor time that the page's thread has used, scripts, styles and layout included."""
        metrics = self._tab.call("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

    def _draw(self, file: dict[str, Any], shot: Shot) -> dict[str, float]:
        """Draw a position; returns the size of the board."""
        game = self._load(file)
        about = json.dumps({"step": shot.step, "viewer": shot.viewer, "frame": shot.frame})
        given = f"{json.dumps(file)}, kumiteScenes[{json.dumps(game)}], {about}"
        size: dict[str, float] = self._tab.run(
            f"document.documentElement.dataset.theme = {json.dumps(shot.theme)}; document.body.replaceChildren(); "
            f"kumiteModules['picture.js'].picture(document.body, {given})"
        )
        return size

    def _load(self, file: dict[str, Any]) -> str:
        """Load the viewer and the drawing of a file's game; returns the name of the drawing."""
        game = drawing(file["header"]["game"])
        if game != self._game:
            styles = assets()[STYLE] + assets()[f"scene-{game}.css"]
            self._tab.run("document.head.replaceChildren(); document.body.className = 'picture'; 0")
            self._tab.run(
                "{ const style = document.createElement('style'); "
                f"style.textContent = {json.dumps(styles)}; document.head.append(style); }} 0"
            )
            self._tab.run(f"{assets()[CORE]}; 0")
            self._tab.run(f"{assets()[f'scene-{game}.js']}; 0")
            self._game = game
        return game


@contextmanager
def camera() -> Iterator[Camera]:
    """A camera for the time of the context; raises NoBrowser if there is no Chromium."""
    with chromium() as browser:
        yield Camera(browser.tab())
