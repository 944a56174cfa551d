"""Memory is trimmed after much of it was used, and only then."""

from __future__ import annotations

import sys

import pytest

from referee.transport.heap import FEW, MANY, PAUSE, TRIMS, Heap

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only glibc is told to give memory back")


def _trims(heap: Heap, ticks: int) -> int:
    """How often memory is to be trimmed within so many ticks."""
    return sum(heap.tick(FEW + 1) is not None for _ in range(ticks))


def test_memory_is_left_alone_as_long_as_little_was_used() -> None:
    """Streams that end now and then cost nothing."""
    heap = Heap()
    heap.used(MANY - 1)

    assert _trims(heap, 10 * PAUSE) == 0


def test_after_a_flood_memory_is_trimmed_some_times() -> None:
    """With a pause between two times, and not for ever."""
    heap = Heap()
    heap.used(MANY)
    trims = _trims(heap, PAUSE), _trims(heap, 100 * PAUSE)

    assert trims == (1, TRIMS - 1)


def test_what_trims_can_be_called() -> None:
    """The C library takes the call."""
    heap = Heap()
    heap.used(MANY)
    found = [trim for _ in range(PAUSE) if (trim := heap.tick(0)) is not None]

    assert [trim() for trim in found] == [None]
