"""What the referee promises, as far as it can be seen by looking: a promise that it does not make yet is not checked.

Each name is a capability that the referee has or lacks. Where it lacks one, the faults that need it are not injected
and the checks that rely on it are left out; `test_every_promise_is_checked` says which.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from inspect import signature

from referee.match.seat import SeatState
from referee.transport.connections import Connections


def _storage_trouble() -> type[Exception] | None:
    found = getattr(import_module("referee.kernel.errors"), "StorageTrouble", None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


STORAGE_TROUBLE = _storage_trouble()
"""The exception with which a recorder says that it cannot store now; None: the referee gives a match up instead."""
STANDS_STILL = STORAGE_TROUBLE is not None and find_spec("referee.match.playtime") is not None
"""Whether the matches' time stands still while nothing can be stored."""
ENDS_SURVIVE_RESTARTS = "missed" in signature(Connections.__init__).parameters
"""Whether an end that was stored is told until its bot has read it, also after the referee was killed."""
UNASKED_SEATS_ARE_HELD = "grace" in SeatState.__slots__
"""Whether after a restart no clock of an absent seat runs, also of one that was not asked at the kill."""

PROMISES = {
    "stands still while nothing can be stored": STANDS_STILL,
    "tells stored ends after a restart": ENDS_SURVIVE_RESTARTS,
    "holds the clocks of seats that were not asked at a restart": UNASKED_SEATS_ARE_HELD,
}
