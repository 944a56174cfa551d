"""What a page is: an address, a function that loads its data, and the template that draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

from ladder.web.reading.library import Library

Data = dict[str, object]
"""Plain data (what JSON can hold): the JSON twin of a page."""


def part(text: str) -> str:
    """A name as one part of an address."""
    return quote(text, safe="")


class NoSuchPage(LookupError):
    """The address names nothing that there is; the message says what there is instead."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a reader asked for."""

    library: Library
    path: Mapping[str, str] = field(default_factory=dict)
    """The variable parts of the address."""
    query: Mapping[str, str] = field(default_factory=dict)
    """What stands behind the question mark; unknown names have no effect."""

    def number(self, name: str, otherwise: int, most: int = 1_000_000) -> int:
        """A whole number from 1 to `most` of the query; `otherwise` where the query has none that is fit."""
        text = self.query.get(name, "")
        return int(text) if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= most else otherwise

    def place(self, total: int, per_page: int) -> dict[str, int]:
        """Which part of a list of so many rows the query asks for; raises NoSuchPage for one behind the last."""
        page, pages = self.number("page", 1), max(1, -(-total // per_page))
        if page > pages:
            has = "one page" if pages == 1 else f"{pages} pages"
            raise NoSuchPage(f"There is no page {page} of this list; it has {has}.")
        return {"page": page, "pages": pages, "first": (page - 1) * per_page}


class Listed(NamedTuple):
    """An address that exists."""

    address: str
    stamp: str = ""
    """A text that changes with what the page shows; `kumite publish` writes the page anew when it does, or if empty."""


@dataclass(frozen=True, slots=True)
class Page:
    """One kind of page."""

    name: str
    """The name of the template, without its ending."""
    section: str
    """The entry of the navigation that is marked as the present one."""
    address: str
    """The address as a pattern of Starlette, such as /pools/{pool:int}."""
    load: Callable[[Question], Data]
    """Data of the page; raises NoSuchPage."""
    addresses: Callable[[Library], Iterable[Listed]]
    """Every address of the page that exists now: what `kumite publish` writes."""
    files: Callable[[str], Iterable[str]] = lambda address: ()
    """The addresses of files that belong to the page at an address, such as the record of a match."""
    cached: bool = True
    """Whether the page is the same for every reader while the edition of the library is the same."""
