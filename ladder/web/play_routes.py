"""The addresses of play: /play to open a table, /play/join for an invitation, /play/MATCH for the seat of a browser.

A browser holds the token of its seat in an HttpOnly cookie of SameSite=Strict, valid below /play/MATCH alone. The
secret of an invitation stands behind the # of its address, which no request carries; a script trades the secret for the
cookie by POST. Nothing below /play is kept by a browser or proxy, and no address or log line holds a secret.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import AsyncGenerator, Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from ladder.web.forms import RequestRefused, read_form, read_message
from ladder.web.limits import StreamPlaces, WebLimits, address
from ladder.web.live_routes import BEAT_SECONDS, HEADERS, LONGEST_ID, RETRY_MS, EventStream
from ladder.web.play.desk import Desk, DeskAway, DeskError, DeskFull, DeskMissing
from ladder.web.play.hints import hint
from ladder.web.play.offer import asked_table, offered
from ladder.web.play.seats import NoPlace, Seats
from ladder.web.play.session import PersonSession
from ladder.web.site import Site
from referee.kernel.errors import BadSetting
from referee.v1 import admin_pb2 as pb

COOKIE, LINKS = "kumite_seat", "kumite_links"
"""Cookies of a table: the token of the browser's seat, and the invitations that its person has to hand out."""
DAYS = 2
"""Days for which a browser keeps the cookies of a table."""
SECTION = "Play"
NO_STORE = {"Cache-Control": "no-store"}
HINT_SECONDS = 20.0
"""Most seconds for a hint."""
LEFT = "a person left the table"
_MATCH = re.compile(r"[0-9a-f]{32}")
_SECRET = re.compile(r"[0-9a-f]{32}\.[0-9]{1,2}\.[0-9a-f]{40}")


