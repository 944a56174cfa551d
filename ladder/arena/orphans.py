"""Keeps child processes from outliving the process that started them, also if that process is killed.

Processes of this program watch their parent themselves (`end_with_parent`). Bots are programs of their own, and
`referee.hosting.launch` sees to them.
"""

from __future__ import annotations

import os
import threading
import time

SECONDS = 1.0
"""Time between two looks at the parent."""


def end_with_parent(parent: int) -> None:
    """End this process soon after its parent, whose process id is given, has ended; at once if that has happened."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="kumite-parent", daemon=True).start()
