"""The tools of a language model at a referee.

A refused call answers with one line that says what would be right, marked as an error; nothing has happened then. A
method's docstring and the descriptions of its parameters are what the model reads of the tool.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

import anyio
from anyio import CapacityLimiter
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent
from pydantic import Field

from ladder.mcp.seats import MOST_SEATS, ModelSeats
from ladder.mcp.texts import rules_text, situation_text
from referee.kernel import registry
from referee.kernel.errors import CallerFault

WAIT = 25.0
"""Most seconds of one call of `wait`: many clients give a call up after 30."""
GREETING = 5.0
"""Most seconds that `join` waits for the referee's welcome."""
SESSION = "mcp-session-id"

Game = Annotated[str, Field(description=f"One of {', '.join(registry.names())}.")]
Key = Annotated[str, Field(description="The key that join printed; may be left out where the connection names you.")]


class ModelTools:
    """The tools over the seats of a server's clients."""

    def __init__(self, seats: ModelSeats, wait: float = WAIT) -> None:
        """`wait` is the most seconds of one call of the tool `wait`."""
        self._seats = seats
        self._wait = wait
        self._limiter = CapacityLimiter(2 * MOST_SEATS)

    async def rules(
        self,
        game: Game,
        chapter: Annotated[
            str, Field(description="A chapter by its number or words, or all; empty: settings and chapters.")
        ] = "",
    ) -> CallToolResult:
        """The rules of a game, chapter by chapter."""
        return await self._called(partial(rules_text, game, chapter))

    async def join(self, game: Game, context: Context) -> CallToolResult:
        """Enter the referee for one match of a game. Call wait afterwards."""

        def work() -> str:
            key, seat = self._seats.join(game, _client(context))
            seat.greeted(GREETING)
            text = situation_text(seat.look(), board=False)
            return text if seat.over else f"{text}\nYour key is {key}. Call wait."

        return await self._called(work)

    async def wait(self, context: Context, key: Key = "") -> CallToolResult:
        """Wait until you are asked or the match is over, 25 seconds at most; then call wait again."""
        return await self._called(lambda: situation_text(self._seats.of(key, _client(context)).wait(self._wait)))

    async def answer(
        self,
        ask: Annotated[int, Field(description="The number of the ask, as wait printed it.")],
        option: Annotated[int | str, Field(description="The number of an option, or its words as they are listed.")],
        context: Context,
        note: Annotated[str, Field(description="Why, in a few words; part of the replay after the match.")] = "",
        key: Key = "",
    ) -> CallToolResult:
        """Answer the open ask. A text that names no option, or several, is refused and nothing is sent."""

        def work() -> str:
            words = self._seats.of(key, _client(context)).answer(ask, str(option), note)
            return f"Ask {ask} is answered: {words}. Call wait."

        return await self._called(work)

    async def look(
        self,
        context: Context,
        filter: Annotated[  # noqa: A002
            str, Field(description="Words that the options shall hold, such as: card 16 turned left.")
        ] = "",
        page: Annotated[int, Field(description="The page of the options, from 1.")] = 1,
        board: Annotated[bool, Field(description="Whether to show the board as well.")] = True,
        key: Key = "",
    ) -> CallToolResult:
        """The situation now, and the options that hold some words, page by page."""
        return await self._called(
            lambda: situation_text(self._seats.of(key, _client(context)).look(), text=filter, page=page, board=board)
        )

    async def result(self, context: Context, key: Key = "") -> CallToolResult:
        """Places and points of your match, if it is over."""

        def work() -> str:
            found = self._seats.of(key, _client(context)).look()
            text = situation_text(found, board=False)
            return text if found.outcome is not None else f"The match is not over.\n{text}"

        return await self._called(work)

    async def leave(self, context: Context, key: Key = "") -> CallToolResult:
        """Leave the referee. A match that runs goes on without you: each of your decisions runs out of time."""

        def work() -> str:
            self._seats.of(key, _client(context)).leave()
            return "You have left the referee."

        return await self._called(work)

    async def _called(self, work: Callable[[], str]) -> CallToolResult:
        """The text of a call that may block, or the line of its refusal."""
        try:
            text = await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter)
        except CallerFault as error:
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)
        return CallToolResult(content=[TextContent(type="text", text=text)])


def _client(context: Context) -> str | None:
    """The client of a call: empty over stdio, the protocol's session over HTTP; None: the call names no client."""
    headers = context.headers
    named: str | None = "" if headers is None else headers.get(SESSION)
    return named
