"""Counts the distinct functions of Kumite that four walks through the code enter: `python -m tools.walks`.

| walk | command that is traced | from | to |
|---|---|---|---|
| `decision` | `kumite ladder run` with two bots over gRPC | an answer arrives at the referee | the next ask leaves it |
| `season` | `kumite ladder run --workers 0` | the season reads what is scheduled | the ratings are stored |
| `record` | `kumite verify FILE` | the command begins | the command ends |
| `rating` | `kumite ladder standings DB` | the command begins | the command ends |

A function is counted once, wherever it is entered from, if its file belongs to Kumite and is not generated; bodies of
modules and classes and comprehensions are no functions. Every command runs twice in one process, and only the second
run is traced, so that imports and tables that are computed once do not count. The luck of every run is the same.

The script names no module and no function of Kumite but the console script and the wire: it runs unchanged on older
commits (`docs/architecture.md` has the counts of one), where a copy of this file is enough.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import os
import queue
import random
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import grpc

from referee.v1 import play_pb2 as pb

ROOT = Path(__file__).parents[1]
PACKAGES = ("kumite", "referee", "ladder", "bots")
GAME = "edo_yashiki"
SEATS = 2
PLAY = "/referee.v1.RefereeService/Play"
PATIENCE = 60.0
"""Seconds after which a bot gives up waiting for the referee."""
QUIET = 0.02
"""Seconds after which nothing more belongs to a moment, and a ping is answered."""
MATCHES = 4
"""Matches that the referee plays; the first one is not traced. Fewer leave out a rare decision in some runs."""
LEAST_DECISIONS = 100
"""Decisions of the traced matches that have to count."""
IDLE = 0.5
"""Seconds for which the referee is watched while no bot answers: what runs then belongs to no decision."""
LOOPS = ("asyncio.", "trio.")
"""Modules whose functions call Kumite's when it is their turn: a chain of callers begins behind them."""
LADDER = f"""
season = "walk"
database = "walk.sqlite"

[[bots]]
spec = "greedy"

[[bots]]
spec = "random"

[[pools]]
game = "{GAME}"
rounds = 1
"""


REMOTE_LADDER = f"""
season = "walk"
database = "walk.sqlite"

[[bots]]
spec = "remote:bot0"

[[bots]]
spec = "remote:bot1"

[[pools]]
game = "{GAME}"
rounds = {MATCHES}
clock = "10m"
"""


class Function(NamedTuple):
    """One function of Kumite."""

    module: str
    name: str


class Trace:
    """Notes the functions of Kumite that threads enter while it is open."""

    def __init__(self) -> None:
        self.open = False
        self.entered: dict[tuple[CodeType, ...], None] = {}
        """Chains of callers, outermost first, without frames that are not Kumite's."""
        self._known: dict[CodeType, bool] = {}

    def begin(self, frame: FrameType | None = None) -> None:
        """Open it; the functions that are being carried out in `frame` count as entered."""
        self.open = True
        if frame is not None:
            self._note(frame)

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """What `sys.setprofile` wants: called for every function that is entered or resumed."""
        if self.open and event == "call" and self._is_ours(frame.f_code):
            self._note(frame)

    def _note(self, frame: FrameType | None) -> None:
        chain = []
        while frame is not None and not frame.f_globals.get("__name__", "").startswith(LOOPS):
            if self._is_ours(frame.f_code):
                chain.append(frame.f_code)
            frame = frame.f_back
        self.entered[tuple(reversed(chain))] = None

    def _is_ours(self, code: CodeType) -> bool:
        found = self._known.get(code)
        if found is None:
            found = self._known[code] = _function(code) is not None
        return found

    @property
    def roots(self) -> set[CodeType]:
        """Where the chains begin."""
        return {chain[0] for chain in self.entered}

    def functions(self, roots: set[CodeType] | None = None) -> list[Function]:
        """The distinct functions, sorted; with `roots` those alone that are called from there."""
        chains = [chain for chain in self.entered if roots is None or chain[0] in roots]
        codes = {code for chain in chains for code in chain}
        return sorted({found for code in codes if (found := _function(code)) is not None})


def _function(code: CodeType) -> Function | None:
    """The function of Kumite that a code object belongs to; None: it is another's, or no function."""
    with contextlib.suppress(ValueError):
        path = Path(code.co_filename).relative_to(ROOT)
        if path.parts[0] in PACKAGES and path.parts[:2] != ("referee", "v1"):
            name = code.co_qualname.replace(".<locals>", "")
            if not name.endswith(("<module>", "comp>", "<genexpr>")) and not _is_class_body(code):
                return Function(".".join(path.with_suffix("").parts).removesuffix(".__init__"), name)
    return None


def _is_class_body(code: CodeType) -> bool:
    return "__module__" in code.co_names and "__qualname__" in code.co_names


