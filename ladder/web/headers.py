"""Headers that every answer has: what a page may load, who may frame it, and what it tells other sites."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {}"
"""The content security policy: nothing from elsewhere, no inline script or style."""
EMBEDDED = "/embed/"
"""Pages below this address may stand in frames of other sites."""


class Headers:
    """Adds the headers to whatever an application answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        framed = scope["path"].startswith(EMBEDDED)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = POLICY.format("*" if framed else "'none'")
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                if not framed:
                    headers["X-Frame-Options"] = "DENY"
            await send(message)

        await self._app(scope, receive, with_headers)
