"""What a referee counts while it runs: plain integers that only ever grow; `metrics` turns them into samples.

A counter is raised by one addition where the thing happens. Those on the way of an ask and its answer (messages, bytes,
asks, answers) cost less than a tenth of a microsecond each.
"""

from __future__ import annotations

from collections import Counter

HUNG_UP = "HUNG_UP"
"""The code of a stream that its bot ended, or that broke: no fault of the protocol closed it."""


class Counters:
    """The counters of one referee, all 0 when it starts."""

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
        """Those of them by bots whose tables waited for them."""
        self.refusals: Counter[str] = Counter()
        """Streams that were closed before a welcome, and calls that were not answered, by the code of the fault."""
        self.closed: Counter[str] = Counter()
        """Streams that have ended, by the code with which the referee closed them, or `HUNG_UP`."""
        self.messages_in = 0
        self.messages_out = 0
        self.bytes_in = 0
        self.bytes_out = 0
        """Messages of all streams of play, and their bytes."""
        self.asks = 0
        """Asks that were put on a stream, also those that were sent again."""
        self.answers = 0
        """Answers that a match has accepted."""
        self.faults: Counter[str] = Counter()
        """Faults of seats, by kind."""
        self.matches_started = 0
        self.matches_restored = 0
        """Matches of an earlier run that were gone on with."""
        self.matches_finished = 0
        """Matches that ended with a result."""
        self.matches_stopped = 0
        """Matches that ended without one."""
        self.admin_acts: Counter[str] = Counter()
        """Acts of the organiser, by action."""
        self.storage_troubles = 0
        """How often storing began to fail."""
        self.left_out: Counter[str] = Counter()
        """Lines of the log that were left out because there were too many of their kind, by event."""
