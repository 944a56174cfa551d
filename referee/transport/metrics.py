"""The metrics of a referee: samples of its counters and gauges.

    print(prometheus(samples(server.sources)))

Names begin with `kumite_`, times are in seconds, sizes in bytes, and names of counters end in `_total`. The samples are
read at each request, which takes about a millisecond with 1,000 bots.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import referee
from referee.match.clock import SECOND
from referee.match.playtime import monotonic
from referee.match.policy import FaultKind
from referee.transport.bridge import Turns
from referee.transport.connections import Connections
from referee.transport.counters import HUNG_UP, Counters
from referee.transport.lobby import Lobby
from referee.transport.log_lines import code_name
from referee.transport.readiness import REASONS, Readiness
from referee.transport.samples import Kind, Sample
from referee.transport.service import STATUS

PREFIX = "kumite_"
CODES = tuple(map(code_name, STATUS))
"""Every code with which the referee can close a stream."""
ACTIONS = (
    "kick", "ban", "unban", "pause", "resume", "drain", "abort", "void", "requeue", "close", "open", "hide", "unhide",
    "event start", "event pause", "event resume", "event withdraw",
)  # fmt: skip
"""The acts of an organiser."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The parts of one referee from which its metrics are read."""

    connections: Connections
    lobby: Lobby
    turns: Turns
    readiness: Readiness
    held: Callable[[], Mapping[str, int]] = dict
    """Returns the longest microseconds for which each kind of work but the pairing has held the loop."""
    started: float = field(default_factory=time.time)
    """When the referee was started, in seconds since 1970."""
    began: float = field(default_factory=time.monotonic)
    """When the referee was started, in seconds of the monotonic clock."""


def samples(sources: Sources) -> list[Sample]:
    """All present samples of a referee; samples of one name follow each other."""
    counters = sources.connections.counters
    return [
        *_about(sources),
        *_streams(counters),
        *_matches(counters),
        *_presence(sources),
        *_loop(sources),
        *_process(),
    ]


def _counter(name: str, value: float, meaning: str) -> Sample:
    return Sample(f"{PREFIX}{name}_total", meaning, Kind.COUNTER, {}, value)


def _gauge(name: str, value: float, meaning: str) -> Sample:
    return Sample(PREFIX + name, meaning, Kind.GAUGE, {}, value)


def _counters(
    name: str, label: str, counts: Mapping[str, int], meaning: str, known: Iterable[str] = ()
) -> Iterator[Sample]:
    """A counter with a label; a `known` value of the label without a count has a sample of 0."""
    for text, count in sorted({**dict.fromkeys(known, 0), **counts}.items()):
        yield Sample(f"{PREFIX}{name}_total", meaning, Kind.COUNTER, {label: text}, count)


def _about(sources: Sources) -> Iterator[Sample]:
    version = {"version": referee.__version__, "python": platform.python_version()}
    yield Sample(f"{PREFIX}build_info", "Always 1; the labels say which versions run.", Kind.GAUGE, version, 1)
    yield _gauge("start_time_seconds", sources.started, "When the referee was started, in seconds since 1970.")
    yield _gauge("uptime_seconds", time.monotonic() - sources.began, "Seconds since the referee was started.")
    readiness = sources.readiness
    yield _gauge("ready", readiness.ready, "1 while the referee takes bots and plays, as its health service says.")
    for reason in REASONS:
        text = "1 while the referee is not ready for this reason."
        yield Sample(f"{PREFIX}unready", text, Kind.GAUGE, {"reason": reason}, reason in readiness.reasons)


def _streams(counters: Counters) -> Iterator[Sample]:
    yield _counter("streams_opened", counters.streams, "Streams of play that were opened.")
    yield _counter("connects", counters.connects, "Hellos that were answered with a welcome.")
    yield _counter("resumes", counters.resumes, "Those of them by bots whose tables waited for them.")
    text = "Streams closed before a welcome, and calls not answered, by the code of the fault."
    yield from _counters("refusals", "code", counters.refusals, text, CODES)
    text = (
        f"Streams that have ended, by the code with which the referee closed them; {HUNG_UP}: the bot or the network."
    )
    yield from _counters("streams_closed", "code", counters.closed, text, (HUNG_UP, *CODES))
    yield _counter("messages_received", counters.messages_in, "Messages of play from bots.")
    yield _counter("messages_sent", counters.messages_out, "Messages of play to bots.")
    yield _counter("received_bytes", counters.bytes_in, "Bytes of the messages from bots.")
    yield _counter("sent_bytes", counters.bytes_out, "Bytes of the messages to bots.")
    text = "Lines of the log that were left out because too many of their kind came at once, by event."
    yield from _counters("log_lines_left_out", "event", counters.left_out, text, ("connect", "disconnect", "refusal"))


