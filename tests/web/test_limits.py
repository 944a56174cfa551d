"""What one address may ask of the pages, and what a connection may waste."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from ladder.web.app import application
from ladder.web.limits import Bounded, StreamPlaces, WebLimits, address
from ladder.web.listening import listening
from ladder.web.server import Serving, settings
from ladder.web.site import Site

PATIENCE = 30.0


async def told(request: Request) -> PlainTextResponse:
    """Tells the address and the scheme that a request counts for."""
    return PlainTextResponse(f"{address(request.scope)} {request.url.scheme}")


def client(*, trust_proxy: bool = False, clock: Callable[[], float] = lambda: 0.0) -> TestClient:
    """A reader of an application that has a bucket of two requests and gains one in two seconds."""
    limits = WebLimits(requests_per_second=1, request_burst=2)
    app = Bounded(Starlette(routes=[Route("/", told)]), limits, trust_proxy=trust_proxy, clock=clock)
    return TestClient(app, client=("192.0.2.1", 5000))


def test_an_address_that_asks_too_often_is_told_when_to_come_again() -> None:
    """429 with Retry-After; after that time the next request is answered."""
    now = [0.0]
    reader = client(clock=lambda: now[0])
    codes = [reader.get("/").status_code for _ in range(3)]
    refused = reader.get("/")
    now[0] += float(refused.headers["retry-after"])

    assert codes == [200, 200, 429]
    assert refused.headers["retry-after"] == "1"
    assert refused.headers["cache-control"] == "no-store"
    assert refused.text == "Too many requests from your address; try again in 1 s.\n"
    assert reader.get("/").status_code == 200


def test_headers_of_a_client_do_not_change_its_address() -> None:
    """X-Forwarded-For and X-Forwarded-Proto have no effect without --trust-proxy."""
    found = client().get("/", headers={"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"})

    assert found.text == "192.0.2.1 http"


def test_the_word_of_the_nearest_proxy_counts_where_it_is_trusted() -> None:
    """The last address of the list is what the proxy saw; those before it were written by the client."""
    headers = {"X-Forwarded-For": "203.0.113.9, 198.51.100.7", "X-Forwarded-Proto": "https"}
    reader = client(trust_proxy=True)

    assert reader.get("/", headers=headers).text == "198.51.100.7 https"
    assert reader.get("/", headers={"X-Forwarded-For": "2001:db8::1"}).text == "2001:db8::/64 http"


def test_a_refusal_has_the_policy_too(site: Site) -> None:
    """The headers of every answer stand on a refusal as well."""
    with TestClient(application(site, limits=WebLimits(1, 1))) as reader:
        answers = [reader.get("/static/none") for _ in range(20)]
        refused = [answer for answer in answers if answer.status_code == 429]

        assert answers[0].status_code == 404
        assert "default-src 'self'" in refused[0].headers["content-security-policy"]


def test_event_streams_are_counted_for_each_address_and_in_all() -> None:
    """A place that was given back is free again."""
    places = StreamPlaces(WebLimits(streams_per_address=2, streams=3))
    first = [places.enter("a"), places.enter("a"), places.enter("a")]
    second = [places.enter("b"), places.enter("c")]
    places.leave("a")

    assert first == ["", "", "2 event streams of your address are open; close one"]
    assert second == ["", "no event stream is free at this moment; try again later"]
    assert places.enter("c") == ""
    assert places.open == 3


@contextmanager
def served(app: ASGIApp, limits: WebLimits) -> Iterator[tuple[str, int]]:
    """The address of an application that uvicorn serves in another thread."""
    with listening("127.0.0.1:0") as place:
        server = uvicorn.Server(settings(app, Serving(), limits))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            yield place.getsockname()[:2]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def closed(reader: socket.socket) -> bool:
    """Whether the server ends the connection while the reader waits."""
    reader.settimeout(PATIENCE)
    try:
        return reader.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: "])
def test_a_connection_without_a_whole_request_is_closed(sent: bytes) -> None:
    """Silence and half a request hold a place for `idle_seconds` only."""
    app = Starlette(routes=[Route("/", told)])
    with served(app, WebLimits(idle_seconds=0.1)) as place, socket.create_connection(place) as reader:
        reader.sendall(sent)

        assert closed(reader)


def test_one_address_cannot_hold_every_connection() -> None:
    """A connection above the bound is closed at once; the others stay."""
    app = Starlette(routes=[Route("/", told)])
    with (
        served(app, WebLimits(connections_per_address=1)) as place,
        socket.create_connection(place) as first,
        socket.create_connection(place) as second,
    ):
        assert closed(second)
        first.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        first.settimeout(PATIENCE)
        assert first.recv(12) == b"HTTP/1.1 200"


def test_a_long_header_is_refused() -> None:
    """Request line and headers are bounded together."""
    app = Starlette(routes=[Route("/", told)])
    with served(app, WebLimits(header_bytes=1024)) as place, socket.create_connection(place) as reader:
        reader.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nLong: " + b"x" * 2000)
        reader.settimeout(PATIENCE)

        assert reader.recv(12) == b"HTTP/1.1 400"


def test_a_reader_that_never_reads_is_cut_off() -> None:
    """A stream without an end stops with its reader, after little more than the buffers of the system was sent."""
    sent: list[int] = []
    ended = threading.Event()

    async def endless(request: Request) -> StreamingResponse:
        async def portions() -> object:
            try:
                while True:
                    sent.append(65536)
                    yield b"x" * 65536
                    await asyncio.sleep(0)
            finally:
                ended.set()

        return StreamingResponse(portions())  # type: ignore[arg-type]

    limits = WebLimits(idle_seconds=0.1, unread_seconds=0.3)
    app = Starlette(routes=[Route("/", endless)])
    with served(app, limits) as place, socket.create_connection(place) as reader:
        reader.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")

        assert ended.wait(PATIENCE)
    assert sum(sent) < 64 * 1024 * 1024
