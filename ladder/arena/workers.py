"""Where matches run: this process, processes of this machine, or a Dask cluster.

A `Job` is plain data that says everything about one match; carrying it out gives the record of it. All three
places are a `concurrent.futures.Executor`, and results come back to the one process that writes the database.

A worker that dies in mid-match costs that match's time and nothing else: the job is handed in again, with the same
secret and id, so it is the same match. Where the death of one process ends all jobs in flight, the job to blame is not
known: each is repeated alone before anything else is begun, and only that counts as an attempt. A job whose
workers keep dying is given up after `ATTEMPTS` and named; one whose bot held its worker up for good (see
`referee.match.supervision`) is not tried again.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from ladder.arena.bot_output import aside, turn_aside
from ladder.arena.bundles import pack, unpack
from ladder.arena.entrants import Entrant, EntrantKind, find
from ladder.arena.host_settings import configure, settings
from ladder.arena.job_lines import (
    JOB,
    RECORD,
    job_from_lines,
    job_to_lines,
    opened,
    played_from_lines,
    played_to_lines,
    problem_to_line,
    signed,
)
from ladder.arena.jobs import Job
from ladder.arena.orphans import end_with_parent
from ladder.arena.play import play
from ladder.store.records import BotLog, Played
from referee.hosting.limits import Hosting
from referee.kernel import gc_pause
from referee.kernel.errors import BadSetting, KumiteError
from referee.match.supervision import Trouble, on_giving_up

ATTEMPTS = 3
"""How often a job is handed in before it is given up."""


def carry_out(job: Job) -> Played:
    """Play a job's match in this process."""
    for bundle in job.bundles:
        unpack(bundle)
    troubles: list[Trouble] = []
    logs: list[BotLog] = []
    entrants = [find(spec) for spec in job.specs]
    record = play(job.plan, entrants, dice=job.dice, limit=job.limit, troubles=troubles, logs=logs)
    return Played.of(record, troubles, logs)


def carry_out_lines(lines: bytes) -> bytes:
    """Play the match of a job that came as JSON lines; returns the record as lines, or one with the problem."""
    try:
        answer = played_to_lines(carry_out(job_from_lines(opened(lines, JOB))))
    except KumiteError as problem:
        answer = problem_to_line(problem)
    return signed(answer, RECORD)


class GivenUp(KumiteError):
    """A job that no worker could finish."""


class InProcess(Executor):
    """Carries jobs out at once, in the process that hands them in; the cycle collector rests as long as it is there.

    What bots print meanwhile goes to standard error.
    """

    def __init__(self) -> None:
        self._resting = ExitStack()
        self._resting.enter_context(gc_pause.resting())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._resting.close()

    def submit(self, work, /, *args, **named):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        try:
            with aside():
                future.set_result(work(*args, **named))
        except Exception as error:
            future.set_exception(error)
        return future


class Workers:
    """Jobs in flight at one executor, which is made anew when it breaks."""

    def __init__(
        self,
        make: Callable[[], Executor],
        capacity: int,
        prepare: Callable[[Job], Job] | None = None,
        release: Callable[[], None] = lambda: None,
        *,
        as_lines: bool = False,
        last_words: Callable[[str], str] = lambda match: "",
    ) -> None:
        """`capacity` is how many jobs are in flight at a time; `prepare` completes a job before it leaves.

        `as_lines`: jobs and records travel as bytes of JSON lines instead of objects. `last_words` tells why the worker
        of a match ended its own process; empty: it did not.
        """
        self._last_words = last_words
        self._make = make
        self._as_lines = as_lines
        self._prepare = prepare
        self._release = release
        self._executor = make()
        self.capacity = capacity
        self._flying: dict[Future[Played | bytes], tuple[Job, int]] = {}
        self._suspects: deque[tuple[Job, int]] = deque()
        """Jobs of an executor that broke, with the number of the attempt to come."""
        self._alone = False
        """Whether the job in flight is a suspect, without company."""

    @property
    def room(self) -> int:
        """Jobs that can be handed in now."""
        return 0 if self._suspects or self._alone else self.capacity - len(self._flying)

    @property
    def busy(self) -> bool:
        """Whether jobs are in flight."""
        return bool(self._flying or self._suspects)

    def submit(self, job: Job, attempt: int = 1) -> None:
        """Hand a job in."""
        prepared = job if self._prepare is None else self._prepare(job)
        work: Callable[..., Played | bytes] = carry_out_lines if self._as_lines else carry_out
        given = signed(job_to_lines(prepared), JOB) if self._as_lines else prepared
        try:
            future = self._executor.submit(work, given)
        except (BrokenExecutor, OSError):
            # A pool whose process has just died may close its pipes while it is handed a job.
            self._executor.shutdown(wait=False)
            self._executor = self._make()
            future = self._executor.submit(work, given)
        self._flying[future] = job, attempt

    def collect(self, patience: float | None = None) -> Iterator[tuple[Job, Played | GivenUp]]:
        """Wait for the next results and yield them: the record of each job, or why it was given up."""
        if self._suspects and not self._flying:
            self._alone = True
            self.submit(*self._suspects.popleft())
        done, _ = wait(self._flying, timeout=patience, return_when=FIRST_COMPLETED)
        for future in done:
            job, attempt = self._flying.pop(future)
            error = future.exception()
            alone, self._alone = self._alone, False
            if isinstance(error, BrokenExecutor) and (reason := self._last_words(job.plan.match)):
                yield job, GivenUp(reason)
            elif isinstance(error, BrokenExecutor) and not alone:
                self._suspects.append((job, attempt))
            elif error is None:
                result = future.result()
                yield job, played_from_lines(job, opened(result, RECORD)) if isinstance(result, bytes) else result
            elif isinstance(error, KumiteError):
                raise error
            elif attempt >= ATTEMPTS:
                names = ", ".join(job.plan.players)
                reason = f"{type(error).__name__}: {error}"
                yield job, GivenUp(f"match {job.plan.match} of {names} was given up after {attempt} attempts: {reason}")
            elif isinstance(error, BrokenExecutor):
                self._suspects.appendleft((job, attempt + 1))
            else:
                self.submit(job, attempt + 1)

    def close(self) -> None:
        """Let go of the executor; jobs in flight are dropped."""
        for future in self._flying:
            future.cancel()
        self._flying.clear()
        self._suspects.clear()
        self._executor.shutdown(wait=False)
        self._release()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def in_process() -> Workers:
    """One match at a time in this process."""
    return Workers(InProcess, 1)


