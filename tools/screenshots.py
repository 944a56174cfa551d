"""Takes the pictures of the README: `python -m tools.screenshots` plays a small ladder and writes docs/pictures.

Needs Chromium on the PATH and the development dependencies. Each picture is a WebP file of at most 80 KB.
"""

from __future__ import annotations

import base64
import shutil
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import uvicorn
from playwright.sync_api import Browser, sync_playwright

from ladder.cli import run
from ladder.web.app import application
from ladder.web.listening import listening
from ladder.web.reading.library import Library
from ladder.web.site import Site

FOLDER = Path("docs/pictures")
MOST_BYTES = 80_000
QUALITIES = (80, 65, 50, 35)
"""Qualities of WebP that are tried until the picture is small enough."""
BOTS = ["greedy", *(f"random:seed={seed}" for seed in range(1, 6))]
NAMES = ("heron", "crane", "kite", "swift", "wren", "finch")
SEASON = """
season = "autumn"
database = "demo.sqlite"
{bots}
[[pools]]
game = "edo_yashiki"
rounds = {rounds}

[[pools]]
game = "edo_yashiki"
seats = 3
rounds = 1
"""
CUP = """
season = "evening-cup"
database = "demo.sqlite"

[event]
format = "knockout"
best_of = 3
{bots}
[[pools]]
game = "edo_yashiki"
"""
PICTURES: tuple[tuple[str, str, Literal["light", "dark"], int, int], ...] = (
    ("pool-light", "/pools/1", "light", 1280, 900),
    ("event-dark", "/events/evening-cup", "dark", 1280, 800),
    ("home-phone", "/", "light", 360, 720),
)
"""Name, address, theme, width and height of each picture."""


def play(folder: Path) -> Path:
    """The database of a small ladder with two runs and a knockout."""
    bots = "".join(f'[[bots]]\nname = "{name}"\nspec = "{spec}"\n' for name, spec in zip(NAMES, BOTS, strict=True))
    for name, text in (
        ("season", SEASON.format(bots=bots, rounds=2)),
        ("season", SEASON.format(bots=bots, rounds=4)),
        ("cup", CUP.format(bots=bots)),
    ):
        (folder / f"{name}.toml").write_text(text)
        bind = ["--bind", "127.0.0.1:0"] if name == "cup" else []
        if run(["ladder", "run", str(folder / f"{name}.toml"), "--workers", "0", *bind]):
            raise SystemExit(f"the ladder of the pictures, {name}, could not be played")
    return folder / "demo.sqlite"


def small(browser: Browser, png: bytes) -> bytes:
    """A picture as WebP of at most MOST_BYTES, encoded by the browser itself."""
    page = browser.new_page()
    try:
        for quality in QUALITIES:
            text: str = page.evaluate(
                """async ([data, quality]) => {
                  const image = new Image();
                  image.src = `data:image/png;base64,${data}`;
                  await image.decode();
                  const canvas = document.createElement("canvas");
                  [canvas.width, canvas.height] = [image.width, image.height];
                  canvas.getContext("2d").drawImage(image, 0, 0);
                  return canvas.toDataURL("image/webp", quality).split(",")[1];
                }""",
                [base64.b64encode(png).decode(), quality / 100],
            )
            found = base64.b64decode(text)
            if len(found) <= MOST_BYTES:
                return found
    finally:
        page.close()
    raise SystemExit(f"a picture is larger than {MOST_BYTES} bytes at quality {QUALITIES[-1]}")


def take(address: str, chromium: str) -> None:
    """Write every picture of a served site."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, target, theme, width, height in PICTURES:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
            page.goto(address + target)
            content = small(browser, page.screenshot())
            (FOLDER / f"{name}.webp").write_bytes(content)
            print(f"{FOLDER / name}.webp: {len(content) / 1000:.0f} KB")
            page.close()
        browser.close()


def main() -> None:
    """Play, serve, take the pictures."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("no chromium on the PATH (Debian: apt install chromium)")
    with TemporaryDirectory() as folder:
        site = Site(Library(play(Path(folder)), address="ladder.example.org:7400"))
        place = listening("127.0.0.1:0")
        server = uvicorn.Server(uvicorn.Config(application(site), log_level="warning", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            take(f"http://127.0.0.1:{place.getsockname()[1]}", chromium)
        finally:
            server.should_exit = True
            thread.join()


if __name__ == "__main__":
    main()
