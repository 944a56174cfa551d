"""What the drills for bots in other languages need: builds, a referee, bots as processes, a wire that can be cut.

    manifest = build("go", tools=("go",))                  # skips, naming the tool, where the toolchain is missing
    with Referee(address, games=["honshu"], matches=1) as referee, BotProcess(manifest, address, tmp_path) as bot:
        with opponent(address, matches=1):
            bot.wait()                                     # until the referee says goodbye
    referee.ended                                          # terms and final of every match

Everything is told by exit codes, by what the referee saw, and by the bot's own output, which stands in every failure.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest

from bots import Bot, run
from bots.ask import AnyAsk
from bots.bundled.random import Random
from ladder.config.offers import every_table
from ladder.seasons.open_tables import CasualTables
from referee.hosting import manifest as manifests
from referee.hosting.manifest import Manifest
from referee.kernel.game import Option
from referee.match.clock import TimeControl
from referee.match.policy import Ending, EndingKind
from referee.match.protocols import Directory
from referee.match.record import Final, Step
from referee.match.terms import Terms
from referee.transport.server import Config, Server, Unrecorded, serve

BOTS = Path(__file__).parents[2] / "bots"
WAIT = 120.0
"""Seconds after which anything that should have happened is given up."""
BUILD = 1800.0
"""Seconds that a build may take where nothing was built or fetched before."""
CLOCK = TimeControl.parse("300s+10s/300s")
"""Long enough that no fault comes from a busy machine."""
OPPONENT = "opponent"


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that no event announces."""
    never = threading.Event()
    give_up = time.monotonic() + WAIT
    while not condition():
        if time.monotonic() > give_up:
            raise TimeoutError(f"{what} did not happen within {WAIT:g} s")
        never.wait(0.01)


def installing(folder: str) -> str:
    """How what the bot of a folder needs is installed: the line of its README, or where to look."""
    readme = (BOTS / folder / "README.md").read_text(encoding="utf-8")
    line = re.search(r"`(apt install [^`]+)`", readme)
    return f"on Debian and Ubuntu: {line[1]}" if line else f"see bots/{folder}/README.md"


