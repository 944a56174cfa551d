"""Events: a planned season in rounds, with check-in, byes, no-shows, withdrawals, a cross table and a winner.

`rules` are what an event is played by, `state` is what is known of it, `rounds` says what comes next, `ranking` who
stands where: all of them values and pure functions. `season` plays an event at a referee, `report` and `sheets` tell
how it ended. docs/events.md has every definition.
"""

from __future__ import annotations
