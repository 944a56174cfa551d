"""The site as a folder of files, which opens from a disk or from any file server: `kumite publish DB DIR`.

A list of what was written stands beside the files. The next time, a page whose stamp is the same is not drawn again, a
file whose content is the same is not written again, and the file of a page that is gone is removed; files that this
program did not write stay.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

from ladder.viewer.replay_file import ALL
from ladder.web.pages import PAGES
from ladder.web.pages.downloads import replay_of
from ladder.web.pictures.camera import Camera, Shot, camera
from ladder.web.pictures.chromium import find
from ladder.web.reading.page import Data, Listed, NoSuchPage, Page, Question
from ladder.web.site import FileLinks, Site, file_of, static_files, twin
from referee import __version__
from referee.kernel.errors import BadSetting

LIST = "published.json"
"""The list of what was written, in the folder."""


class Published(NamedTuple):
    """What one run did, in files."""

    written: int
    same: int
    removed: int


class Listing(TypedDict):
    """The list of what was written."""

    program: str
    """A digest of what drew the pages."""
    pages: dict[str, list[str]]
    """By address: the stamp of the page, then its files."""
    files: dict[str, str]
    """By file: a digest of its content."""


def publish(
    site: Site, folder: Path, told: Callable[[int], None] = lambda done: None, *, address: str = ""
) -> Published:
    """Write the site; `told` hears the number of pages so far. Raises BadSetting if the folder cannot be used.

    `address` is where the folder will stand. With it, and where Chromium is installed, every match gets a picture for
    link previews, which name whole addresses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(f"{folder}: the folder cannot be made: {error.strerror}") from None
    previews = address if find() else ""
    before, program = _read_list(folder), _program(previews)
    old = before["pages"] if before["program"] == program else {}
    known = before["files"]
    run = _Run(folder, known)
    stamps: dict[str, list[str]] = {}
    for name, content in static_files().items():
        run.write(f"static/{name}", content)
    with _Photographer(site, previews) as pictures:
        for done, (page, listed) in enumerate(_addresses(site), 1):
            kept = old.get(listed.address)
            if (
                listed.stamp
                and kept is not None
                and kept[0] == listed.stamp
                and all(name in known for name in kept[1:])
            ):
                run.keep(kept[1:])
                stamps[listed.address] = kept
            else:
                stamps[listed.address] = [listed.stamp, *_write(run, site, page, listed.address, pictures)]
            told(done)
    removed = run.remove_rest()
    listing = Listing(program=program, pages=stamps, files=run.files)
    published = Published(run.written, run.same, removed)
    run.write(LIST, json.dumps(listing, indent=0).encode())
    return published


def _addresses(site: Site) -> Iterator[tuple[Page, Listed]]:
    for page in PAGES:
        for listed in page.addresses(site.library):
            yield page, listed


class _Photographer:
    """Takes the pictures of matches; the browser starts with the first one."""

    def __init__(self, site: Site, previews: str) -> None:
        self._site = site
        self.previews = previews
        self._open = ExitStack()
        self._camera: Camera | None = None

    def __enter__(self) -> _Photographer:
        return self

    def __exit__(self, *failed: object) -> None:
        self._open.close()

    def take(self, page: Page, address: str, data: Data) -> bytes | None:
        """The picture of the page of a match: its last position, all cards open; None for every other page."""
        if not self.previews or page.name != "match" or not data.get("steps"):
            return None
        if self._camera is None:
            self._camera = self._open.enter_context(camera())
        file = replay_of(Question(self._site.library, {"match": address.rpartition("/")[2]}))
        steps = cast("list[object]", file["steps"])
        return self._camera.png(file, Shot(len(steps) - 1, ALL), sharpness=1)


def _write(run: _Run, site: Site, page: Page, address: str, pictures: _Photographer) -> Iterator[str]:
    """Write a page with its JSON twin, and the further pages of a long list; yields the files."""
    first = site.load(address)
    pages = first.get("pages", 1)
    for number in range(1, (pages if isinstance(pages, int) else 1) + 1):
        data: Data = first if number == 1 else site.load(address, {"page": str(number)})
        name = file_of(address, page=number)
        run.write(name, site.html(address, data, FileLinks(name, pictures.previews)).encode())
        yield name
    name = twin(address).lstrip("/")
    run.write(name, site.json(first).encode())
    yield name
    picture = pictures.take(page, address, first)
    if picture is not None:
        name = f"{address.lstrip('/')}/picture.png"
        run.write(name, picture)
        yield name
    for target in page.files(address):
        with suppress(NoSuchPage):  # the record of a match with a hidden bot
            file = site.download(target)
            if file is not None:
                run.write(target.lstrip("/"), file[0])
                yield target.lstrip("/")


class _Run:
    """Writes files, each whole or not at all, and remembers what it wrote."""

    def __init__(self, folder: Path, known: dict[str, str]) -> None:
        self._folder = folder
        self._known = known
        self.files: dict[str, str] = {}
        self.written = 0
        self.same = 0

    def write(self, name: str, content: bytes) -> None:
        """Write a file unless it is there with the same content."""
        digest = blake2b(content, digest_size=12).hexdigest()
        path = self._folder / name
        self.files[name] = digest
        if self._known.get(name) == digest and path.exists():
            self.same += 1
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.write_bytes(content)
            os.replace(part, path)
        except OSError as error:
            raise BadSetting(f"{path}: cannot be written: {error.strerror}") from None
        self.written += 1

    def keep(self, names: list[str]) -> None:
        """Leave files as they are."""
        for name in names:
            self.files[name] = self._known[name]
        self.same += len(names)

    def remove_rest(self) -> int:
        """Remove files that an earlier run wrote and this one did not."""
        gone = [name for name in self._known if name not in self.files and name != LIST]
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
        return len(gone)


def _read_list(folder: Path) -> Listing:
    """What the last run wrote; nothing if the list is missing or no list of this program's."""
    try:
        found = json.loads((folder / LIST).read_text())
        return Listing(program=found["program"], pages=dict(found["pages"]), files=dict(found["files"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Listing(program="", pages={}, files={})


def _program(previews: str) -> str:
    """A digest of what draws the pages: another version of the program draws every page anew."""
    digest = blake2b(f"{__version__} {previews}".encode(), digest_size=12)
    for entry in sorted(files("ladder.web").joinpath("templates").iterdir(), key=lambda entry: entry.name):
        digest.update(entry.read_bytes())
    for name in static_files():
        digest.update(name.encode())
    return digest.hexdigest()
