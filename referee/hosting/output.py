"""What a hosted bot prints: standard output and standard error, read at a bounded rate and kept within bounds.

A process may serve many matches, one after the other or several at a time. `Log` keeps the end of all that it printed,
for the text of an error; an `Excerpt` follows it during one match and keeps the first and the last part. What lies in
between is counted and dropped, so that neither memory nor disk grows with what a bot prints.

The pipe is read by `Output`: at most `READ_RATE` bytes a second and one read in `READ_PAUSE` seconds, so that a bot
that prints without end takes a small and fixed share of the referee's loop. A bot that prints more fills its pipe and
waits for its own prints, on its own clock, until its `output_mib` end it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import trio

MATCH_LOG_BYTES = 64 * 1024
"""What is kept of the output of one match: half of it from the beginning, half from the end."""
READ_RATE = 8 << 20
"""Bytes of a bot's output that are read within a second."""
READ_PAUSE = 0.005
"""Least seconds between two reads of a bot's output."""
CHUNK = 1 << 16
"""Bytes of one read."""
PIPE_BYTES = 1 << 18
"""What a bot can print at once without having to wait for the host, where the system allows it."""
LONGEST_LINE = 1024
"""Where the middle is left out, a line that is cut is left out as well, unless it is longer than this."""


class Parts(NamedTuple):
    """What an excerpt has kept."""

    first: bytes
    left_out: int
    """Bytes between the first and the last part that were not kept."""
    last: bytes
    """Empty if nothing is left out: all of it stands in the first part."""


class Tail:
    """The last bytes of what is added, within a bound."""

    __slots__ = ("_bytes", "_limit", "added")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = bytearray()
        self.added = 0
        """Bytes that were added in all."""

    def add(self, part: bytes) -> None:
        """Append output; the oldest goes when the bound is reached."""
        self.added += len(part)
        self._bytes += part[-self._limit :]
        if len(self._bytes) > 2 * self._limit:
            del self._bytes[: -self._limit]

    def skip(self, size: int) -> None:
        """Append so many bytes that are not known any more; what was kept before them goes as well."""
        if size:
            self.added += size
            self._bytes.clear()

    def kept(self, most: int | None = None) -> bytes:
        """The last bytes, at most as many as the bound says, or so many."""
        wanted = self._limit if most is None else min(most, self._limit)
        return bytes(self._bytes[-wanted:]) if wanted else b""

    @property
    def dropped(self) -> int:
        """Bytes that are not kept any more."""
        return self.added - min(len(self._bytes), self._limit)


class Excerpt:
    """The first and the last part of what a bot prints during one match, within a bound."""

    __slots__ = ("_half", "first", "last")

    def __init__(self, limit: int = MATCH_LOG_BYTES) -> None:
        self._half = limit // 2
        self.first = bytearray()
        self.last = Tail(limit - self._half)

    @property
    def room(self) -> int:
        """Bytes that still fit into the first part."""
        return self._half - len(self.first)

    def add(self, part: bytes) -> None:
        """Append output."""
        room = self.room
        self.first += part[:room]
        if len(part) > room:
            self.last.add(part[room:])

    def parts(self) -> Parts:
        """What is kept; lines that were cut where the middle is left out belong to what is left out."""
        first, left_out, last = bytes(self.first), self.last.dropped, self.last.kept()
        if not left_out:
            return Parts(first + last, 0, b"")
        begun = first.rfind(b"\n", -LONGEST_LINE) + 1
        cut = last.find(b"\n", 0, LONGEST_LINE) + 1
        whole = first[:begun] if begun else first
        return Parts(whole, left_out + len(first) - len(whole) + cut, last[cut:])


