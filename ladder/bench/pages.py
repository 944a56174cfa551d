"""What pages cost a referee: how late its loop is with readers and without, and how many requests a second are served.

Referee, bots, readers and the web process are processes of their own. The referee plays an open season of a database
at `TABLES` tables at once, whose bots think for a while; a timer in its loop is due every two milliseconds, and by how
much each comes late is the figure. Half of the runs have a web process at lower priority with `READERS` readers, each
of which follows a table that plays and loads a page every five seconds; the other half have none, and both take turns.
Each request names an address of its own, as behind a proxy: the limits of one address are not what is measured.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import grpc.aio

from ladder.bench.wire import PATIENCE, PLAY, BenchFailed, hello
from ladder.config.offers import every_table
from ladder.pairing.planned import VERSION
from ladder.seasons.open_season import OpenSeason
from ladder.serving.directory import EntrantDirectory
from ladder.serving.served_season import ServedSeason
from ladder.store.database import Store
from ladder.terminal_tables import print_table
from ladder.web.child import WebChild
from ladder.web.listening import listening, shown_address
from referee.match.clock import TimeControl
from referee.transport.metrics import samples
from referee.transport.server import Config, Server
from referee.v1 import play_pb2 as pb

GAME = "edo_yashiki"
CLOCK = TimeControl.parse("1h+1s")
READERS = 50
TABLES = 8
THINKING = 0.04
"""Seconds that a bot takes for an answer."""
TICK = 0.002
"""Seconds between two timers of the referee's loop."""
LOADING = 5.0
"""Seconds between two pages that a reader loads."""
ASKERS = 8
"""Connections that ask for pages one after the other, where requests are counted."""
PAGES = ("/", "/pools/1", "/matches", "/bots", "/matches.json")
_COUNT = itertools.count()
"""Numbers from which the addresses of requests are made."""
RUNS, SECONDS = 3, 30.0
QUICK_RUNS, QUICK_SECONDS = 1, 5.0


@dataclass(frozen=True, slots=True)
class Late:
    """One run."""

    readers: int
    p50_ms: float
    p99_ms: float
    longest_ms: float
    decisions: float
    """Decisions per second of the referee."""
    load: float
    """Share of the machine's processor time that was used, by every process of the machine."""


@dataclass(frozen=True, slots=True)
class Served:
    """How fast one page is served, with `ASKERS` connections that ask for it again and again."""

    page: str
    requests: float
    """Requests per second."""
    median_ms: float
    kilobytes: float


@dataclass(frozen=True, slots=True)
class PagesFigures:
    """Every run, and the speed of each page."""

    runs: list[Late]
    served: list[Served]


def measure(*, quick: bool = False) -> PagesFigures:
    """Measure the referee's lateness without and with readers, in turns, then requests per second."""
    count, seconds = (QUICK_RUNS, QUICK_SECONDS) if quick else (RUNS, SECONDS)
    runs = []
    with tempfile.TemporaryDirectory(prefix="kumite-bench-") as name, _child(_serve, name) as referee:
        address, database = _answer(referee)
        with _child(_play, address):
            _until_played(referee)
            for _ in range(count):
                runs.append(_watched(referee, 0, seconds))
                with _pages(Path(database)) as site, _child(_read, site) as readers:
                    _answer(readers)
                    time.sleep(1.0)
                    runs.append(_watched(referee, READERS, seconds))
            with _pages(Path(database)) as site:
                served = [asyncio.run(_asked(site, page, 1.0 if quick else 3.0)) for page in PAGES]
    return PagesFigures(runs, served)


def show(found: PagesFigures) -> None:
    """Print the figures."""
    print_table(
        f"\nlateness of the referee's loop with {TABLES} tables, and {READERS} readers of its pages in some runs",
        ("readers", "median ms", "p99 ms", "longest ms", "decisions/s", "load of all cores"),
        [
            (
                run.readers,
                f"{run.p50_ms:.2f}",
                f"{run.p99_ms:.2f}",
                f"{run.longest_ms:.1f}",
                f"{run.decisions:,.0f}",
                f"{run.load:.0%}",
            )
            for run in found.runs
        ],
    )
    with_readers, without = (
        statistics.median(run.p99_ms for run in found.runs if bool(run.readers) is there) for there in (True, False)
    )
    print(f"p99 with readers {with_readers:.2f} ms, without {without:.2f} ms: {with_readers - without:+.2f} ms")
    print_table(
        f"\npages beside that referee, {ASKERS} connections",
        ("page", "requests/s", "median ms", "KiB"),
        [(row.page, f"{row.requests:,.0f}", f"{row.median_ms:.1f}", f"{row.kilobytes:.1f}") for row in found.served],
    )


