"""Ends the process groups of bots when the process that started them is gone; run as a program, by `ladder.orphans`.

Standard input says which groups there are: `+PID` for one that was started, `-PID` for one that has ended. The input
ends with the process that writes it, also after `kill -9`; then every group that is left is asked to end, and a moment
later made to.
"""

from __future__ import annotations

import os
import signal
import sys
import time

GRACE = 1.0
"""Seconds between asking and making."""


def main() -> None:
    """Listen until the input ends, then end what is left."""
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line.startswith("+"):
            groups.add(group)
        else:
            groups.discard(group)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for group in groups:
            try:
                os.killpg(group, number)
            except OSError:
                continue
        if groups and number == signal.SIGTERM:
            time.sleep(GRACE)


if __name__ == "__main__":
    main()
