"""Forms and messages that pages of this site send: read within bounds, and never from another site."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request

from ladder.web.limits import WebLimits

FORM_SECONDS = 10.0
"""Seconds that the body of a form may take."""
MOST_FIELDS = 60
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


class RequestRefused(Exception):
    """A request that is not carried out; `code` is the status of the answer, the message one line."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


async def read_form(request: Request, limits: WebLimits) -> Mapping[str, str]:
    """The fields of a form that a page of this site sent; raises RequestRefused."""
    body = await _body(request, limits, FORM, "Send the form of the page.")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise RequestRefused(400, "The form cannot be read.") from None


async def read_message(request: Request, limits: WebLimits) -> Mapping[str, object]:
    """The JSON object that a script of this site sent; raises RequestRefused."""
    body = await _body(request, limits, JSON, "Send JSON.")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestRefused(400, "The message is no JSON.") from None
    if not isinstance(found, dict):
        raise RequestRefused(400, "The message is no JSON object.")
    return found


def own(request: Request) -> bool:
    """Whether a page of this site sent the request, as far as the browser says."""
    origin = request.headers.get("origin")
    return request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none") and (
        origin is None or urlsplit(origin).netloc == request.headers.get("host", "")
    )


async def _body(request: Request, limits: WebLimits, kind: str, wrong: str) -> bytes:
    if not own(request):
        raise RequestRefused(403, "The form was sent by another site.")
    if not request.headers.get("content-type", "").startswith(kind):
        raise RequestRefused(415, wrong)
    body = b""
    try:
        async with asyncio.timeout(FORM_SECONDS):
            async for portion in request.stream():
                body += portion
                if len(body) > limits.form_bytes:
                    raise RequestRefused(413, f"The form is longer than {limits.form_bytes} bytes.")
    except TimeoutError:
        raise RequestRefused(408, "The form took too long.") from None
    return body
