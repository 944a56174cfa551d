"""A referee, opponents, and the tools of `kumite mcp` as a client calls them."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import NamedTuple

from mcp import Client
from mcp_types import TextContent

from bots import run
from bots.specs import resolve
from ladder.config.offers import every_table
from ladder.mcp.seat import Entry
from ladder.mcp.seats import ModelSeats
from ladder.mcp.server import mcp_server
from referee.kernel import registry
from referee.match.clock import TimeControl
from tests.transport.house import House, Settings

WAIT = 60.0
PATIENT = "300s+10s/60s"


def referee(*bind: str, games: tuple[str, ...] = (), clock: str = PATIENT, settings: Settings | None = None) -> House:
    """A referee for tables of two seats."""
    wanted = every_table(games or registry.names(), seats=[2], clock=TimeControl.parse(clock))
    return House(*bind, wanted=wanted, **(settings or {}))


@contextmanager
def opponent(address: str, game: str, spec: str = "random", token: str | None = None) -> Iterator[None]:
    """A bot of the kit that plays one match of a game; the block ends after it."""
    thread = threading.Thread(
        target=lambda: run(resolve(spec).make, address, name="other", quiet=True, matches=1, games=[game], token=token)
    )
    thread.start()
    try:
        yield
    finally:
        thread.join(WAIT)
        assert not thread.is_alive()


class Said(NamedTuple):
    """What a tool said."""

    text: str
    refused: bool

    @property
    def ask(self) -> int | None:
        """The number of the open ask; None: there is none."""
        found = re.search(r"^Ask (\d+): ", self.text, re.MULTILINE)
        return None if found is None else int(found[1])

    @property
    def options(self) -> dict[int, str]:
        """The words of the options on the page, by number."""
        lines = re.findall(r"^  (\d+): (.*?)(?:  \[.*\])?$", self.text.partition("\nOptions (")[2], re.MULTILINE)
        return {int(number): words for number, words in lines}

    @property
    def key(self) -> str:
        """The key that `join` printed."""
        found = re.search(r"Your key is (\w+)", self.text)
        assert found is not None, self.text
        return found[1]

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return "The match is over (" in self.text


class Model:
    """A client of the real protocol that calls the tools."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.key = ""

    async def call(self, tool: str, **arguments: object) -> Said:
        """What a tool said."""
        if self.key and tool != "rules":
            arguments.setdefault("key", self.key)
        result = await self._client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        return Said(content.text, bool(result.is_error))

    async def tools(self) -> list[str]:
        """The names of the tools."""
        return [tool.name for tool in (await self._client.list_tools()).tools]

    async def asked(self) -> Said:
        """Wait until a decision is open."""
        while True:
            said = await self.call("wait")
            assert not said.refused, said.text
            assert not said.over, said.text
            if said.ask is not None:
                return said

    async def play(self, rng: Random) -> list[Said]:
        """Play to the end with random options, by number or by words; returns what `wait` said."""
        heard = []
        while True:
            said = await self.call("wait")
            assert not said.refused, said.text
            heard.append(said)
            if said.over:
                return heard
            if said.ask is None:
                continue
            number, words = rng.choice(list(said.options.items()))
            unique = list(said.options.values()).count(words) == 1
            given = rng.choice([number, str(number), f"{number}: {words}"]) if not unique else words
            answered = await self.call("answer", ask=said.ask, option=given, note=f"picked {number}")
            if answered.refused and "names several options" in answered.text:
                answered = await self.call("answer", ask=said.ask, option=number)
            assert not answered.refused, answered.text


@asynccontextmanager
async def near(
    address: str, *, name: str = "model", token: str | None = None, wait: float = 25.0
) -> AsyncIterator[tuple[Model, ModelSeats]]:
    """A client of a server in this process."""
    seats = ModelSeats(Entry(address, "" if token else name, token, patience=1.0))
    try:
        async with Client(mcp_server(seats, wait=wait)) as client:
            yield Model(client), seats
    finally:
        seats.close()
