"""Whether an event may still be begun as its ladder file says."""

from __future__ import annotations

from datetime import UTC, datetime

from ladder.config.ladder_file import Ladder
from ladder.store.database import Store
from referee.kernel.errors import BadSetting


def check_start(ladder: Ladder, store: Store | None = None, now: datetime | None = None) -> None:
    """Raise BadSetting for a start in the past of an event that has not begun; one that has begun goes on.

    `store` None: the ladder's database is looked at if there is one, and none is made.
    """
    start = None if ladder.event is None else ladder.event.start
    if not isinstance(start, datetime) or start > (now or datetime.now(UTC)):
        return
    if store is None:
        if ladder.database.exists():
            with Store(ladder.database) as found:
                check_start(ladder, found, now)
            return
    elif store.event_state(ladder.season) in ("running", "over"):
        return
    raise BadSetting(
        f"event {ladder.season!r} was to start at {start.isoformat()}, which is past, and it has not begun; give it a "
        f'later start, or start = "organiser" and say kumite event start'
    )
