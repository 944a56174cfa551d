"""gRPC's wake-up socket, emptied at once.

grpc.aio has one thread that takes the completions of gRPC's core, queues them for the loop and writes one byte for each
to a socket. The loop then works off the whole queue, but reads one byte only (grpcio 1.85 and earlier). Under load the
bytes pile up until the socket is full, at about 280 bytes. From then on the thread blocks in its `write` and hands over
one completion for each turn of the loop, and every further completion waits: with 1,000 bots that answer at once a new
stream waited 20 s, and gRPC's core, which waits 30 s, cancelled half of the new streams.

`hasten` reads all bytes but `KEPT` before the loop works off the queue. No completion is lost, because a completion is
in the queue before its byte is written. The kept bytes are for completions of a loop of this process that has been
closed: at each of them grpc.aio raises before the rest of the queue is worked off, and needs a byte to go on.
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
"""The message of asyncio's error about work for a closed loop."""
KEPT = 8
"""Bytes that are left to grpc.aio."""

_logger = logging.getLogger(__name__)


def hasten(loop: asyncio.AbstractEventLoop, selector: BaseSelector) -> bool:
    """Empty gRPC's wake-up socket at once from now on; False: the socket was not found.

    `selector` is that of the loop, and grpc.aio must be in use on the loop already. A version of grpcio that works
    otherwise is left as it is: only speed under load is lost.
    """
    for key in tuple(selector.get_map().values()):
        found = _callback(key.data)
        if found is not None and not os.get_blocking(key.fd):
            loop.add_reader(key.fd, _emptying, key.fd, array.array("i", [0]), found)
            return True
    _logger.debug("gRPC's wake-up socket was not found; streams may wait under load")
    return False


def _callback(data: object) -> Callable[[], object] | None:
    """The function of grpc.aio behind a registered socket; None: the socket has another owner."""
    handle = data[0] if isinstance(data, tuple) and data else None
    callback = getattr(handle, "_callback", None)
    function = getattr(callback, "func", callback)  # grpcio wraps it in a functools.partial
    return callback if callable(callback) and getattr(function, "__name__", "") == CALLBACK else None


def _emptying(wakeup: int, count: array.array[int], work_off: Callable[[], object]) -> None:
    """Read all bytes but those that grpc.aio needs, and let grpc.aio work off its queue; the kernel fills `count`."""
    fcntl.ioctl(wakeup, termios.FIONREAD, count)
    if count[0] > KEPT:
        with suppress(BlockingIOError):  # loops of other threads read from the same socket
            os.read(wakeup, count[0] - KEPT)
    for _ in range(KEPT):
        try:
            work_off()
        except BlockingIOError:
            return  # the last byte is read, so the queue is empty
        except RuntimeError as error:
            if str(error) != CLOSED:
                raise
            _logger.debug("gRPC had something for a referee of this process that has ended")
        else:
            return
