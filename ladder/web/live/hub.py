"""Follows the referee once, whatever the number of readers.

A `Feed` holds the newest state of one thing, as one JSON text, and no history: a reader that is slow, or was away, gets
the newest state next, so readers cost no memory here. A feed runs as long as it has readers.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from google.protobuf.json_format import MessageToDict

from ladder.viewer.replay_file import event_of, sight
from ladder.web.drawing.words import game_title
from ladder.web.reading.page import Data
from referee.codec import decoding
from referee.kernel import registry
from referee.kernel.registry import GAMES
from referee.transport.watch_client import Away, WatchClient, WatchError, public_view
from referee.v1 import watch_pb2 as pb

LOOK_SECONDS = 1.0
"""Between two looks at the list of tables."""
AWAY_SECONDS = 5.0
"""Between two looks where no referee answers."""
MOST_TABLES = 12
"""Tables on the first page."""
MOST_EVENTS = 200
"""Events that a page of one table gets of what has happened so far."""


class Feed:
    """The newest state of one thing, numbered; `changed` lets readers wait for the next one."""

    def __init__(self, epoch: str) -> None:
        self._epoch = epoch
        self._number = 0
        self.text = ""
        """The newest state as JSON; empty: none yet."""
        self.ended = False
        """Whether no further state follows."""
        self._moved = asyncio.Event()
        self.readers = 0

    @property
    def ident(self) -> str:
        """The id of the newest state: what a reader that comes back sends as Last-Event-ID."""
        return f"{self._epoch}-{self._number}"

    def put(self, state: Data, *, last: bool = False) -> None:
        """Replace the state; readers are woken if it differs."""
        text = json.dumps(state, ensure_ascii=False)
        if text == self.text and last == self.ended:
            return
        self.text, self.ended = text, last
        self._number += 1
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    async def changed(self, seen: str, seconds: float) -> bool:
        """Wait until the newest state is another than `seen`; False: nothing came within so many seconds."""
        moved = self._moved
        if self.text and self.ident != seen:
            return True
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await moved.wait()
        return bool(self.text) and self.ident != seen


class Hub:
    """The feeds of one process."""

    def __init__(self, address: str, *, connect: Callable[[str], WatchClient] = WatchClient) -> None:
        """`address` is the referee's admin socket."""
        self._address = address
        self._connect = connect
        self._epoch = secrets.token_hex(4)
        self._client: WatchClient | None = None
        self._feeds: dict[str, tuple[Feed, asyncio.Task[None]]] = {}

    @property
    def follows(self) -> int:
        """Number of feeds that run."""
        return len(self._feeds)

    async def close(self) -> None:
        """End every feed."""
        tasks = [task for _, task in self._feeds.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._feeds.clear()
        if self._client is not None:
            await self._client.close()

    @asynccontextmanager
    async def feed(self, match: str = "") -> AsyncIterator[Feed]:
        """The feed of a match, or of the list of tables; it starts with its first reader and ends with its last."""
        found = self._feeds.get(match)
        if found is None:
            feed = Feed(self._epoch)
            task = asyncio.create_task(self._follow(feed, match) if match else self._list(feed))
            found = self._feeds[match] = feed, task
        feed, task = found
        feed.readers += 1
        try:
            yield feed
        finally:
            feed.readers -= 1
            if not feed.readers and self._feeds.get(match) is found:
                del self._feeds[match]
                task.cancel()

    async def now(self) -> Data:
        """The list of tables, asked for once."""
        try:
            return _tables(await self._watch().tables(count=MOST_TABLES))
        except WatchError:
            return {"referee": False, "total": 0, "tables": []}

    def _watch(self) -> WatchClient:
        if self._client is None:
            self._client = self._connect(self._address)
        return self._client

    async def _list(self, feed: Feed) -> None:
        while True:
            state = await self.now()
            feed.put(state)
            await asyncio.sleep(LOOK_SECONDS if state["referee"] else AWAY_SECONDS)

    async def _follow(self, feed: Feed, match: str) -> None:
        """Follow one table to its end; a referee that is away is called again for as long as there are readers."""
        told = FollowedTable(match)
        while True:
            try:
                async for message in self._watch().follow(match):
                    # The board is computed beside the loop, which serves other readers meanwhile.
                    feed.put(await asyncio.to_thread(told.take, message), last=message.HasField("end"))
                return
            except Away:
                feed.put({"match": match, "referee": False})
                await asyncio.sleep(AWAY_SECONDS)
            except WatchError as wrong:
                feed.put({"match": match, "referee": True, "over": True, "message": str(wrong)}, last=True)
                return


def _tables(found: pb.WatchServiceListTablesResponse) -> Data:
    return {
        "referee": True,
        "total": found.total,
        "tables": [
            {
                "match": table.match_id,
                "game": table.game,
                "title": game_title(table.game),
                "players": list(table.players),
                "number": table.number,
                "awaited": [table.players[seat] for seat in table.awaited if seat < len(table.players)],
                "rated": table.rated,
            }
            for table in found.tables
        ],
    }


class FollowedTable:
    """What the public was told of one table so far."""

    def __init__(self, match: str) -> None:
        self._match = match
        self._table: pb.LiveTable | None = None
        self._log: deque[Data] = deque(maxlen=MOST_EVENTS)
        self._logged = 0
        self._sight: Data = {}

    def take(self, message: pb.FollowTableResponse) -> Data:
        """A position as a page needs it: what WatchService tells the public, and what follows from its view."""
        if message.HasField("table"):
            self._table = message.table
        found: Data = {
            "match": self._match,
            "referee": True,
            "number": message.number,
            "awaited": list(message.awaited),
            "kinds": list(message.kinds),
            "bank_ms": [bank // 1000 for bank in message.bank_us],
            "moved": round(time.time() * 1000),
            "over": message.HasField("end"),
        }
        found |= self._board(message)
        if message.HasField("end"):
            found["end"] = MessageToDict(message.end, preserving_proto_field_name=True)
        return found

    def _board(self, message: pb.FollowTableResponse) -> Data:
        view = public_view(message)
        if self._table is None or self._table.game not in GAMES:
            return {}
        game = registry.game(self._table.game)
        events = decoding.events(message.events)
        for event in events:
            self._logged += 1
            self._log.append({"n": self._logged, "seat": event.seat, "words": event_of(game, event)["words"]})
        if view is not None:
            self._sight = {"sight": sight(game, view, events), "events": [event_of(game, event) for event in events]}
        return {"names": list(self._table.players), "seat": None, "log": list(self._log), **self._sight}
