"""The memory allocator of a referee: the C library's, which gives freed pages back wherever they lie.

Python's own allocator gives memory back by the MiB, and only where nothing at all is left in it. A referee that was
flooded keeps some hundred small objects that were made meanwhile, spread over everything: with 1,100 strangers who came
and left 72 MiB stayed of 55 before. The C library's allocator, trimmed as `referee.transport.heap` does, left 64. The
allocator is chosen when Python starts, so `kumite serve` starts its Python once more, in the same process. In a loop of
rules alone the C library's allocator is about 5% slower.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence

VARIABLE = "PYTHONMALLOC"
"""What chooses the allocator; see Python's documentation."""
MARK = "KUMITE_RESTARTED"
"""Set for the second start, and for nothing that the referee starts itself."""
COMMAND = "serve"


def choose(arguments: Sequence[str]) -> None:
    """Start Python once more with the C library's allocator, if the command is a referee and no other was chosen."""
    if os.environ.pop(MARK, None) is not None:
        os.environ.pop(VARIABLE, None)  # processes of the referee's own have Python's allocator
        return
    command = next((argument for argument in arguments if not argument.startswith("-")), None)
    if command != COMMAND or VARIABLE in os.environ or not sys.executable:
        return
    if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
        return
    environment = {**os.environ, VARIABLE: "malloc", MARK: "1"}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
