"""One match: the state machine, its clocks, faults and record, and what drives it.

`match` is the core (no I/O, no clock reading): `terms` go in before it begins, `outputs` come out, `clock`, `policy`,
`chair` and `log` are its parts. `record` is what is kept of a match, `files` where it is kept as JSON lines, `replay`
and `verify` what can be made of it (`fields` reads it with suspicion). `local` drives a match between bots of this
process in a plain loop, `table` one between remote seats on trio; `ports` says what they need from outside. Games come
by the registry of the kernel; nothing here knows one from another.
"""
