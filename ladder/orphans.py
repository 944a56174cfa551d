"""Keeps child processes from outliving the process that started them."""

from __future__ import annotations

import os
import threading
import time

SECONDS = 1.0
"""Time between two looks at the parent."""


def end_with_parent() -> None:
    """End this process soon after its parent has ended, however that ended."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="kumite-parent", daemon=True).start()
