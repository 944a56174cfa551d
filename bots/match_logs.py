"""Copies of what a bot prints, in one file for each match.

    with MatchLogs("logs") as logs:
        run(MyBot, logs=logs)

Within the block, what the process prints (`print`, `logging`, traces, the kit's own lines) reaches the terminal as
before, and also the file `logs/match-ID.log` of the match for which the bot is being called. What is printed between
two calls, for example by another thread, reaches the file of every running match. Prints of programs that the bot
starts, and of extensions in C, reach the terminal alone.

A file has at most `FILE_BYTES` bytes: the first half is written at once, the last bytes are written when the match is
over, with a line between both that counts the bytes left out. The newest `MOST_FILES` files are kept. Only the user
may read the files, because they may show the bot's hand while the match is running. If a file cannot be written, one
line on the terminal says so, and the bot plays on.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TextIO, cast

FILE_BYTES = 256 * 1024
"""Most bytes of one file."""
MOST_FILES = 200
"""Most files in a folder; the oldest are removed first."""
MARK_BYTES = 64
"""Most bytes of the line that counts the bytes left out."""
_NAME = re.compile(r"[0-9A-Za-z_-]{1,64}")


class _MatchFile:
    """The file of one match."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size = path.stat().st_size if path.exists() else 0
        self._last = bytearray()
        self._left_out = 0

    def write(self, data: bytes) -> None:
        """Append output to the first half of the file, and keep what does not fit there for `close`."""
        room = max(0, FILE_BYTES // 2 - self._size)
        if room:
            self._append(data[:room])
        self._last += data[room:]
        most = FILE_BYTES // 2 - MARK_BYTES
        if len(self._last) > 2 * most:
            self._left_out += len(self._last) - most
            del self._last[:-most]

    def close(self) -> None:
        """Write the last bytes of the output, after the line that counts the bytes left out."""
        if not self._last:
            return
        most = max(0, min(FILE_BYTES // 2, FILE_BYTES - self._size) - MARK_BYTES)
        kept = bytes(self._last[-most:]) if most else b""
        left_out = self._left_out + len(self._last) - len(kept)
        self._last.clear()
        mark = b"\n[%d bytes left out]\n" % left_out if left_out else b""
        if self._size + len(mark) + len(kept) <= FILE_BYTES:
            self._append(mark + kept)

    def _append(self, data: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            os.write(descriptor, data)
            self._size = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)


class _Tee:
    """A stream of this process whose output also reaches the files; every other attribute is the stream's own."""

    def __init__(self, stream: TextIO, logs: MatchLogs) -> None:
        self._stream = stream
        self._logs = logs

    def write(self, text: str) -> int:
        """Write to the stream, then to the files."""
        written = self._stream.write(text)
        self._logs.add(text)
        return written

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of the texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class MatchLogs:
    """The files of the matches that one process plays; a context manager."""

    def __init__(self, folder: Path | str) -> None:
        """`folder` is created together with the first file."""
        self._folder = Path(folder)
        self._lock = threading.RLock()
        self._files: dict[str, _MatchFile] = {}
        """The files of the matches that are running."""
        self._current: tuple[str, ...] = ()
        self._failed = False
        self._streams: tuple[TextIO, TextIO] | None = None

    def __enter__(self) -> MatchLogs:
        self._streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (cast(TextIO, _Tee(stream, self)) for stream in self._streams)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._streams is not None:
            sys.stdout, sys.stderr = self._streams
        for match in tuple(self._files):
            self.over(match)

    def turn_to(self, *matches: str) -> None:
        """Assign what is printed from now on to these matches; without a match, to every running match."""
        with self._lock:
            self._current = tuple(dict.fromkeys(matches))
            for match in matches:
                if match not in self._files:
                    self._guarded(partial(self._open, match))

    def over(self, match: str) -> None:
        """Complete and close the file of a match that is over."""
        with self._lock:
            file = self._files.pop(match, None)
            self._current = tuple(other for other in self._current if other != match)
            if file is not None:
                self._guarded(file.close)

    def add(self, text: str) -> None:
        """Write printed text to the files of the current matches."""
        if not text or not self._files:
            return
        data = text.encode("utf-8", "backslashreplace")
        with self._lock:
            wanted = self._current or tuple(self._files)
            for match in wanted:
                file = self._files.get(match)
                if file is not None:
                    self._guarded(partial(self._write, file, data))

    def _open(self, match: str) -> None:
        name = match if _NAME.fullmatch(match) else hashlib.sha256(match.encode(errors="replace")).hexdigest()[:32]
        self._files[match] = _MatchFile(self._folder / f"match-{name}.log")

    def _write(self, file: _MatchFile, data: bytes) -> None:
        new = not file.path.exists()
        if new:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write(data)
        if new:
            self._prune()

    def _prune(self) -> None:
        """Remove the oldest files of earlier matches."""
        found = {path: path.lstat().st_mtime_ns for path in self._folder.glob("match-*.log")}
        running = {file.path for file in self._files.values()}
        for path in sorted(found, key=lambda path: found[path])[:-MOST_FILES]:
            if path not in running:
                path.unlink(missing_ok=True)

    def _guarded(self, work: Callable[[], None]) -> None:
        """Call a function that writes files; report its first OSError on the terminal and go on."""
        try:
            work()
        except OSError as error:
            if not self._failed and self._streams is not None:
                self._failed = True
                with suppress(OSError, ValueError):
                    reason = error.strerror or str(error)
                    print(f"kumite: {self._folder}: the bot's log cannot be kept: {reason}", file=self._streams[1])
