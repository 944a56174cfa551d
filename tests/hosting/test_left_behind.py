"""Nothing is left of a hosted bot: at the end of its block, after a kill -9 of the host, at the next start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from referee.hosting import cgroups, owned, processes
from referee.hosting.launch import launched
from referee.hosting.sandbox import Sandbox, Trusted
from referee.hosting.walls import Walled
from tests.hosting import walled

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
STAYS = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        script = "import time; print('stays', flush=True); time.sleep(600)"
        os.execv(sys.executable, [sys.executable, "-c", script, "MARK"])
    os._exit(0)
time.sleep(600)
"""
"""A bot with a child that has left its parent, its group and its session."""
HOST = """
import sys, trio
from pathlib import Path
from referee.hosting import cgroups
from referee.hosting.launch import launched
from referee.hosting.manifest import read
from referee.hosting.sandbox import Trusted
from referee.hosting.walls import Walled
if sys.argv[2] == "alone":
    cgroups.hierarchy = lambda: None
async def main():
    kind = Trusted() if sys.argv[3] == "trusted" else Walled()
    async with launched(read(Path(sys.argv[1])), kind, address=f"unix:{sys.argv[1]}/bot.py", name="n") as bot:
        while "stays" not in bot.log.text():
            await trio.sleep(0.01)
        print("ready", flush=True)
        await trio.sleep_forever()
trio.run(main)
"""


def until(condition: Callable[[], object], seconds: float) -> bool:
    """Whether something that no event announces happens in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not condition():
            return True
        time.sleep(0.01)
    return False


@pytest.fixture(params=["trusted", "walled"])
def kind(request: pytest.FixtureRequest) -> str:
    """The sandbox."""
    if request.param == "walled":
        walled.needed()
    return str(request.param)


@pytest.mark.parametrize("counted", [True, False], ids=["cgroup", "no cgroup"])
def test_a_child_that_left_its_session_ends_with_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, counted: bool
) -> None:
    """Within a second, with a cgroup and without one."""
    if not counted:
        monkeypatch.setattr(cgroups, "hierarchy", lambda: None)
    mark = f"kumite-stays-{os.getpid()}-{kind}"
    manifest = walled.bot(tmp_path, STAYS.replace("MARK", mark))
    sandbox: Sandbox = Trusted() if kind == "trusted" else Walled()

    async def main() -> float:
        async with launched(manifest, sandbox, address=f"unix:{manifest.folder}/bot.py", name="n") as bot:
            with trio.fail_after(30):
                while "stays" not in bot.log.text():
                    await trio.sleep(0.01)
            began = trio.current_time()
        return trio.current_time() - began

    took = trio.run(main)

    assert walled.running(mark) == []
    assert took < 2
    assert list(cgroups.left_behind()) == []


@pytest.mark.parametrize("groups", ["counted", "alone"])
def test_bots_end_within_a_second_of_a_killed_host(tmp_path: Path, kind: str, groups: str) -> None:
    """kill -9: the kernel, or the reaper, ends them, whatever they did to get away."""
    mark = f"kumite-stays-{os.getpid()}-{kind}-{groups}"
    manifest = walled.bot(tmp_path, STAYS.replace("MARK", mark))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HOST, str(manifest.folder), groups, kind]
    host = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert host.stdout is not None
        assert host.stdout.readline() == "ready\n"
        assert walled.running(mark) != []
    finally:
        host.kill()
        host.wait()
        if host.stdout is not None:
            host.stdout.close()

    assert until(lambda: walled.running(mark), 2.0)
    assert until(lambda: [group for group in cgroups.left_behind() if str(host.pid) in str(group)], 3.0)


def test_the_next_start_sweeps_what_a_killed_host_left(tmp_path: Path) -> None:
    """Folders, cgroups and processes, by their owner's process id and start time; those of living owners stay."""
    gone = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    name = processes.owner(gone.pid)
    orphan = subprocess.Popen(["sleep", "600"], env={processes.MARK: f"{name}-1"}, start_new_session=True)
    try:
        folder = owned.base() / name
        folder.mkdir()
        (folder / "play.sock").touch()
        found = cgroups.hierarchy()
        group = found.create(f"{name}-1", walled.bot(tmp_path, "").limits) if found is not None else None
        kept = owned.sweep()
        stayed = folder.exists()
        gone.kill()
        gone.wait()
        swept = owned.sweep()
        orphan.wait(10)
    finally:
        gone.kill()
        orphan.kill()

    assert stayed
    assert (kept.folders, kept.groups) == (0, 0)
    assert not folder.exists()
    assert swept.folders == 1
    assert swept.processes >= 1
    assert group is None or not any(path.exists() for path in group.folders.values())
    assert orphan.returncode == -signal.SIGKILL


def test_a_process_is_known_by_its_start_too() -> None:
    """A later process with the same id is another one."""
    name = processes.owner(os.getpid())
    pid, start, space = name.split("-")

    assert processes.lives(name)
    assert not processes.lives(f"{pid}-{int(start) + 1}-{space}")
    assert not processes.lives(f"4194303-1-{space}")
    assert processes.lives("4194303-1-1")


@pytest.mark.slow
@trio.testing.trio_test
async def test_a_quiet_bot_lives_on(tmp_path: Path) -> None:
    """A bot ends with the thread that started it: that is no idle thread of a pool, which would end in ten seconds."""
    walled.needed()
    manifest = walled.shell(tmp_path, "sleep 14; echo fine")
    async with launched(manifest, Walled(), address=f"unix:{manifest.folder}/bot.sh", name="n") as bot:
        with trio.fail_after(30):
            await bot.wait()

    assert (bot.code, "fine" in bot.log.text()) == (0, True)


@trio.testing.trio_test
async def test_a_bot_is_asked_to_end_before_it_is_killed(tmp_path: Path) -> None:
    """Behind walls too: the request reaches the bot itself."""
    walled.needed()
    manifest = walled.shell(tmp_path, "trap 'echo asked; exit 0' TERM\necho started\nwhile :; do sleep 0.05; done")
    async with launched(manifest, Walled(), address=f"unix:{manifest.folder}/bot.sh", name="n") as bot:
        with trio.fail_after(30):
            while "started" not in bot.log.text():
                await trio.sleep(0.01)

    assert "asked" in bot.log.text()
