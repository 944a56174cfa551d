"""The cycle collector, told to look less often.

States, views and messages hold no reference cycles: reference counts free them at once. What the collector finds while
many games are being played is next to nothing, and looking for it takes a tenth of the time. So those who play many
games let it rest; cycles that others make are still found, only later.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (50_000, 20, 20)
"""When the collector looks: new containers since the last time, then rounds for each older generation."""


def rest() -> None:
    """Let the collector rest from now on; what exists already is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


@contextmanager
def resting() -> Iterator[None]:
    """Let the collector rest in a block, and be as before after it."""
    thresholds = gc.get_threshold()
    rest()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
