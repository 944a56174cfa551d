"""Every page of a played season: its data, its HTML, its addresses."""

from __future__ import annotations

import json
import re
import sqlite3
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from ladder.store.database import Store
from ladder.store.file import StoreProblem
from ladder.store.records import Selection
from ladder.web.pages import PAGES
from ladder.web.reading.library import Library
from ladder.web.reading.names import Names
from ladder.web.reading.page import NoSuchPage
from ladder.web.site import PLAY, STATUS, FileLinks, Site, file_of, static_files, static_name

HOSTILE = '<script>alert(1)</script>"&\u202e'


class Links(HTMLParser):
    """Collects what a page links to, and what the content security policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forbidden: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one element."""
        found = dict(attrs)
        self.links += [value for key in ("href", "src") if (value := found.get(key)) and not value.startswith("#")]
        self.forbidden += [f"{tag} {key}" for key in found if key == "style" or key.startswith("on")]
        if tag == "script" and not found.get("src"):
            self.forbidden.append("inline script")
        if found.get("id"):
            self.ids.append(str(found["id"]))


def read(html: str) -> Links:
    """What a page links to."""
    found = Links()
    found.feed(html)
    return found


def addresses(site: Site) -> list[str]:
    """Every address of the site."""
    return [listed.address for page in PAGES for listed in page.addresses(site.library)]


def test_every_address_has_a_page_and_a_twin_without_what_the_policy_forbids(site: Site) -> None:
    """No inline script, no style attribute, no id twice, one heading of the first order; data that JSON can hold."""
    found = addresses(site)
    for address in found:
        data = site.load(address)
        html = site.html(address, data)
        page = read(html)
        assert json.loads(site.json(data)) is not None
        assert page.forbidden == []
        assert len(page.ids) == len(set(page.ids))
        assert html.count("<h1") == 1

    assert {"/", "/pools", "/matches", "/bots", "/events", "/games", "/games/honshu", "/bots/greedy"} <= set(found)


def test_every_link_of_every_page_leads_somewhere(site: Site) -> None:
    """A link names a page, a twin, a file to download or a static file that there is."""
    for address in addresses(site):
        for link in read(site.html(address, site.load(address))).links:
            path = unquote(link.partition("#")[0].partition("?")[0])
            if path.startswith("/static/"):
                assert path.removeprefix("/static/") in static_files()
            elif path.endswith(".json"):
                site.find("/" if path == "/index.json" else path.removesuffix(".json"))
            elif path not in (STATUS[1], PLAY[1]) and site.download(path) is None:  # no pages of the site: they have
                # tests of their own, test_status and test_play
                site.find(path)


def test_the_pool_page_tells_ratings_history_meetings_and_seats(site: Site) -> None:
    """The data of the page are those of the standings, and the page shows them."""
    data = site.load("/pools/1")
    html = site.html("/pools/1", data)

    rows = data["standings"]
    assert isinstance(rows, list)
    assert {row["player"] for row in rows} == {"greedy", "first", "second", "third"}
    assert data["matches"] == 48
    assert data["history"]
    assert data["meetings"] is not None
    assert "Edo Yashiki for two" in html
    assert html.count('class="iv" role="img"') >= 4


def test_the_first_page_lists_as_playing_only_what_is_played(site: Site) -> None:
    """A season that is over has no table now, and its matches stand among the latest."""
    data = site.load("/")

    assert data["running"] == []
    assert isinstance(data["matches"], list)
    assert len(data["matches"]) == 10


def test_standings_are_filtered_sorted_and_unknown_settings_pass(site: Site) -> None:
    """The query chooses rows and their order; what is no setting changes nothing."""
    by_games = site.load("/pools/1", {"sort": "bot", "nonsense": "x"})["standings"]
    chosen = site.load("/pools/1", {"bot": "IRS"})["standings"]
    page = site.load("/pools/1", {"page": "-3"})

    assert isinstance(by_games, list)
    assert isinstance(chosen, list)
    assert [row["player"] for row in by_games] == ["first", "greedy", "second", "third"]
    assert [row["player"] for row in chosen] == ["first"]
    assert page["page"] == 1


def test_a_match_page_has_every_step_and_the_proof(site: Site) -> None:
    """Steps, points by category, commitment, secret and last hash of a finished match."""
    matches = site.load("/matches")["matches"]
    assert isinstance(matches, list)
    data = site.load(f"/matches/{matches[0]['match']}")

    assert isinstance(data["steps"], list)
    assert len(data["steps"]) > 3
    assert isinstance(data["trust"], dict)
    assert len(data["trust"]["last_hash"]) == 64
    assert data["categories"]
    assert data["unreadable"] == ""