@contextmanager
def _child(run: Callable[[Connection, str], None], argument: str) -> Iterator[Connection]:
    """A process that runs `run(pipe, argument)` and ends when the pipe closes."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=run, args=(theirs, argument))
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()


def _answer(pipe: Connection) -> list[str]:
    try:
        if not pipe.poll(PATIENCE):
            raise BenchFailed("a process of the benchmark did not answer in time")
        found: list[str] = pipe.recv()
    except EOFError:
        raise BenchFailed("a process of the benchmark ended at once") from None
    return found


def _until_played(referee: Connection) -> None:
    """Wait until the bots have answered."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        time.sleep(0.5)
        referee.send(None)
        if json.loads(_answer(referee)[0])[1]:
            return
    raise BenchFailed("the bots of the benchmark do not play")


def _watched(referee: Connection, readers: int, seconds: float) -> Late:
    """The referee's lateness from now on, for so many seconds."""
    busy, whole = _processor()
    referee.send(None)
    _answer(referee)
    time.sleep(seconds)
    referee.send(None)
    late, decisions = json.loads(_answer(referee)[0])
    busy_after, whole_after = _processor()
    steps = statistics.quantiles(late, n=100)
    return Late(
        readers,
        statistics.median(late) * 1e3,
        steps[98] * 1e3,
        max(late) * 1e3,
        decisions / seconds,
        (busy_after - busy) / max(1, whole_after - whole),
    )


def _processor() -> tuple[int, int]:
    """Clock ticks of all cores so far: those in use, and all."""
    words = [int(word) for word in Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:]]
    return sum(words) - words[3] - words[4], sum(words)


class _Timer:
    """Comes due every `TICK` seconds in a loop, and notes by how much each time comes late."""

    def __init__(self, loop: asyncio.AbstractEventLoop, server: Server) -> None:
        self._loop = loop
        self._server = server
        self._late: list[float] = []
        self._answers = 0
        self._due = loop.time()
        self._next()

    def _next(self) -> None:
        self._due = self._loop.time() + TICK
        self._loop.call_at(self._due, self._tick)

    def _tick(self) -> None:
        self._late.append(self._loop.time() - self._due)
        self._next()

    def take(self) -> tuple[list[float], int]:
        """The times since the last call, and the answers of bots since then."""
        late, self._late = self._late, []
        found = samples(self._server.sources)
        answers = int(next(sample.value for sample in found if sample.name == "kumite_answers_total"))
        new, self._answers = answers - self._answers, answers
        return late, new


def _serve(pipe: Connection, folder: str) -> None:
    """A referee with an open season; tells its address and database, then what its timer noted since the last call."""
    logging.disable(logging.WARNING)
    path = Path(folder) / "ladder.sqlite"

    def started(server: Server) -> None:
        loop = asyncio.get_running_loop()
        timer = _Timer(loop, server)
        pipe.send([server.addresses[0], str(path)])

        def told() -> None:
            pipe.send([json.dumps(timer.take())])

        async def listen() -> None:
            with suppress(EOFError):
                while True:
                    await asyncio.to_thread(pipe.recv)
                    told()
            server.stop()

        tasks.append(loop.create_task(listen()))

    tasks: list[asyncio.Task[None]] = []
    with Store(path) as store:
        store.lock()
        directory = EntrantDirectory(store, closed=False)
        row = store.season("open", "", None, tempo="open", pairing_version=VERSION)
        season = OpenSeason(store, row, every_table([GAME], seats=[2], clock=CLOCK), owner=directory.owner)
        ServedSeason(store, season, directory, Config(bind=("127.0.0.1:0",)), started=started).run()


def _play(pipe: Connection, address: str) -> None:
    """Bots that think for a while at every ask, until the pipe closes."""
    asyncio.run(_until_closed(pipe, [_bot(address, f"bot-{number}") for number in range(2 * TABLES)]))


