"""The pages of one database: finds a page by its address, loads its data, and draws them.

`app` serves what a site renders; `kumite publish` writes the same as files. The two differ in `Links` alone: how an
address is written in a page, and where the static files are.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Protocol
from urllib.parse import parse_qsl, quote, unquote

from starlette.routing import compile_path

from ladder.web.drawing.environment import environment
from ladder.web.drawing.viewer_scripts import assets, drawing
from ladder.web.pages import PAGES
from ladder.web.pages.downloads import DOWNLOADS
from ladder.web.reading.library import Library
from ladder.web.reading.page import Data, NoSuchPage, Page, Question, part

NAVIGATION = (
    ("Home", "/"),
    ("Pools", "/pools"),
    ("Events", "/events"),
    ("Matches", "/matches"),
    ("Bots", "/bots"),
    ("Games", "/games"),
)
PLAY = ("Play", "/play")
STATUS = ("Status", "/status")
"""The entry for organisers, where a server answers."""
SHORT = 10
"""Characters of a digest that stand in the name of a static file."""


@cache
def static_files() -> dict[str, bytes]:
    """Every static file by the name under which it is served: with a digest of its content in front of its ending."""
    found = {}
    entries = {
        entry.name: entry.read_bytes() for entry in files("ladder.web").joinpath("static").iterdir() if entry.is_file()
    }
    for name, content in sorted([*entries.items(), *((name, text.encode()) for name, text in assets().items())]):
        stem, dot, ending = name.rpartition(".")
        found[f"{stem}.{blake2b(content).hexdigest()[:SHORT]}{dot}{ending}"] = content
    return found


def static_name(name: str) -> str:
    """The name under which a static file is served."""
    stem, _, ending = name.rpartition(".")
    pattern = re.compile(rf"{re.escape(stem)}\.[0-9a-f]{{{SHORT}}}\.{re.escape(ending)}")
    return next(served for served in static_files() if pattern.fullmatch(served))


class Links(Protocol):
    """How addresses are written in a page."""

    live: bool
    """Whether a server answers: pages of files have no forms, live parts and downloads that need one."""

    def link(self, address: str) -> str:
        """An address of the site, as the page that is being drawn writes it."""
        ...

    def asset(self, name: str) -> str:
        """A static file, as the page that is being drawn writes it."""
        ...

    def preview(self, address: str) -> str:
        """The whole address of a picture for link previews, with scheme and host; empty: there is none."""
        ...


class ServedLinks:
    """Addresses of a site that a server answers."""

    live = True

    def link(self, address: str) -> str:
        """The address itself."""
        return address

    def asset(self, name: str) -> str:
        """The static file under the name with its digest."""
        return f"/static/{static_name(name)}"

    def preview(self, address: str) -> str:
        """None: a picture takes a browser, and a server makes none while a reader waits."""
        return ""


@dataclass(frozen=True, slots=True)
class FileLinks:
    """Addresses of a site that is a folder of files: relative to the page, so that they open from a disk too."""

    page: str
    """The file of the page that is being drawn, from the top of the folder."""
    previews: str = ""
    """The address at which the folder will stand, where pictures for link previews are written."""
    live = False

    def link(self, address: str) -> str:
        """The file of another page, relative to this one; of a query only the number of the page counts."""
        path, _, mark = address.partition("#")
        path, _, query = path.partition("?")
        page = dict(parse_qsl(query)).get("page", "")
        target = quote(file_of(path, page=int(page) if page.isdecimal() else 1))
        return posixpath.relpath(target, quote(posixpath.dirname(self.page)) or ".") + (f"#{mark}" if mark else "")

    def asset(self, name: str) -> str:
        """The static file, relative to the page."""
        return posixpath.relpath(f"static/{static_name(name)}", posixpath.dirname(self.page) or ".")

    def preview(self, address: str) -> str:
        """The picture at the address of the published folder."""
        return f"{self.previews.rstrip('/')}{address}" if self.previews else ""


def file_of(address: str, *, page: int = 1) -> str:
    """The file that an address is written to, from the top of the folder; `page` counts the pages of a long list."""
    if address.endswith((".json", ".jsonl", ".csv", ".js", ".png")):
        return address.lstrip("/")
    return f"{address.strip('/') or 'index'}{f'.page-{page}' if page > 1 else ''}.html"


def _parts(found: re.Match[str]) -> dict[str, str]:
    """The variable parts of an address, each read as `part` writes it: a name may hold a slash."""
    return {key: unquote(value) for key, value in found.groupdict().items()}


def twin(address: str) -> str:
    """The address of a page's JSON twin."""
    return f"{address if address != '/' else '/index'}.json"


class Site:
    """The pages of one library."""

    def __init__(self, library: Library, *, title: str = "Kumite") -> None:
        self.library = library
        self.title = title
        self._pages = [(compile_path(page.address)[0], page) for page in PAGES]
        self._downloads = [(compile_path(found.address)[0], found) for found in DOWNLOADS]
        self._environment = environment()
        self._environment.globals.update(part=part, twin=twin, title=title, drawing=drawing)

    def find(self, address: str) -> tuple[Page, dict[str, str]]:
        """The page of an address as it is written, with %2F and the like, and its variable parts; raises NoSuchPage."""
        for pattern, page in self._pages:
            found = pattern.fullmatch(address)
            if found:
                return page, _parts(found)
        raise NoSuchPage("There is no such page.")

    def download(self, address: str) -> tuple[bytes, str] | None:
        """The file of an address with its media type; None: the address is no file's. Raises NoSuchPage."""
        for pattern, found in self._downloads:
            match = pattern.fullmatch(address)
            if match:
                return found.load(Question(self.library, _parts(match))), found.media
        return None

    def load(self, address: str, query: Mapping[str, str] | None = None) -> Data:
        """The data of a page: its JSON twin; raises NoSuchPage."""
        page, path = self.find(address)
        return page.load(Question(self.library, path, query or {}))

    def html(self, address: str, data: Data, links: Links | None = None) -> str:
        """A page, drawn from its data."""
        page, _ = self.find(address)
        values = {"section": page.section, "address": address, "has_twin": True, "data": data}
        return self.draw(page.name, values, links)

    def draw(self, template: str, values: Mapping[str, object], links: Links | None = None) -> str:
        """A template with these values."""
        shown = links or ServedLinks()
        return self._environment.get_template(f"{template}.html").render(
            {
                "link": shown.link,
                "asset": shown.asset,
                "preview": shown.preview,
                "served": shown.live,
                "has_twin": False,
                "navigation": (*NAVIGATION, PLAY, STATUS) if shown.live else NAVIGATION,
                **values,
            }
        )

    @staticmethod
    def json(data: Data) -> str:
        """A page for a program."""
        return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1)
