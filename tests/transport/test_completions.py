"""Work for a loop that has been closed does not keep the work behind it waiting."""

from __future__ import annotations

import array
import socket

import pytest

from referee.transport.completions import CLOSED, KEPT, _emptying


class Queue:
    """Stands in for grpc.aio's queue: reads one byte, then works off everything, or raises at what it cannot do."""

    def __init__(self, waiting: list[str], end: socket.socket) -> None:
        self.waiting = waiting
        self.done: list[str] = []
        self._end = end

    def work_off(self) -> None:
        self._end.recv(1)
        while self.waiting:
            work = self.waiting.pop(0)
            if work == "closed":
                raise RuntimeError(CLOSED)
            if work == "bug":
                raise RuntimeError("something else")
            self.done.append(work)


def emptied(work: list[str], written: int) -> Queue:
    """A queue that was worked off once, with so many bytes in its socket."""
    reads, writes = socket.socketpair()
    with reads, writes:
        reads.setblocking(False)
        writes.send(bytes(written))
        queue = Queue(work, reads)
        _emptying(reads.fileno(), array.array("i", [0]), queue.work_off)
    return queue


def test_what_stands_behind_work_for_a_closed_loop_is_done_in_the_same_turn() -> None:
    """Otherwise it would wait for a byte that was read already, and a stream with it."""
    work = ["a", "closed", "b", "closed", "c", *["d"] * 40]
    queue = emptied(list(work), len(work))

    assert queue.done == [name for name in work if name != "closed"]


def test_fewer_bytes_than_work_are_no_trouble() -> None:
    """A loop of another thread may have read some."""
    assert emptied(["closed"], 1).done == []
    assert emptied(["closed"] * KEPT, 3).waiting == ["closed"] * (KEPT - 3)


def test_another_error_is_not_hidden() -> None:
    """Only that a loop is closed is expected."""
    with pytest.raises(RuntimeError, match="something else"):
        emptied(["bug"], 1)