def test_a_record_to_download_is_the_stored_one(site: Site, played: Path) -> None:
    """What the page offers is the file that verify reads."""
    matches = site.load("/matches")["matches"]
    assert isinstance(matches, list)
    match = matches[0]["match"]
    found = site.download(f"/records/{match}.jsonl")

    assert found is not None
    with Store(played, reading=True) as store:
        assert found[0] == b"".join(store.lines(match))


@pytest.mark.parametrize(
    "address", ["/pools/99", "/matches/ffff", "/bots/nobody", "/games/chess", "/events/none", "/nonsense", "/bots/a/b"]
)
def test_what_is_not_there_is_said(site: Site, address: str) -> None:
    """An address of nothing raises with a sentence."""
    with pytest.raises(NoSuchPage, match=r"\w"):
        site.load(address)


@pytest.mark.parametrize("address", ["/pools/1", "/matches", "/bots"])
def test_a_page_behind_the_last_is_said(site: Site, address: str) -> None:
    """A list that ends earlier is not shown as an empty one."""
    with pytest.raises(NoSuchPage, match="There is no page 999 of this list; it has"):
        site.load(address, {"page": "999"})


def test_a_hidden_bot_is_shown_under_its_pseudonym_everywhere(site: Site, played: Path, tmp_path: Path) -> None:
    """No page, twin or address tells the stored name, and the record that has it is not offered."""
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(played) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    with Store(copy) as store:
        store.hide("greedy", "quiet-heron")
    hidden = Site(Library(copy))

    for address in addresses(hidden):
        data = hidden.load(address)
        if not address.startswith("/games"):
            assert "greedy" not in hidden.html(address, data)
            assert "greedy" not in hidden.json(data)
    with pytest.raises(NoSuchPage):
        hidden.load("/bots/greedy")
    with pytest.raises(NoSuchPage):
        hidden.load("/matches", {"bot": "greedy"})
    rows = hidden.load("/matches", {"bot": "quiet-heron"})["matches"]
    assert isinstance(rows, list)
    with pytest.raises(NoSuchPage, match="pseudonym"):
        hidden.download(f"/records/{rows[0]['match']}.jsonl")


def test_texts_about_a_hidden_bot_have_its_pseudonym() -> None:
    """Messages of faults, notes and reasons may name a bot; the longest name counts where one is part of another."""
    names = Names({"mole": "heron", "molecule": "crane"})

    assert names.masked("molecule answered before mole did") == "crane answered before heron did"


def test_foreign_text_is_escaped(played: Path, tmp_path: Path) -> None:
    """A name of markup and direction marks stands in pages as text alone."""
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(played) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    with Store(copy) as store:
        store.hide("greedy", HOSTILE)
    hostile = Site(Library(copy))

    for address in ("/", "/pools/1", "/bots", "/matches"):
        html = hostile.html(address, hostile.load(address))
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)" in html


def test_the_database_is_opened_read_only(played: Path, tmp_path: Path) -> None:
    """A reader's store cannot write, and makes no file that is missing."""
    with Store(played, reading=True) as store, pytest.raises(StoreProblem):
        store.hide("greedy", "x")
    with pytest.raises(StoreProblem):
        Store(tmp_path / "missing.sqlite", reading=True)
    assert not (tmp_path / "missing.sqlite").exists()


def test_the_edition_changes_with_a_ruling_and_not_by_itself(played: Path, tmp_path: Path) -> None:
    """Pages are kept while the edition stays the same."""
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(played) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    library = Library(copy)
    first, again = library.edition(), library.edition()
    with Store(copy) as store:
        store.audit("organiser", "hide", "greedy", "")

    assert first == again
    assert library.edition() != first


def test_one_match_is_read_without_a_look_at_every_set(played: Path) -> None:
    """What is read for one match is the same work whatever else the database holds."""
    with Store(played, reading=True) as store:
        (newest, *_), _ = store.newest(Selection(), 0, 1)
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 1
            return 0

        store._connection.set_progress_handler(count, 1)
        store.match_row(newest.id)

    assert 0 < steps < 600


def test_links_of_files_are_relative() -> None:
    """Published pages open from any folder."""
    links = FileLinks("bots/a/against/b.html")

    assert links.link("/") == "../../../index.html"
    assert links.link("/bots/a%20b") == "../../a%2520b.html"
    assert links.link("/matches?page=3&bot=x#list") == "../../../matches.page-3.html#list"
    assert re.fullmatch(r"\.\./\.\./\.\./static/style\.[0-9a-f]{10}\.css", links.asset("style.css"))
    assert file_of("/pools/1.csv") == "pools/1.csv"
    assert static_name("theme.js") in static_files()
