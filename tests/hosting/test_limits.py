"""Limits that bite: each ends the bot, whole, with a text that names the limit and its figure."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
import trio.testing

from referee.hosting import cgroups
from referee.hosting.launch import HostedBot, launched
from referee.hosting.limits import MIB
from referee.hosting.manifest import Manifest
from referee.hosting.sandbox import Sandbox, Trusted
from referee.hosting.walls import Walled
from tests.hosting import walled

pytestmark = pytest.mark.processes

BOMB = "from bots.drill.bombs import BOMBS\nBOMBS[{!r}]()\nimport time\nprint('alive', flush=True)\ntime.sleep(60)"
CASES = [
    ("memory", "memory_mib = 100", "used more than its 100 MiB of memory"),
    ("unmapped_memory", "memory_mib = 100", "used more than its 100 MiB of memory"),
    ("child_memory", "memory_mib = 100", "used more than its 100 MiB of memory"),
    ("processes", "processes = 16", "started more than its 16 processes and threads"),
    ("disk", "disk_mib = 4", "wrote more than its 4 MiB of disk"),
    ("shared_memory", "disk_mib = 4", "wrote more than its 4 MiB of disk"),
    ("files", "disk_mib = 2", "wrote more than its 2 MiB of disk"),
    ("output", "output_mib = 2", "printed more than its 2 MiB of output"),
    ("cpu", "cpu_seconds = 1", "used more than its 1 s of CPU time"),
]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A unix socket of the host."""
    walled.needed()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as opened:
        opened.bind(str(tmp_path / "s"))
        yield f"unix:{tmp_path / 's'}"


async def ended(manifest: Manifest, sandbox: Sandbox, address: str) -> HostedBot:
    """Let a bot run until it ends, and see that it was ended whole."""
    async with launched(manifest, sandbox, address=address, name="n") as bot:
        with trio.fail_after(50):
            await bot.wait()
        outside = bot.pid
    assert not walled.alive(outside)
    return bot


@pytest.mark.parametrize("counted", [True, False], ids=["cgroup", "watchdog"])
@pytest.mark.parametrize(("bomb", "limits", "text"), CASES, ids=[bomb for bomb, _, _ in CASES])
def test_a_bomb_ends_its_bot(
    tmp_path: Path,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    bomb: str,
    limits: str,
    text: str,
    counted: bool,
) -> None:
    """With a cgroup and without one, and the text says which limit of how much."""
    if counted and cgroups.hierarchy() is None:
        pytest.skip(f"no cgroups here: {cgroups.find().reason}")
    if not counted:
        monkeypatch.setattr(cgroups, "hierarchy", lambda: None)
    manifest = walled.bot(tmp_path, BOMB.format(bomb), limits)
    bot = trio.run(ended, manifest, Walled(), address)

    assert bot.exceeded == text
    assert bot.code not in (None, 0)


@trio.testing.trio_test
async def test_what_a_bot_used_is_known_after_its_end(tmp_path: Path, address: str) -> None:
    """CPU seconds of all its processes, and the most memory that it had at a time."""
    work = "x = bytearray(b'x' * 60_000_000); sum(range(8_000_000)); os._exit(0)"
    script = f"import os\nif os.fork() == 0:\n    {work}\nos.wait()"
    bot = await ended(walled.bot(tmp_path, script), Walled(), address)
    cpu, peak = bot.usage()

    assert bot.exceeded is None
    assert 0.05 < cpu < 20
    assert 40 * MIB < peak < 400 * MIB


@trio.testing.trio_test
async def test_a_trusted_bot_is_limited_too(tmp_path: Path) -> None:
    """Where there are cgroups, trust is about walls and not about resources."""
    if cgroups.hierarchy() is None:
        pytest.skip(f"no cgroups here: {cgroups.find().reason}")
    manifest = walled.shell(tmp_path, "head -c 300000000 /dev/zero | tail", "memory_mib = 50")
    bot = await ended(manifest, Trusted(), "localhost:1")

    assert bot.exceeded == "used more than its 50 MiB of memory"


@trio.testing.trio_test
async def test_a_bot_within_its_limits_is_left_alone(tmp_path: Path, address: str) -> None:
    """As many processes as it may have are no fault."""
    manifest = walled.shell(tmp_path, "for i in 1 2 3 4 5 6; do sleep 0.3 & done; wait; echo fine", "processes = 7")
    bot = await ended(manifest, Walled(), address)

    assert bot.exceeded is None
    assert "fine" in bot.log.text()
