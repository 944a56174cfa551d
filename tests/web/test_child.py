"""The pages beside a referee, as real processes: a child that is killed is healed, and no match notices."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.cli.web_beside import join_address
from tests.ladder.arena import PATIENCE, Arena, Process
from tests.ladder.test_orphans import command, family

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"),
]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A folder with processes, which are ended at the end."""
    found = Arena(tmp_path)
    yield found
    found.close()


def children(referee: Process) -> list[int]:
    """The processes with pages that a referee has started."""
    return [child for child, line in family(referee.pid or 0).items() if " web " in line and command(child)]


def page(arena: Arena, referee: Process, address: str = "/index.json") -> dict[str, object]:
    """The JSON twin of a page, from the address that the referee says; a connection waits while no child runs."""
    arena.until(lambda: "pages at http" in arena.errors(referee))
    found = re.search(r"pages at (http://\S+)/", arena.errors(referee))
    assert found is not None
    with urllib.request.urlopen(found[1] + address, timeout=PATIENCE) as answer:
        told: dict[str, object] = json.load(answer)
    return told


def test_pages_that_are_killed_come_back_and_matches_go_on(arena: Arena) -> None:
    """`kill -9` of the child: another child answers at the same address, and the match is played to its end."""
    arena.address = "127.0.0.1:0"
    referee = arena.serve("--table", "edo_yashiki:2", "--web", "127.0.0.1:0", "--open")
    first = page(arena, referee)
    arena.address = re.search(r"referee at ([^;,]+)", arena.errors(referee))[1]  # type: ignore[index]
    (before,) = children(referee)
    arena.join("one")
    arena.join("two")
    arena.until(lambda: arena.ended() + len(arena.running()) > 0)
    os.kill(before, signal.SIGKILL)
    second = page(arena, referee)
    (after,) = children(referee)
    played = arena.ended()
    arena.until(lambda: arena.ended() > played)
    referee.send_signal(signal.SIGTERM)

    assert first["address"] == arena.address
    assert second["address"] == arena.address
    assert after != before
    assert referee.wait(PATIENCE) == 0, arena.log()
    assert "the pages ended (killed by signal 9) and start again in 0.5 s" in arena.errors(referee)
    assert command(after) == ""
    assert arena.query("select count(*) from seats where faults > 0") == [(0,)]


def test_pages_have_lower_priority_and_end_with_a_referee_that_is_killed(arena: Arena) -> None:
    """The child gives way to the referee, and `kill -9` of the referee leaves no child behind."""
    referee = arena.serve("--table", "edo_yashiki:2", "--web", "127.0.0.1:0")
    page(arena, referee)
    (child,) = children(referee)
    niceness = os.getpriority(os.PRIO_PROCESS, child) - os.getpriority(os.PRIO_PROCESS, referee.pid or 0)
    referee.send_signal(signal.SIGKILL)
    referee.wait(PATIENCE)
    arena.until(lambda: command(child) == "")

    assert niceness > 0 or os.getpriority(os.PRIO_PROCESS, 0) > 9


def test_an_address_in_use_is_one_line_at_the_start(arena: Arena) -> None:
    """The referee says that the pages cannot be served there, and does not start."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        referee = arena.serve("--table", "edo_yashiki:2", "--web", address)

        assert referee.wait(PATIENCE) == 2
    assert (
        arena.errors(referee).splitlines()[-1].endswith(f"pages cannot be served at {address}: Address already in use")
    )
    assert "Traceback" not in arena.errors(referee)


def test_pages_need_a_database(arena: Arena) -> None:
    """A referee that stores nothing has nothing to show."""
    referee = arena.start("serve", "--bind", arena.address, "--web", "127.0.0.1:0")

    assert referee.wait(PATIENCE) == 2
    assert "--web shows a season: name its database with --db, or a ladder file" in arena.errors(referee)


@pytest.mark.parametrize(
    ("addresses", "tls", "told"),
    [
        (("unix:/tmp/r", "127.0.0.1:7400"), False, "127.0.0.1:7400"),
        (("0.0.0.0:7400",), True, "HOST:7400 --tls"),
        (("[::1]:7400",), False, "[::1]:7400"),
        (("unix:/tmp/r",), False, ""),
    ],
)
def test_newcomers_are_told_where_to_join(addresses: tuple[str, ...], tls: bool, told: str) -> None:
    """The first address that other machines may reach, as `kumite join` takes it."""
    assert join_address(addresses, tls=tls) == told
