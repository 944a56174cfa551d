"""Who plays whom: pure functions from what was played and who is present to what is played next.

`planned` schedules whole batches of a season, by `design` (matchmaking) and by `orbits` (all tables of a large pool);
`open` answers one question at a time between bots that are present, with the counts of `memory`; `rounds` has the
rounds of events.
"""
