"""The addresses of the status pages: login, status, the dialog of an act, the act itself, logout.

Every change is a POST with the CSRF token of its form, from a page of this site. No answer is kept by a browser or
proxy, and no address or log line holds a token.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ladder.store.file import StoreTrouble
from ladder.store.tokens import ADMIN
from ladder.web.forms import RequestRefused, read_form
from ladder.web.limits import WebLimits, address
from ladder.web.reading.page import NoSuchPage
from ladder.web.site import Site
from ladder.web.status import acts
from ladder.web.status.facts import status
from ladder.web.status.sessions import LONGEST_SECONDS, Session, Sessions, same
from referee.kernel.errors import BadSetting

COOKIE, LOGIN_COOKIE = "kumite_session", "kumite_login"
PLACE = "/status"
SECTION = "Status"
EVERYWHERE = "/"
"""The path of the cookies: one of /status alone would not reach the JSON twin, /status.json."""
NO_STORE = {"Cache-Control": "no-store"}

_logger = logging.getLogger(__name__)


class StatusPages:
    """Answers requests for the status pages of a site."""

    def __init__(self, site: Site, limits: WebLimits | None = None, sessions: Sessions | None = None) -> None:
        self.site = site
        self._limits = limits or WebLimits()
        self.sessions = sessions or Sessions(lambda: site.library.store().valid_tokens(ADMIN))

    def routes(self) -> list[Route]:
        """The addresses, before those of other pages."""
        return [
            Route(PLACE, self.show),
            Route(f"{PLACE}.json", self.show),
            Route(f"{PLACE}/login", self.log_in, methods=["POST"]),
            Route(f"{PLACE}/logout", self.log_out, methods=["POST"]),
            Route(f"{PLACE}/acts/{{act}}", self.ask, methods=["GET"]),
            Route(f"{PLACE}/acts/{{act}}", self.act, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """The status, or the form to log in."""
        as_json = request.url.path.endswith(".json")
        try:
            session = await run_in_threadpool(self._session, request)
            if session is None:
                if as_json:
                    return Response('{"error": "log in at /status"}', 401, NO_STORE, "application/json")
                return self._login_form(request)
            data = await run_in_threadpool(status, self.site.library)
        except StoreTrouble as trouble:
            _logger.warning("%s", trouble)
            return Response(
                "The database cannot be read at this moment; try again.", 503, {"Retry-After": "2"} | NO_STORE
            )
        if as_json:
            return Response(self.site.json(data), 200, NO_STORE, "application/json")
        told, session.told = session.told, []
        values = {"has_twin": True, "data": data, "session": session, "told": told, "acts": acts.ACTS}
        return self._page("status", values)

    async def log_in(self, request: Request) -> Response:
        """Begin a session for an admin token."""
        try:
            form = await read_form(request, self._limits)
            nonce = request.cookies.get(LOGIN_COOKIE, "")
            if not nonce or not same(self.sessions.login_proof(nonce), form.get("csrf", "")):
                raise RequestRefused(403, "The form is too old; send it again.")
            wait = self.sessions.attempt(address(request.scope))
            if wait:
                raise RequestRefused(429, f"Too many attempts; try again in {wait} s.")
            ident = await run_in_threadpool(self.sessions.log_in, form.get("token", "").strip())
            if ident is None:
                _logger.warning("a login at the status page was refused")
                raise RequestRefused(403, "That is no admin token, or it was revoked.")
        except RequestRefused as refused:
            return self._login_form(request, str(refused), refused.code)
        answer = RedirectResponse(PLACE, 303, NO_STORE)
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE, ident, max_age=LONGEST_SECONDS, path=EVERYWHERE, secure=secure, httponly=True, samesite="strict"
        )
        answer.delete_cookie(LOGIN_COOKIE, path=EVERYWHERE)
        return answer

    async def log_out(self, request: Request) -> Response:
        """End a session."""
        try:
            await self._authorised(request)
        except RequestRefused as refused:
            return self._refusal(request, refused)
        self.sessions.end(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse(PLACE, 303, NO_STORE)
        answer.delete_cookie(COOKIE, path=EVERYWHERE)
        return answer

    async def ask(self, request: Request) -> Response:
        """The dialog of an act, as a page of its own: what happens to whom, a reason, and the button that acts."""
        session = await run_in_threadpool(self._session, request)
        if session is None:
            return RedirectResponse(PLACE, 303, NO_STORE)
        try:
            act = acts.find(request.path_params["act"])
        except NoSuchPage as missing:
            return self._refusal(request, RequestRefused(404, str(missing)))
        subject = request.query_params.get("subject", "")[: acts.LONGEST_FIELD]
        return self._page("status_act", {"data": {}, "act": act, "subject": subject, "session": session})

    async def act(self, request: Request) -> Response:
        """Carry an act out; the status page then says what was done, or why not."""
        try:
            session, form = await self._authorised(request)
            act = acts.find(request.path_params["act"])
        except NoSuchPage as missing:
            return self._refusal(request, RequestRefused(404, str(missing)))
        except RequestRefused as refused:
            return self._refusal(request, refused)
        try:
            done = await run_in_threadpool(acts.perform, self.site.library.path, session.organiser, act, form)
        except BadSetting as wrong:
            done = f"Not done: {wrong}"
        session.told.append(done)
        return RedirectResponse(PLACE, 303, NO_STORE)

    def _session(self, request: Request) -> Session | None:
        return self.sessions.find(request.cookies.get(COOKIE, ""))

    async def _authorised(self, request: Request) -> tuple[Session, Mapping[str, str]]:
        """The session and the form of a POST; raises RequestRefused."""
        form = await read_form(request, self._limits)
        session = await run_in_threadpool(self._session, request)
        if session is None:
            raise RequestRefused(401, "Your login has ended; log in again.")
        if not same(session.csrf, form.get("csrf", "")):
            raise RequestRefused(403, "The form is not one of this session; load the status page again.")
        return session, form

    def _login_form(self, request: Request, wrong: str = "", code: int = 200) -> Response:
        nonce = secrets.token_urlsafe(16)
        answer = self._page(
            "status_login", {"data": {}, "wrong": wrong, "csrf": self.sessions.login_proof(nonce)}, code
        )
        secure = request.url.scheme == "https"
        answer.set_cookie(LOGIN_COOKIE, nonce, path=EVERYWHERE, secure=secure, httponly=True, samesite="strict")
        return answer

    def _refusal(self, request: Request, refused: RequestRefused) -> Response:
        return self._page("status_refused", {"data": {}, "message": str(refused)}, refused.code)

    def _page(self, template: str, values: Mapping[str, object], code: int = 200) -> Response:
        text = self.site.draw(template, {"section": SECTION, "address": PLACE, **values})
        return Response(text, code, NO_STORE, "text/html")