def kumite(*arguments: str) -> str:
    """Carry out a command in this process, as its console script would; returns what it printed."""
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="kumite")
    out = io.StringIO()
    before = sys.argv
    sys.argv = ["kumite", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            script.load()()
    except SystemExit as end:
        if end.code:
            raise RuntimeError(f"kumite {' '.join(arguments)}: exit code {end.code}\n{out.getvalue()}") from end
    finally:
        sys.argv = before
    return out.getvalue()


@contextlib.contextmanager
def traced(trace: Callable[[FrameType, str, object], None]) -> Iterator[None]:
    """Let this thread, and threads that it starts, tell `trace` what they enter."""
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


class Statements:
    """Opens the trace at the first read of what is scheduled, and closes it behind the last write of a rating."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._new = False
        """Whether the season has its pool."""
        self.entered: dict[tuple[CodeType, ...], None] = {}
        """What was entered up to the last write of a rating."""

    def __call__(self, statement: str) -> None:
        """What `sqlite3` tells of every statement before it is carried out."""
        text = " ".join(statement.lower().replace('"', "").replace("[", "").replace("]", "").split())
        if " into pools" in text:
            self._new = True
        elif self._new and not self._trace.open and text.startswith("select") and " from groups" in text:
            self._trace.begin(sys._getframe(1))
        elif self._trace.open and " into ratings" in text:
            self.entered = dict(self._trace.entered)


@contextlib.contextmanager
def told_statements(heard: Callable[[str], None]) -> Iterator[None]:
    """Let every database that is opened tell its statements."""
    connect = sqlite3.connect

    def opened(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **named)
        connection.set_trace_callback(heard)
        return connection

    sqlite3.connect = opened  # type: ignore[assignment]
    try:
        yield
    finally:
        sqlite3.connect = connect


def season() -> list[Function]:
    """Schedule, play, store and rate the matches of a season of two bots."""
    for trace in (Trace(), Trace()):
        statements = Statements(trace)
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            Path("ladder.toml").write_text(LADDER)
            with told_statements(statements), traced(trace):
                kumite("ladder", "run", "ladder.toml", "--workers", "0", "--seed", "walk")
        trace.entered = statements.entered
    return trace.functions()


def record() -> list[Function]:
    """Verify the record of a match."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        kumite("match", GAME, "greedy", "random", "--seed", "walk", "--record", "match.jsonl")
        return command("verify", "match.jsonl")


def rating() -> list[Function]:
    """Print the standings of a season that is stored."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("ladder.toml").write_text(LADDER)
        kumite("ladder", "run", "ladder.toml", "--workers", "0", "--seed", "walk")
        with contextlib.closing(sqlite3.connect("walk.sqlite")) as database, database:
            database.execute("update pools set published = -1")  # as if a match had ended since
        return command("ladder", "standings", "walk.sqlite")


def command(*arguments: str) -> list[Function]:
    """What a whole command enters when it is carried out for the second time."""
    kumite(*arguments)
    trace = Trace()
    trace.begin()
    with traced(trace):
        kumite(*arguments)
    return trace.functions()


class Stream:
    """One Play stream of a bot, read in a thread of its own."""

    def __init__(self, address: str, name: str, heard: Callable[[Stream, pb.PlayResponse], None]) -> None:
        self._channel = grpc.insecure_channel(address)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        call = self._channel.stream_stream(PLAY, None, None)
        self._call = call(iter(self._outbox.get, None), wait_for_ready=True)
        self._heard = heard
        self.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=name)))
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def send(self, message: pb.PlayRequest) -> None:
        """Send a message."""
        self._outbox.put(message.SerializeToString())

    def answer(self, ask: pb.Ask, option: int) -> None:
        """Answer an ask."""
        answer = pb.Answer(match_id=ask.match_id, seat=ask.seat, ask=ask.ask, option=option)
        self.send(pb.PlayRequest(answers=[answer]))

    def _read(self) -> None:
        with contextlib.suppress(grpc.RpcError):  # the referee ends the stream when its matches are over
            for data in self._call:
                message = pb.PlayResponse.FromString(data)
                self._heard(self, message)
                if message.HasField("ping"):
                    self.send(pb.PlayRequest(pong=pb.Pong(nonce=message.ping.nonce)))
                for seated in message.seated:
                    self.send(pb.PlayRequest(ready=[pb.Ready(match_id=seated.match_id, seat=seated.seat)]))

    @property
    def open(self) -> bool:
        """Whether messages may come."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End the stream."""
        self._outbox.put(None)
        self._channel.close()
        self._thread.join(PATIENCE)


class Decisions:
    """Two bots that answer one after the other, and the functions that the referee enters for each decision.

    A decision is traced from the last answer that its moment needs to the first ask of the next moment. What a ping
    enters that comes meanwhile is left out, and the decision with which a match ends.
    """

    def __init__(self) -> None:
        self.trace = Trace()
        """What was entered in decisions without a ping."""
        self.disturbed = Trace()
        """What was entered in decisions with a ping."""
        self.background = Trace()
        """What was entered while neither an answer nor a ping was under way."""
        self.pings = Trace()
        """What was entered while a ping was under way, and no answer."""
        self.count = 0
        """Decisions that were traced."""
        self._now: Trace | None = None
        self._came: queue.SimpleQueue[tuple[Stream, pb.Ask]] = queue.SimpleQueue()
        self._pinged = 0.0
        """When the last ping came, or the last end, which a ping follows."""
        self._answered = 0.0

    def functions(self) -> list[Function]:
        """The functions of a decision, sorted: what the reader and the writer of a stream call.

        Both run for a ping, too, and neither while the referee is idle.
        """
        roots = self.pings.roots - self.background.roots
        disturbed = {*self.disturbed.functions(roots)} - {*self.pings.functions(roots)}
        return sorted({*self.trace.functions(roots), *disturbed})

    def entered(self, frame: FrameType, event: str, argument: object) -> None:
        """What `sys.setprofile` wants."""
        trace = self._now
        if trace is not None:
            trace(frame, event, argument)

    def play(self, address: str) -> None:
        """Answer every ask, the same way in every run, until the referee ends both streams.

        The first match is played for warming up; the decisions of the others are traced.
        """
        sys.setprofile(None)
        streams = [Stream(address, f"bot{number}", self._heard) for number in range(SEATS)]
        matches: dict[str, None] = {}
        while asked := self._moment(streams):
            is_new = any(ask.match_id not in matches for _, ask in asked)
            matches.update((ask.match_id, None) for _, ask in asked)
            if is_new and len(matches) == MATCHES:
                self._watch_idle()
            for number, (stream, ask) in enumerate(asked, 1):
                while time.monotonic() - self._pinged < QUIET:
                    time.sleep(QUIET)
                if len(matches) > 1 and number == len(asked):
                    self._now = opened_trace()
                draw = random.Random(f"{ask.match_id}/{ask.seat}/{ask.ask}")
                self._answered = time.monotonic()
                stream.answer(ask, int(draw.random() * ask.option_count))
                if number < len(asked):
                    time.sleep(QUIET)
        for stream in streams:
            stream.close()

    def _heard(self, stream: Stream, message: pb.PlayResponse) -> None:
        if message.HasField("ping") or message.over:
            self._pinged = time.monotonic()
        if message.over:
            self._now = None
        for ask in message.asks:
            trace, self._now = self._now, None
            if trace is not None:
                kept = self.disturbed if self._pinged > self._answered else self.trace
                kept.entered.update(trace.entered)
                self.count += 1
            self._came.put((stream, ask))

    def _moment(self, streams: list[Stream]) -> list[tuple[Stream, pb.Ask]]:
        """The asks that come next at the same time, by seat; none if the referee has ended the streams."""
        found: list[tuple[Stream, pb.Ask]] = []
        patience = time.monotonic() + PATIENCE
        while any(stream.open for stream in streams):
            try:
                found.append(self._came.get(timeout=QUIET))
            except queue.Empty:
                if found:
                    break
                if time.monotonic() > patience:
                    raise TimeoutError(f"no ask for {PATIENCE:.0f} s") from None
        return sorted(found, key=lambda pair: pair[1].seat)

    def _watch_idle(self) -> None:
        """Trace what the referee does while no bot answers, with and without a ping."""
        while not (self.background.entered and self.pings.entered):
            began = time.monotonic()
            self._now = trace = opened_trace()
            time.sleep(IDLE)
            self._now = None
            kept = self.pings if self._pinged > began - QUIET else self.background
            kept.entered.update(trace.entered)


def opened_trace() -> Trace:
    """A trace that is open."""
    trace = Trace()
    trace.begin()
    return trace


def _end_command(played: Future[None]) -> None:
    """End the command in the main thread, as Ctrl-C does, if the bots have failed."""
    if played.exception() is not None:
        os.kill(os.getpid(), signal.SIGINT)


def decision() -> list[Function]:
    """Answer asks of a referee with a database over gRPC."""
    bots = Decisions()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("ladder.toml").write_text(REMOTE_LADDER)
        address = f"unix:{Path(folder) / 'walk.sock'}"
        with ThreadPoolExecutor(1) as pool:
            played = pool.submit(bots.play, address)
            played.add_done_callback(_end_command)
            with traced(bots.entered):
                kumite("ladder", "run", "ladder.toml", "--bind", address, "--seed", "walk")
            played.result(PATIENCE)
    if bots.count < LEAST_DECISIONS:
        raise RuntimeError(f"{bots.count} decisions were traced; at least {LEAST_DECISIONS} are needed")
    return bots.functions()


WALKS: dict[str, Callable[[], list[Function]]] = {
    "decision": decision,
    "season": season,
    "record": record,
    "rating": rating,
}


def is_of_a_game(function: Function) -> bool:
    """Whether a function belongs to the rules or the codec of one game, or to a bundled bot."""
    return function.module.startswith(("referee.games.", "bots.bundled.")) or GAME in function.module.split(".")


def main(*names: str) -> None:
    """Print every function of the walks, and how many there are."""
    found = {name: WALKS[name]() for name in names or WALKS}
    for name, functions in found.items():
        print(f"# {name}")
        for function in functions:
            print(f"  {function.module}: {function.name}")
    print("| walk | functions | without rules, codec and bots of the game | modules |\n|---|---|---|---|")
    for name, functions in found.items():
        rest = [function for function in functions if not is_of_a_game(function)]
        print(f"| {name} | {len(functions)} | {len(rest)} | {len({function.module for function in functions})} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
