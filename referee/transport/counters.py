"""The counters of a running referee: plain integers that only grow; `metrics` turns them into samples.

A counter is raised by one addition where the counted thing happens. Each counter on the way of an ask and its answer
(messages, bytes, asks, answers) costs less than a tenth of a microsecond.
"""

from __future__ import annotations

from collections import Counter

HUNG_UP = "HUNG_UP"
"""The code of a stream that the bot ended or the network broke, so that no fault of the protocol closed the stream."""


class Counters:
    """The counters of one referee, all 0 at its start."""

    __slots__ = (
        "admin_acts",
        "answers",
        "asks",
        "bytes_in",
        "bytes_out",
        "closed",
        "connects",
        "faults",
        "left_out",
        "matches_finished",
        "matches_restored",
        "matches_started",
        "matches_stopped",
        "messages_in",
        "messages_out",
        "refusals",
        "resumes",
        "storage_troubles",
        "streams",
    )

    def __init__(self) -> None:
        self.streams = 0
        """Streams that were opened."""
        self.connects = 0
        """Hellos that were answered with a welcome."""
        self.resumes = 0
        """Welcomes of bots that have open tables."""
        self.refusals: Counter[str] = Counter()
        """Streams that were closed before a welcome, and calls that were not answered, by the code of the fault."""
        self.closed: Counter[str] = Counter()
        """Streams that have ended, by the code with which the referee closed them, or `HUNG_UP`."""
        self.messages_in = 0
        """Messages from bots on streams of play."""
        self.messages_out = 0
        """Messages to bots on streams of play."""
        self.bytes_in = 0
        """Bytes of the messages from bots."""
        self.bytes_out = 0
        """Bytes of the messages to bots."""
        self.asks = 0
        """Asks that were put on a stream, repeated ones included."""
        self.answers = 0
        """Answers that a match has accepted."""
        self.faults: Counter[str] = Counter()
        """Faults of seats, by kind."""
        self.matches_started = 0
        self.matches_restored = 0
        """Matches of an earlier run with which this run went on."""
        self.matches_finished = 0
        """Matches that ended with a result."""
        self.matches_stopped = 0
        """Matches that ended without a result."""
        self.admin_acts: Counter[str] = Counter()
        """Acts of the organiser, by action."""
        self.storage_troubles = 0
        """Number of times that storing began to fail."""
        self.left_out: Counter[str] = Counter()
        """Log lines that were left out because too many of their kind came, by event."""
