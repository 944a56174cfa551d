"""Events: a planned season in rounds, with check-in, byes, no-shows, withdrawals, a cross table and a winner.

`ladder.config.event_rules` are what an event is played by, `state` is what is known of it (`loading` reads it from the
database), `rounds` says what comes next, `ranking` who stands where, `ties` who goes on in a knockout: all of them
values and pure functions. `starting` refuses an event whose time is past, `event_season` plays an event at a referee
and lets its organiser see and move it, `report` and `report_grid` tell how it ended. docs/events.md has every
definition.
"""
