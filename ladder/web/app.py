"""The server of the pages: addresses, caching, headers, limits. Pages themselves are `ladder.web.pages`."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ladder.serving.sockets import sockets
from ladder.store.file import StoreTrouble
from ladder.web.headers import Headers
from ladder.web.limits import Bounded, StreamPlaces, WebLimits
from ladder.web.live.hub import Hub
from ladder.web.live_routes import LivePages
from ladder.web.metrics import Measured, WebMetrics
from ladder.web.play.desk import Desk
from ladder.web.play.seats import Seats
from ladder.web.play_routes import PlayPages
from ladder.web.reading.page import NoSuchPage
from ladder.web.site import Site, static_files
from ladder.web.status_routes import StatusPages

MOST_CACHED = 512
"""Pages that are kept in memory, of the present edition alone."""
MEDIA = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "json": "application/json"}

_logger = logging.getLogger(__name__)


class Rendered(NamedTuple):
    """A page as it is sent."""

    body: bytes
    media: str
    etag: str


def _rendered(body: bytes, media: str) -> Rendered:
    return Rendered(body, media, f'W/"{blake2b(body, digest_size=12).hexdigest()}"')


class Cache:
    """Rendered pages of one edition of the library; another edition empties the cache."""

    def __init__(self) -> None:
        self._edition = ""
        self._pages: OrderedDict[str, Rendered] = OrderedDict()
        self._changing = threading.Lock()

    def find(self, edition: str, key: str) -> Rendered | None:
        """A page of this edition, if it is kept."""
        with self._changing:
            if edition != self._edition:
                self._edition = edition
                self._pages.clear()
            return self._pages.get(key)

    def keep(self, edition: str, key: str, page: Rendered) -> None:
        """Keep a page that was loaded in this edition."""
        with self._changing:
            if edition == self._edition:
                self._pages[key] = page
                while len(self._pages) > MOST_CACHED:
                    self._pages.popitem(last=False)


def _written(request: Request) -> str:
    """The path of a request as it was sent: a name with a slash in it stays one part of the address."""
    raw = request.scope.get("raw_path")
    return raw.decode("ascii", "replace") if raw else quote(request.scope["path"])


class Pages:
    """Answers requests for pages and their JSON twins."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._cache = Cache()

    async def answer(self, request: Request) -> Response:
        """A page, or its JSON twin where the address ends with .json."""
        try:
            page = await run_in_threadpool(self._page, _written(request), dict(request.query_params))
        except NoSuchPage as missing:
            return await run_in_threadpool(self.missing, str(missing))
        except StoreTrouble as trouble:
            _logger.warning("%s", trouble)
            return Response("The database cannot be read at this moment; try again.", 503, {"Retry-After": "2"})
        headers = {"ETag": page.etag, "Cache-Control": "no-cache"}
        if page.etag in (request.headers.get("if-none-match") or ""):
            return Response(status_code=304, headers=headers)
        return Response(page.body, media_type=page.media, headers=headers)

    def _page(self, path: str, query: dict[str, str]) -> Rendered:
        file = self.site.download(path)
        if file is not None:
            return _rendered(*file)
        address, as_json = path.removesuffix(".json"), path.endswith(".json")
        if as_json and address in ("/index", "/"):
            address = "/"
        found, _ = self.site.find(address)
        key = f"{path}?{sorted(query.items())}"
        edition = self.site.library.edition()
        kept = self._cache.find(edition, key) if found.cached else None
        if kept is not None:
            return kept
        data = self.site.load(address, query)
        text = self.site.json(data) if as_json else self.site.html(address, data)
        page = _rendered(text.encode(), "application/json" if as_json else "text/html")
        if found.cached:
            self._cache.keep(edition, key, page)
        return page

    def missing(self, message: str) -> Response:
        """The page for an address that names nothing."""
        data = {"message": message}
        text = self.site.draw("missing", {"section": "", "address": "/", "data": data})
        return Response(text, 404, media_type="text/html", headers={"Cache-Control": "no-store"})


async def static(request: Request) -> Response:
    """A static file; its name changes with its content, so it may be kept for ever."""
    name = request.path_params["name"]
    content = static_files().get(name)
    if content is None:
        return Response("no such file", 404, media_type="text/plain")
    media = MEDIA.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(content, media_type=media, headers={"Cache-Control": "public, max-age=31536000, immutable"})


def application(
    site: Site, *, limits: WebLimits | None = None, trust_proxy: bool = False, metrics: WebMetrics | None = None
) -> Starlette:
    """The server of a site; `metrics` None: there is no /metrics."""
    place = sockets(site.library.path)
    hub, desk = Hub(place.admin), Desk(place.admin)
    seats = Seats(place.play, desk)
    places = StreamPlaces(limits)
    routes = [
        Route("/static/{name}", static),
        *StatusPages(site, limits).routes(),
        *LivePages(hub, places).routes(),
        *PlayPages(site, desk, seats, places, limits).routes(),
        Route("/{path:path}", Pages(site).answer),
    ]
    middleware = [
        Middleware(Headers),
        Middleware(Bounded, limits, trust_proxy=trust_proxy),
        Middleware(GZipMiddleware, minimum_size=1024),
    ]
    if metrics is not None:
        metrics.gauge("kumite_web_event_streams", "Open event streams.", lambda: places.open)
        metrics.gauge("kumite_web_feeds", "Tables and lists of tables that are followed.", lambda: hub.follows)
        metrics.gauge("kumite_web_people", "Seats of people whose session this process holds.", lambda: seats.open)
        routes.insert(0, Route("/metrics", metrics.show))
        middleware.insert(0, Middleware(Measured, metrics))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await hub.close()
        await seats.close()
        await desk.close()

    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
