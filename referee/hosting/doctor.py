"""The walls that this machine has: a small program that runs behind each wall tries it.

for wall in examine():
    wall.name, wall.works, wall.required, wall.found, wall.remedy
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.hosting import cgroups, owned, seccomp, walls
from referee.hosting.limits import BotLimits
from referee.kernel.errors import BadSetting

STARTS = 9
"""Number of starts over which the cost of the walls is measured."""
ALLOWED_MS = 50.0
"""Most milliseconds that the walls may cost per start."""
TRIAL = BotLimits(memory_mib=32, processes=12)
MEMORY_TRIAL = "head -c 200000000 /dev/zero | tail | wc -c; true"
PROCESSES_TRIAL = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.2 & done; wait; true"


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall, and whether it works."""

    name: str
    works: bool
    found: str
    """What the trial found, in one line."""
    remedy: str = ""
    """The line that installs or allows the wall."""
    required: bool = True
    """Whether the host refuses bots of folders without this wall, unless it trusts them."""

    def to_plain(self) -> dict[str, object]:
        """The fields of the JSON output."""
        return {
            "name": self.name,
            "works": self.works,
            "required": self.required,
            "found": self.found,
            "remedy": self.remedy,
        }


def examine() -> Iterator[Wall]:
    """Try every wall; a wall that needs a missing one is left out."""
    if sys.platform != "linux":
        yield Wall("system", False, f"{platform.system()}: hosting bots of folders needs Linux", "host them on Linux")
        return
    yield Wall("system", True, f"Linux {platform.release()} on {platform.machine()}")
    try:
        shown = ".".join(map(str, walls.version()))
    except BadSetting as error:
        what, _, remedy = str(error).partition(": ")
        yield Wall("bubblewrap", False, what, remedy)
        return
    yield Wall("bubblewrap", walls.version() >= walls.OLDEST, f"version {shown}", walls.install("bubblewrap"))
    missing = walls.missing()
    if missing:
        what, _, remedy = missing.partition("): ")
        yield Wall("namespaces", False, f"{what})" if remedy else what, remedy)
        return
    yield from _inside()
    yield from _limits()
    yield _cost()


def _inside() -> Iterator[Wall]:
    """The walls that a program behind them can see."""
    home = Path.home()
    script = f"""
        echo status $(grep -E '^(Seccomp|NoNewPrivs|CapEff):' /proc/self/status | tr -d '\\n\\t')
        echo processes $(ls /proc | grep -c '^[0-9]')
        echo interfaces $(tail -n +3 /proc/net/dev | cut -d: -f1)
        echo user $(id -u)
        echo variables $(env | cut -d= -f1)
        ls {home} /etc/shadow 2>/dev/null && echo files seen
        touch /usr/kumite-doctor {home}/kumite-doctor ./kumite-doctor 2>/dev/null && echo files written
        unshare -U true 2>/dev/null && echo unshared
        echo end
    """
    said = walls.probe(("sh", "-c", script)).stdout
    facts = dict(line.partition(" ")[::2] for line in said.splitlines())
    alone = int(facts.get("processes", "99")) <= 8 and facts.get("interfaces") == "lo"
    yield Wall("namespaces", alone, "own processes, own network without a way out" if alone else said)
    filtered = "Seccomp:2" in facts.get("status", "") and "unshared" not in facts and seccomp.program() != b""
    yield Wall("seccomp", filtered, "the filter is on, and refuses" if filtered else said)
    hidden = "files" not in facts and "end" in facts
    yield Wall("files", hidden, "read-only runtime and own folder, nothing of the host's" if hidden else said)
    powerless = "CapEff:0000000000000000" in facts.get("status", "") and "NoNewPrivs:1" in facts.get("status", "")
    ids = walls.root_ids()
    if ids is not None:
        yield Wall("user", powerless, f"a user id of its own for every process, from {ids.first} on; no capabilities")
    else:
        shown = f"user {facts.get('user')} inside, to the kernel the host's own user {os.getuid()}; no capabilities"
        yield Wall("user", powerless, f"{shown} (another kernel user needs a host that is root)")


def _limits() -> Iterator[Wall]:
    """Whether limits hold, and whether a cgroup or the watchdog enforces them."""
    search = cgroups.find()
    if search.found is None:
        yield Wall(
            "cgroups",
            False,
            f"{search.reason}; resource limits and a watchdog over /proc hold the limits a moment late",
            "run the host with: systemd-run --user --scope -p Delegate=yes kumite ...",
            required=False,
        )
        return
    for name, script, controller in (
        ("memory", MEMORY_TRIAL, "memory"),
        ("processes", PROCESSES_TRIAL, "pids"),
    ):
        group = search.found.create(owned.new_name(), TRIAL, extra=walls.Walled.own_processes)
        try:
            with suppress(subprocess.TimeoutExpired):
                walls.probe(("sh", "-c", script), group=group)
            events = group.events()
        finally:
            group.kill()
            _removed(group)
        held = bool(events.memory if controller == "memory" else events.processes)
        figure = f"{TRIAL.memory_mib} MiB" if controller == "memory" else f"{TRIAL.processes} processes"
        what = f"cgroup v{search.found.version} {'held a limit of' if held else 'did not hold'} {figure}"
        yield Wall(name, held, what, required=False)


def _removed(group: cgroups.Group) -> None:
    for _ in range(100):
        if group.remove():
            return
        time.sleep(0.01)


def _cost() -> Wall:
    """The milliseconds that the walls add to a start."""
    with walls.probing() as run:
        run(("true",))
        walled = statistics.median(_timed(lambda: run(("true",))) for _ in range(STARTS))
    program = shutil.which("true") or "/bin/true"
    plain = statistics.median(_timed(lambda: subprocess.run([program], check=False)) for _ in range(STARTS))
    return Wall(
        "cost",
        walled - plain <= ALLOWED_MS,
        f"{walled - plain:.0f} ms per start ({walled:.0f} ms with walls, {plain:.0f} ms without)",
        f"more than {ALLOWED_MS:.0f} ms is a busy or slow machine",
        required=False,
    )


def _timed(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3
