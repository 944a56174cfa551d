"""What happens now, by server-sent events, and the figures of the process that sends them."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse
from starlette.testclient import TestClient

from ladder.store.database import Store
from ladder.web.app import application
from ladder.web.limits import StreamPlaces, WebLimits
from ladder.web.live.hub import Feed, Hub
from ladder.web.live_routes import LivePages
from ladder.web.metrics import WebMetrics
from ladder.web.reading.library import Library
from ladder.web.site import Site
from referee.transport.watch_client import Away, NotThere
from referee.v1 import watch_pb2 as pb
from tests.ladder.arena import PATIENCE, Arena
from tests.web.test_limits import served


class ScriptedWatch:
    """Stands in for the client of WatchService: two positions, a break, a snapshot, the end."""

    followed = 0

    def __init__(self, address: str) -> None:
        self.address = address

    async def close(self) -> None:
        """Nothing is open."""

    async def tables(self, count: int = 0) -> pb.WatchServiceListTablesResponse:
        """One table."""
        table = pb.LiveTable(match_id="ab12", game="honshu", players=["<b>x", "two"], number=3, awaited=[1])
        return pb.WatchServiceListTablesResponse(tables=[table], total=1)

    async def follow(self, match: str) -> AsyncIterator[pb.FollowTableResponse]:
        """The positions of a table; other matches are not there."""
        if match != "ab12":
            raise NotThere("no such table")
        ScriptedWatch.followed += 1
        for number in (1, 2):
            yield pb.FollowTableResponse(number=number, awaited=[0])
            await asyncio.sleep(0)
        yield pb.FollowTableResponse(number=2, end=pb.TableEnd(rated=True))


def hub() -> Hub:
    """A hub at a scripted referee."""
    return Hub("unix:/nowhere", connect=cast("Any", ScriptedWatch))


def test_a_reader_gets_the_newest_state_and_nothing_twice() -> None:
    """A slow reader skips what came in between; one that has seen the newest state waits."""

    async def scene() -> tuple[bool, str, bool, bool]:
        feed = Feed("epoch")
        first = await feed.changed("", 0.0)
        for number in range(100):
            feed.put({"number": number})
        second = await feed.changed("", 0.0)
        seen = feed.ident
        feed.put({"number": 99})
        return first, feed.text, second, await feed.changed(seen, 0.0)

    assert asyncio.run(scene()) == (False, '{"number": 99}', True, False)


def test_readers_of_one_table_share_one_stream_of_the_referee() -> None:
    """Ten readers, one call of FollowTable; the feed ends with its last reader."""

    async def scene() -> tuple[int, int, list[Any], int]:
        ScriptedWatch.followed = 0
        found = hub()

        async def read() -> Any:
            async with found.feed("ab12") as feed:
                seen = ""
                while not feed.ended:
                    await feed.changed(seen, PATIENCE)
                    seen = feed.ident
                return json.loads(feed.text)

        states = await asyncio.gather(*(read() for _ in range(10)))
        left = found.follows
        async with found.feed("ab12"):
            during = found.follows
        await found.close()
        return ScriptedWatch.followed, during, states, left

    followed, during, states, left = asyncio.run(scene())

    assert followed == 1
    assert (during, left) == (1, 0)
    assert states[0]["end"] == {"rated": True}
    assert all(state == states[0] for state in states)


def test_a_match_that_does_not_run_ends_its_stream() -> None:
    """The last state says that the match is over, so that a page stops asking."""

    async def scene() -> Any:
        found = hub()
        async with found.feed("ffff") as feed:
            await feed.changed("", PATIENCE)
            state = json.loads(feed.text), feed.ended
        await found.close()
        return state

    assert asyncio.run(scene()) == ({"match": "ffff", "referee": True, "over": True, "message": "no such table"}, True)


def test_one_stream_brings_the_boards_of_several_tables() -> None:
    """The list of tables comes first, then each table's newest state to its end, all on one stream."""

    async def scene() -> list[tuple[str, dict[str, Any]]]:
        found = hub()
        events = LivePages(found, StreamPlaces())._boards()
        told: list[tuple[str, dict[str, Any]]] = []
        async with asyncio.timeout(PATIENCE):
            async for text in events:
                name, data = (line.partition(": ")[2] for line in text.strip().splitlines()[-2:])
                if name != "beat":
                    told.append((name, json.loads(data)))
                if told and told[-1][1].get("over"):
                    break
        await events.aclose()
        left = found.follows
        await found.close()
        assert left == 0
        return told

    told = asyncio.run(scene())

    assert told[0][0] == "tables"
    assert [table["match"] for table in told[0][1]["tables"]] == ["ab12"]
    assert {state["match"] for name, state in told if name == "state"} == {"ab12"}
    assert told[-1][1]["end"] == {"rated": True}


def test_without_a_referee_there_is_history_only(site: Site) -> None:
    """The list says that no referee answers; a strange id of a match is refused."""
    with TestClient(application(site)) as client:
        assert client.get("/live.json").json() == {"referee": False, "total": 0, "tables": []}
        assert client.get("/live/a..b").status_code == 404


