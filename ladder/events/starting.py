"""Whether an event may still be begun as its ladder file says."""

from __future__ import annotations

from datetime import UTC, datetime

from ladder.config.ladder_file import Ladder
from ladder.store.database import Store
from referee.kernel.errors import BadSetting


def is_past(ladder: Ladder, now: datetime | None = None) -> bool:
    """Whether the file names a start that has passed."""
    start = None if ladder.event is None else ladder.event.start
    return isinstance(start, datetime) and start <= (now or datetime.now(UTC))


def check_start(ladder: Ladder, store: Store | None = None, now: datetime | None = None) -> None:
    """Raise BadSetting for a start in the past of an event that has not begun; one that has begun goes on.

    `store` None: the ladder's database is looked at if there is one, and none is made.
    """
    if ladder.event is None or not is_past(ladder, now):
        return
    if store is None:
        if ladder.database.exists():
            with Store(ladder.database) as found:
                check_start(ladder, found, now)
            return
    elif store.event_state(ladder.season) in ("running", "over"):
        return
    start = ladder.event.start
    said = start.isoformat() if isinstance(start, datetime) else start
    raise BadSetting(
        f"event {ladder.season!r} was to start at {said}, which is past, and it has not begun; give it a later start, "
        f'or start = "organiser" and say kumite event start'
    )
