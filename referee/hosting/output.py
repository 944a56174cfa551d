"""What a hosted bot prints: standard output and standard error, read at a bounded rate and kept within bounds.

A process may serve many matches, one after the other or several at a time. `OutputLog` keeps the end of all output for
the text of an error. An `Excerpt` keeps the first and the last part of the output during one match, and counts the
bytes between them, so that neither memory nor disk grows with the output.

`Output` reads the pipe: at most `READ_RATE` bytes a second and one read in `READ_PAUSE` seconds, so that a bot that
prints without end takes a small and fixed share of the referee's loop. A bot that prints more fills its pipe and waits
for its own prints, on its own clock, until its `output_mib` limit ends the bot.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import trio

MATCH_LOG_BYTES = 64 * 1024
"""Most bytes of one match's log: one half from the beginning, one half from the end."""
READ_RATE = 8 << 20
"""Most bytes of a bot's output that are read in a second."""
READ_PAUSE = 0.005
"""Least seconds between two reads of a bot's output."""
CHUNK = 1 << 16
"""Most bytes of one read."""
PIPE_BYTES = 1 << 18
"""Wanted size of the pipe: bytes that a bot can print without waiting for the host."""
LONGEST_LINE = 1024
"""A line that is cut where the middle is left out is left out too, unless it has more bytes than this."""


class Parts(NamedTuple):
    """The parts of an excerpt."""

    first: bytes
    left_out: int
    """Number of bytes left out between the first and the last part."""
    last: bytes
    """The last part; empty if nothing is left out, because then the first part holds everything."""


class Tail:
    """The last bytes of some output, at most `limit`."""

    __slots__ = ("_bytes", "_limit", "added")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = bytearray()
        self.added = 0
        """Number of bytes added so far."""

    def add(self, part: bytes) -> None:
        """Append output; the oldest bytes are dropped at the bound."""
        self.added += len(part)
        self._bytes += part[-self._limit :]
        if len(self._bytes) > 2 * self._limit:
            del self._bytes[: -self._limit]

    def skip(self, size: int) -> None:
        """Count `size` bytes whose text is lost, and drop the bytes before them."""
        if size:
            self.added += size
            self._bytes.clear()

    def kept(self, most: int | None = None) -> bytes:
        """The last bytes, at most `limit` and at most `most`."""
        wanted = self._limit if most is None else min(most, self._limit)
        return bytes(self._bytes[-wanted:]) if wanted else b""

    @property
    def dropped(self) -> int:
        """Number of bytes that were dropped."""
        return self.added - min(len(self._bytes), self._limit)


class Excerpt:
    """The first and the last part of a bot's output during one match, within a bound."""

    __slots__ = ("_half", "first", "last")

    def __init__(self, limit: int = MATCH_LOG_BYTES) -> None:
        self._half = limit // 2
        self.first = bytearray()
        self.last = Tail(limit - self._half)

    @property
    def room(self) -> int:
        """Number of bytes that still fit into the first part."""
        return self._half - len(self.first)

    def add(self, part: bytes) -> None:
        """Append output."""
        room = self.room
        self.first += part[:room]
        if len(part) > room:
            self.last.add(part[room:])

    def parts(self) -> Parts:
        """The parts; a line that is cut where the middle is left out counts as left out."""
        first, left_out, last = bytes(self.first), self.last.dropped, self.last.kept()
        if not left_out:
            return Parts(first + last, 0, b"")
        begun = first.rfind(b"\n", -LONGEST_LINE) + 1
        cut = last.find(b"\n", 0, LONGEST_LINE) + 1
        whole = first[:begun] if begun else first
        return Parts(whole, left_out + len(first) - len(whole) + cut, last[cut:])


class OutputLog:
    """The output of a process: its last part within a bound, and the excerpts of the running matches.

    Output is added to an excerpt as long as its first part has room. After that only the excerpt's position in the
    output is kept, and its last part is copied from the end of the log when its match is over. The cost of a read
    therefore does not grow with the number of tables.
    """

    def __init__(self, limit: int) -> None:
        """`limit` is the number of bytes that are kept for the text of an error."""
        self._limit = limit
        self._tail = Tail(max(limit, MATCH_LOG_BYTES))
        self._filling: list[Excerpt] = []
        self._full: dict[Excerpt, int] = {}
        """Excerpts whose first part is full, and the number of bytes printed before their last part began."""
        self._start: Excerpt | None = Excerpt()
        """The excerpt since the start of the process; None: the first match has taken this excerpt."""
        self._before_matches: int | None = None
        """Number of bytes printed before the first match; None: no match has begun."""
        self.counted = 0
        """Number of bytes printed since the last match began, or since the start if none has begun."""

    @property
    def printed(self) -> int:
        """Number of bytes printed so far."""
        return self._tail.added

    @property
    def silent(self) -> bool:
        """Whether nothing was printed since the first match began."""
        return self._before_matches == self.printed

    def add(self, part: bytes) -> None:
        """Append output; the oldest bytes are dropped at the bound."""
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
        """The last part of all output as text; bytes outside UTF-8 become replacement characters."""
        kept = self._tail.kept(self._limit)
        dropped = self.printed - len(kept)
        text = kept.decode("utf-8", "replace")
        return f"[{dropped} bytes of earlier output dropped]\n{text}" if dropped else text

    def follow(self) -> Excerpt:
        """An excerpt for a match that begins now; the excerpt of the process's first match begins with the process."""
        excerpt = Excerpt() if self._start is None else self._start
        self.counted = 0
        if self._before_matches is None:
            self._before_matches = self.printed
        self.go_on((excerpt,))
        return excerpt

    def go_on(self, excerpts: Iterable[Excerpt]) -> None:
        """Add output to these excerpts from now on; they may come from an earlier process of the same bot."""
        for excerpt in excerpts:
            self._start = None
            if excerpt.room:
                self._filling.append(excerpt)
            else:
                self._full[excerpt] = self.printed

    def leave(self, excerpt: Excerpt) -> None:
        """Complete an excerpt whose match or process has ended."""
        if excerpt in self._filling:
            self._filling.remove(excerpt)
        begun = self._full.pop(excerpt, self.printed)
        missed = self._tail.kept(self.printed - begun)
        excerpt.last.skip(self.printed - begun - len(missed))
        excerpt.last.add(missed)


class Output:
    """The pipe to which a bot's standard output and standard error go."""

    def __init__(self, descriptor: int, log: OutputLog) -> None:
        """Take over the reading end of the pipe."""
        with suppress(OSError, AttributeError):  # not on Linux, or the user has enough pipes
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self._stream = trio.lowlevel.FdStream(descriptor)
        self._log = log

    async def read(self, ended: trio.Event) -> None:
        """Read until every process that can write has ended; after `ended` the rest is read without pauses."""
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
        """Read what lies in the pipe now, at most the pipe's size; returns at once."""
        left = PIPE_BYTES
        with suppress(OSError):  # the pipe is empty or closed
            while left > 0 and (part := os.read(self._stream.fileno(), min(left, CHUNK))):
                self._log.add(part)
                left -= len(part)
