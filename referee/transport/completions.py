"""gRPC's wake-up socket, emptied at once.

grpc.aio has one thread that takes the completions of gRPC's core, queues them for the loop and writes one byte for each
to a socket. The loop then works off the whole queue, but reads one byte only (grpcio 1.85 and earlier). Under load the
bytes pile up until the socket is full, at about 280 of them. From then on the thread stands in its `write` and hands
over one completion for each turn of the loop, and everything behind it waits: with 1,000 bots that answer at once a
stream that was dialled waited 20 s, and half of them were cancelled by gRPC's core, which waits 30 s.

`hasten` reads all bytes but a few before the loop works off the queue. Nothing is lost by that: a completion is in the
queue before its byte is written. The few are for completions of a loop of this process that has been closed: each makes
grpc.aio raise before it has worked off the rest, and it needs a byte to go on.
"""

from __future__ import annotations

import array
import asyncio
import fcntl
import logging
import os
import termios
from collections.abc import Callable
from contextlib import suppress
from selectors import BaseSelector

CALLBACK = "_handle_events"
"""The function of grpc.aio that the loop calls when there are completions."""
CLOSED = "Event loop is closed"
"""What asyncio says of work for a loop that has been closed."""
KEPT = 8
"""Bytes that are left to grpc.aio."""

_logger = logging.getLogger(__name__)


def hasten(loop: asyncio.AbstractEventLoop, selector: BaseSelector) -> bool:
    """Read the bytes of gRPC's wake-up socket all at once from now on; False: there is no such socket here.

    `selector` is the one that the loop waits with, and grpc.aio must be in use on the loop already. A version of grpcio
    that works otherwise is left as it is: only speed under load is lost.
    """
    for key in tuple(selector.get_map().values()):
        found = _callback(key.data)
        if found is not None and not os.get_blocking(key.fd):
            loop.add_reader(key.fd, _emptying, key.fd, array.array("i", [0]), found)
            return True
    _logger.debug("gRPC's wake-up socket was not found; streams may wait under load")
    return False


def _callback(data: object) -> Callable[[], object] | None:
    """The function of grpc.aio behind a registered socket; None: the socket belongs to something else."""
    handle = data[0] if isinstance(data, tuple) and data else None
    callback = getattr(handle, "_callback", None)
    function = getattr(callback, "func", callback)  # grpcio wraps it in a functools.partial
    return callback if callable(callback) and getattr(function, "__name__", "") == CALLBACK else None


def _emptying(wakeup: int, count: array.array[int], work_off: Callable[[], object]) -> None:
    """Read all bytes but those that grpc.aio needs, and let it work off its queue; `count` is for the kernel."""
    fcntl.ioctl(wakeup, termios.FIONREAD, count)
    if count[0] > KEPT:
        with suppress(BlockingIOError):  # loops of other threads read from the same socket
            os.read(wakeup, count[0] - KEPT)
    for _ in range(KEPT):
        try:
            work_off()
        except BlockingIOError:
            return  # the last byte is read, so nothing is left
        except RuntimeError as error:
            if str(error) != CLOSED:
                raise
            _logger.debug("gRPC had something for a referee of this process that has ended")
        else:
            return