class Log:
    """The output of a process: its last part within a bound, and the excerpts of the matches that are going on.

    An excerpt is filled as long as its first part has room. From then on only its place in the output is known, and its
    last part is taken from the end of the log when its match is over: a process at many tables costs no more to read.
    """

    def __init__(self, limit: int) -> None:
        """`limit` is what is kept for the text of an error, in bytes."""
        self._limit = limit
        self._tail = Tail(max(limit, MATCH_LOG_BYTES))
        self._filling: list[Excerpt] = []
        self._full: dict[Excerpt, int] = {}
        """Excerpts without room in their first part, and how much was printed when what they miss began."""
        self._start: Excerpt | None = Excerpt()
        """What was printed since the start of the process; None: the log of its first match has it."""
        self._before_matches: int | None = None
        """Bytes that were printed before the first match; None: there was none yet."""
        self.counted = 0
        """Bytes that were printed since a match began, or since the start if none has."""

    @property
    def printed(self) -> int:
        """Bytes that were printed in all."""
        return self._tail.added

    @property
    def silent(self) -> bool:
        """Whether nothing was printed in any match, nor after one."""
        return self._before_matches == self.printed

    def add(self, part: bytes) -> None:
        """Append output; the oldest goes when the bound is reached."""
        before = self.printed
        self.counted += len(part)
        self._tail.add(part)
        if self._start is not None:
            self._start.add(part)
        for excerpt in tuple(self._filling):
            room = excerpt.room
            excerpt.add(part[:room])
            if len(part) >= room:
                self._filling.remove(excerpt)
                self._full[excerpt] = before + room

    def text(self) -> str:
        """The last part of all output, readable whatever bytes the bot wrote."""
        kept = self._tail.kept(self._limit)
        dropped = self.printed - len(kept)
        text = kept.decode("utf-8", "replace")
        return f"[{dropped} bytes of earlier output dropped]\n{text}" if dropped else text

    def follow(self) -> Excerpt:
        """An excerpt for a match that begins now; that of a process's first match begins with the process."""
        excerpt = Excerpt() if self._start is None else self._start
        self.counted = 0
        if self._before_matches is None:
            self._before_matches = self.printed
        self.go_on((excerpt,))
        return excerpt

    def go_on(self, excerpts: Iterable[Excerpt]) -> None:
        """Fill these excerpts from now on; they may have been left by a process that has ended."""
        for excerpt in excerpts:
            self._start = None
            if excerpt.room:
                self._filling.append(excerpt)
            else:
                self._full[excerpt] = self.printed

    def leave(self, excerpt: Excerpt) -> None:
        """The match of an excerpt is over, or the process is: nothing is added to the excerpt any more."""
        if excerpt in self._filling:
            self._filling.remove(excerpt)
        begun = self._full.pop(excerpt, self.printed)
        missed = self._tail.kept(self.printed - begun)
        excerpt.last.skip(self.printed - begun - len(missed))
        excerpt.last.add(missed)


class Output:
    """The pipe to which a bot's standard output and standard error go."""

    def __init__(self, descriptor: int, log: Log) -> None:
        """Takes the reading end over."""
        with suppress(OSError, AttributeError):  # not on Linux, or the user has enough pipes
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self._stream = trio.lowlevel.FdStream(descriptor)
        self._log = log

    async def read(self, ended: trio.Event) -> None:
        """Read until every process that could write has ended; after `ended` what is left is read without pauses."""
        unpaced = PIPE_BYTES
        async with self._stream as stream:
            with suppress(trio.BrokenResourceError):
                while part := await stream.receive_some(CHUNK):
                    self._log.add(bytes(part))
                    if ended.is_set() and unpaced > 0:
                        unpaced -= len(part)
                        continue
                    pause = max(READ_PAUSE, len(part) / READ_RATE)
                    with trio.move_on_after(pause):
                        await (trio.sleep(pause) if ended.is_set() else ended.wait())

    def catch_up(self) -> None:
        """Read what lies in the pipe now, at most what fits into it; returns at once."""
        left = PIPE_BYTES
        with suppress(OSError):  # nothing lies there, or the pipe is closed
            while left > 0 and (part := os.read(self._stream.fileno(), min(left, CHUNK))):
                self._log.add(part)
                left -= len(part)
