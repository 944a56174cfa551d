"""One match: the state machine, its clocks, faults and record, and what drives it.

`match` is the core (no I/O, no clock reading): `terms` go in before it begins, `outputs` come out, `clock`, `policy`,
`seat` and `log` are its parts. `record` is what is kept of a match, `files` where it is kept as JSON lines, `replay`
and `verify` what can be made of it (`kernel.reading` checks every field). `local` drives a match between bots of this
process in a plain loop, `table` one between remote seats on trio; `protocols` says what they need from outside. Games
come by the registry of the kernel: no module here depends on a single game.
"""
