"""Memory that is given back to the system after a flood.

The C library keeps what was freed: small pieces in the arenas of each thread, and after one large message everything of
that size. A referee that was flooded would stay as large as it was at the worst moment. So large pieces are always
mapped by themselves, threads share two arenas, and when many streams or calls have ended the rest is trimmed.

Measured with 100 streams that sent messages of 2 MiB to a referee of 69 MiB: 109 MiB afterwards without this, 64 MiB
with it. Where the C library is another one, nothing changes.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Parameters of `mallopt`, as <malloc.h> numbers them."""
LARGE = 128 * 1024
"""Bytes from which on a piece of memory is mapped by itself."""
SPARE = 4 * 1024 * 1024
"""Bytes at the end of the heap that are kept."""
ARENAS = 2
MANY = 32
"""Streams, calls and portions of 16 KiB that have come and gone, after which memory is trimmed."""
PAUSE = 5
"""Ticks between two trims."""
TRIMS = 4
"""Trims after a flood: connections end some time after their streams."""
FEW = 64
"""Streams up to which the whole of the collector's work is done in no time."""


class Heap:
    """Trims memory now and then; see `tick`."""

    def __init__(self) -> None:
        self._trim = _library()
        self._used = 0
        self._ticks = 0
        self._left = 0

    def used(self, amount: int) -> None:
        """So many streams have ended, or so many times 16 KiB were read."""
        self._used += amount

    def tick(self, streams: int) -> Callable[[], None] | None:
        """To be called at a steady pace; returns what is to be done now in another thread, if anything is.

        `streams`: how many are open. With few of them the collector looks at everything, which takes a millisecond;
        with 1,000 it would take 0.2 s.
        """
        self._ticks += 1
        if self._used >= MANY:
            self._used = 0
            self._left = TRIMS
        if self._trim is None or not self._left or self._ticks < PAUSE:
            return None
        self._left -= 1
        self._ticks = 0
        gc.collect(2 if streams <= FEW else 1)  # what refers to itself holds buffers, and the collector rests otherwise
        return self._trim


def _library() -> Callable[[], None] | None:
    """Set up the C library's memory; returns what trims it. None: this is not glibc."""
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL(None)
        mallopt, malloc_trim = library.mallopt, library.malloc_trim
    except (OSError, AttributeError):
        return None
    for parameter, value in ((M_MMAP_THRESHOLD, LARGE), (M_TRIM_THRESHOLD, SPARE), (M_ARENA_MAX, ARENAS)):
        mallopt(parameter, value)

    def trim() -> None:
        malloc_trim(0)

    return trim