def local_processes(count: int) -> Workers:
    """As many processes of this machine."""
    if count < 1:
        raise BadSetting(f"--workers {count}: at least one process is needed")

    folder = tempfile.TemporaryDirectory(prefix="kumite-workers-")

    def make() -> Executor:
        return ProcessPoolExecutor(
            count,
            mp_context=get_context("spawn"),
            initializer=_prepare,
            initargs=(os.getpid(), settings(), folder.name),
        )

    def last_words(match: str) -> str:
        path = Path(folder.name, match)
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    return Workers(make, 2 * count, release=folder.cleanup, last_words=last_words)


def place_for(entrants: Iterable[Entrant], count: int) -> Workers:
    """Where matches between these bots run, as many at a time; 0: in this process, one at a time."""
    if any(entrant.kind is EntrantKind.HOSTED for entrant in entrants):
        return hosted_processes(max(1, count))
    return local_processes(count) if count > 1 else in_process()


def hosted_processes(count: int) -> Workers:
    """For matches between bots that are processes: so many at a time, and those that wait start their bots meanwhile.

    All of them are played by the hosted referee of this process, which keeps bots for further matches.
    """
    if count < 1:
        raise BadSetting(f"--workers {count}: at least one match is played at a time")
    from ladder.arena.play_processes import close, shared  # it brings gRPC, which house bots do without

    shared(count)
    flying = count + 1
    return Workers(lambda: ThreadPoolExecutor(flying, "kumite-match"), flying, release=close)


def _prepare(parent: int, hosting: Hosting, folder: str) -> None:
    """A new process: Ctrl-C is the business of the one that hands the jobs in, and the cycle collector may rest.

    Bots of folders are run as the parent runs them. What bots print goes to standard error. If a bot holds the process
    up for good, the reason stands in the folder, in a file named after the match.
    """
    turn_aside()
    on_giving_up.append(lambda match, line: _leave_word(Path(folder, match), line))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    configure(hosting)
    gc_pause.rest()


def _leave_word(path: Path, line: str) -> None:
    path.write_text(line, encoding="utf-8", errors="replace")


def cluster(address: str, patience: float = 10.0) -> Workers:
    """The workers of a Dask scheduler, for example tcp://127.0.0.1:8786.

    For tls:// addresses the certificates are those of Dask's own configuration.
    """
    try:
        from distributed import Client
    except ImportError:
        raise BadSetting("a cluster needs the extra: pip install 'kumite[cluster]'") from None
    try:
        client = Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise BadSetting(f"--cluster {address}: no Dask scheduler answers there ({error})") from None
    cores = sum(client.ncores().values()) or 1

    def make() -> Executor:
        executor: Executor = client.get_executor(pure=False, retries=ATTEMPTS)
        return executor

    return Workers(make, 2 * cores, _bundled, client.close, as_lines=True)


def _bundled(job: Job) -> Job:
    packed = dict.fromkeys(pack(spec) for spec in job.specs)
    return replace(job, bundles=tuple(bundle for bundle in packed if bundle is not None))
