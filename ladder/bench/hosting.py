"""What hosting costs: a start behind walls and without, a decision, and a game between processes beyond its play.

Bots are a Python bot on the kit, written for this, and, where there is a Go compiler, the Go bot of this repository.
Walls and trust take turns in one run, so that both meet the same machine.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio
import typer

import bots
from ladder.arena import host_settings
from ladder.arena.entrants import find
from ladder.arena.play_processes import HostedReferee, play_hosted
from ladder.terminal_tables import print_table
from referee.hosting.launch import launched
from referee.hosting.manifest import Manifest, read
from referee.hosting.sandbox import Sandbox, Trusted, walled
from referee.match.plan import MatchPlan

GAME = "edo_yashiki"
STARTS = 20
GAMES = 20
PYTHON_BOT = """
from bots import Bot, run

class Benchmark(Bot):
    def decide(self, ask):
        return 0

run(Benchmark)
"""


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from the start of a small program to its end, the median of many."""

    trusted: float
    walled: float | None
    """None: this machine has no walls."""


@dataclass(frozen=True, slots=True)
class Games:
    """Games between two processes of a bot, one after the other."""

    language: str
    walled: bool
    first: float
    """Seconds that the first game cost beyond its play: both processes are started for it."""
    further: float
    """Seconds that each later game cost beyond its play, on average."""
    decision_us: float
    """Microseconds of play for each decision."""


def measure(*, quick: bool = False) -> tuple[Start, list[Games]]:
    """Measure starts and games; without walls on this machine only what is there."""
    number = 4 if quick else STARTS
    games = 6 if quick else GAMES
    start = trio.run(_starts, number)
    with tempfile.TemporaryDirectory(prefix="kumite-bench-") as name:
        folders = {"Python": _python_bot(Path(name))}
        go = None if quick else _go_bot(Path(name))
        if go is not None:
            folders["Go"] = go
        turns = (False, True) if walled() else (False,)
        found = [
            _games(language, folder, games, behind=behind) for language, folder in folders.items() for behind in turns
        ]
    return start, found


async def _starts(number: int) -> Start:
    times: dict[bool, list[float]] = {False: [], True: []}
    with tempfile.TemporaryDirectory(prefix="kumite-bench-") as name:
        manifest = Manifest(Path(name), "probe", ("true",))
        socket = Path(name) / "play.sock"
        socket.touch()
        for _ in range(number):
            for behind in (False, True) if walled() else (False,):
                sandbox: Sandbox = Trusted()
                if behind:
                    from referee.hosting.walls import Walled

                    sandbox = Walled()
                began = time.perf_counter()
                async with launched(manifest, sandbox, address=f"unix:{socket}", name="probe") as bot:
                    await bot.wait()
                    times[behind].append(time.perf_counter() - began)
    return Start(statistics.median(times[False]), statistics.median(times[True]) if times[True] else None)


def _games(language: str, folder: Path, number: int, *, behind: bool) -> Games:
    """Play games one after the other; what they cost beyond their play is what the referee's clock does not see."""
    entrants = [find(str(folder))] * 2
    with host_settings.replaced(None if behind else Trusted()):
        referee = HostedReferee(1)
        try:
            beyond, played, decisions = [], 0.0, 0
            for count in range(number + 1):
                began = time.perf_counter()
                record = play_hosted(MatchPlan(GAME, ("a", "b")), entrants, referee=referee)
                spent = time.perf_counter() - began
                inside = (record.final.at if record.final is not None else 0) / 1e6
                beyond.append(spent - inside)
                if count:
                    played += inside
                    decisions += sum(len(step.answers) for step in record.steps)
        finally:
            referee.close()
    return Games(language, behind, beyond[0], sum(beyond[1:]) / number, 1e6 * played / max(1, decisions))


def _python_bot(place: Path) -> Path:
    folder = place / "python"
    folder.mkdir()
    (folder / "bot.py").write_text(PYTHON_BOT)
    (folder / "bot.toml").write_text(f'command = ["{sys.executable}", "bot.py"]\n')
    return folder


def _go_bot(place: Path) -> Path | None:
    """The Go bot of this repository, built in a folder of its own; None: the bot cannot be built here."""
    source = Path(bots.__file__).parent / "go"
    if shutil.which("go") is None or not (source / "bot.toml").exists():
        return None
    folder = place / "go"
    with suppress(OSError, subprocess.SubprocessError):
        program = source / "kumite-go"
        if not program.exists():
            subprocess.run(read(source).build, cwd=source, check=True, timeout=600)
        folder.mkdir()
        shutil.copy(program, folder / "kumite-go")
        (folder / "bot.toml").write_text('command = ["./kumite-go"]\n')
        return folder
    return None


def show(start: Start, games: list[Games]) -> None:
    """Print both tables."""
    if start.walled is None:
        typer.echo(
            f"\nstart of a small program: {start.trusted * 1000:.1f} ms without walls; this machine has no walls"
        )
    else:
        more = (start.walled - start.trusted) * 1000
        typer.echo(
            f"\nstart of a small program: {start.walled * 1000:.1f} ms behind walls, {start.trusted * 1000:.1f} ms "
            f"without: walls cost {more:.1f} ms a start"
        )
    print_table(
        f"\n{GAME} between two processes, one game after the other",
        ("bot", "walls", "first game +ms", "each further +ms", "us/decision"),
        [
            (
                entry.language,
                "yes" if entry.walled else "no",
                f"{entry.first * 1000:.0f}",
                f"{entry.further * 1000:.1f}",
                f"{entry.decision_us:.0f}",
            )
            for entry in games
        ],
        left=2,
    )
    typer.echo("+ms: what a game costs beyond its play")