@cache
def build(folder: str, tools: tuple[str, ...]) -> Manifest:
    """Build the bot of a folder with the command of its manifest, once; skips if one of the tools is not installed."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"bots/{folder} is not tested: {', '.join(missing)} is not installed; {installing(folder)}")
    manifest = manifests.read(BOTS / folder)
    done = subprocess.run(
        manifest.build,
        cwd=manifest.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=BUILD,
    )
    if done.returncode:
        pytest.fail(f"building bots/{folder} failed with code {done.returncode}:\n{done.stdout}", pytrace=False)
    return manifest


class Steps(Unrecorded):
    """Keeps the steps of every match in one list."""

    def __init__(self) -> None:
        self.kept: list[Step] = []

    def step(self, match: str, step: Step) -> None:
        self.kept.append(step)


class Referee:
    """A referee in a thread of its own, and how its matches ended. It says goodbye after so many matches."""

    def __init__(
        self,
        address: str,
        *,
        games: Sequence[str],
        matches: int | None,
        directory: Directory | None = None,
        tls_cert: Path | None = None,
        tls_key: Path | None = None,
    ) -> None:
        wanted = every_table(games, seats=[2], clock=CLOCK)
        self.ended: list[tuple[Terms, Final]] = []
        recorder = Steps()
        self.steps = recorder.kept
        """Of all its matches."""
        self._config = Config(
            bind=(address,),
            recorder=recorder,
            pairing=CasualTables(wanted),
            matches=matches,
            ended=lambda terms, final: self.ended.append((terms, final)),
            directory=directory,
            tls_cert=tls_cert,
            tls_key=tls_key,
        )
        self._server: Server | None = None
        self._open = threading.Event()
        self._thread = threading.Thread(target=lambda: serve(self._config, started=self._started))

    def _started(self, server: Server) -> None:
        self._server = server
        self._open.set()

    def __enter__(self) -> Referee:
        self._thread.start()
        if not self._open.wait(WAIT):
            raise TimeoutError("the referee did not start")
        return self

    def __exit__(self, *error: object) -> None:
        if self._thread.is_alive():
            self.server.stop()
        self._thread.join(WAIT)
        if self._thread.is_alive():
            raise TimeoutError("the referee did not end")

    @property
    def server(self) -> Server:
        """What runs."""
        if self._server is None:
            raise RuntimeError("the referee was not started")
        return self._server

    @property
    def address(self) -> str:
        """Where it listens, with the real port."""
        return self.server.addresses[0]

    @property
    def endings(self) -> list[Ending]:
        """How the matches ended, seat by seat."""
        return [ending for _, final in self.ended for ending in final.endings]

    @property
    def faultless(self) -> bool:
        """Whether every seat of every match played to the end without a fault."""
        return all((ending.kind, ending.faults) == (EndingKind.FINISHED, 0) for ending in self.endings)

    def stream(self, name: str) -> object | None:
        """The present stream of a bot, to be compared with a later one; None: it is not there."""
        session = self.server.connections.session(name)
        return None if session is None else session.stream

    def owes(self, name: str) -> bool:
        """Whether a question to that bot is open."""
        session = self.server.connections.session(name)
        return session is not None and any(seat_session.owes for seat_session in session.seat_sessions)

    def wins(self, name: str) -> float:
        """The share of matches that a bot won, a shared first place counting half."""
        total = 0.0
        for terms, final in self.ended:
            places = final.result.places if final.result is not None else ()
            if places and places[terms.players.index(name)] == 1:
                total += 1 / places.count(1)
        return total / len(self.ended)


class BotProcess:
    """A bot as its manifest starts it, in a process of its own that is gone when the block ends."""

    def __init__(self, manifest: Manifest, address: str, folder: Path, *options: str, name: str, **variables: str):
        """`folder` is for its resume token and its output; `options` and `variables` are added to its own."""
        self._log = folder / f"{name}.log"
        passed = {key: value for key, value in os.environ.items() if not key.startswith(("KUMITE_", "XDG_"))}
        told = {"KUMITE_ADDRESS": address, "KUMITE_NAME": name, "KUMITE_STATE": str(folder / "state")}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*manifest.command, *options],
                cwd=manifest.folder,
                env={**passed, **told, **variables},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.signal(signal.SIGKILL)
        self._process.wait(WAIT)

    @property
    def output(self) -> str:
        """What every process of that name wrote so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def wrote(self, text: str) -> bool:
        """Whether a process of that name wrote this text."""
        return text in self.output

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the bot and whatever it started."""
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return

    def wait(self, code: int = 0) -> int:
        """Wait until it ends by itself; returns its exit code, and raises at once if that is another than this."""
        try:
            actual = self._process.wait(WAIT)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the bot did not end; it wrote:\n{self.output}") from None
        if actual != code:
            raise RuntimeError(f"the bot ended with code {actual}; it wrote:\n{self.output}")
        return actual

    def kill(self) -> None:
        """End it without any chance to say goodbye."""
        self.signal(signal.SIGKILL)
        self.wait(-signal.SIGKILL)


class Gated(Bot):
    """A random opponent that at one of its asks waits until it is let on."""

    events = False

    def __init__(self, at: int) -> None:
        self._at = at
        self._reached = threading.Event()
        self.open = threading.Event()
        """Set it to let the bot on."""

    def wait(self) -> None:
        """Wait until the match has come that far."""
        if not self._reached.wait(WAIT):
            raise TimeoutError(f"the opponent was not asked {self._at} times")

    def decide(self, ask: AnyAsk) -> Option:
        if ask.number == self._at:
            self._reached.set()
            self.open.wait(WAIT)
        return ask.rng.randrange(ask.count)


@contextmanager
def opponent(
    address: str, bot: Bot | None = None, *, matches: int, tables: int = 1, name: str = OPPONENT
) -> Iterator[None]:
    """A bot of the Python kit that plays in a thread of its own, by default a random one.

    At a good end it is waited for; after a failure it leaves when the referee does.
    """
    thread = threading.Thread(
        target=lambda: run(
            bot or Random, address, name=name, matches=matches, tables=tables, seed=f"drill-{name}", quiet=True
        ),
        daemon=True,
    )
    thread.start()
    yield
    thread.join(WAIT)
    if thread.is_alive():
        raise TimeoutError("the opponent did not end")


class Wire:
    """Listens on a port of its own and passes everything on to a referee's unix socket, until it is cut."""

    def __init__(self, socket_path: Path) -> None:
        self._path = socket_path
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def address(self) -> str:
        """Where a bot dials."""
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Wire:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(WAIT)
        self.cut()

    def cut(self) -> None:
        """Break every connection; new ones are let through."""
        while self._open:
            end = self._open.pop()
            with suppress(OSError):  # the other side was faster
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(str(self._path))
            self._open += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=_pass_on, args=(source, sink), daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):  # cut
        while part := source.recv(1 << 16):
            sink.sendall(part)
        sink.shutdown(socket.SHUT_WR)
