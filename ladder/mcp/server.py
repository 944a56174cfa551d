"""The server of the Model Context Protocol with its tools, over stdio and over streamable HTTP."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress
from types import FrameType

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer

from ladder.mcp.seats import ModelSeats
from ladder.mcp.tools import WAIT, ModelTools
from ladder.web.listening import shown_address
from referee import __version__

PATH = "/mcp"
CLOSING = 2
"""Seconds that open requests have to end when the server over HTTP ends."""

INSTRUCTIONS = (
    "You play board games with hidden information against other bots, at a referee that keeps a clock. "
    "Call rules for the games and their rules, join to enter a match, wait until it is your turn, and answer with the "
    "number of an option. Call wait again after each answer, and whenever it says so. look shows the situation again "
    "and searches the options. The notes of your answers stay private until the match is over."
)


def mcp_server(seats: ModelSeats, *, wait: float = WAIT) -> MCPServer:
    """The server with its tools; `wait` is the most seconds of one call of the tool `wait`."""
    server = MCPServer("kumite", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR")
    tools = ModelTools(seats, wait)
    for tool in (tools.rules, tools.join, tools.wait, tools.answer, tools.look, tools.result, tools.leave):
        server.add_tool(tool)
    return server


def serve_stdio(server: MCPServer, seats: ModelSeats) -> None:
    """Serve the client at standard input and output until it closes them."""
    try:
        anyio.run(server.run_stdio_async)
    finally:
        seats.close()


def serve_http(server: MCPServer, seats: ModelSeats, place: socket.socket) -> None:
    """Serve any number of clients at a listening socket until Ctrl-C or SIGTERM."""
    app = server.streamable_http_app(streamable_http_path=PATH, host=place.getsockname()[0])
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=CLOSING)
    print(f"kumite: language models connect to {shown_address(place)}{PATH[1:]}", file=sys.stderr, flush=True)
    # The server passes the signal that ended it on to the handler that was there before.
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[place])
    finally:
        seats.close()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
