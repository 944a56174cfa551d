"""The server of the pages: caching, headers, errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from ladder.web.app import application
from ladder.web.site import Site, static_name


@pytest.fixture
def client(site: Site) -> Iterator[TestClient]:
    """A browser of few talents."""
    with TestClient(application(site)) as found:
        yield found


def test_a_page_has_a_tag_and_is_not_sent_twice(client: TestClient) -> None:
    """The second request names the tag of the first and gets no body."""
    first = client.get("/pools/1")
    second = client.get("/pools/1", headers={"If-None-Match": first.headers["etag"]})

    assert first.status_code == 200
    assert second.status_code == 304
    assert second.content == b""


def test_every_answer_has_the_policy(client: TestClient) -> None:
    """Pages, files, errors: nothing from elsewhere may be loaded, and no other site may frame a page."""
    for address in ("/", "/pools/1.json", "/nonsense", f"/static/{static_name('style.css')}"):
        headers = client.get(address).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_static_files_are_kept_for_ever(client: TestClient) -> None:
    """Their names change with their content."""
    found = client.get(f"/static/{static_name('style.css')}")

    assert "immutable" in found.headers["cache-control"]
    assert client.get("/static/style.css").status_code == 404


def test_an_address_of_nothing_says_what_there_is(client: TestClient) -> None:
    """The page for it links to the sections."""
    found = client.get("/bots/nobody-of-that-name")

    assert found.status_code == 404
    assert "No bot is called nobody-of-that-name" in found.text
    assert 'href="/pools"' in found.text


def test_the_twin_of_the_first_page_has_a_name(client: TestClient) -> None:
    """Its address has no ending of its own to add .json to."""
    assert client.get("/index.json").json()["season"] == "autumn"


@pytest.mark.parametrize("address", ["/", "/pools/1", "/bots/greedy", "/status", "/play", "/nothing/here"])
def test_a_page_links_to_a_twin_if_it_has_one(client: TestClient, address: str) -> None:
    """Pages of the site do; pages for nothing, for a login and for a referee that is away have nothing to tell."""
    linked = re.search(r'href="([^"]+)">This page as JSON', client.get(address).text)

    assert (linked is not None) == (address in ("/", "/pools/1", "/bots/greedy"))
    assert client.get(linked[1] if linked else f"{address}.json").status_code in ((200,) if linked else (401, 404, 503))


def test_no_page_is_changed_by_posting(client: TestClient) -> None:
    """Pages are read; nothing is done by a form that no page has."""
    assert client.post("/pools/1").status_code == 405
