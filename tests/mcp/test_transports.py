"""Whole matches by the real client of the protocol against a real referee, over stdio and over streamable HTTP."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from bots.resume import STATE_VARIABLE
from referee.kernel import registry
from referee.match.policy import EndingKind
from tests.mcp.room import WAIT, Model, opponent, referee
from tests.transport.house import House

pytestmark = pytest.mark.processes

TOOLS = ["rules", "join", "wait", "answer", "look", "result", "leave"]
KUMITE = (sys.executable, "-m", "ladder")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A referee for two seats of every game."""
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    with referee() as found:
        yield found


async def whole_match(client: Client, house: House, game: str) -> None:
    """Play one match of a game with random options and compare what was said with what the referee knows."""
    model = Model(client)
    assert await model.tools() == TOOLS
    assert registry.game(game).title in (await model.call("rules", game=game)).text
    joined = await model.call("join", game=game)
    assert not joined.refused, joined.text
    model.key = joined.key
    heard = await model.play(Random(game))
    terms, final = house.final()
    told = await model.call("result")

    assert final.result is not None
    assert {ending.kind for ending in final.endings} == {EndingKind.FINISHED}
    assert not final.faults
    assert terms.game == game
    seat = terms.players.index("model")
    assert f"seat {seat + 1} (you), {final.result.points[seat]} points" in told.text
    assert f"Match {terms.match} of {game}" in heard[0].text
    assert sum(said.ask is not None for said in heard) > 5


@pytest.mark.parametrize("game", registry.names())
def test_a_match_over_stdio(house: House, game: str, tmp_path: Path) -> None:
    """The client starts `kumite mcp`, and the match ends without a fault."""
    arguments = [*KUMITE[1:], "mcp", "--address", house.address]
    server = StdioServerParameters(
        command=KUMITE[0], args=arguments, env={STATE_VARIABLE: str(tmp_path)}, cwd=Path(__file__).parents[2]
    )

    async def main() -> None:
        async with Client(server) as client:
            await whole_match(client, house, game)

    with opponent(house.address, game):
        anyio.run(main)


@pytest.fixture
def url(house: House) -> Iterator[str]:
    """The address of a `kumite mcp --http`, which ends cleanly."""
    process = subprocess.Popen(
        [*KUMITE, "mcp", "--address", house.address, "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    found = re.fullmatch(r"kumite: language models connect to (http://127\.0\.0\.1:\d+/mcp)\n", said)
    try:
        assert found is not None, said
        yield found[1]
    finally:
        process.terminate()
        rest = process.communicate(timeout=WAIT)[1]
    assert (process.returncode, rest) == (0, "")


def test_matches_over_http_with_and_without_sessions(house: House, url: str) -> None:
    """Clients of the protocol with sessions and of the one without play every game at one server."""

    async def main() -> None:
        for game, mode in zip(registry.names(), ["legacy", "auto", "legacy", "auto"], strict=True):
            with opponent(house.address, game):
                async with Client(url, mode=mode) as client:
                    await whole_match(client, house, game)

    anyio.run(main)


def test_two_clients_of_one_server_meet(house: House, url: str) -> None:
    """Each client is a bot of its own, under names of its own, and one key does not open the other's seat."""

    async def play(mode: str, names: list[str]) -> None:
        async with Client(url, mode=mode) as client:
            model = Model(client)
            joined = await model.call("join", game="edo_yashiki")
            if mode == "auto":
                missing = await model.call("wait")
                assert missing.refused
                assert "give key" in missing.text
            model.key = joined.key
            first = await model.asked()
            names += re.findall(r"seat \d \((.*?)\)", first.text.partition("\n")[0])
            stranger = await model.call("wait", key="0" * 24)
            assert stranger.refused
            assert "no bot has this key" in stranger.text
            await model.play(Random(mode))

    async def main() -> list[str]:
        names: list[str] = []
        async with anyio.create_task_group() as group:
            group.start_soon(play, "legacy", names)
            group.start_soon(play, "auto", names)
        return names

    names = anyio.run(main)
    terms, final = house.final()

    assert sorted(terms.players) == ["model", "model-2"]
    assert sorted(names) == ["model", "model-2", "you", "you"]
    assert not final.faults