class Reader:
    """A reader of an event stream."""

    def __init__(self, place: tuple[str, int], address: str, last: str = "") -> None:
        self._connection = http.client.HTTPConnection(*place, timeout=PATIENCE)
        self._connection.request("GET", address, headers={"Last-Event-ID": last} if last else {})
        self.answer = self._connection.getresponse()

    def states(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each state with its id, as it comes; an empty id is a heartbeat."""
        ident = ""
        while line := self.answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "id":
                ident = value
            elif name == "data":
                found, ident = ((ident, json.loads(value)) if ident else ("", {})), ""
                yield found

    def close(self) -> None:
        """Go away."""
        self._connection.close()


@contextmanager
def readers(place: tuple[str, int], *addresses: str) -> Iterator[list[Reader]]:
    """Readers of event streams, which go away at the end."""
    found = [Reader(place, address) for address in addresses]
    try:
        yield found
    finally:
        for reader in found:
            reader.close()


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A folder with processes, which are ended at the end."""
    found = Arena(tmp_path)
    yield found
    found.close()


def page(place: tuple[str, int], address: str) -> str:
    """The body of an answer."""
    connection = http.client.HTTPConnection(*place, timeout=PATIENCE)
    connection.request("GET", address)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def figures(place: tuple[str, int]) -> dict[str, float]:
    """The figures of the process of the pages that have no label."""
    families = parse(page(place, "/metrics"))
    return {one.name: one.value for family in families for one in family.samples if not one.labels}


@pytest.mark.processes
def test_pages_see_tables_lose_the_referee_and_find_it_again(arena: Arena) -> None:
    """Two readers of a real referee: tables and positions come, then none after kill -9, and again after a restart."""
    words = ("--table", "edo_yashiki:2", "--open", "--clock", "30s")
    referee = arena.serve(*words)
    arena.until(lambda: "referee at" in arena.log())
    arena.join("one", "--tables", "4")
    arena.join("two", "--tables", "4")
    app = application(Site(Library(arena.database)), metrics=WebMetrics())
    with served(app, WebLimits()) as place, readers(place, "/live", "/live") as (first, second):
        kind = first.answer.headers["content-type"]
        playing = next(state for _, state in first.states() if state and state["total"])
        shared = next(state for _, state in second.states() if state and state["referee"])
        told = figures(place)
        referee.send_signal(signal.SIGKILL)
        referee.wait(PATIENCE)
        home, match = page(place, "/"), sorted(arena.running())[0]
        followed = page(place, f"/matches/{match}")
        lost = next(state for _, state in first.states() if state and not state["referee"])
        arena.serve(*words)
        found = next(state for _, state in first.states() if state and state["referee"])

    assert kind.startswith("text/event-stream")
    assert set(playing["tables"][0]["players"]) == {"one", "two"}
    assert shared["referee"]
    assert (told["kumite_web_event_streams"], told["kumite_web_feeds"]) == (2, 1)
    assert f'data-match="{match}"' in home
    assert f'data-follow="{match}"' in followed
    assert "[&#34;" in followed.partition('data-players="')[2][:6]
    assert lost["tables"] == []
    assert found["referee"]


def test_event_streams_of_one_address_are_bounded(tmp_path: Path) -> None:
    """The stream above the bound is refused with 429, and a reader that goes away makes room."""
    with Store(tmp_path / "cup.sqlite"):
        app = application(Site(Library(tmp_path / "cup.sqlite")), limits=WebLimits(streams_per_address=1))
        with served(app, WebLimits()) as place:
            with readers(place, "/live", "/live") as (first, second):
                codes = [first.answer.status, second.answer.status]
                retry = second.answer.headers["retry-after"]
                ident, _ = next(found for found in first.states() if found[0])
                first.close()
            later = 429
            while later == 429:
                again = Reader(place, "/live", ident)
                later = again.answer.status
                again.close()

    assert codes == [200, 429]
    assert retry == "10"
    assert later == 200


def test_there_are_no_metrics_unless_asked_for(site: Site) -> None:
    """/metrics is a page like any other that does not exist; with the option it counts answers by code."""
    with TestClient(application(site)) as client:
        assert client.get("/metrics").status_code == 404
    with TestClient(application(site, metrics=WebMetrics())) as client:
        client.get("/nonsense")
        text = client.get("/metrics").text

        assert 'kumite_web_answers_total{code="404"} 1.0' in text
        assert "nonsense" not in text


def test_a_referee_that_is_away_is_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Away is a state of its own, after which the table is followed again."""
    monkeypatch.setattr("ladder.web.live.hub.AWAY_SECONDS", 0.01)
    calls: list[str] = []

    class Coming(ScriptedWatch):
        async def follow(self, match: str) -> AsyncIterator[pb.FollowTableResponse]:
            calls.append(match)
            if len(calls) == 1:
                raise Away("restarting")
            yield pb.FollowTableResponse(number=1, end=pb.TableEnd())

    async def scene() -> list[bool]:
        found = Hub("unix:/nowhere", connect=cast("Any", Coming))
        seen, told = "", []
        async with found.feed("ab12") as feed:
            while not feed.ended:
                await feed.changed(seen, PATIENCE)
                seen = feed.ident
                told.append(json.loads(feed.text)["referee"])
        await found.close()
        return told

    assert asyncio.run(scene()) == [False, True]