class PlayPages:
    """Answers requests for play."""

    def __init__(
        self, site: Site, desk: Desk, seats: Seats, places: StreamPlaces, limits: WebLimits | None = None
    ) -> None:
        self._site = site
        self._desk = desk
        self._seats = seats
        self._places = places
        self._limits = limits or WebLimits()
        self._hinting = asyncio.Semaphore(1)

    def routes(self) -> list[Route]:
        """The addresses, before those of other pages."""
        return [
            Route("/play", self.offer, methods=["GET"]),
            Route("/play", self.open, methods=["POST"]),
            Route("/play.json", self.offer, methods=["GET"]),
            Route("/play/join", self.invited, methods=["GET"]),
            Route("/play/{match:str}/join", self.join, methods=["POST"]),
            Route("/play/{match:str}", self.table, methods=["GET"]),
            Route("/play/{match:str}/events", self.events, methods=["GET"]),
            Route("/play/{match:str}/answer", self.answer, methods=["POST"]),
            Route("/play/{match:str}/hint", self.hint, methods=["POST"]),
            Route("/play/{match:str}/leave", self.leave, methods=["POST"]),
        ]

    async def offer(self, request: Request) -> Response:
        """What can be played here, and the form that opens a table."""
        try:
            return await self._offer_page(request, dict(request.query_params))
        except DeskError as wrong:
            return self._problem(request, 503, str(wrong))

    async def _offer_page(
        self, request: Request, query: Mapping[str, str], wrong: str = "", code: int = 200
    ) -> Response:
        rules = await self._desk.rules()
        data = offered(rules, query)
        if request.url.path.endswith(".json"):
            return Response(self._site.json(data), 200, NO_STORE, "application/json")
        return self._page("play", {"has_twin": True, "data": data, "wrong": wrong, "sent": query}, code)

    async def open(self, request: Request) -> Response:
        """Open a table and sit down."""
        form: Mapping[str, str] = {}
        try:
            form = await read_form(request, self._limits)
            wanted, seat = _wanted(form, address(request.scope))
            opened = await self._desk.open(wanted)
            taken = await self._first(opened, seat, form.get("name", "").strip() or "you")
        except (RequestRefused, DeskError) as wrong:
            try:
                return await self._offer_page(request, form, str(wrong), _code(wrong))
            except DeskError as away:
                return self._problem(request, 503, str(away))
        answer = RedirectResponse(f"/play/{taken.match_id}", 303, NO_STORE)
        self._sit(request, answer, taken)
        others = [secret for number, secret in enumerate(opened.invitations) if secret and number != seat]
        if others:
            self._give(request, answer, taken.match_id, LINKS, "~".join(others))
        return answer

    async def _first(self, opened: pb.OpenPeopleTableResponse, seat: int, name: str) -> pb.JoinPeopleTableResponse:
        """Sit down at a table that was just opened; if that is not possible, the table is closed again."""
        try:
            return await self._desk.join(opened.invitations[seat], name)
        except DeskError:
            await self._desk.leave(opened.table.match_id, LEFT)
            raise

    async def invited(self, request: Request) -> Response:
        """The page behind an invitation; its script reads the secret, which the request does not carry."""
        return self._page("play_join", {"data": {}})

    async def join(self, request: Request) -> Response:
        """Trade an invitation for the cookie of its seat."""
        try:
            message = await read_message(request, self._limits)
            secret, name = message.get("invitation"), message.get("name", "")
            if not isinstance(secret, str) or not _SECRET.fullmatch(secret) or not isinstance(name, str):
                raise RequestRefused(400, "That link is not whole; copy all of it.")
            if not secret.startswith(f"{self._match(request)}."):
                raise RequestRefused(400, "That link belongs to another table.")
            if self._cookie(request, self._match(request)) is not None:
                raise RequestRefused(409, "You sit at this table already; open the link in another browser.")
            taken = await self._desk.join(secret, name.strip())
        except (RequestRefused, DeskError) as wrong:
            return JSONResponse({"message": str(wrong)}, _code(wrong), NO_STORE)
        answer = JSONResponse({"address": f"/play/{taken.match_id}"}, 200, NO_STORE)
        self._sit(request, answer, taken)
        return answer

    async def table(self, request: Request) -> Response:
        """The page of a seat; it gets all that it shows by `events`."""
        match = self._match(request)
        token = self._cookie(request, match)
        if token is None:
            text = "This browser has no seat at that table. Who sits there plays in the browser that joined."
            return self._problem(request, 404, text, match)
        try:
            table = await self._desk.table(match)
        except DeskMissing:
            return self._problem(request, 404, "That table is over.", match)
        except DeskError as wrong:
            return self._problem(request, 503, str(wrong))
        links = [found for found in request.cookies.get(LINKS, "").split("~") if _SECRET.fullmatch(found)]
        invited = [
            {"seat": int(secret.split(".")[1]), "address": f"{request.base_url}play/join#{secret}"}
            for secret in links
            if int(secret.split(".")[1]) < len(table.seats) and not table.seats[int(secret.split(".")[1])].name
        ]
        data = {"match": match, "game": table.game}
        return self._page("play_table", {"data": data, "invited": invited})

    async def events(self, request: Request) -> Response:
        """The event stream of a seat: the newest state, whole."""
        host = address(request.scope)
        try:
            session = self._session(request)
        except RequestRefused as refused:
            return PlainTextResponse(f"{refused}\n", refused.code, HEADERS)
        full = self._places.enter(host)
        if full:
            return PlainTextResponse(f"{full}\n", 429, HEADERS | {"Retry-After": "10"})
        seen = request.headers.get("last-event-id", "")[:LONGEST_ID]
        return EventStream(self._states(session, seen), partial(self._places.leave, host))

    async def _states(self, session: PersonSession, seen: str) -> AsyncGenerator[str, None]:
        feed = session.feed
        feed.readers += 1
        try:
            yield f"retry: {RETRY_MS}\nevent: beat\ndata: hello\n\n"
            while True:
                if await feed.changed(seen, BEAT_SECONDS):
                    seen, ended = feed.ident, feed.ended
                    # The moment of sending lets the page run clocks on, whatever its own clock says.
                    yield f'id: {seen}\nevent: state\ndata: {{"now": {time.time() * 1000:.0f}, {feed.text[1:]}\n\n'
                    if ended:
                        return
                else:
                    yield "event: beat\ndata: still here\n\n"
        finally:
            feed.readers -= 1

    async def answer(self, request: Request) -> Response:
        """Answer a question with the number of an option; a repeated answer is harmless."""
        try:
            session = self._session(request)
            message = await read_message(request, self._limits)
            ask, option = message.get("ask"), message.get("option")
            if type(ask) is not int or type(option) is not int:
                raise RequestRefused(400, "An answer has the numbers of its question and of an option.")
            wrong = session.answer(ask, option)
            if wrong:
                raise RequestRefused(409, wrong)
        except RequestRefused as refused:
            return JSONResponse({"message": str(refused)}, refused.code, NO_STORE)
        return JSONResponse({"taken": True}, 200, NO_STORE)

    async def hint(self, request: Request) -> Response:
        """What greedy would do now."""
        try:
            session = self._session(request)
            await read_message(request, self._limits)
            ask, seated = session.ask, session.seated
            if ask is None or seated is None:
                raise RequestRefused(409, "Nothing is asked at this moment.")
            async with asyncio.timeout(HINT_SECONDS), self._hinting:
                found = await asyncio.to_thread(hint, ask, seated)
        except RequestRefused as refused:
            return JSONResponse({"message": str(refused)}, refused.code, NO_STORE)
        except TimeoutError:
            return JSONResponse({"message": "The hint took too long."}, 503, NO_STORE)
        return Response(json.dumps(found, ensure_ascii=False), 200, NO_STORE, "application/json")

    async def leave(self, request: Request) -> Response:
        """Close the table of a seat; the match ends without a result."""
        try:
            self._session(request)
            await read_message(request, self._limits)
            await self._desk.leave(self._match(request), LEFT)
        except (RequestRefused, DeskError) as wrong:
            return JSONResponse({"message": str(wrong)}, _code(wrong), NO_STORE)
        return JSONResponse({"taken": True}, 200, NO_STORE)

    def _session(self, request: Request) -> PersonSession:
        """The session of a request's seat; raises RequestRefused."""
        match = self._match(request)
        token = self._cookie(request, match)
        if token is None:
            raise RequestRefused(401, "This browser has no seat at that table.")
        try:
            return self._seats.take(match, token, address(request.scope))
        except NoPlace as full:
            raise RequestRefused(429, str(full)) from None

    def _match(self, request: Request) -> str:
        match: str = request.path_params["match"]
        return match

    def _cookie(self, request: Request, match: str) -> str | None:
        """The token of the browser's seat at a table; None: it has none."""
        token = request.cookies.get(COOKIE)
        if not _MATCH.fullmatch(match) or token is None or not _SECRET.fullmatch(token):
            return None
        return token if token.startswith(f"{match}.") else None

    def _sit(self, request: Request, answer: Response, taken: pb.JoinPeopleTableResponse) -> None:
        """Give the browser its seat; the session begins at once, before the page is loaded."""
        self._give(request, answer, taken.match_id, COOKIE, taken.token)
        with contextlib.suppress(NoPlace):  # the page says so
            self._seats.take(taken.match_id, taken.token, address(request.scope))

    def _give(self, request: Request, answer: Response, match: str, name: str, value: str) -> None:
        secure = request.url.scheme == "https"
        place = f"/play/{match}"
        answer.set_cookie(
            name, value, max_age=DAYS * 86_400, path=place, secure=secure, httponly=True, samesite="strict"
        )

    def _problem(self, request: Request, code: int, message: str, match: str = "") -> Response:
        if request.url.path.endswith(".json"):
            return JSONResponse({"message": message}, code, NO_STORE)
        shown = match if _MATCH.fullmatch(match) else ""
        return self._page("play_problem", {"data": {}, "message": message, "match": shown}, code)

    def _page(self, template: str, values: Mapping[str, object], code: int = 200) -> Response:
        text = self._site.draw(template, {"section": SECTION, "address": "/play", **values})
        return Response(text, code, NO_STORE, "text/html")


def _wanted(form: Mapping[str, str], host: str) -> tuple[pb.OpenPeopleTableRequest, int]:
    try:
        return asked_table(form, host)
    except BadSetting as wrong:
        raise RequestRefused(400, str(wrong)) from None


def _code(wrong: Exception) -> int:
    """The status of an answer that says why something was not done."""
    if isinstance(wrong, RequestRefused):
        return wrong.code
    if isinstance(wrong, DeskAway):
        return 503
    if isinstance(wrong, DeskFull):
        return 429
    return 404 if isinstance(wrong, DeskMissing) else 409
