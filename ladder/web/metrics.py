"""`/metrics` of the process of the pages, for Prometheus: requests, their time, event streams. Off unless asked for."""

from __future__ import annotations

import time
from collections.abc import Callable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BUCKETS = (0.001, 0.005, 0.02, 0.1, 0.5, 2.0)
"""Upper bounds of the buckets of answer times, in seconds."""


class WebMetrics:
    """The figures of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._answers = Counter(
            "kumite_web_answers", "Answers of the pages, by status code.", ["code"], registry=self.registry
        )
        self._seconds = Histogram(
            "kumite_web_answer_seconds",
            "Seconds from a request to the first byte of its answer.",
            buckets=BUCKETS,
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A figure that is read when the figures are asked for."""
        Gauge(name, text, registry=self.registry).set_function(read)

    def answered(self, code: int, seconds: float) -> None:
        """Count one answer."""
        self._answers.labels(str(code)).inc()
        self._seconds.observe(seconds)

    async def show(self, request: Request) -> Response:
        """The figures in Prometheus' text format."""
        return Response(generate_latest(self.registry), 200, {"Cache-Control": "no-store"}, CONTENT_TYPE_LATEST)


class Measured:
    """Counts the answers of an application; no address, name or query becomes a label."""

    def __init__(self, app: ASGIApp, metrics: WebMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.answered(message["status"], time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, counted)
