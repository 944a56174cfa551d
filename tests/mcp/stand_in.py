"""A local server that answers as an endpoint with chat completions does."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, TypeAlias


class Reply(NamedTuple):
    """What the server answers to one request."""

    text: str = ""
    code: int = 200
    body: bytes | None = None
    """The whole body, in place of a completion with the text."""
    location: str = ""


Script: TypeAlias = Callable[[list[dict[str, str]]], Reply]


def first_option(messages: list[dict[str, str]]) -> Reply:
    """The first option that the last message lists."""
    found = re.search(r"^(\d+): ", messages[-1]["content"], re.MULTILINE)
    return Reply(f"It comes first.\n**ANSWER: {found[1]}**" if found else "What is the question?")


class StandIn:
    """A server whose answers follow a script; each completion costs 1,000 tokens read and 10 written."""

    def __init__(self, script: Script = first_option) -> None:
        self.script = script
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        """Headers and contents of each request."""
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stand_in.requests.append((dict(self.headers), content))
                reply = stand_in.script(content["messages"])
                body = reply.body if reply.body is not None else completion(reply.text)
                self.send_response(reply.code)
                if reply.location:
                    self.send_header("Location", reply.location)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)

    @property
    def url(self) -> str:
        """The address before /chat/completions."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> StandIn:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def completion(text: str) -> bytes:
    """A completion with a text."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 1000, "completion_tokens": 10}
    return json.dumps({"choices": [{"message": message}], "usage": usage}).encode()