def _read(pipe: Connection, site: str) -> None:
    """Readers of pages, until the pipe closes; tells when the site answers."""
    asyncio.run(_until_closed(pipe, [_reader(site, number) for number in range(READERS)], ready=partial(_up, site)))


async def _until_closed(
    pipe: Connection,
    works: list[Coroutine[None, None, None]],
    ready: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Do all works until the pipe closes; `ready` is awaited before, and then told."""
    if ready is not None:
        await ready()
        pipe.send([])
    tasks = [asyncio.create_task(work) for work in works]
    with suppress(EOFError):
        await asyncio.to_thread(pipe.recv)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _bot(address: str, name: str) -> None:
    """Answers every ask with its first option, after `THINKING` seconds."""
    async with grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        call = channel.stream_stream(PLAY)()  # type: ignore[call-arg]  # the stubs know no defaults
        await call.write(hello(name))
        while isinstance(data := await call.read(), bytes):
            message = pb.PlayResponse.FromString(data)
            reply = pb.PlayRequest()
            for seated in message.seated:
                reply.ready.add(match_id=seated.match_id, seat=seated.seat)
            if message.HasField("ping"):
                reply.pong.nonce = message.ping.nonce
            if message.asks:
                await asyncio.sleep(THINKING)
            for ask in message.asks:
                reply.answers.add(match_id=ask.match_id, ask=ask.ask, seat=ask.seat, option=0)
            if sent := reply.SerializeToString():
                await call.write(sent)


@contextmanager
def _pages(database: Path) -> Iterator[str]:
    """The web process of a referee, as `--web` starts it; the address of its pages."""
    place = listening("127.0.0.1:0")
    child = WebChild(database, place, ["--trust-proxy"])
    child.start()
    try:
        yield shown_address(place).removeprefix("http://").rstrip("/")
    finally:
        child.stop()


async def _up(site: str) -> None:
    """Wait until the web process answers."""
    deadline = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError, asyncio.IncompleteReadError, BenchFailed):
            await _get(site, "/live.json")
            return
        if time.monotonic() > deadline:
            raise BenchFailed("the web process does not answer")
        await asyncio.sleep(0.1)


async def _reader(site: str, number: int) -> None:
    """Follows one table after the other, and loads a page every `LOADING` seconds."""
    await asyncio.sleep(LOADING * number / READERS)
    following = asyncio.create_task(_follow(site, number))
    try:
        while True:
            await _get(site, PAGES[number % len(PAGES)])
            await asyncio.sleep(LOADING)
    finally:
        following.cancel()


async def _follow(site: str, number: int) -> None:
    """Reads the event stream of a table that plays, to its end, and then of another one."""
    while True:
        tables = json.loads(await _get(site, "/live.json"))["tables"]
        if not tables:
            await asyncio.sleep(0.5)
            continue
        reader, writer = await _ask(site, f"/live/{tables[number % len(tables)]['match']}")
        try:
            while await reader.readline():
                pass
        finally:
            writer.close()


async def _ask(site: str, page: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = site.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    number = next(_COUNT)
    address = f"2001:db8:{number >> 16 & 0xFFFF:x}:{number & 0xFFFF:x}::1"
    head = f"GET {page} HTTP/1.1\r\nHost: {site}\r\nX-Forwarded-For: {address}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    return reader, writer


async def _get(site: str, page: str) -> bytes:
    """The body of a page; raises BenchFailed for an answer other than 200."""
    reader, writer = await _ask(site, page)
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise BenchFailed(f"{page} is answered with {head.split(bytes([13]))[0].decode()}")
        return await reader.read()
    finally:
        writer.close()


async def _asked(site: str, page: str, seconds: float) -> Served:
    """Ask for one page again and again."""
    await _up(site)
    size = len(await _get(site, page))
    took: list[float] = []
    end = time.monotonic() + seconds

    async def ask() -> None:
        while time.monotonic() < end:
            begun = time.perf_counter()
            await _get(site, page)
            took.append(time.perf_counter() - begun)

    begun = time.monotonic()
    await asyncio.gather(*(ask() for _ in range(ASKERS)))
    return Served(page, len(took) / (time.monotonic() - begun), statistics.median(took) * 1e3, size / 1024)
