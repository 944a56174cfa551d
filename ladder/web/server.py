"""Runs the server of the pages: in this process, at lower priority than a referee beside it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from ladder.web.app import application
from ladder.web.connections import HttpConnections
from ladder.web.limits import WebLimits
from ladder.web.listening import listening, shown_address
from ladder.web.metrics import WebMetrics
from ladder.web.reading.library import Library
from ladder.web.site import Site

NICENESS = 10
"""How much the process of the pages gives way to others."""
GRACE = 3
"""Seconds that open answers have at the end."""


@dataclass(frozen=True, slots=True)
class Serving:
    """How the pages are served."""

    address: str = ""
    """Where bots connect, as the first page tells newcomers; empty: no referee is known."""
    inherited: int | None = None
    """The number of a listening socket that a referee handed to this process, which then ends with its standard input:
    the referee holds the other end."""
    trust_proxy: bool = False
    """Whether a proxy stands before the pages, whose word on addresses and schemes counts."""
    metrics: bool = False
    """Whether /metrics is served."""


def serve_pages(database: Path, bind: str, serving: Serving) -> None:
    """Serve the pages of a database until the process is asked to end."""
    inherited = serving.inherited
    place = listening(bind) if inherited is None else socket.socket(fileno=inherited)
    site = Site(Library(database, address=serving.address))
    with suppress(OSError):  # a process that already gives way more keeps its priority
        os.nice(NICENESS)
    if inherited is None:
        print(f"pages: {shown_address(place)}", flush=True)
    else:
        threading.Thread(target=_end_with_input, name="leash", daemon=True).start()
    app = application(site, trust_proxy=serving.trust_proxy, metrics=WebMetrics() if serving.metrics else None)
    uvicorn.Server(settings(app, serving)).run(sockets=[place])


def settings(app: ASGIApp, serving: Serving, limits: WebLimits | None = None) -> uvicorn.Config:
    """How uvicorn serves an application: quietly, within bounds, and believing no header of a client."""
    found = limits or WebLimits()
    return uvicorn.Config(
        app,
        http=HttpConnections(found, trust_proxy=serving.trust_proxy).protocol(),
        ws="none",
        h11_max_incomplete_event_size=found.header_bytes,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=found.connections,
    )


def _end_with_input() -> None:
    """End this process when its standard input ends: the referee has ended, or was killed."""
    while sys.stdin.buffer.read(4096):
        continue
    os.kill(os.getpid(), signal.SIGTERM)