def _matches(counters: Counters) -> Iterator[Sample]:
    yield _counter("asks", counters.asks, "Asks that were put on a stream, also those that were sent again.")
    yield _counter("answers", counters.answers, "Answers that a match has accepted.")
    kinds = [kind.value for kind in FaultKind]
    yield from _counters("faults", "kind", counters.faults, "Faults of seats, by kind.", kinds)
    yield _counter("matches_started", counters.matches_started, "Matches that were opened.")
    yield _counter("matches_restored", counters.matches_restored, "Matches of an earlier run that were gone on with.")
    yield _counter("matches_finished", counters.matches_finished, "Matches that ended with a result.")
    yield _counter("matches_stopped", counters.matches_stopped, "Matches that ended without a result.")
    yield from _counters("admin_acts", "action", counters.admin_acts, "Acts of the organiser, by action.", ACTIONS)
    yield _counter("storage_troubles", counters.storage_troubles, "How often storing began to fail.")


def _presence(sources: Sources) -> Iterator[Sample]:
    connections, lobby = sources.connections, sources.lobby
    bots = connections.sessions
    here = [bot for bot in bots if bot.stream is not None]
    waiting = sum(bot.present and not bot.tables for bot in here)
    yield _gauge("streams", len(connections.streams), "Open streams of play, with or without a bot.")
    yield _gauge("bots_known", len(bots), "Bots that are remembered: connected, or away.")
    yield _gauge("bots_connected", len(here), "Bots with an open stream.")
    yield _gauge("bots_waiting", waiting, "Connected bots that take tables and sit at none.")
    yield _gauge("bots_limit", connections.limits.bots, "Bots without a token that are remembered at most.")
    yield _gauge("tables", lobby.running, "Matches that are going on.")
    text = "Tables at which the connected bots play at a time, added up over the bots."
    yield _gauge("table_capacity", sum(bot.capacity for bot in here), text)
    yield _gauge("storing", lobby.storage.trouble is None, "1 while the referee can store, 0 while it stands still.")


def _loop(sources: Sources) -> Iterator[Sample]:
    turns = sources.turns
    text = "Seconds taken off all clocks because the referee stood still, for whatever reason."
    yield _counter("standstill_seconds", turns.time.lost / SECOND, text)
    text = "Seconds by which turns of the loop exceeded the 15 ms that they may take."
    yield _counter("loop_late_seconds", turns.lateness.total / SECOND, text)
    yield _counter(
        "loop_late_turns", turns.lateness.count, "Turns of the loop that exceeded the 15 ms that they may take."
    )
    longest = turns.lateness.longest(monotonic())
    text = "The longest time of the last minute by which a turn of the loop exceeded the 15 ms that it may take."
    yield _gauge("loop_longest_late_seconds", longest / SECOND, text)
    held = {"pairing": sources.lobby.longest_pairing, **sources.held()}
    text = "The longest time since the start for which one piece of work held the loop, by the kind of work."
    for work, time_held in held.items():
        yield Sample(f"{PREFIX}longest_hold_seconds", text, Kind.GAUGE, {"work": work}, time_held / SECOND)


def _process() -> Iterator[Sample]:
    yield _counter("process_cpu_seconds", time.process_time(), "Seconds of CPU time that the process has used.")
    resident = _resident_bytes()
    if resident is not None:
        yield _gauge("process_resident_memory_bytes", resident, "Resident memory of the process.")


def _resident_bytes() -> int | None:
    """The resident memory of the process in bytes; None: the system does not tell."""
    if sys.platform != "linux":
        return None
    try:
        with open("/proc/self/statm", "rb") as figures:
            return int(figures.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
