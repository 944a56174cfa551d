"""Memory that is given back to the system after a flood.

The C library keeps freed memory: small pieces in the arenas of each thread, and after one large message every piece of
that size. A referee that was flooded would keep its largest size. So large pieces are always mapped by themselves,
threads share two arenas, and the arenas are trimmed after many streams or calls have ended.

Measured with 100 streams that sent messages of 2 MiB to a referee of 69 MiB: 109 MiB afterwards without `Heap`, 64 MiB
with `Heap`. Under another C library than glibc nothing changes.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Parameters of `mallopt`, as <malloc.h> numbers them."""
LARGE = 128 * 1024
"""Smallest bytes of a piece of memory that is mapped by itself."""
SPARE = 4 * 1024 * 1024
"""Bytes at the end of the heap that are kept."""
ARENAS = 2
MANY = 32
"""Ended streams, calls and portions of 16 KiB after which memory is trimmed."""
PAUSE = 5
"""Ticks between two trims."""
TRIMS = 4
"""Trims after a flood, several because connections end some time after their streams."""
FEW = 64
"""Most open streams with which a full garbage collection takes about a millisecond."""


class Heap:
    """Decides when memory is trimmed; see `tick`."""

    def __init__(self) -> None:
        self._trim = _library()
        self._used = 0
        self._ticks = 0
        self._left = 0

    def used(self, amount: int) -> None:
        """Count ended streams, or portions of 16 KiB that were read."""
        self._used += amount

    def tick(self, streams: int) -> Callable[[], None] | None:
        """Return a function to call in another thread if memory is to be trimmed now; to be called at a steady pace.

        `streams` is the number of open streams. With few of them the collector looks at all objects, which takes a
        millisecond; with 1,000 streams a full collection would take 0.2 s.
        """
        self._ticks += 1
        if self._used >= MANY:
            self._used = 0
            self._left = TRIMS
        if self._trim is None or not self._left or self._ticks < PAUSE:
            return None
        self._left -= 1
        self._ticks = 0
        gc.collect(2 if streams <= FEW else 1)  # cycles hold buffers, and the collector is paused otherwise
        return self._trim


def _library() -> Callable[[], None] | None:
    """Set up the C library's memory; returns the function that trims memory. None: this is not glibc."""
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
