"""Bombs: functions that use more and more of one resource until the host ends the bot."""

from __future__ import annotations

import mmap
import os
import sys
import time
from collections.abc import Callable

BLOCK = 1 << 20


def memory() -> None:
    """Allocate memory and write to it."""
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1) * (16 * BLOCK)))


def unmapped_memory() -> None:
    """Allocate shared memory, write to it, and unmap its pages without freeing them."""
    kept = []
    while True:
        block = mmap.mmap(-1, 16 * BLOCK)
        block.write(bytes(16 * BLOCK))
        block.madvise(mmap.MADV_DONTNEED)
        kept.append(block)


def child_memory() -> None:
    """Allocate memory in a child process, while the parent plays on."""
    if os.fork() == 0:
        memory()


def processes() -> None:
    """Fork without end."""
    while True:
        try:
            if os.fork() == 0:
                time.sleep(600)
        except OSError:
            time.sleep(0.01)


def disk() -> None:
    """Fill the private disk."""
    with open("/tmp/bomb", "wb", buffering=0) as file:
        _fill(file.fileno())


def shared_memory() -> None:
    """Fill /dev/shm."""
    with open("/dev/shm/bomb", "wb", buffering=0) as file:
        _fill(file.fileno())


def _fill(descriptor: int) -> None:
    block = bytes(BLOCK)
    while True:
        try:
            os.write(descriptor, block)
        except OSError:
            time.sleep(0.01)


def files() -> None:
    """Make empty files without end."""
    number = 0
    while True:
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
        number += 1


def output() -> None:
    """Print without end."""
    line = "x" * 4095 + "\n"
    while True:
        sys.stdout.write(line)


def cpu() -> None:
    """Count without end."""
    while True:
        pass


BOMBS: dict[str, Callable[[], None]] = {
    "memory": memory,
    "unmapped_memory": unmapped_memory,
    "child_memory": child_memory,
    "processes": processes,
    "disk": disk,
    "shared_memory": shared_memory,
    "files": files,
    "output": output,
    "cpu": cpu,
}
