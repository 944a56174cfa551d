"""The event streams: /live for the tables that run, /live/MATCH for one table, /live.json for a single look.

/live/boards follows several tables on one stream, since a browser keeps few connections to one host.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ladder.web.limits import StreamPlaces, address
from ladder.web.live.hub import LOOK_SECONDS, Hub

BEAT_SECONDS = 15.0
"""A stream without news sends a heartbeat after so long: proxies keep it open, and a page notices a dead one."""
RETRY_MS = 3000
"""Milliseconds after which a browser connects again."""
LONGEST_ID = 64
BOARDS = 6
"""Tables that one stream of boards follows: the oldest that run."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class EventStream(StreamingResponse):
    """An event stream that gives its place back however it ends."""

    def __init__(self, events: AsyncGenerator[str, None], leave: Callable[[], None]) -> None:
        super().__init__(events, 200, HEADERS, "text/event-stream")
        self._events = events
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the reader goes."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()
            await self._events.aclose()


class LivePages:
    """Answers requests for event streams."""

    def __init__(self, hub: Hub, places: StreamPlaces, beat: float = BEAT_SECONDS) -> None:
        self._hub = hub
        self._places = places
        self._beat = beat

    def routes(self) -> list[Route]:
        """The addresses, before those of other pages."""
        return [
            Route("/live", self.stream),
            Route("/live.json", self.look),
            Route("/live/boards", self.boards),
            Route("/live/{match:str}", self.stream),
        ]

    async def look(self, request: Request) -> Response:
        """The tables that run now."""
        text = json.dumps(await self._hub.now(), ensure_ascii=False)
        return Response(text, headers={"Cache-Control": "no-store"}, media_type="application/json")

    async def stream(self, request: Request) -> Response:
        """An event stream; a reader that comes back with Last-Event-ID gets nothing that it has seen."""
        host = address(request.scope)
        match = request.path_params.get("match", "")
        if match and not (match.isascii() and match.isalnum() and len(match) <= LONGEST_ID):
            return PlainTextResponse("That is no id of a match.\n", 404, HEADERS)
        full = self._places.enter(host)
        if full:
            return PlainTextResponse(f"{full}\n", 429, HEADERS | {"Retry-After": "10"})
        seen = request.headers.get("last-event-id", "")[:LONGEST_ID]
        return EventStream(self._events(match, seen), partial(self._places.leave, host))

    async def boards(self, request: Request) -> Response:
        """An event stream of the newest positions of several tables; a table that ends makes room for another one."""
        host = address(request.scope)
        full = self._places.enter(host)
        if full:
            return PlainTextResponse(f"{full}\n", 429, HEADERS | {"Retry-After": "10"})
        return EventStream(self._boards(), partial(self._places.leave, host))

    async def _boards(self) -> AsyncGenerator[str, None]:
        """States of tables, each with its match; `tables` says which ones are followed now."""
        yield f"retry: {RETRY_MS}\nevent: beat\ndata: hello\n\n"
        news: asyncio.Queue[str] = asyncio.Queue(BOARDS)
        following: dict[str, asyncio.Task[None]] = {}
        try:
            async with self._hub.feed() as tables:
                seen = ""
                while True:
                    if await tables.changed(seen, LOOK_SECONDS):
                        seen = tables.ident
                        found = json.loads(tables.text)
                        if found["referee"]:
                            shown = [table["match"] for table in found["tables"]][:BOARDS]
                            for match in following.keys() - set(shown):
                                if following[match].done():
                                    del following[match]
                            for match in shown:
                                if match not in following and len(following) < BOARDS:
                                    following[match] = asyncio.create_task(self._follow(match, news))
                        kept = [table for table in found["tables"] if table["match"] in following]
                        text = json.dumps({"referee": found["referee"], "total": found["total"], "tables": kept})
                        yield f"event: tables\ndata: {text}\n\n"
                    while not news.empty():
                        yield news.get_nowait()
                    yield "event: beat\ndata: still here\n\n"
        finally:
            for task in following.values():
                task.cancel()
            await asyncio.gather(*following.values(), return_exceptions=True)

    async def _follow(self, match: str, news: asyncio.Queue[str]) -> None:
        """Put the states of one table among the news, the newest whenever there is room."""
        async with self._hub.feed(match) as feed:
            seen = ""
            while True:
                if await feed.changed(seen, self._beat):
                    seen, ended = feed.ident, feed.ended
                    await news.put(_state(feed.text))
                    if ended:
                        return

    async def _events(self, match: str, seen: str) -> AsyncGenerator[str, None]:
        async with self._hub.feed(match) as feed:
            yield f"retry: {RETRY_MS}\nevent: beat\ndata: hello\n\n"
            while True:
                if await feed.changed(seen, self._beat):
                    seen, ended = feed.ident, feed.ended
                    yield f"id: {seen}\n{_state(feed.text)}"
                    if ended:
                        return
                else:
                    yield "event: beat\ndata: still here\n\n"


def _state(text: str) -> str:
    """A state as an event. The moment of sending lets a page run clocks on, whatever its own clock says."""
    return f'event: state\ndata: {{"now": {time.time() * 1000:.0f}, {text[1:]}\n\n'
